"""What git ignores: .gitignore files, info/exclude and core.excludesFile (gitignore(5)), matched without `re`."""

from __future__ import annotations

from guards.world import paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from guards.world.budget import Budget

    Pattern = tuple[str, bool, bool, bool]

LIMIT = 1 << 20
SPECIAL = "*?[\\"
CLASSES: dict[str, Callable[[str], object]] = {
    "alnum": str.isalnum,
    "alpha": str.isalpha,
    "blank": " \t".__contains__,
    "digit": str.isdigit,
    "lower": str.islower,
    "punct": lambda char: char.isprintable() and not char.isalnum() and char != " ",
    "space": str.isspace,
    "upper": str.isupper,
    "xdigit": "0123456789abcdefABCDEF".__contains__,
}


def wildmatch(pattern: str, text: str, *, path: bool = True) -> bool:
    """As git's wildmatch. With `path`, `*` and `?` stop at `/`, and `**` between slashes spans directories."""
    return Match(pattern, text, path=path).run(0, 0)


class Match:
    """One pattern on one text: every pair of a star's place and a text position is tried once, so that no pattern explodes."""

    __slots__ = ("path", "pattern", "seen", "text")

    def __init__(self, pattern: str, text: str, *, path: bool) -> None:
        self.pattern = pattern
        self.text = text
        self.path = path
        self.seen: set[tuple[int, int]] = set()

    def run(self, at: int, pos: int) -> bool:
        pattern, text = self.pattern, self.text
        while at < len(pattern) and pattern[at] != "*":
            if pos >= len(text):
                return False
            ok, at = self.one(at, text[pos])
            if not ok:
                return False
            pos += 1
        if at == len(pattern):
            return pos == len(text)
        if (at, pos) in self.seen:
            return False
        self.seen.add((at, pos))
        return self.star(at, pos)

    def one(self, at: int, char: str) -> tuple[bool, int]:
        """Whether the pattern's next item takes this character, and the place behind the item."""
        item = self.pattern[at]
        if item == "?":
            return not (self.path and char == "/"), at + 1
        if item == "[":
            ok, at = bracket(self.pattern, at, char)
            return ok and not (self.path and char == "/"), at
        if item == "\\" and at + 1 < len(self.pattern):
            at += 1
        return self.pattern[at] == char, at + 1

    def star(self, at: int, pos: int) -> bool:
        pattern, text = self.pattern, self.text
        end = at
        while end < len(pattern) and pattern[end] == "*":
            end += 1
        whole = end - at > 1 and (at == 0 or pattern[at - 1] == "/") and (end == len(pattern) or pattern[end] == "/")
        if whole and self.path and end < len(pattern) and self.run(end + 1, pos):
            return True
        while not self.run(end, pos):
            if pos >= len(text) or (text[pos] == "/" and self.path and not whole):
                return False
            pos += 1
        return True


def bracket(pattern: str, at: int, char: str) -> tuple[bool, int]:
    """Whether a character is in the set that begins at `at`, and the position behind the set."""
    pos = at + 1
    negated = pattern[pos : pos + 1] in ("!", "^")
    pos += negated
    first = pos
    hit = False
    while pos < len(pattern) and (pattern[pos] != "]" or pos == first):
        if pattern.startswith("[:", pos) and (end := pattern.find(":]", pos)) > 0:
            hit = hit or in_class(pattern[pos + 2 : end], char)
            pos = end + 2
            continue
        if pattern[pos] == "\\":
            pos += 1
        low = pattern[pos : pos + 1]
        if pattern[pos + 1 : pos + 2] == "-" and pattern[pos + 2 : pos + 3] not in ("]", ""):
            high = pattern[pos + 3 : pos + 4] if pattern[pos + 2] == "\\" else pattern[pos + 2]
            pos += 4 if pattern[pos + 2] == "\\" else 3
            hit = hit or low <= char <= high
        else:
            hit = hit or low == char
            pos += 1
    return (hit != negated, pos + 1) if pos < len(pattern) else (False, len(pattern))


def in_class(name: str, char: str) -> bool:
    test = CLASSES.get(name)
    return test is not None and bool(test(char))


def parse(source: str) -> list[Pattern]:
    """(pattern, negated, directories only, anchored) for each line, in order."""
    found: list[Pattern] = []
    for written in source.removeprefix("\ufeff").split("\n"):
        line = trimmed(written.removesuffix("\r"))
        if not line or line.startswith("#"):
            continue
        negated = line.startswith("!")
        bare = line[negated:].removesuffix("/")
        if bare:
            found.append((bare.removeprefix("/"), negated, line.endswith("/"), "/" in bare))
    return found


def trimmed(line: str) -> str:
    """Without trailing blanks, unless a backslash keeps one."""
    while line.endswith(" ") and not line.endswith("\\ "):
        line = line[:-1]
    return line


class Rules:
    """One file's patterns; `base` is its folder relative to the top, "" or with a `/` at the end."""

    __slots__ = ("base", "patterns")

    def __init__(self, base: str, patterns: list[Pattern]) -> None:
        self.base = base
        self.patterns = list(reversed(patterns))

    def verdict(self, path: str, name: str, directory: bool) -> bool | None:
        """True ignored, False kept by a `!`, None no word on it. `path` is relative to the top."""
        below = path[len(self.base) :]
        for pattern, negated, only_directories, anchored in self.patterns:
            if only_directories and not directory:
                continue
            if hits(pattern, below if anchored else name, path=anchored):
                return not negated
        return None


def hits(pattern: str, text: str, *, path: bool) -> bool:
    if not any(char in pattern for char in SPECIAL):
        return pattern == text
    if pattern[0] == "*" and not any(char in pattern[1:] for char in SPECIAL) and not path:
        return text.endswith(pattern[1:])
    return wildmatch(pattern, text, path=path)


class Ignore:
    """All patterns of one working tree, read as directories are entered."""

    def __init__(self, root: str, outer: list[str], budget: Budget) -> None:
        """`outer` are the files besides .gitignore: weakest first."""
        self.root = root
        self.budget = budget
        self.outer = [Rules("", parse(paths.text(content))) for path in outer if (content := paths.read(path, LIMIT))]
        self.inner: dict[str, list[Rules]] = {}

    def rules(self, folder: str) -> list[Rules]:
        """Patterns that hold in a folder ("" or with a `/` at the end), strongest first."""
        found = self.inner.get(folder)
        if found is None:
            if folder:
                above = self.rules(folder[: folder.rindex("/", 0, -1) + 1] if "/" in folder[:-1] else "")
            else:
                above = list(reversed(self.outer))
            content = paths.read(f"{self.root}/{folder}.gitignore", LIMIT)
            self.budget.spend(1, "ignore files")
            found = [Rules(folder, parse(paths.text(content))), *above] if content else above
            self.inner[folder] = found
        return found

    def here(self, folder: str, name: str, *, directory: bool) -> bool:
        """Whether one entry of a folder that is not itself ignored is ignored."""
        path = folder + name
        for rules in self.rules(folder):
            if rules.patterns and (said := rules.verdict(path, name, directory)) is not None:
                return said
        return False

    def __call__(self, path: str, *, directory: bool = False) -> bool:
        """Whether a path is ignored, by itself or because a directory above it is."""
        parts = path.rstrip("/").split("/")
        folder = ""
        for part in parts[:-1]:
            if self.here(folder, part, directory=True):
                return True
            folder += f"{part}/"
        return self.here(folder, parts[-1], directory=directory)
