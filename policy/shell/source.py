"""A text with what was found in it by offset: the ground that the scanner's methods stand on."""

from __future__ import annotations

from policy.shell.budget import Unparsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.shell.budget import Work
    from policy.shell.words import Scanner


class Source:
    """`end` bounds the text, `origin` maps its offsets to the request's text, `posix` says that it is read as dash would.

    `found` collects the substitutions met; `memo` holds results by offset, so that what is looked at twice is read once.
    """

    __slots__ = ("_near", "end", "found", "me", "memo", "origin", "posix", "text", "work")

    def __init__(self, text: str, work: Work, origin: list[int] | None = None) -> None:
        self.me: Scanner = self  # type: ignore[assignment]  # nobody makes a bare one
        self.text = text
        self.posix = False
        self.end = len(text)
        self.work = work
        self.origin = origin
        self.found: list[int] = []
        self.memo: dict[tuple[int, str], tuple[int, tuple[int, ...]] | Unparsed | None] = {}
        self._near: dict[str, tuple[int, int]] = {}

    def at(self, i: int) -> str:
        return self.text[i] if i < self.end else ""

    def joined(self, i: int) -> int:
        """`i` moved over line continuations."""
        while self.text.startswith("\\\n", i) and i + 1 < self.end:
            i += 2
        return i

    def place(self, i: int) -> int:
        """The offset in the request's own text."""
        return i if self.origin is None else self.origin[min(i, len(self.origin) - 1)]

    def fail(self, message: str, i: int) -> Unparsed:
        return Unparsed(message, self.place(min(i, self.end)))

    def next_of(self, i: int, characters: str) -> int:
        """The offset of the first of `characters` from `i` on; going forward, each is searched for once in the whole text."""
        near = self._near
        first = self.end
        for character in characters:
            since, j = near.get(character, (0, -1))
            if not since <= i <= j:
                j = self.text.find(character, i)
                if j < 0:
                    j = len(self.text)
                near[character] = i, j
            first = min(first, j)
        return first
