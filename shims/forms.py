"""Forms of commands that a shim may hand to the real program at once, before Python is started.

A form is a first word and the fragments that no later argument may hold. The tables name candidates only: those that read, or write
nothing but what the program is for. `agreed` leaves out each one that a compiled rule could concern.
"""

from __future__ import annotations

from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any


class Shim(Record):
    """One guarded command: `words` maps a first word ("" for none at all) to fragments that no later argument may hold.

    `variables` that are set and `markers`, names of files in the working directory or above, send every form to Python.
    """

    name: str
    words: Mapping[str, tuple[str, ...]]
    variables: tuple[str, ...] = ()
    markers: tuple[str, ...] = (".gatepost.toml",)


WRITES = ("--ou", "--op", "--ext", "--textc", "-O", "--exec", "--upl")
"""Options that write a file or start a program, as short as git takes them: --output, --open-files-in-pager, --ext-diff, --textconv, --upload-pack."""

ABSENT_AT_A_SHIM = (
    "piped_from",
    "piped_to",
    "launched_by",
    "environment",
    "stdin_contains",
    "host",
    "marks",
    "effects",
)
"""Tests that an argv alone never meets; effects, because no form below has one on a path that its arguments name."""

GIT_VARIABLES = (
    "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE", "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
)  # fmt: skip
"""Variables that make git work on another repository than the one around the working directory."""

_git = (
    "blame", "annotate", "cat-file", "check-attr", "check-ignore", "check-mailmap", "check-ref-format", "cherry", "count-objects", "describe",
    "diff", "diff-files", "diff-index", "diff-tree", "for-each-ref", "fsck", "grep", "hash-object", "log", "ls-files", "ls-remote", "ls-tree",
    "merge-base", "merge-tree", "name-rev", "patch-id", "range-diff", "rev-list", "rev-parse", "shortlog", "show", "show-branch", "show-ref",
    "status", "stripspace", "var", "verify-commit", "verify-pack", "verify-tag", "version", "whatchanged", "--version", "--exec-path",
    "--html-path", "--man-path", "--info-path", "", "add", "commit", "fetch", "merge", "pull", "cherry-pick", "revert", "switch",
)  # fmt: skip
_uv = (
    "--version", "-V", "--help", "-h", "", "add", "auth", "build", "cache", "export", "format", "generate-shell-completion", "help", "init", "lock",
    "pip", "publish", "python", "remove", "self", "sync", "tree", "venv", "version",
)  # fmt: skip
_jj = (
    "log", "status", "st", "diff", "show", "evolog", "interdiff", "root", "version", "--version", "help", "--help", "-h", "new", "edit",
    "next", "prev", "rebase", "duplicate", "parallelize", "simplify-parents", "abandon", "undo", "redo",
)  # fmt: skip

SHIMS = (
    Shim("git", dict.fromkeys(_git, WRITES), GIT_VARIABLES, (".jj", ".gatepost.toml")),
    Shim("jj", dict.fromkeys(_jj, ("--to", "--conf", "-i", "--ed", "--int"))),
    Shim("ssh", {"-V": (), "": ()}),
    Shim("scp", {"": ()}),
    Shim("sftp", {"": ()}),
    Shim("rsync", {"--version": (), "-V": (), "--help": (), "": ()}),
    Shim("uv", dict.fromkeys(_uv, ())),
    Shim("uvx", dict.fromkeys(("--version", "-V", "--help", "-h"), ())),
)
"""Our shims. A program that the user lists besides has no form that is handed over."""


def agreed(shim: Shim, alternatives: Iterable[tuple[tuple[str, Any], ...]]) -> Shim:
    """The shim without the forms that one of the rules' alternatives (their tests, see policy.rules.translate) could match.

    Where a rule needs an option the form stays for calls without any; where it needs an operand it stays for the bare word.
    """
    words = dict(shim.words)
    for tests in map(dict, alternatives):
        if not _reaches(shim.name, tests):
            continue
        for word in [word for word in words if _names(word, tests)]:
            if tests.keys() & {"any_option", "all_options"}:
                words[word] = tuple(dict.fromkeys((*words[word], "-")))
            elif tests.keys() & {"operand", "word", "says"} or tests.get("min_operands"):
                words[word] = ("",)
            else:
                del words[word]
    return shim.replace(words=words)


def _reaches(program: str, tests: Mapping[str, Any]) -> bool:
    """Whether an alternative can match a plain argv of this program at all."""
    if any(name in tests for name in ABSENT_AT_A_SHIM):
        return False
    sure = (("program", program), ("door", "shim"), ("tool", "shell"), ("place", "local"))
    return all(value in tests[name] for name, value in sure if name in tests)


def _names(word: str, tests: Mapping[str, Any]) -> bool:
    """Whether the subcommands of an alternative begin with this word. An option in its place is no subcommand."""
    if "subcommand" not in tests:
        return True
    firsts = [subcommand.split(" ")[0] for subcommand in tests["subcommand"]]
    return word in firsts or any(sign in first for first in firsts for sign in "*?[")
