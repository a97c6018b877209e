"""jj: judged by the rules with the user's aliases resolved; and the one case of an editor that no rule can see, since jj has to be asked."""

from __future__ import annotations

from guards.shim import jjparent, jjrepo
from guards.shim.call import Call, Refused, hand_over
from guards.shim.gitline import below
from guards.shim.judge import engine, settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

NOBODY = ("--config=ui.diff-editor=['/bin/false']", "--config=ui.merge-editor=['/bin/false']")
"""Global options that keep a command which we do not know from waiting for a person; the variable JJ_EDITOR does it for messages."""

DEFAULTS = frozenset(("b", "ci", "desc", "st"))
"""Aliases that jj brings along: a user may give them another meaning, unlike the other names of its commands."""

SILENT = ("true", ":", "cat", "echo", "touch")
ANSWERED = ("-m", "-u", "-h", "--message", "--use-destination-message", "--help", "--keep-emptied")


def act(call: Call) -> None:
    """Return when the real jj may run as it was called; a command that only a newer jj can know runs without editors. Raises Refused."""
    own = commands(call)
    words = expanded(call, own - DEFAULTS)
    settle(call, ("jj", *words))
    sub = jjparent.subcommand(words)
    if sub and sub[0] not in own and _may_be_a_command(call, words[: len(words) - len(sub)], sub[0]):
        hand_over(call, (call.argv[0], *NOBODY, *call.words), {"JJ_EDITOR": "/bin/false"})
    if sub[:1] == ["squash"] and _asks_for_one_message(call, sub[1:]):
        raise Refused(
            "gatepost: refused: jj squash: both commits have a description, so jj opens an editor to join them, and an agent cannot answer "
            "there. Run instead: `jj squash --use-destination-message`, or `jj squash -m MESSAGE`. [jj/squash-opens-editor]"
        )


def commands(call: Call) -> frozenset[str]:
    """The commands of jj itself, of which an alias cannot have the name, with their other names; from the grammar, which tests hold against jj's help."""
    grammar = engine(call).compiled.grammars.get("jj") or {"subs": (), "short": ()}
    return frozenset(name.partition(" ")[0] for name in (*grammar["subs"], *grammar["short"]))


def _may_be_a_command(call: Call, ahead: Sequence[str], word: str) -> bool:
    """Whether a word that we do not know stands where a command does: behind other than global options it belongs to the default command."""
    known = (engine(call).compiled.grammars.get("jj") or {"opts": ()})["opts"]
    options = [option.partition("=")[0] for option in ahead if option.startswith("-")]
    return word[:1].isalpha() and all(option in known or option[:2] in known for option in options)


def expanded(call: Call, own: frozenset[str]) -> tuple[str, ...]:
    """The arguments with a user's alias, also one of an alias, in full."""
    words = call.words
    for _ in range(jjparent.DEEPEST):
        sub = jjparent.subcommand(words)
        if not sub or sub[0] in own or sub[0].startswith("-"):
            break
        meant = jjparent.alias(call, sub)
        if not meant:
            break
        words = (*words[: len(words) - len(sub)], *meant)
    return tuple(words)


def _asks_for_one_message(call: Call, words: Sequence[str]) -> bool:
    """Whether `@` and its parent, which a plain squash joins, both have a description. Other sources and targets are a rule's business."""
    if (
        any(word.startswith(ANSWERED) for word in words)
        or call.environment.get("JJ_EDITOR", "").split(" ")[0] in SILENT
    ):
        return False
    repo = jjrepo.above(below(call.cwd, _repository(call.words)))
    if repo is None:
        return False
    template = 'if(description.trim(), "described\\n")'
    described = jjrepo.asked(call, repo, "log", "-r", "@ | @-", "--no-graph", "-T", template)
    return len(described.splitlines()) > 1


def _repository(words: Sequence[str]) -> str:
    """What -R names, "" for nothing."""
    for place, word in enumerate(words):
        name, attached, value = word.partition("=")
        if name in ("-R", "--repository"):
            return value if attached else "".join(words[place + 1 : place + 2])
        if word.startswith("-R"):
            return word[2:]
    return ""
