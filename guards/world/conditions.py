"""Conditions of includeIf in git's configuration: gitdir, gitdir/i, onbranch, hasconfig:remote.*.url."""

from __future__ import annotations

from guards.world import paths
from guards.world.ignore import wildmatch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.world.configuration import Reader


def holds(condition: str, reader: Reader, path: str, git_dir: str) -> bool:
    """`path` is the file that the condition stands in; an unknown keyword never holds, as in git."""
    keyword, _, pattern = condition.partition(":")
    if keyword in ("gitdir", "gitdir/i"):
        return bool(git_dir) and of_directory(pattern, reader, path, git_dir, folded=keyword.endswith("/i"))
    if keyword == "onbranch":
        head = paths.text(paths.read(f"{git_dir}/HEAD", 4096) or b"").strip()
        pattern = pattern + "**" if pattern.endswith("/") else pattern
        return head.startswith("ref: refs/heads/") and wildmatch(pattern, head[len("ref: refs/heads/") :])
    if condition.startswith("hasconfig:remote.*.url:"):
        pattern = condition[len("hasconfig:remote.*.url:") :]
        urls = [
            item
            for key, items in reader.values.items()
            if key.startswith("remote.") and key.endswith(".url")
            for item in items
        ]
        return any(wildmatch(pattern, url) for url in urls)
    return False


def of_directory(pattern: str, reader: Reader, path: str, git_dir: str, *, folded: bool) -> bool:
    if pattern.startswith("~/"):
        pattern = paths.join(reader.home, pattern[2:]) + ("/" if pattern.endswith("/") else "")
    elif pattern.startswith("./"):
        pattern = paths.join(paths.parent(paths.real(path)), pattern[2:]) + ("/" if pattern.endswith("/") else "")
    elif not pattern.startswith("/"):
        pattern = f"**/{pattern}"
    if pattern.endswith("/"):
        pattern += "**"
    places = {git_dir, paths.real(git_dir)}
    if folded:
        pattern, places = pattern.lower(), {place.lower() for place in places}
    return any(wildmatch(pattern, place) for place in places)
