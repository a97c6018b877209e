"""Start-up text that keeps our shims first on PATH in an agent's shell, whatever a re-read rc file, mise, asdf, direnv, pixi or nvm puts before.

Only inside a session: elsewhere the text does nothing. It says nothing, starts nothing and may be read any number of times.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

BASH = """\
if [ -n "${GATEPOST_SESSION-}" ]; then
  __gatepost_first() {
    local status=$? rest=:$PATH:
    while :; do
      case $rest in
      *:@SHIMS@:*) rest=${rest%%:@SHIMS@:*}:${rest#*:@SHIMS@:} ;;
      *) break ;;
      esac
    done
    rest=${rest#:}
    rest=${rest%:}
    PATH=@SHIMS@${rest:+:$rest}
    return "$status"
  }
  __gatepost_prompt() {
    local status=$?
    __gatepost_first
    case ${PROMPT_COMMAND[*]-} in
    *__gatepost_prompt) ;;
    *) __gatepost_last ;;
    esac
    return "$status"
  }
  __gatepost_last() {
    local one kept=()
    for one in "${PROMPT_COMMAND[@]-}"; do
      one=${one//__gatepost_prompt/:}
      [ -z "$one" ] || [ "$one" = : ] || kept+=("$one")
    done
    if ((BASH_VERSINFO[0] > 5 || BASH_VERSINFO[0] == 5 && BASH_VERSINFO[1] > 0)); then
      PROMPT_COMMAND=("${kept[@]}" __gatepost_prompt)
    else
      PROMPT_COMMAND="${kept[0]:+${kept[0]}; }__gatepost_prompt"
    fi
  }
  case $(declare -f cd) in
  *__gatepost_first*) ;;
  '') cd() { builtin cd "$@" && __gatepost_first; } ;;
  *)
    eval "__gatepost_other_$(declare -f cd)"
    cd() { __gatepost_other_cd "$@" && __gatepost_first; }
    ;;
  esac
  __gatepost_last
  __gatepost_first
fi
"""

ZSH = """\
if [[ -n ${GATEPOST_SESSION-} ]]; then
  __gatepost_first() {
    path=(@SHIMS@ ${path:#@SHIMS@})
  }
  autoload -Uz add-zsh-hook
  for __gatepost_hook in precmd preexec chpwd; do
    add-zsh-hook -d $__gatepost_hook __gatepost_first
    add-zsh-hook $__gatepost_hook __gatepost_first
  done
  unset __gatepost_hook
  __gatepost_first
fi
"""

FISH = """\
if set -q GATEPOST_SESSION
  function __gatepost_first --on-event fish_prompt --on-event fish_preexec --on-variable PWD --on-variable PATH
    if test "$PATH[1]" != @SHIMS@; or test (count (string match -- @SHIMS@ $PATH)) -gt 1
      set -l rest (string match --invert -- @SHIMS@ $PATH)
      set -gx PATH @SHIMS@ $rest
    end
  end
  __gatepost_first
end
"""


def _posix(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SHELLS: dict[str, tuple[str, Callable[[str], str]]] = {
    "bash": (BASH, _posix),
    "zsh": (ZSH, _posix),
    "fish": (FISH, _fish),
}
"""Shell to its text and its way to quote."""


def text(shell: str, shims: str) -> str:
    """What `gatepost shell-init SHELL` prints, for the folder of shims. Raises KeyError for a shell that is not in the table."""
    template, quoted = SHELLS[shell]
    return template.replace("@SHIMS@", quoted(shims))
