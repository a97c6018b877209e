#!/bin/sh
# Installs Gatepost into a private environment and shows it at work. Changes no agent's settings: `gatepost install HOST` does that.
set -u
umask 022

usage() {
  cat <<'TEXT'
usage: ./install.sh [--prefix DIR] [--bin DIR] [--config DIR] [--state DIR] [--wheels DIR] [--dev] [--system] [--uninstall]

  --prefix DIR   the private environment, compiled rules and shims   (~/.local/share/gatepost)
  --bin DIR      where gatepost, gatepost-hook and with-limits go    (~/.local/bin)
  --config DIR   your config.toml and rules/                         (~/.config/gatepost)
  --state DIR    log, trust and counters                             (~/.local/state/gatepost)
  --wheels DIR   take every package from DIR, none from the network
  --dev          run from this source folder, with the development tools beside it
  --system       for every user, owned by root: /opt/gatepost, /usr/local/bin, /etc/gatepost
  --uninstall    remove what install.sh made; configuration and log stay

~ is the home folder in the password database, whatever $HOME says. Running it again upgrades: the old one works until the new one does.
TEXT
}

say() { printf '%s\n' "$*"; }
fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}
absolute() { # without the trailing slash, but for the root folder
  case $1 in
  / | //) printf / ;;
  /*) printf '%s' "${1%/}" ;;
  *) printf '%s/%s' "${PWD%/}" "${1%/}" ;;
  esac
}

here=$(cd "$(dirname "$0")" && pwd) || exit 1
prefix= bin= config= state= wheels= mode=install dev= system=
while [ $# -gt 0 ]; do
  case $1 in
  --prefix=* | --bin=* | --config=* | --state=* | --wheels=*)
    name=${1%%=*} value=${1#*=}
    shift
    set -- "$name" "$value" "$@"
    continue
    ;;
  --prefix | --bin | --config | --state | --wheels)
    [ -n "${2-}" ] || {
      printf 'install.sh: %s wants a folder behind it\n' "$1" >&2
      usage >&2
      exit 2
    }
    case $2 in
    "~" | "~/"*) fail "$1 $2: your shell left the ~ as it stands; write $1 \"\$HOME${2#"~"}\"" ;;
    *"
"*) fail "$1: a line break stands in this name; choose another" ;;
    esac
    value=$(absolute "$2")
    case $1 in
    --prefix) prefix=$value ;;
    --bin) bin=$value ;;
    --config) config=$value ;;
    --state) state=$value ;;
    --wheels) wheels=$value ;;
    esac
    shift
    ;;
  --dev) dev=1 ;;
  --system) system=1 ;;
  --uninstall) mode=uninstall ;;
  -h | --help)
    usage
    exit 0
    ;;
  *)
    printf 'install.sh: %s is no option\n' "$1" >&2
    usage >&2
    exit 2
    ;;
  esac
  shift
done

[ -z "$wheels" ] || [ -d "$wheels" ] || fail "--wheels $wheels: there is no such folder"
[ -z "$system" ] || [ -z "$config$state" ] || fail "--config and --state are not for --system: it has /etc/gatepost, and each user's own log"

# what would lead Python or pip elsewhere
unset PYTHONPATH PYTHONHOME PYTHONSTARTUP PIP_TARGET PIP_PREFIX PIP_USER PIP_ROOT VIRTUAL_ENV

# --- an interpreter ---------------------------------------------------------------------------------------------------

PROBE='
import os, sys
own = getattr(sys, "_base_executable", "") or sys.executable
closed = []
if sys.argv[1:]:
    for path in (own, os.path.realpath(own), sys.base_prefix):
        while path != "/":
            if not os.stat(path).st_mode & 1:
                closed.append(path)
            path = os.path.dirname(path)
if sys.implementation.name != "cpython":
    print("no: it is", sys.implementation.name)
elif not (3, 11) <= sys.version_info[:2] <= (3, 14):
    print("no: it is Python %d.%d" % sys.version_info[:2])
elif closed:
    print("no: other users cannot enter", closed[-1] + ", and --system is for all")
else:
    missing = []
    for name in ("venv", "ensurepip"):
        try:
            __import__(name)
        except ImportError:
            missing.append(name)
    print("yes:" + ",".join(missing) + ":%d.%d:" % sys.version_info[:2] + own)
'
python= version= lacking= spare= spare_version= spare_lacking= refused=
for name in python3.11 python3.12 python3.13 python3.14 python3 ${system:+/usr/bin/python3}; do
  found=$(command -v "$name" 2>/dev/null) || continue
  word=$("$found" -I -c "$PROBE" ${system:+shared} 2>/dev/null | tail -n 1)
  case $word in
  yes::*)
    word=${word#yes::}
    version=${word%%:*} python=${word#*:}
    break
    ;;
  yes:*)
    word=${word#yes:}
    lacks=${word%%:*} word=${word#*:}
    [ -n "$spare" ] || spare_lacking=$lacks spare_version=${word%%:*} spare=${word#*:}
    refused="$refused
  $found: it has no $lacks"
    ;;
  no:*) refused="$refused
  $found:${word#no:}" ;;
  *) refused="$refused
  $found: it does not start" ;;
  esac
done
uv=$(command -v uv 2>/dev/null) || uv=
if [ -z "$python" ] && [ -n "$spare" ]; then
  python=$spare version=$spare_version lacking=$spare_lacking
fi
[ -n "$python" ] || {
  say "install.sh: Gatepost needs CPython 3.11, 3.12, 3.13 or 3.14 on PATH." >&2
  if [ -n "$refused" ]; then say "Refused:$refused" >&2; else say "No python3 was found." >&2; fi
  say "To get one: apt install python3 python3-venv (Debian 12 or newer), or: uv python install 3.13" >&2
  exit 1
}

setup() { # STAGE PYTHON [FOLDER OF OUR PACKAGES]
  "$2" -I -c 'import sys; sys.path[:0] = sys.argv[2:]; from guards.install.setup import main; main(sys.argv[1])' "$1" ${3:+"$3"} <<TEXT
prefix=$prefix
bin=$bin
config=$config
state=$state
release=$release
system=$system
pid=$$
TEXT
}

release=
[ "$mode" = install ] || {
  setup uninstall "$python" "$here"
  exit
}

# --- a private environment, beside the one that may be at work ---------------------------------------------------------

mend() {
  say "install.sh: $python has no $1, and uv was not found. This mends it:" >&2
  say "  apt install python$version-venv" >&2
  exit 1
}
[ -z "$lacking" ] || [ -n "$uv" ] || mend "$lacking"

release=$(setup place "$python" "$here") || exit 1
trap '[ -e "$release/begun" ] || { rm -rf "$release"; rmdir "${release%/*}" "${release%/*/*}" 2>/dev/null; }' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
environment=$release/venv
say "Gatepost goes to $(dirname "$(dirname "$release")"), with $python ($version)."

