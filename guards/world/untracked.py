"""Files of a working tree that the index does not know, and which of them are ignored."""

from __future__ import annotations

import posix

from guards.world.locate import git_dir_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from guards.world.budget import Budget
    from guards.world.ignore import Ignore

NAMES = 5_000
"""How many untracked names are collected before the scan says `more`."""


class Scan:
    """Walks a working tree. Symbolic links are names, never followed; a repository inside is one name."""

    def __init__(self, root: str, tracked: Iterable[str], ignore: Ignore, budget: Budget) -> None:
        self.root = root
        self.tracked = set(tracked)
        self.folders = folders(self.tracked)
        self.ignore = ignore
        self.budget = budget
        self.untracked: list[str] = []
        self.ignored: list[str] = []
        self.more = False

    def run(self, *, ignored: bool) -> Scan:
        """Fills `untracked`, and `ignored` when asked."""
        todo = [("", False)]
        while todo and not self.more:
            self.folder(*todo.pop(), todo, ignored=ignored)
        self.untracked.sort()
        self.ignored.sort()
        return self

    def folder(self, folder: str, within: bool, todo: list[tuple[str, bool]], *, ignored: bool) -> None:
        """One directory; `within` an ignored one that holds tracked files, where all else is ignored, a `!` or not."""
        try:
            entries = list(posix.scandir(f"{self.root}/{folder}"))
        except OSError:
            return
        self.budget.spend(1 + len(entries), "untracked files")
        for entry in entries:
            path = folder + entry.name
            if entry.name == ".git" or path in self.tracked:
                continue
            directory = entry.is_dir(follow_symlinks=False)
            hidden = within or self.ignore.here(folder, entry.name, directory=directory)
            if directory and path + "/" in self.folders:
                todo.append((path + "/", hidden))
            elif hidden:
                if ignored:
                    self.ignored.append(path + "/" if directory else path)
            elif not directory:
                self.untracked.append(path)
            elif nested(f"{self.root}/{path}"):
                self.untracked.append(path + "/")
            else:
                todo.append((path + "/", False))
        self.more = self.more or len(self.untracked) > NAMES or len(self.ignored) > NAMES


def folders(tracked: set[str]) -> set[str]:
    """Every directory above a tracked path, with a `/` at its end."""
    found: set[str] = set()
    for path in tracked:
        end = path.rfind("/", 0, -1)
        while end > 0:
            above = path[: end + 1]
            if above in found:
                break
            found.add(above)
            end = path.rfind("/", 0, end)
    return found


def nested(path: str) -> bool:
    """Whether a directory is the top of a repository of its own."""
    return git_dir_of(f"{path}/.git") is not None
