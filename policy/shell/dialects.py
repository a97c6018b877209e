"""Where zsh, dash and their like read a text otherwise than bash, and what is then done: another reading is added, or the text is refused.

Each check holds only while that dialect may run the text (`Work.zsh`, `Work.posix`). They look at tokens and words, not at raw text, so
that ordinary requests pass. The facts were measured with zsh 5.9, dash 0.5.12 and bash 5.2.
"""

from __future__ import annotations

from policy.model import Piece
from policy.shell.budget import Unparsed
from policy.shell.lexicon import NAME, NAME_START, ZSH_COMMANDS, ZSH_SPECIAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Assignment, Word
    from policy.shell.budget import Limits
    from policy.shell.expansions import Expansions
    from policy.shell.words import Scanner

DIALECTS = {
    "bash": frozenset(("bash",)),
    "sh": frozenset(("bash", "posix")),
    "zsh": frozenset(("zsh",)),
    "unknown": frozenset(("bash", "posix", "zsh")),
}
"""The shells that may run a text of each dialect; the shell of `sh` is dash, ash or bash."""

EVALUATING = frozenset(
    "test [ let printf read typeset declare local export readonly unset mapfile readarray wait set".split()  # noqa: SIM905
)
"""Builtins that evaluate the subscript in an argument like 'x[$(command)]', quoted or not, or assign what an argument names."""


def check_assignment(scanner: Scanner, start: int, made: Assignment) -> None:
    """Refuse an assignment that in zsh defines a command. A plain value for one of its tables is an error there."""
    is_table = made.subscript is not None or any(piece.kind == "array" for piece in made.word.pieces)
    if scanner.work.zsh and made.name in ZSH_SPECIAL and (is_table or made.name in ZSH_COMMANDS):
        raise scanner.fail(f"in zsh, {made.name} defines commands", start)


def check_command_word(scanner: Scanner, start: int, word: Word) -> None:
    """Refuse a command word that zsh takes for an assignment: digits or a letter beyond ASCII before the =."""
    if not scanner.work.zsh or "=" not in word.raw:
        return
    name = word.raw.partition("=")[0].removesuffix("+")
    if name and (name.isdigit() or (not name.isascii() and name.replace("_", "a").isalnum())):
        raise scanner.fail("in zsh this is an assignment", start)


def expanded_by_zsh(word: Word) -> Word:
    """=name at the start of a word is the path of that command in zsh: then the value is not known."""
    if (
        not word.pieces
        or word.pieces[0].kind != "text"
        or word.pieces[0].quoted
        or word.pieces[0].text[0] != "="
        or word.value in ("=", None)
    ):
        return word
    return word.replace(value=None, pieces=(Piece("param", "", operator="="), *word.pieces))


def check_argument(scanner: Scanner, start: int, word: Word, command: str) -> None:
    """Refuse an argument of typeset, printf -v, read, set -A and their like that in zsh defines a command."""
    if not scanner.work.zsh or not word.pieces or word.pieces[0].kind != "text":
        return
    text = word.pieces[0].text
    before_subscript, subscript, _ = text.partition("[")
    before_equals, equals, _ = text.partition("=")
    is_array = word.pieces[-1].kind == "array"
    if (
        (subscript and before_subscript in ZSH_SPECIAL)
        or (is_array and before_equals.removesuffix("+") in ZSH_SPECIAL)
        or (equals and before_equals in ZSH_COMMANDS)
        or (command == "set" and text in ZSH_SPECIAL)
    ):
        raise scanner.fail(f"in zsh, {text[:20]} defines commands", start)


def check_background(scanner: Scanner, end: int) -> None:
    """Refuse `&!command`: zsh reads &! as one operator."""
    if scanner.work.zsh and scanner.at(end) == "!" and scanner.at(end + 1) not in ("", " ", "\t", "\n"):
        raise scanner.fail("in zsh, &! is an operator", end)


def check_target(scanner: Scanner, start: int) -> None:
    """Refuse `>!file`: zsh reads >! as one operator."""
    if scanner.work.zsh and scanner.at(start) == "!":
        raise scanner.fail("in zsh, >! is an operator", start)


def check_arithmetic(scanner: Expansions, start: int, end: int) -> None:
    """Refuse arithmetic that zsh may take for commands: it counts brackets inside quotes, and falls back where they do not match."""
    if not scanner.work.zsh:
        return
    body = _without_substitutions(scanner, start, end)
    if not _balanced(body) or (any(sign in body for sign in "'\"\\`") and any(sign in body for sign in "[](){};&|")):
        raise scanner.fail("in zsh this may be a list of commands and not arithmetic", start)


