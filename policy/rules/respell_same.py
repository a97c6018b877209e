"""Texts that run the same commands in the same directory on the same machine: what a rule says of one it must say of all of them.

Three groups: forms that leave standard input as it was, forms that feed the text or something else to what reads it, and other spellings
of one plain command. Facts on each form's meaning: bash(1), and tests/policy/flow/test_spellings.py, where the forms themselves are run.
"""

from __future__ import annotations

import base64

from policy.wording import shell_quote as quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def same(text: str, *, reads_input: bool = True) -> Iterator[str]:
    """Every form; `reads_input` False leaves out those that change what the command finds on its standard input."""
    yield from around(text)
    yield from stored(text)
    yield from handed(text)
    if reads_input:
        yield from fed(text)
    if is_simple(text):
        yield from simple(text)
        if reads_input:
            yield from simple_fed(text)


def around(text: str) -> Iterator[str]:
    """The text as it is, inside a construct."""
    yield f"true && {text}"
    yield f"false || {text}"
    yield f"[ -d . ] && {{ {text}\n}}"
    yield f"[[ -n x ]] && {{ {text}\n}}"
    yield f"((1)) && {{ {text}\n}}"
    yield f"! true || {{ {text}\n}}"
    yield f"( {text}\n)"
    yield f"( ( {{ {text}\n}} ) )"
    yield f"{{ {text}\n}}"
    yield f"{{ {text}\n}} 2>&1"
    yield f"{{ {text}\n}} && echo done || echo failed"
    yield f"if true; then {text}\nfi"
    yield f"if ! {{ {text}\n}}; then echo failed; fi"
    yield f"if false; then :; elif true; then {text}\nelse :; fi"
    yield f"for x in 1; do {text}\ndone"
    yield f"for ((i = 0; i < 1; i++)); do {text}\ndone"
    yield f"case x in x) {text}\n;; esac"
    yield f"case y in x) :;; *) {text}\nesac"
    yield f"gp() {{ {text}\n}}; gp"
    yield f"gp() ( {text}\n); gp"
    yield f"function gp {{ {text}\n}}\ngp"
    yield f"time {{ {text}\n}}"
    yield f"set -eu\n# as asked\n{text}"
    yield f"pwd\n{text}\npwd"
    yield f"cd . && {text}"
    yield f"export A=1; {text}"
    yield f": <<'NOTHING'\nit's only text\nNOTHING\n{text}"


def stored(text: str) -> Iterator[str]:
    """The text kept somewhere and read as commands from there."""
    coded = base64.b64encode(text.encode("utf-8", "surrogateescape")).decode()
    yield f"eval {quote(text)}"
    yield f"eval {escaped(text)}"
    yield f"eval -- {quote(text)}"
    yield f"builtin eval {quote(text)}"
    yield f'c={quote(text)}; eval "$c"'
    yield f'c=({quote(text)}); eval "${{c[0]}}"'
    yield f'set -- {quote(text)}; eval "$1"'
    yield f'gp() {{ eval "$1"; }}; gp {quote(text)}'
    yield f'gp() {{ local c=$1; eval "$c"; }}; gp {quote(text)}'
    yield f"export c={quote(text)}; sh -c 'eval \"$c\"'"
    yield f'printf -v c %s {quote(text)}; eval "$c"'
    yield f"eval \"$(printf '%s' {quote(text)})\""
    yield f"eval \"$(cat <<'GATEPOST'\n{text}\nGATEPOST\n)\""
    yield f"c=$(cat <<'GATEPOST'\n{text}\nGATEPOST\n); eval \"$c\""
    yield f'eval "$(echo {coded} | base64 -d)"'
    yield f'bash -c "$(base64 -d <<< {coded})"'
    yield f"shopt -s expand_aliases\nalias gp={quote(text)}\ngp"
    yield f"trap {quote(text)} EXIT"
    yield f"cat > /tmp/gp.sh <<'GATEPOST'\n{text}\nGATEPOST\nbash /tmp/gp.sh"
    yield f"printf '%s\\n' {quote(text)} > /tmp/gp.sh && . /tmp/gp.sh"
    yield f"source <(echo {quote(text)})"
    yield f"bash <(cat <<'GATEPOST'\n{text}\nGATEPOST\n)"


