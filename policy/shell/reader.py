"""The full reading: scanner, grammar and checks, with every failure turned into Unparsed."""

from __future__ import annotations

from policy.shell import grammar
from policy.shell.budget import Limits, Unparsed, Work
from policy.shell.dialects import DIALECTS, as_dash_quotes
from policy.shell.script import Writer
from policy.shell.words import Scanner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Script, Word


def script(text: str, dialect: str, limits: Limits, spent: list[int] | None = None) -> Script:
    """`text` as a Script; see policy.shell.parse."""
    if dialect not in DIALECTS:
        raise Unparsed(f"texts for {dialect} are not read")
    nul = text.find("\0")
    if nul >= 0:
        raise Unparsed("a NUL in the text", nul)
    work = Work(limits, DIALECTS[dialect], grammar.read)
    scanner = Scanner(text, work)
    try:
        _, units, words = grammar.read(scanner, 0, "")
        made = Writer(work, scanner).script(units, words, text, dialect)
        if work.ansi:
            as_dash_quotes(text, work.ansi, limits)
        return made  # noqa: TRY300
    except RecursionError as error:
        raise Unparsed("constructs are nested too deeply", 0, "shell/too-deep") from error
    except Unparsed:
        raise
    except Exception as error:
        raise Unparsed(f"the reader failed: {type(error).__name__}: {error}") from error
    finally:
        if spent is not None:
            spent.append(work.steps)


def single_word(text: str, limits: Limits) -> Word:
    """`text` as one Word; see policy.shell.word."""
    work = Work(limits, frozenset(("bash",)), grammar.read)
    scanner = Scanner(text, work)
    try:
        end, found = scanner.word(0)
    except RecursionError as error:
        raise Unparsed("constructs are nested too deeply", 0, "shell/too-deep") from error
    if end != len(text) or not text:
        raise Unparsed("this is not one word", end)
    return found
