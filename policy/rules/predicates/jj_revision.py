"""Git's names for commits as jj's: only those that surely mean the same."""

from __future__ import annotations

REMOTES = ("origin", "upstream")


def revision(name: str) -> str | None:
    """The revset for HEAD, its ancestors, branches, hashes and ranges of them; None for what is not plainly the same in jj."""
    if name == "@":
        return "@-"
    start, dots, end = name.partition("..")
    if dots:
        both = revision(start), revision(end or "HEAD")
        return None if None in both or end.startswith(".") else f"{both[0]}..{both[1]}"
    base = _base(name)
    back = _steps(name[len(base) :])
    if back is None or not base or base.startswith("-") or not all(sign.isalnum() or sign in "._-/" for sign in base):
        return None
    if base.endswith("HEAD"):
        return "@-" + back if base == "HEAD" else None
    remote, slash, rest = base.partition("/")
    return (f"{rest}@{remote}" if slash and remote in REMOTES else base) + back


def _base(name: str) -> str:
    return name[: min((place for place in (name.find("~"), name.find("^")) if place >= 0), default=len(name))]


def _steps(text: str) -> str | None:
    """`~2`, `^`, `^^`, `~` as that many minus signs; None for other parents than the first."""
    count = 0
    while text:
        sign, text = text[0], text[1:]
        digits = text[: len(text) - len(text.lstrip("0123456789"))]
        text = text[len(digits) :]
        if sign not in "~^" or (sign == "^" and digits not in ("", "1")):
            return None
        count += int(digits or 1) if sign == "~" else 1
    return "-" * count
