"""Which plain requests can concern no rule, derived from the compiled policy: the table behind the hook's shell front.

A *plain* request is one line of words from a small alphabet without quotes, expansions, globs, assignments, redirections or operators, so
that the words which a shell would run are the words of the text. The claim that `table` makes about each form it returns:

    A plain request that begins with the form's words, and none of whose later words matches a pattern in `avoid` (nor its directory or
    text one in `paths`), gets no finding from the engine.

Why it holds. (1) `policy.flow` turns a plain request into exactly one Invocation, with no redirections, no pipe, no environment of its own
and nothing fed in, unless its first word is a shell builtin that the flow follows, a reserved word, or a program that launches; those are
never forms. A first word with a slash is left to Python, and one with a version at its end that without it is a guarded name (the script leaves every
one with a digit at its end). (2) The engine opens the buckets of the program, of
program and subcommand, of "*" and of the kinds of effects that the grammar gives this form; `_reachable` opens the same ones. (3) An
alternative matches only if all its tests do. A test that such an invocation can never meet removes the alternative; a test on an option,
an operand or a word needs a word in the text, and `Reading.needed` gives patterns that cover every such word, by the grammar's spellings,
abbreviations and clusters. One such test is enough: while none of its words is there, the alternative is out. (4) An alternative without
such a test could match, so the form is not returned. What rules ask of the world is taken to hold.
`tests/shims/test_front_fuzz.py` compares front and engine over tens of thousands of requests.
"""

from __future__ import annotations

from policy.flow.start import BUILTINS
from policy.record import Record
from shims.reading import ALPHABET, Reading, Unanswerable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from policy.compiled import Compiled

RESERVED = frozenset(
    {
        "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "function", "select", "time", "coproc", "in",
        "and", "or", "not", "begin", "end", "switch", "repeat", "foreach", "nocorrect", "noglob", "builtin", "command", "exec", "eval", "source",
        "trap",
    }
)  # fmt: skip
"""Words that some shell gives a meaning of its own when they come first."""

NO_PROGRAM = ("*", "environment", "pipe")
"""Keys of buckets that are filed under no program."""


class Form(Record):
    """What a request may begin with, the patterns (as in `case`) that none of its later words may match, and those for its paths."""

    program: str
    subcommand: str
    avoid: tuple[str, ...]
    paths: tuple[str, ...] = ()


class Table(Record):
    """What may be answered by silence.

    forms    requests that begin with one of them, under its conditions
    guarded  first words that may not, unless a form says so
    others   the conditions for every other first word; None when some rule could concern a command of any name
    """

    forms: tuple[Form, ...]
    guarded: tuple[str, ...]
    others: Form | None


def table(compiled: Compiled) -> Table:
    """The table for a compiled policy."""
    keys = {
        key.partition(" ")[0]
        for key in tuple(compiled.keys())
        if not key.startswith("effect:") and key not in NO_PROGRAM
    }
    names = {name for name in keys | set(compiled.grammars.names) | BUILTINS | RESERVED if plain(name)}
    forms = [
        form
        for name in sorted(names - BUILTINS - RESERVED)
        for reading in _readings(compiled, name)
        if all(map(plain, reading.word.split())) and (form := _form(compiled, reading)) is not None
    ]
    return Table(tuple(forms), tuple(sorted(names)), _form(compiled, Reading("", "", None)))


def plain(text: str) -> bool:
    """Whether a text can be the first or second word of a form."""
    return bool(text) and "/" not in text and ALPHABET.issuperset(text)


def _readings(compiled: Compiled, name: str) -> Iterable[Reading]:
    """How the grammar reads requests that begin with `name`, one for each subcommand where there are any."""
    grammar = compiled.grammars.get(name)
    if grammar is None:
        if not name[-1].isdigit() and name[0] != "@":
            yield Reading(name, "", None)
    elif not grammar.get("case", True):
        return
    elif not grammar["subs"]:
        yield Reading(name, "", grammar)
    else:
        for sub in sorted(grammar["subs"]):
            shorts = [short for short, name in grammar["short"].items() if name == sub]
            for word in (sub, *shorts):
                if sub not in grammar["nested"] and word.count(" ") < 2:
                    yield Reading(name, word, grammar, sub)


def _form(compiled: Compiled, reading: Reading) -> Form | None:
    """The form of a reading; None when a rule could match whatever the later words are."""
    try:
        avoid = set(reading.launching_words())
        paths: set[str] = set()
        for alternative in _reachable(compiled, reading):
            needed = reading.needed(alternative)
            if needed is not None:
                avoid.update(needed.words)
                paths.update(needed.paths)
    except Unanswerable:
        return None
    return Form(reading.written, reading.word, _possible(avoid), _possible(paths))


def _possible(patterns: Iterable[str]) -> tuple[str, ...]:
    """The patterns that a plain word can match at all: the others hold a character that none has."""
    return tuple(sorted(pattern for pattern in patterns if ALPHABET.union("*?[]!").issuperset(pattern)))


def _reachable(compiled: Compiled, reading: Reading) -> Iterable[tuple[Any, ...]]:
    """Alternatives of rules that speak, in the buckets that the engine opens for such an invocation."""
    keys = ["*"]
    if reading.program:
        keys.append(reading.program)
    if reading.subcommand:
        keys.append(f"{reading.program} {reading.subcommand}")
    for key in (*keys, *(f"effect:{kind}" for kind in sorted(reading.kinds()))):
        for rule in compiled.bucket(key):
            if rule.action != "pass" or rule.maybe != "pass":
                yield from rule.alternatives
