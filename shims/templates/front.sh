
# --- requests that can concern no rule end here in silence; any doubt breaks out (why this is sound: shims/front.py) ---
more= cwd= event= tool= input= command= object= number= judge=
while [ ! -t 0 ]; do
  if IFS= read -r text; then
    if IFS= read -r more || [ -n "$more" ]; then
      text="$text
$more"
      break
    fi
  fi
  rest=over
  [ ${#text} -le 6000 ] || break
  case $text in *[!\ -~]* | *\\* | *[!\}]) break ;; esac # a quote at the very end would make no field

  # between its quotes an object without escapes falls into texts, and gaps that say what each text is
  IFS='"'
  set -f
  set -- $text
  IFS=' '
  [ "${1-}" = '{' ] || break
  shift
  while :; do
    case ${2-} in
    :)
      case $1 in
      cwd) [ -z "$cwd" ] && cwd=$3 || break 2 ;;
      hook_event_name) [ -z "$event" ] && event=$3 || break 2 ;;
      tool_name) [ -z "$tool" ] && tool=$3 || break 2 ;;
      tool_input) break 2 ;;
      esac
      case ${4-} in
      ,) shift 4 ;;
      \}) [ $# = 4 ] && break || break 2 ;;
      *) break 2 ;;
      esac
      ;;
    :\{)
      object=$1
      case $object in
      tool_input) [ -z "$input" ] && input=1 || break 2 ;;
      @TEXTS@) break 2 ;;
      esac
      shift 2
      while :; do
        case $object.$1 in
        tool_input.command) [ -z "$command" ] && [ "${2-}" = : ] && command=$3 || break 3 ;;
        @INNOCENT@) ;;
        tool_input.*) break 3 ;;
        esac
        case ${2-} in
        :)
          case ${4-} in
          ,) shift 4 ;;
          \},)
            shift 4
            break
            ;;
          \}\}) [ $# = 4 ] && break 2 || break 3 ;;
          *) break 3 ;;
          esac
          ;;
        :true, | :false, | :null, | :[0-9],) shift 2 ;;
        :true\}, | :false\}, | :null\}, | :[0-9]\},)
          shift 2
          break
          ;;
        :[1-9]*,)
          number=${2#:}
          number=${number%,}
          shift 2
          case $number in *\}) object= number=${number%\}} ;; esac
          case $number in *[!0-9]*) break 3 ;; esac
          [ -n "$object" ] || break
          ;;
        *) break 3 ;;
        esac
      done
      ;;
    :true, | :false, | :null, | :[0-9], | :[1-9]*,)
      case $1 in tool_input | @TEXTS@) break 2 ;; esac
      number=${2#:}
      shift 2
      case ${number%,} in true | false | null) ;; *[!0-9]*) break 2 ;; esac
      ;;
    *) break 2 ;;
    esac
  done

  case $host:$event:$tool in @TOOLS@) ;; *) break ;; esac
  case $command in '' | *[!A-Za-z0-9\ ./_:,@%+-]*) break ;; esac
  case $cwd in *//* | */./* | */../* | */. | */..) break ;; /*) ;; *) break ;; esac

  set -- $command
  table=@TABLE@
  case ${1-} in '' | */* | *[0-9]) break ;; esac
  form=$table/f:$1:
  if [ ! -e "$form" ]; then
    case ${2-} in '' | */* | *:*) form=$table/none ;; *) form=$table/f:$1:$2 ;; esac
    if [ ! -e "$form" ]; then
      case ${3-} in '' | */* | *:*) ;; *) form=$form:$3 ;; esac
    fi
    if [ ! -e "$form" ]; then
      [ ! -e "$table/g:$1" ] || break
      form=$table/others
    fi
  fi
  if [ -s "$form" ]; then
    . "$form"
    [ -z "$judge" ] || break
  elif [ ! -e "$form" ]; then
    break
  fi

@STALE@
  folder=$cwd
  while :; do
    [ ! -e "$folder/.gatepost.toml" ] || break 2
    [ -n "$folder" ] || break
    folder=${folder%/*}
  done
  { printf . >>@COUNT@; } 2>/dev/null
  exit 0
done

