"""A git command as far as it matters for saying it in jj; and what one has to know of jj then."""

from __future__ import annotations

from policy.record import Record
from policy.rules.predicates.jj_revision import revision
from policy.wording import shell_quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy.model import Invocation

ALL = "REVISION"
"""Stands in a suggestion where the commit is not known."""

NO_INDEX = "it has no index, so nothing is staged"
TAKEN_IN = "new files are in its working-copy commit already"


class Wish(Record):
    """A git command: `names` are its operands before a `--`, `paths` those behind it. What is not known is left out."""

    one: Invocation
    names: tuple[str, ...]
    paths: tuple[str, ...]
    is_path: Callable[[str], bool]

    def has(self, *options: str) -> bool:
        """Whether one of the options is given."""
        return self.one.has(*options)

    def value(self, *options: str) -> str | None:
        """The value of an option, None where it is not given."""
        found = self.one.option(*options)
        return found.value.text if found and found.value else None

    def divided(self) -> tuple[str | None, tuple[str, ...]]:
        """A commit, if one is named, and paths."""
        if self.paths or not self.names:
            return (self.names[0] if self.names else None), self.paths
        if self.is_path(self.names[0]):
            return None, self.names
        return self.names[0], self.names[1:]


def wish(one: Invocation, is_path: Callable[[str], bool]) -> Wish:
    """The command as this table reads it."""
    words = [word.text for word in one.words]
    behind = len(words) - words.index("--") - 1 if "--" in words else 0
    operands = one.operands
    divide = len(operands) - min(behind, len(operands))
    names = tuple(value.text for value in operands[:divide] if value.text is not None)
    return Wish(one, names, tuple(value.text for value in operands[divide:] if value.text is not None), is_path)


def hint(asked: Wish) -> str:
    """What one has to know of jj to see why there is less to do than with git."""
    kind = asked.one.subcommand
    if kind in ("add", "stage"):
        return "it takes files in by itself"
    if kind == "clean":
        return TAKEN_IN
    hard = asked.has("--hard", "--merge", "--keep", "--soft")
    commit, paths = asked.divided() if kind == "reset" else (None, ())
    if kind == "reset" and not hard and (paths or commit in (None, "HEAD")):
        return NO_INDEX
    return NO_INDEX if kind == "restore" and asked.has("--staged") and not asked.has("--worktree") else ""


def line(*words: str) -> str:
    """A command; words with blanks are the program and its subcommands."""
    first, *rest = words
    return " ".join((first, *map(shell_quote, rest)))


def commit_of(name: str | None, otherwise: str = "@-") -> str:
    """The jj name of a commit; ALL where it has none."""
    return otherwise if name is None else revision(name) or ALL
