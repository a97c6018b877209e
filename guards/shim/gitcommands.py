"""One table over git's whole command set: what becomes of each command in a jj repository. What is not listed is refused."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Reads = Callable[[Sequence[str]], bool]

READS = frozenset(
    (
        "", "annotate", "archive", "blame", "cat-file", "check-attr", "check-ignore", "check-mailmap", "check-ref-format", "cherry", "column",
        "count-objects", "credential", "credential-cache", "credential-store", "describe", "diff", "diff-files", "diff-index", "diff-pairs", "diff-tree",
        "fmt-merge-msg", "for-each-ref", "format-rev", "get-tar-commit-id", "grep", "help", "last-modified", "log", "ls-files", "ls-remote",
        "ls-tree", "merge-base", "name-rev", "patch-id", "pickaxe", "range-diff", "request-pull", "rev-list", "rev-parse", "shortlog",
        "show", "show-branch", "show-index", "show-ref", "status", "stripspace", "upload-archive", "upload-pack", "url-parse", "var",
        "verify-commit", "verify-pack", "verify-tag", "version", "whatchanged",
    )
)  # fmt: skip
"""Commands that write nothing to a repository, whatever their arguments."""


def _operands(words: Sequence[str]) -> list[str]:
    return [word for word in words if not word.startswith("-")]


def _first(*names: str) -> Reads:
    """Reads when the first operand is one of these; "" stands for none."""
    return lambda words: (_operands(words) or [""])[0] in names


def _without(*options: str) -> Reads:
    """Reads unless a word begins with one of these."""
    return lambda words: not any(word.startswith(options) for word in words)


def _with(*options: str) -> Reads:
    return lambda words: any(word in options for word in words)


LISTING = ("-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at")
BRANCH_VALUES = (
    "--abbrev",
    "--color",
    "--column",
    "--contains",
    "--format",
    "--merged",
    "--no-contains",
    "--no-merged",
    "--points-at",
    "--sort",
)
BRANCH_FLAGS = frozenset(
    (
        "--all",
        "--remotes",
        "--show-current",
        "--verbose",
        "--no-color",
        "--no-column",
        "--no-abbrev",
        "--omit-empty",
        "--ignore-case",
    )
)


def _branch(words: Sequence[str]) -> bool:
    """Listing: nothing that names a branch to make, move or remove, unless a listing option turns names into patterns."""
    listing, position = False, 0
    while position < len(words):
        word = words[position]
        name = word.partition("=")[0]
        if word == "--":
            return listing or position + 1 == len(words)
        if name in LISTING:
            listing = True
        if name in BRANCH_VALUES:
            takes_next = "=" not in word and name in (
                "--contains",
                "--format",
                "--points-at",
                "--sort",
                "--no-contains",
            )
            position += 1 if takes_next else 0
        elif (
            word.startswith("-")
            and name not in (*LISTING, *BRANCH_FLAGS)
            and not (word[1:2] != "-" and set(word[1:]) <= set("arvli"))
        ) or (
            not word.startswith("-")
            and not listing
            and words[position - 1 : position] not in (["--merged"], ["--no-merged"])
        ):
            return False
        position += 1
    return True


def _tag(words: Sequence[str]) -> bool:
    options = [word.partition("=")[0] for word in words if word.startswith("-")]
    if any(option in ("-v", "--verify") for option in options):
        return True
    harmless = (
        *LISTING,
        "-n",
        "--sort",
        "--format",
        "--column",
        "--no-column",
        "--color",
        "-i",
        "--ignore-case",
        "--omit-empty",
    )
    if not all(option in harmless or option[:2] == "-n" for option in options):
        return False
    return not _operands(words) or any(option in LISTING or option[:2] == "-n" for option in options)


def _config(words: Sequence[str]) -> bool:
    """Reading, or writing to the user's or the system's file, which is no part of the repository."""
    options = [word for word in words if word.startswith("-")]
    if any(option in ("--global", "--system") for option in options):
        return True
    if any(option.startswith(("--get", "--list")) or option == "-l" for option in options):
        return True
    if any(
        option.startswith(("--unset", "--add", "--replace", "--rename", "--remove", "--edit")) or option == "-e"
        for option in options
    ):
        return False
    operands = _operands(words)
    return operands[:1] in (["get"], ["list"]) or len(operands) == 1


def _symbolic_ref(words: Sequence[str]) -> bool:
    return len(_operands(words)) <= 1 and _without("-d", "--d", "-m")(words)


SOMETIMES: dict[str, Reads] = {
    "bisect": _first("log"),
    "branch": _branch,
    "bundle": _first("verify", "list-heads"),
    "config": _config,
    "format-patch": _with("--stdout"),
    "fsck": _without("--lost"),
    "hash-object": _without("-w"),
    "interpret-trailers": _without("--in-p"),
    "merge-file": _with("-p", "--stdout"),
    "notes": _first("", "list", "show", "get-ref"),
    "reflog": lambda words: (_operands(words) or [""])[0] not in ("expire", "delete", "drop", "write"),
    "refs": _first("list", "exists", "verify"),
    "remote": _first("", "show", "get-url"),
    "repo": _first("", "info", "structure"),
    "rerere": _first("status", "diff", "remaining"),
    "sparse-checkout": _first("list", "check-rules"),
    "stash": _first("list", "show"),
    "submodule": _first("", "status", "summary"),
    "symbolic-ref": _symbolic_ref,
    "tag": _tag,
}
"""Commands that read or write by their arguments."""

EQUIVALENTS = {
    "am": "patch -p1 < FILE, then jj commit -m MESSAGE",
    "apply": "patch -p1 < FILE",
    "bisect": "jj bisect run --range GOOD..BAD -- COMMAND",
    "branch": "jj bookmark create NAME -r @- (list, move, delete, rename)",
    "checkout": "jj new REVISION (a commit to work on), jj restore --from REVISION FILES (files)",
    "cherry-pick": "jj duplicate REVISION --onto @-",
    "clean": "rm FILES, or jj restore (both can be taken back with jj undo once jj has seen the files)",
    "clone": "jj git clone URL, outside of this repository",
    "config": "jj config set --repo NAME VALUE",
    "difftool": "jj diff --tool NAME",
    "fetch": "jj git fetch",
    "filter-branch": "jj rebase, jj squash or jj metaedit on the revisions",
    "format-patch": "git format-patch --stdout, or jj diff --git -r REVISION",
    "gc": "jj util gc",
    "history": "jj describe -r REVISION -m MESSAGE, or jj split -r REVISION -m MESSAGE FILES",
    "init": "jj git init, outside of this repository",
    "maintenance": "jj util gc",
    "merge": "jj new @- OTHER, then jj commit -m MESSAGE",
    "mergetool": "jj resolve --tool :ours (or :theirs), or edit the conflict markers",
    "mv": "mv FILES: jj sees the renaming by itself",
    "notes": "jj describe -r REVISION -m MESSAGE",
    "prune": "jj util gc",
    "pull": "jj git fetch, then jj rebase --onto NAME@origin",
    "push": "jj git push --bookmark NAME",
    "rebase": "jj rebase --source REVISION --onto DESTINATION",
    "reflog": "jj op log, and jj op restore OPERATION",
    "remote": "jj git remote add NAME URL (list, remove, rename, set-url)",
    "reset": "jj restore FILES (discard changes), jj squash or jj abandon REVISION (undo a commit), jj undo (the last operation)",
    "restore": "jj restore FILES",
    "revert": "jj revert -r REVISION --onto @-",
    "rm": "rm FILES: jj sees the removal by itself; jj file untrack FILES keeps them on disk",
    "sparse-checkout": "jj sparse set --add PATH",
    "stage": "nothing: jj tracks files by itself",
    "stash": "jj new (the changes stay in the commit that you leave; jj edit REVISION goes back to them)",
    "switch": "jj new REVISION",
    "symbolic-ref": "jj edit REVISION or jj bookmark set NAME",
    "tag": "jj tag set NAME -r REVISION",
    "update-ref": "jj bookmark set NAME -r REVISION",
    "commit-tree": "jj commit -m MESSAGE",
    "worktree": "git worktree add, list, remove or prune; jj workspace for the rest",
}
"""What to run instead, for the commands that are refused."""


def reads(subcommand: str, words: Sequence[str]) -> bool:
    """Whether the command only reads the repository. Words after `--` are paths and count as operands."""
    if subcommand in READS:
        return True
    return subcommand in SOMETIMES and SOMETIMES[subcommand](words)
