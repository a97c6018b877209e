"""Other spellings of an example that mean the same, and forms in which it is only data: a rule must keep its word on both."""

from __future__ import annotations

from policy.rules import given
from policy.wording import shell_quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy.compiled import Compiled
    from policy.rules.layers import Found
    from policy.rules.schema import Example


INPUT = ("fed", "waits_for_input", "waits_for_terminal")
"""Facts on standard input: a command inside a here-document for a shell has the rest of that text as its input."""


def same(text: str, *, reads_input: bool = True) -> Iterator[str]:
    """Texts that run the same commands; `reads_input` False leaves out the one that feeds them something."""
    yield f"true && {text}"
    yield f"false || {text}"
    yield f"( {text}\n)"
    yield f"{{ {text}\n}}"
    yield f"if true; then {text}\nfi"
    yield f"for x in 1; do {text}\ndone"
    yield f"case x in x) {text}\n;; esac"
    yield f"gp() {{ {text}\n}}; gp"
    yield f"bash -c {shell_quote(text)}"
    yield f"sh -x -c {shell_quote(text)}"
    yield f"bash -lc {shell_quote(text)}"
    yield f"eval {shell_quote(text)}"
    yield f'c={shell_quote(text)}; eval "$c"'
    yield f"sudo bash -c {shell_quote(text)}"
    yield f"env A=1 sh -c {shell_quote(text)}"
    yield f"if ! {{ {text}\n}}; then echo failed; fi"
    yield f"set -eu\n# as asked\n{text}"
    yield f"{{ {text}\n}} && echo done || echo failed"
    yield f"function gp {{ {text}\n}}\ngp"
    yield f"{{ {text}\n}} 2>&1"
    yield f"pwd\n{text}\npwd"
    yield f"if false; then :; elif true; then {text}\nelse :; fi"
    yield f"bash -o pipefail -c {shell_quote(text)}"
    yield f"zsh -c {shell_quote(text)}"
    yield f"command bash -c {shell_quote(text)}"
    yield f"sh -c {shell_quote('eval ' + shell_quote(text))}"
    if reads_input:
        yield f"timeout 60 sh -c {shell_quote(text)}"
        yield f"nohup bash -c {shell_quote(text)}"
        yield f"flock /tmp/lock -c {shell_quote(text)}"
        yield f"find . -maxdepth 0 -exec sh -c {shell_quote(text)} \\;"
        yield f"setsid -w bash -c {shell_quote(text)}"
        yield f"until false; do {text}\nbreak; done"
        yield f"su root -c {shell_quote(text)}"
        yield f"bash <<'GATEPOST'\n{text}\nGATEPOST"
        yield f"echo {shell_quote(text)} | sh"
        yield f"printf '%s\\n' {shell_quote(text)} | bash"
        yield f"bash <<< {shell_quote(text)}"
        yield f"source <(echo {shell_quote(text)})"
        yield f"cat <<'GATEPOST' | sh\n{text}\nGATEPOST"
        yield f'echo "$( {text}\n)"'
        yield f"while true; do {text}\nbreak; done"
    if _is_simple(text):
        yield from _simple(text)


def _simple(text: str) -> Iterator[str]:
    """Other spellings of one plain command."""
    head, blank, rest = text.partition(" ")
    yield f"env A=1 {text}"
    yield f"command {text}"
    yield f"exec {text}"
    yield f"timeout -k 1 5 {text}"
    yield f"nohup {text}"
    yield f"nice -n 5 {text}"
    yield f"stdbuf -oL {text}"
    yield f"time {text}"
    yield f"! {text}"
    yield f"A=1 B=2 {text}"
    yield f"/usr/bin/{text}"
    yield f"c={head}; $c{blank}{rest}"
    yield "\\" + text
    yield f"{head[0]}''{head[1:]}{blank}{rest}"
    yield f'"{head}"{blank}{rest}'
    yield f"$'{head}'{blank}{rest}"
    yield f"{head}   {rest}"


def data(text: str) -> Iterator[str]:
    """Texts in which it is only words."""
    yield f"echo {shell_quote(text)}"
    yield f"grep -rn {shell_quote(text)} docs"
    yield f"gh issue create --title x --body {shell_quote('docs: ' + text)}"
    yield f"cat > /tmp/notes.md <<'GATEPOST'\n{text}\nGATEPOST"
    yield f"true # {text.splitlines()[0] if text else ''}"
    yield f"printf '%s\\n' {shell_quote(text)}"
    yield f"rg -n -F {shell_quote(text)}"
    yield f"gh pr edit 12 --title {shell_quote(text)}"
    yield f"gh pr comment 12 --body {shell_quote(text)}"
    yield f"note={shell_quote(text)}"
    yield f"[[ $note == {shell_quote(text)} ]] && echo same"
    yield f"case $note in {shell_quote(text)}) echo same;; esac"
    yield f": {shell_quote(text)}"
    yield f"jq -n --arg note {shell_quote(text)} '$note'"
    yield f"node probe.js {shell_quote(text)}"


def _is_simple(text: str) -> bool:
    first = text.split(" ", 1)[0]
    return (
        first.isidentifier()
        and not any(sign in text for sign in ";&|<>(){}\n`$")
        and first not in ("for", "while", "if", "case", "cd", "export", "hash")
    )


def faults(found: Found, everything: Compiled) -> list[str]:
    """Respellings of a rule's examples on which it says something else."""
    told = []
    for example in found.rule.example:
        if example.run is None:
            continue
        alone = everything.only(given.own_buckets(found, example, everything))
        if example.expect in ("deny", "ask"):
            told += _differing(
                found, example, alone, same(example.run, reads_input=not _depends_on_input(found)), example.expect
            )
        told += _differing(found, example, alone, data(example.run), "pass")
    return told


def _depends_on_input(found: Found) -> bool:
    facts = [*found.rule.unless.pairs(), *found.rule.when.pairs()]
    for match in found.rule.match:
        facts += [*match.unless.pairs(), *match.when.pairs()]
    return any(name in INPUT for name in facts)


def _differing(found: Found, example: Example, alone: Compiled, texts: Iterator[str], wanted: str) -> list[str]:
    told = []
    for text in texts:
        said, _, _ = given.judge(example.model_copy(update={"run": text}), found.id, alone)
        if said != wanted:
            told.append(f"{found.path}: respelled as {text!r}: expected {wanted}, got {said}")
    return told
