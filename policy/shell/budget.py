"""What one reading may cost, counted in work and not in time, and the one exception that policy.shell raises."""

from __future__ import annotations

from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy.shell.nodes import Unit
    from policy.shell.words import Scanner


class Unparsed(Exception):  # noqa: N818  # the name is part of the interface
    """The text could not be read whole. `rule` is shell/unparsed, shell/too-large or shell/too-deep; `position` an offset into the text."""

    def __init__(self, message: str, position: int = 0, rule: str = "shell/unparsed") -> None:
        super().__init__(message)
        self.message = message
        self.position = position
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.message} (at {self.position})"


class Limits(Record):
    """`size` in characters of text, `steps` in units of about a microsecond (a token costs four, an escape one), `depth` in nested constructs."""

    size: int = 262_144
    steps: int = 48_000
    depth: int = 50


class Work:
    """The state that all scanners of one text share: what was spent, and what was found.

    `frames[n - 1]` is what substitution n holds: its kind, its units, the number of words read in them and their scanner. `tentative` names frames
    that came up in a reading which was given up for another; they need not be part of the script.
    `ansi` are the places of $' ' quotes that dash ends earlier.
    """

    __slots__ = (
        "ansi",
        "comments",
        "depth",
        "extglob",
        "frames",
        "limits",
        "posix",
        "read",
        "steps",
        "tentative",
        "zsh",
    )

    def __init__(
        self, limits: Limits, dialects: frozenset[str], read: Callable[[Scanner, int, str], tuple[int, list[Unit], int]]
    ) -> None:
        self.limits = limits
        self.posix = "posix" in dialects
        self.zsh = "zsh" in dialects
        self.read = read
        self.steps = 0
        self.depth = 0
        self.frames: list[tuple[str, list[Unit], int, Scanner]] = []
        self.comments: list[tuple[int, int]] = []
        self.tentative: set[int] = set()
        self.ansi: list[int] = []
        self.extglob = dialects == {"bash"}

    def step(self, position: int, cost: int = 1) -> None:
        self.steps += cost
        if self.steps > self.limits.steps:
            raise Unparsed("the text holds too many words and operators to be read", position, "shell/too-large")

    def enter(self, position: int) -> None:
        self.depth += 1
        if self.depth > self.limits.depth:
            raise Unparsed("quotes and substitutions are nested too deeply", position, "shell/too-deep")

    def frame(self, kind: str, units: list[Unit], words: int, scanner: Scanner) -> int:
        """Number a substitution; numbers start at 1."""
        self.frames.append((kind, units, words, scanner))
        return len(self.frames)
