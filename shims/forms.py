"""Forms of commands that a shim hands to the real program at once, before Python is started.

The tables name candidates: first words that read, or write nothing but what the program is for. Which of them stay, and what later words
send them to Python all the same, is derived from the compiled rules by the theorem of shims.skip: an argv is a plain request, whatever
characters its words hold, since no shell reads it again. Words are matched whole and, for `--name=value`, up to the sign, too.
"""

from __future__ import annotations

from policy.record import Record
from shims.reading import Reading, Unanswerable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from policy.compiled import Compiled
    from shims.reading import Needs


class Shim(Record):
    """One guarded command. `words` are first words whose forms may be handed over, `answers` such as must stand alone ("" for none at all).

    `variables` that are set and `markers`, names of files in the working directory or above, send every form to Python.
    """

    name: str
    words: tuple[str, ...] = ()
    answers: tuple[str, ...] = ("",)
    variables: tuple[str, ...] = ()
    markers: tuple[str, ...] = (".gatepost.toml",)


class Form(Record):
    """A first word, and glob patterns that no later word may match."""

    word: str
    avoid: tuple[str, ...]


GIT_VARIABLES = (
    "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE", "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
)  # fmt: skip
"""Variables that make git work on another repository than the one around the working directory."""

GIT = (
    "blame", "annotate", "cat-file", "check-attr", "check-ignore", "check-mailmap", "check-ref-format", "cherry", "count-objects", "describe",
    "diff", "diff-files", "diff-index", "diff-tree", "for-each-ref", "fsck", "grep", "hash-object", "log", "ls-files", "ls-remote", "ls-tree",
    "merge-base", "merge-tree", "name-rev", "patch-id", "range-diff", "rev-list", "rev-parse", "shortlog", "show", "show-branch", "show-ref",
    "status", "stripspace", "var", "verify-commit", "verify-pack", "verify-tag", "version", "whatchanged", "add", "commit", "fetch", "merge", "pull",
    "cherry-pick", "revert", "switch",
)  # fmt: skip
JJ = (
    "log", "status", "st", "diff", "show", "evolog", "interdiff", "root", "version", "new", "edit", "next", "prev", "rebase", "duplicate", "parallelize",
    "simplify-parents", "abandon", "undo", "redo",
)  # fmt: skip
UV = (
    "add",
    "auth",
    "build",
    "cache",
    "export",
    "format",
    "help",
    "init",
    "lock",
    "publish",
    "remove",
    "self",
    "sync",
    "tree",
    "venv",
    "version",
)
HELP = ("", "--version", "-V", "--help", "-h")

SHIMS = (
    Shim(
        "git",
        GIT,
        ("", "--version", "--exec-path", "--html-path", "--man-path", "--info-path"),
        GIT_VARIABLES,
        (".jj", ".gatepost.toml"),
    ),
    Shim("jj", JJ, ("--version", "--help", "-h")),
    Shim("ssh", (), ("", "-V")),
    Shim("scp"),
    Shim("sftp"),
    Shim("rsync", (), ("", "--version", "-V", "--help")),
    Shim("uv", UV, HELP),
    Shim("uvx", (), HELP),
)
"""Our shims. A program that the user lists besides has no form that is handed over."""

STRICT = ("ask", "deny")
NEVER = ("sets_config", "jj_git")
"""Facts that cannot hold for a form: they need git's -c, which stands before the first word, or one of the variables or markers."""


def agreed(shim: Shim, compiled: Compiled) -> tuple[Form, ...]:
    """The forms that no rule of the compiled policy could concern, each with the words that it must not hold."""
    grammar = compiled.grammars.get(shim.name)
    found = []
    for word in shim.words:
        reading = _reading(shim.name, word, grammar)
        avoid = _avoided(compiled, reading) if reading is not None else None
        if avoid is not None:
            found.append(Form(word, tuple(sorted(avoid))))
    if _avoided(compiled, _Argv(shim.name, "", None)) is not None:
        found += [Form(word, ("*",)) for word in shim.answers]
    return tuple(found)


class _Argv(Reading):
    """A form whose words are looked at one by one; what rules say of paths is decided by the words that can name one, where there are any."""

    def _groups(self, tests: Mapping[str, Any]) -> Iterator[Needs]:
        groups = list(super()._groups(tests))
        yield from [group for group in groups if not group.paths] or groups


def _reading(name: str, word: str, grammar: dict[str, Any] | None) -> Reading | None:
    """How the grammar reads an argv that begins with these two words; None when it does not say."""
    if grammar is None or not grammar.get("case", True):
        return None
    sub = grammar["short"].get(word, word)
    if sub not in grammar["subs"] or " " in sub or sub in grammar["nested"]:
        return None
    return _Argv(name, word, grammar, sub)


def _avoided(compiled: Compiled, reading: Reading) -> set[str] | None:
    """Patterns of words without which no rule can match; None when one could, whatever the words are."""
    try:
        avoid = set(reading.launching_words())
        for alternative in _reachable(compiled, reading):
            needed = reading.needed(alternative)
            if needed is not None:
                if needed.paths:
                    return None
                avoid.update(needed.words)
    except Unanswerable:
        return None
    return avoid


def _reachable(compiled: Compiled, reading: Reading) -> Iterator[tuple[Any, ...]]:
    """Alternatives of rules that refuse or ask at this door, in the buckets that the engine opens; without their test for the door."""
    keys = ["*", "path", reading.program]
    if reading.subcommand:
        keys.append(f"{reading.program} {reading.subcommand}")
    for key in (*keys, *(f"effect:{kind}" for kind in sorted(reading.kinds()))):
        for rule in compiled.bucket(key):
            if rule.action not in STRICT and rule.maybe not in STRICT:
                continue
            for tests, facts, *rest in rule.alternatives:
                held = [name for name, _, negated in facts if not negated]
                if "shim" in dict(tests).get("door", ("shim",)) and not any(name in NEVER for name in held):
                    yield (tuple(test for test in tests if test[0] != "door"), facts, *rest)