def handed(text: str) -> Iterator[str]:
    """The text as an argument of a program that reads it as commands."""
    for shell in (
        "bash -c", "sh -x -c", "bash -lc", "bash -o pipefail -c", "zsh -c", "dash -c", "/bin/sh -c", "command bash -c", "exec bash -c",
        "sudo bash -c", "env A=1 sh -c", "env -u A bash -c", "/usr/bin/env bash -c", "nice -n 5 sh -c", "stdbuf -oL bash -c", "env -S 'bash -c'",
    ):  # fmt: skip
        yield f"{shell} {quote(text)}"
    yield f"bash -c {escaped(text)}"
    yield f"bash -c {doubled(text)}"
    yield f"sh -c {quote('eval ' + quote(text))}"
    yield f"bash -c {quote('sh -c ' + quote(text))}"
    yield f"bash -c 'eval \"$1\"' gp {quote(text)}"
    yield f"bash -c '\"$@\"' gp sh -c {quote(text)}"
    yield f"python3 -c {quote(f'import os; os.system({text!r})')}"
    yield f"python3 -c {quote(f'import subprocess; subprocess.run({text!r}, shell=True, check=True)')}"


def fed(text: str) -> Iterator[str]:
    """Forms with another standard input: the text itself, a pipe, none."""
    for shell in (
        "timeout 60 sh -c", "nohup bash -c", "flock /tmp/lock -c", "setsid -w bash -c", "su root -c", "parallel :::", "watch -n 9",
    ):  # fmt: skip
        yield f"{shell} {quote(text)}"
    yield f"find . -maxdepth 0 -exec sh -c {quote(text)} \\;"
    for shell in ("bash", "sh -s", "bash -s --", "bash /dev/stdin", "sudo sh"):
        yield f"{shell} <<'GATEPOST'\n{text}\nGATEPOST"
    yield f"cat <<'GATEPOST' | sh\n{text}\nGATEPOST"
    yield f"echo {quote(text)} | sh"
    yield f"printf '%s\\n' {quote(text)} | bash"
    yield f"printf '%s\\0' {quote(text)} | xargs -0 sh -c"
    yield f"printf '%s\\0' {quote(text)} | xargs -0 -I @@ sh -c @@"
    yield f"bash <<< {quote(text)}"
    yield f". /dev/stdin <<< {quote(text)}"
    yield f"python3 - <<'GATEPOST'\nimport os\nos.system({text!r})\nGATEPOST"
    yield f"while true; do {text}\nbreak; done"
    yield f"until false; do {text}\nbreak; done"
    yield f'echo "$( {text}\n)"'
    yield f"{{ {text}\n}} & wait"
    yield f"coproc {{ {text}\n}}; wait"
    yield f"cat <( {text}\n)"


def simple(text: str) -> Iterator[str]:
    """Other spellings of one plain command."""
    head, blank, rest = text.partition(" ")
    for prefix in ("env A=1", "env -u A", "command", "exec", "nice -n 5", "stdbuf -oL", "time", "!", "A=1 B=2"):
        yield f"{prefix} {text}"
    yield f"/usr/bin/{text}"
    yield f"c={head}; $c{blank}{rest}"
    yield f'c={head}; "${{c}}"{blank}{rest}'
    yield f"${{UNSET_:-{head}}}{blank}{rest}"
    yield f"$(echo {head}){blank}{rest}"
    yield "\\" + text
    yield f"{head[0]}''{head[1:]}{blank}{rest}"
    yield f'"{head}"{blank}{rest}'
    yield f"$'{head}'{blank}{rest}"
    yield f"$'\\x{ord(head[0]):02x}'{head[1:]}{blank}{rest}"
    yield f"{head}   {rest}"
    yield f"{head} \\\n{rest}"
    yield f"  {head}\t{rest}  "
    yield f"{text} # as asked"
    yield f"c='{head}'; set -- {rest}; $c \"$@\""
    yield f'gp() {{ "$@"; }}; gp {text}'
    yield f'c=({text}); "${{c[@]}}"'


def simple_fed(text: str) -> Iterator[str]:
    """The same behind launchers that end it, or that give it another input."""
    for prefix in ("timeout -k 1 5", "nohup"):
        yield f"{prefix} {text}"


def is_simple(text: str) -> bool:
    """Whether a text is one plain command that a program carries out, not the shell itself."""
    first = text.split(" ", 1)[0]
    return (
        first.isidentifier()
        and not any(sign in text for sign in ";&|<>(){}\n`$")
        and first not in ("for", "while", "if", "case", "cd", "export", "hash", "read")
    )


def escaped(text: str) -> str:
    """As $'…', every letter that is not plain as an escape."""
    return "$'" + "".join(c if c.isalnum() or c in " /-_." else _code(c) for c in text) + "'"


def _code(char: str) -> str:
    if char == "\n":
        return "\\n"
    return f"\\x{ord(char):02x}" if ord(char) < 128 else f"\\u{ord(char):04x}"


def doubled(text: str) -> str:
    """In double quotes."""
    return '"' + "".join(f"\\{c}" if c in '\\"$`' else c for c in text) + '"'
