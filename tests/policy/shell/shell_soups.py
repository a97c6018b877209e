"""Random texts of quotes, openers, closers and markers: mostly balanced, seldom sensible."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

OPENERS = {
    "$(": ")", '"': '"', "'": "'", "${x:-": "}", "${x#": "}", "${x/a/": "}", "${x[": "]}", "`": "`", "$((": "))", "((": "))", "(": ")", "{ ": "; }", "[[ ": " ]]",
    "$'": "'", "<(": ")", "$[": "]", "a=(": ")", "a[": "]=", '$"': '"', "<<E\n": "\nE\n", "<<'E'\n": "\nE\n", "<<-E\n": "\n\tE\n", "f() { ": "; }; f",
    "if ": "; then a; fi", "case a in a) ": " ;; esac", "${ ": "; }", "eval '": "'", "${": "}", "[": "]",
}  # fmt: skip
LOOSE = (
    " ", " ", " ", ";", "\n", "|", "&", "&&", "\\", "\\\n", "#", " #", "!", "=", "$", "a", "x", ">f ", "&>f ", "2>&1 ", "10>f ", "{fd}>f ", "~", "*", "?", "[", "]", "{a,b}", ",",
    "=~ ", "== ", "<", ">", "$x", "\t", "-", "1=", "é=", "x=", "time ", "! ", "in", "do", "%", "^", "+", "@", "\\'", '\\"', "\\`", "\\$", "' '", '""', "''",
)  # fmt: skip


class Soup:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.markers = 0

    def text(self) -> str:
        return self._some(3)

    def _some(self, depth: int) -> str:
        return "".join(self._part(depth) for _ in range(self.random.randrange(1, 7)))

    def _part(self, depth: int) -> str:
        share = self.random.random()
        if share < 0.35 or (depth == 0 and share < 0.5):
            self.markers += 1
            return f"zz{self.markers}" + self.random.choice(["", " ", " ", " a"])
        if share < 0.68 or depth == 0:
            return self.random.choice(LOOSE)
        opener = self.random.choice(list(OPENERS))
        closer = OPENERS[opener] if self.random.random() < 0.93 else self.random.choice(LOOSE)
        return opener + self._some(depth - 1) + closer
