"""git's own command line before the subcommand: where it would work, on which repository, and what it is told to do."""

from __future__ import annotations

from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

VALUED = ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--super-prefix", "--config-env", "--attr-source")
"""Options that take the next word when no `=` follows."""

ANSWERS = ("--version", "-v", "--help", "-h", "--exec-path", "--html-path", "--man-path", "--info-path")
"""Options that git answers at once, without a subcommand."""


class Line(Record):
    """A git command line. `place` is the directory after every -C; `git_dir` and `work_tree` come from options, else from the environment.

    `subcommand` is "" when git only answers an option; `rest` are the words after it; `ahead` those before it.
    """

    place: str
    subcommand: str
    rest: tuple[str, ...]
    ahead: tuple[str, ...]
    git_dir: str | None = None
    work_tree: str | None = None
    bare: bool = False

    @property
    def explicit(self) -> bool:
        """Whether the repository is named instead of found."""
        return self.git_dir is not None or self.work_tree is not None


def read(words: Sequence[str], cwd: str, environment: Mapping[str, str]) -> Line:
    """Take a command line apart."""
    place, bare, found = (
        cwd,
        False,
        {"--git-dir": environment.get("GIT_DIR"), "--work-tree": environment.get("GIT_WORK_TREE")},
    )
    position = 0
    while position < len(words) and words[position].startswith("-"):
        name, attached, value = words[position].partition("=")
        if name in ANSWERS and not attached:
            return Line(place, "", (), tuple(words))
        if name == "-C" or name not in VALUED:
            attached = ""
        if name in VALUED and not attached:
            position += 1
            value = words[position] if position < len(words) else ""
        if name == "-C":
            place = below(place, value)
        elif name in found:
            found[name] = value
        bare = bare or name == "--bare"
        position += 1
    subcommand = words[position] if position < len(words) else ""
    named = {name: below(place, value) if value else None for name, value in found.items()}
    return Line(
        place,
        subcommand,
        tuple(words[position + 1 :]),
        tuple(words[:position]),
        named["--git-dir"],
        named["--work-tree"],
        bare,
    )


def below(place: str, path: str) -> str:
    """A path as seen from a directory; not normalised, since `..` after a symbolic link is the kernel's business."""
    if not path or path == ".":
        return place
    return path if path.startswith("/") else f"{place.rstrip('/')}/{path}"
