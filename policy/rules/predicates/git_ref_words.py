"""Words that only a program knows, of which the request says that they are names of commits: `$(git merge-base main HEAD)`, or a variable that holds it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Reading

PRINTING_COMMITS = (
    "git merge-base ",
    "git rev-list ",
    "git describe",
    "git tag",
    "git stash create",
    "git commit-tree ",
)
"""Beginnings of commands that print commits or tags, unless an option makes them print something else."""
FORMATS = ("%H", "%h", "%(refname:short)", "%(refname)", "%(objectname)", "%(objectname:short)")
FORMATTED = ("git log ", "git for-each-ref ", "git branch ", "git tag ", "git show ")
FORGE = (".headRefName", ".baseRefName", ".headRefOid", ".baseRefOid", ".defaultBranchRef.name", ".default_branch", ".head.ref", ".base.ref")  # fmt: skip
MORE = (
    "--is-",
    "--objects",
    "--name-",
    "--stat",
    "--patch",
    " -p",
    "--raw",
    "--numstat",
    "--all-match",
    "--shortstat",
    " -n ",
)
CHOOSING = ("head", "tail", "sort", "uniq")


def names_commit(raw: str, reading: Reading) -> bool:
    """Whether the word, as it is written, is the output of such a command, by itself or through a variable that is set once."""
    text = raw.strip('"')
    if text.startswith("$(") and text.endswith(")"):
        return _prints_commits(text[2:-1].strip())
    name = text.removeprefix("$").removeprefix("{").removesuffix("}")
    if not text.startswith("$") or not name.isidentifier() or reading.script is None:
        return False
    held: list[str] = []
    for command in reading.script.commands:
        held += [one.word.raw for one in command.assignments if one.name == name]
        held += [word.raw for word in command.words if name in word.raw and word.raw.strip("\"'").rstrip("+=") == name]
        held += [frame.name for frame in command.context if frame.kind in ("for", "select") and frame.name == name]
    return len(held) == 1 and held[0].strip('"').startswith("$(") and names_commit(held[0], reading)


def _prints_commits(command: str) -> bool:
    if any(sign in command for sign in ("$(", "`", ";", "&", "\n", "<", ">")):
        return False
    first, *filters = (part.strip() for part in command.split("|"))
    if any(part.split()[:1] == [] or part.split()[0] not in CHOOSING for part in filters):
        return False
    if first.startswith("gh "):
        return first.replace("'", "").replace('"', "").endswith(tuple(f" {field}" for field in FORGE))
    if any(sign in f"{first} " for sign in MORE if sign != " -n " or not first.startswith("git rev-list")):
        return False
    given = [word.strip("'\"") for word in first.split() if "--format=" in word or "--pretty=" in word]
    if given:
        texts = [word.partition("=")[2].strip("'\"").removeprefix("format:").removeprefix("tformat:") for word in given]
        return len(given) == 1 and texts[0] in FORMATS and first.startswith(FORMATTED)
    return first.startswith(PRINTING_COMMITS) and " -" + "d " not in f"{first} "