with_uv=
if [ -n "$lacking" ]; then
  with_uv=1
elif ! "$python" -I -m venv "$environment" >"$release/venv.log" 2>&1 || ! "$environment/bin/python" -I -m pip --version >/dev/null 2>&1; then
  [ -n "$uv" ] || {
    tail -n 5 "$release/venv.log" >&2
    mend pip
  }
  with_uv=1
fi
if [ -n "$with_uv" ]; then
  say "$python has no ${lacking:-pip}: uv makes the environment."
  rm -rf "$environment"
  "$uv" venv --quiet --python "$python" "$environment" || fail "uv could not make the environment"
fi

fetch() {
  if [ -n "$with_uv" ]; then
    "$uv" pip install --quiet --python "$environment/bin/python" ${wheels:+--no-index --find-links "$wheels"} "$@"
  else
    "$environment/bin/python" -I -m pip install --quiet --disable-pip-version-check ${wheels:+--no-index --find-links "$wheels"} "$@"
  fi
}
if [ -n "$dev" ]; then
  [ -n "$with_uv" ] || fetch 'pip>=25.1' || fail "pip 25.1 or newer is needed for --dev"
  (cd "$here" && fetch --editable . --group dev) || fail "the packages could not be installed; what was there before still works"
else
  fetch "$here" || fail "the packages could not be installed (the reason stands above); what was there before still works.
  Without a network: --wheels DIR takes them from a folder (docs/install.md)."
fi

# --- compile, try it beside the old one, switch, show ------------------------------------------------------------------

setup switch "$environment/bin/python"
