"""Programs with a few characters dropped, doubled, swapped or strewn in: texts next to sensible ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shell_programs import Programs

if TYPE_CHECKING:
    from random import Random

STREWN = "'\"`$(){}[];&|<>\\\n #=!~*-a:%^+@,"


def mutated(random: Random, shell: str) -> str:
    """A program of at most ninety markers, changed in one to four places."""
    text = Programs(random, shell).text().replace("/dev/null", "f").replace("~/q", "q")
    for _ in range(random.randrange(1, 5)):
        if len(text) < 4:
            break
        i = random.randrange(len(text))
        j = min(len(text), i + random.randrange(1, 4))
        kind = random.randrange(4)
        if kind == 0:
            text = text[:i] + text[j:]
        elif kind == 1:
            text = text[:i] + random.choice(STREWN) + text[i:]
        elif kind == 2:
            text = text[:i] + text[i:j] * 2 + text[j:]
        else:
            k = random.randrange(len(text))
            text = text[:i] + text[k : k + j - i] + text[j:]
    return text