def _without_substitutions(scanner: Expansions, start: int, end: int) -> str:
    kept: list[str] = []
    i = start
    while (j := scanner.text.find("$(", i, end)) >= 0:
        got = scanner.memo.get((j + 2, ")")) or scanner.memo.get((j + 3, "(("))
        stop = got[0] if isinstance(got, tuple) else j + 2
        kept.append(scanner.text[i:j])
        i = stop
    kept.append(scanner.text[i:end])
    return "".join(kept)


def _balanced(body: str) -> bool:
    depth = 0
    for character in body:
        depth += (character == "[") - (character == "]")
        if depth < 0:
            return False
    return depth == 0


def check_brace(scanner: Expansions, start: int, end: int, *, quoted: bool) -> None:
    """Refuse a ${ } that only zsh knows: flags, nesting, a modifier before the name, a glob qualifier in it."""
    if not scanner.work.zsh:
        return
    first = scanner.text[start:end][:1]
    if first not in NAME and first not in ("#", "!", "@", "*", "?", "-", "$") and first:
        raise scanner.fail("a ${ } that bash does not know", start)
    body = _without_substitutions(scanner, start, end)
    if not quoted and any(body[i] == "(" and (i == 0 or body[i - 1] not in "$<>(") for i in range(len(body))):
        raise scanner.fail("a ( in ${ } is a glob qualifier in zsh", start)


def check_condition(scanner: Scanner, start: int, end: int) -> None:
    if scanner.work.zsh and "(#" in scanner.text[start:end]:
        raise scanner.fail("(# in a condition is a glob flag in zsh", start)


def check_ansi(scanner: Expansions, start: int, end: int) -> None:
    """Note an escaped single quote inside $' ': for dash the quote ends there. Refused in text that is not the request's own."""
    if scanner.work.posix and "\\'" in scanner.text[start:end]:
        if scanner.origin is not None or not scanner.text.startswith("$'", start - 2):
            raise scanner.fail("dash ends this quote earlier", start)
        scanner.work.ansi.append(start - 2)


def as_dash_quotes(text: str, places: list[int], limits: Limits) -> None:
    """Refuse a text that dash, for which those $' ' end at the first single quote, would run otherwise than reject or print it."""
    from policy import shell

    for place in sorted(set(places), reverse=True):
        text = f"{text[:place]}\\{text[place:]}"
    try:
        commands = shell.parse(text, "bash", limits).commands
    except Unparsed as error:
        if error.message in _OPEN:
            return
        raise Unparsed("dash ends this quote earlier", places[0]) from error
    if not all(command.words and command.words[0].value in _PRINTING for command in commands):
        raise Unparsed("dash ends this quote earlier", places[0])


_OPEN = frozenset({"a single quote is not closed", "a double quote is not closed", "a $' quote is not closed"})
_PRINTING = frozenset({"echo", "printf"})


def as_program(scanner: Scanner, start: int, end: int, *, zsh_too: bool = False) -> None:
    """Add what dash runs in [start, end): a (( )), [[ ]] or subscript read as ordinary commands; zsh reads the last of them so too.

    A text that the grammar refuses here is refused by dash too, but for a function whose body is a simple command.
    """
    if scanner.posix or not (scanner.work.posix or (zsh_too and scanner.work.zsh)):
        return
    body = scanner.text[start:end]
    inner = type(scanner)(body, scanner.work, [scanner.place(start + i) for i in range(len(body) + 1)])
    inner.posix = True
    before, comments = len(scanner.work.frames), len(scanner.work.comments)
    try:
        inner.substitution(0, "", "dialect")
        del scanner.work.comments[comments:]  # they are none for bash
    except Unparsed as error:
        squeezed = body.replace(" ", "").replace("\t", "")
        if error.rule != "shell/unparsed" or "()" in squeezed:
            raise
        scanner.work.tentative.update(range(before + 1, len(scanner.work.frames) + 1))
        return
    scanner.found.extend(inner.found)


def quoted_subscript(scanner: Scanner, start: int, value: str | None) -> None:
    """Add what bash runs when it evaluates a literal like x[$(command)] as a variable's name."""
    if value is None or value[:1] not in NAME_START or "[" not in value:
        return
    name, _, rest = value.partition("[")
    if not ("$(" in rest or "`" in rest or "<(" in rest) or not all(character in NAME for character in name):
        return
    inner = type(scanner)(value, scanner.work, [scanner.place(start)] * (len(value) + 1))
    inner.region(0, len(value), None)
    scanner.found.extend(inner.found)
