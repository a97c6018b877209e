"""jj: judged by the rules with the user's aliases resolved; what would wait for a person is refused with the form that does not."""

from __future__ import annotations

from guards.shim import jjforms, jjparent, jjrepo
from guards.shim.call import Call, Refused
from guards.shim.judge import settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = frozenset(
    (
        "abandon", "absorb", "arrange", "b", "bisect", "bookmark", "ci", "commit", "config", "converge", "debug", "desc", "describe", "diff", "diffedit",
        "duplicate", "edit", "evolog", "evolution-log", "file", "fix", "gerrit", "git", "help", "interdiff", "log", "metaedit", "new", "next", "op",
        "operation", "parallelize", "prev", "rebase", "redo", "resolve", "restore", "revert", "root", "run", "show", "sign", "simplify-parents",
        "sparse", "split", "squash", "st", "status", "tag", "undo", "unsign", "util", "version", "workspace",
    )
)  # fmt: skip
"""jj's own commands: an alias cannot have their names."""

RULE = "jj/editor"
ONLY_MESSAGES = ("describe", "commit", "squash", "metaedit")
"""Commands that open the message editor and no other unless told to."""


def act(call: Call) -> None:
    """Return when the real jj may run as it was called. Raises Refused."""
    words = expanded(call)
    settle(call, ("jj", *words))
    sub = jjparent.subcommand(words)
    if (
        not sub
        or sub[0] == "help"
        or any(word in ("-h", "--help", "-V", "--version") for word in words[: len(words) - len(sub)])
    ):
        return
    read = jjforms.read(sub)
    instead = jjforms.instead_of(read)
    if (
        instead
        and read.name in ONLY_MESSAGES
        and not read.has("-i", "--interactive", "--tool")
        and jjforms.edits_silently(call.words, call.environment)
    ):
        return
    if not instead and read.name == "squash" and _asks_for_one_message(call, read, sub):
        instead = "jj squash -m MESSAGE, or jj squash --use-destination-message"
    if instead:
        raise Refused(
            f"gatepost: refused: jj {' '.join(_shown(sub))} opens an editor, and {jjforms.WAITS}. Run instead: `{instead}`. [{RULE}]"
        )


def _shown(sub: Sequence[str]) -> list[str]:
    return [word for word in sub[:2] if word.replace("-", "").isalnum()] or [sub[0][:20]]


def expanded(call: Call) -> tuple[str, ...]:
    """The arguments with a user's alias, also one of an alias, in full."""
    words = call.words
    for _ in range(jjparent.DEEPEST):
        sub = jjparent.subcommand(words)
        if not sub or sub[0] in COMMANDS or sub[0].startswith("-"):
            break
        meant = jjparent.alias(call, sub)
        if not meant:
            break
        words = (*words[: len(words) - len(sub)], *meant)
    return tuple(words)


def _asks_for_one_message(call: Call, read: jjforms.Words, sub: Sequence[str]) -> bool:
    """Whether source and destination of a squash both have a description, so that jj would ask for one out of two."""
    if read.has("-m", "--message", "-u", "--use-destination-message"):
        return False
    if jjforms.edits_silently(call.words, call.environment):
        return False
    source = value(sub, ("-f", "--from", "-r", "--revision")) or "@"
    into = value(sub, ("-t", "--into", "--to", "-d", "-o", "--onto", "--destination")) or (
        f"({source})-" if value(sub, ("-r", "--revision")) else "@-"
    )
    repo = jjrepo.above(_place(call))
    if repo is None:
        return False
    template = 'if(description.trim(), "described\\n")'
    try:
        return all(
            jjrepo.asked(call, repo, "log", "-r", revset, "--no-graph", "-T", template) for revset in (source, into)
        )
    except Refused:
        return True


def _place(call: Call) -> str:
    """The directory whose repository is meant: that of -R, else the working directory."""
    from guards.shim.gitline import below

    return below(call.cwd, value(call.words, ("-R", "--repository")) or "")


def value(words: Sequence[str], names: tuple[str, ...]) -> str | None:
    """The last value given to one of the options, attached or apart."""
    found = None
    for place, word in enumerate(words):
        if word == "--":
            break
        name, attached, text = word.partition("=")
        if attached and name in names:
            found = text
        elif word in names:
            found = words[place + 1] if place + 1 < len(words) else None
        elif word[:2] in names and word[1:2] != "-" and len(word) > 2:
            found = word[2:]
    return found
