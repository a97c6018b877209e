"""Pathspecs: which paths of a repository a git command's operands speak of (gitglossary(7), "pathspec")."""

from __future__ import annotations

from policy.programs import paths
from policy.rules.glob import has_magic, matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from policy.model import Value

SHORT = {"/": "top", "!": "exclude", "^": "exclude"}


def normal(path: str) -> str:
    """Seen from the top: without empty, `.` and `..` parts; "" is the top itself."""
    return paths.normal(f"/{path}")[1:]


def bare(path: str) -> str:
    """Backslashes before special characters turned into sets of one, which the matcher knows."""
    found = []
    at = 0
    while at < len(path):
        char = path[at]
        if char == "\\" and at + 1 < len(path):
            at += 1
            char = f"[{path[at]}]" if path[at] in "*?[" else path[at]
        found.append(char)
        at += 1
    return "".join(found)


class Spec:
    """Some pathspecs. `sure` is False when one is not known: it then takes every path."""

    def __init__(self, operands: Iterable[Value], prefix: str, root: str) -> None:
        self.sure = True
        self.wanted: list[tuple[str, bool, bool]] = []
        self.unwanted: list[tuple[str, bool, bool]] = []
        for operand in operands:
            if operand.text is None:
                self.sure = False
                self.wanted.append(("", False, False))
            else:
                self.add(operand.text, prefix, root)
        if not self.wanted:
            self.wanted.append(("", False, False))

    def add(self, text: str, prefix: str, root: str) -> None:
        magic: set[str] = set()
        if text.startswith(":("):
            inner, _, text = text[2:].partition(")")
            magic = {word.strip() for word in inner.split(",")}
        elif text.startswith(":"):
            text = text[1:]
            while text[:1] in SHORT:
                magic.add(SHORT[text[0]])
                text = text[1:]
            text = text.removeprefix(":")
        if text.startswith("/") and "top" not in magic:
            text = text[len(root) :] if text == root or text.startswith(root.rstrip("/") + "/") else text
            magic.add("top")
        pattern = "literal" not in magic and has_magic(text)
        if pattern and has_magic(prefix):  # the directory itself is no pattern
            prefix = bare("".join(f"\\{char}" if char in "*?[" else char for char in prefix))
        path = normal(text if "top" in magic else prefix + text)
        if "\\" in path and "literal" not in magic:
            path = bare(path)
        folded = "icase" in magic
        entry = (path.lower() if folded else path, pattern, folded)
        (self.unwanted if "exclude" in magic else self.wanted).append(entry)

    def __contains__(self, path: str) -> bool:
        return any(hits(entry, path) for entry in self.wanted) and not any(hits(entry, path) for entry in self.unwanted)

    def whole(self) -> bool:
        """Whether it takes everything."""
        return any(not path for path, _, _ in self.wanted) and not self.unwanted

    def may_reach(self, folder: str) -> bool:
        """Whether a path below the folder (which ends in /) could be spoken of."""
        return any(meets(entry, folder) for entry in self.wanted)

    def of(self, these: Iterable[str]) -> set[str]:
        """Those of `these` paths that are spoken of."""
        return {path for path in these if path in self}


def meets(entry: tuple[str, bool, bool], folder: str) -> bool:
    wanted, pattern, folded = entry
    fixed = wanted
    if pattern:
        fixed = wanted[: min(wanted.find(mark) for mark in "*?[" if mark in wanted)]
    folder = folder.lower() if folded else folder
    return fixed.startswith(folder) or (pattern and folder.startswith(fixed))


def hits(entry: tuple[str, bool, bool], path: str) -> bool:
    wanted, pattern, folded = entry
    if folded:
        path = path.lower()
    bare = path.rstrip("/")
    if not wanted or bare == wanted or path.startswith(wanted + "/"):
        return True
    if not pattern:
        return False
    return matches(bare, wanted.replace("**/", "*")) or matches(bare, wanted + "/*")
