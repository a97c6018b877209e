"""The circumstances that a command runs in, as far as they are not the shell's own state."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.flow.state import Opened
    from policy.flow.walk import Walk
    from policy.model import Effect, Value


class Where:
    """What surrounds a command: launchers, place, pipe neighbours, input, redirections, its span in the request's own text.

    `span` and `argv_span` are None below text that is not the request's own. `shell` tells that builtins and functions exist here.
    `maybe` marks one reading among several. `stdin` is text that is fed in (a Value, unknown text included), `stdin_path` a file. `feeders`
    are programs whose output stands in the command's own words, `mounts` pairs of a path in a container and the one here that it is.
    `descriptors` are those that redirections opened here, beside the state's own (exec); the dictionary is never changed, only replaced.
    """

    __slots__ = (
        "argv_span",
        "depth",
        "descriptors",
        "environment",
        "feeders",
        "launched_by",
        "marks",
        "maybe",
        "mounts",
        "own",
        "piped_from",
        "place",
        "redirects",
        "shell",
        "span",
        "stdin",
        "stdin_path",
        "workdir",
    )

    def __init__(self) -> None:
        self.launched_by: tuple[str, ...] = ()
        self.place = "local"
        self.span: tuple[int, int] | None = None
        self.argv_span: tuple[int, int] | None = None
        self.own = True
        self.stdin: Value | None = None
        self.stdin_path: str | None = None
        self.piped_from: tuple[str, ...] = ()
        self.feeders: tuple[str, ...] = ()
        self.redirects: tuple[Effect, ...] = ()
        self.environment: tuple[tuple[str, Value], ...] = ()
        self.marks: tuple[str, ...] = ()
        self.mounts: tuple[tuple[str, str], ...] = ()
        self.workdir: str | None = None
        self.depth = 0
        self.descriptors: dict[str, Opened] = {}
        self.maybe = False
        self.shell = True

    def copy(self) -> Where:
        """A copy to change."""
        other = Where.__new__(Where)
        other.argv_span = self.argv_span
        other.depth = self.depth
        other.descriptors = self.descriptors
        other.environment = self.environment
        other.feeders = self.feeders
        other.launched_by = self.launched_by
        other.marks = self.marks
        other.maybe = self.maybe
        other.mounts = self.mounts
        other.own = self.own
        other.piped_from = self.piped_from
        other.place = self.place
        other.redirects = self.redirects
        other.shell = self.shell
        other.span = self.span
        other.stdin = self.stdin
        other.stdin_path = self.stdin_path
        other.workdir = self.workdir
        return other

    def same(self, other: Where) -> bool:
        """Whether all is as in `other`; where commands bring spans of their own, another span is no difference."""
        return all(
            getattr(self, name) == getattr(other, name)
            for name in Where.__slots__
            if not (self.own and other.own and name in ("span", "argv_span"))
        )

    def under(self, launcher: str, *, builtins: bool = False, place: str = "") -> Where:
        """The circumstances of what `launcher` starts. Redirections stay with it, input goes on."""
        other = self.copy()
        other.launched_by = (*self.launched_by, launcher)
        other.depth += 1
        other.shell = builtins
        other.feeders = ()
        if place and place != "local":
            other.place = place
        return other


def weigh(walk: Walk, letters: int, shift: int) -> None:
    """Count work on a long text: a step for each 2**shift letters."""
    if letters >> shift:
        walk.step(walk.here or Where(), letters >> shift)
