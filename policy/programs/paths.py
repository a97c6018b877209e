"""Paths as text: absolute and lexically normalised, no look at any disk."""

from __future__ import annotations

from policy.model import Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Value


def normal(path: str) -> str:
    """An absolute path without empty parts, `.` and `..`; a trailing slash is kept off."""
    if path[:1] == "/" and path[-1] != "/" and "/." not in path and "//" not in path:  # as most are already
        return path
    parts: list[str] = []
    for part in path.split("/"):
        if part in {"", "."}:
            continue
        if part == "..":
            if parts:
                parts.pop()
            continue
        parts.append(part)
    return "/" + "/".join(parts)


OWN = ("/proc/self/cwd", "/proc/thread-self/cwd", "/proc/self/root", "/proc/thread-self/root")


def _own(path: str, cwd: str | None) -> str | None:
    """A path through the links of /proc to where a process works and to its root."""
    _, _, _, name, *rest = path.split("/")
    if name == "root":
        return normal("/" + "/".join(rest))
    return None if cwd is None or name != "cwd" else normal("/".join((cwd, *rest)))


def absolute(path: str, cwd: str | None) -> str | None:
    """`path` seen from `cwd`; None when it is relative and the directory is not known, or when it is empty."""
    if path[:1] == "/":
        if path.startswith(OWN):
            return _own(path, cwd)
        return normal(path)
    if not path or cwd is None:
        return None
    return normal(cwd + "/" + path)


def effect(  # noqa: PLR0913
    kind: str, value: Value, cwd: str | None, *, recursive: bool = False, within: bool = False, source: str = "operand"
) -> Effect:
    """What happens to the path that a value names."""
    path = None if value.text is None else absolute(value.text, cwd)
    glob = value.glob or (path is not None and cwd is not None and "*" in cwd)
    return Effect(kind, path, recursive, glob, within, value, source)


def base(path: str) -> str:
    """The last part of a path."""
    return path.rpartition("/")[2]
