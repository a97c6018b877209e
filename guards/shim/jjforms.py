"""Which jj commands would wait for a person: an editor, a diff editor, a merge tool or a full-screen interface. Facts of jj 0.46, measured."""

from __future__ import annotations

from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

GLOBAL_VALUES = frozenset(
    ("-R", "--repository", "--at-operation", "--at-op", "--color", "--config", "--config-file", "--config-toml")
)
VALUES = GLOBAL_VALUES | frozenset(
    (
        "--message", "--revision", "--revisions", "--from", "--into", "--to", "--onto", "--destination", "--insert-after", "--after", "--insert-before",
        "--before", "--tool", "--changes-in", "--template", "--limit", "--author", "--author-timestamp", "--source", "--branch",
    )
)  # fmt: skip
VALUE_LETTERS = "ABRTbcdfmnorst"
"""Short options that take a value in the commands below; the letters after one in a cluster are its value."""

NAMES = {"desc": "describe", "ci": "commit"}
SILENT_EDITORS = frozenset(("true", ":", "cat", "echo", "touch", "cp", "sed", "tee", "mv"))
WAITS = "a person at the keyboard would have to finish it"


class Words(Record):
    """A jj command line read as clap reads it: long names and letters that are given, the values of --tool, and what is neither."""

    name: str
    options: tuple[str, ...]
    operands: tuple[str, ...]
    tools: tuple[str, ...] = ()

    def has(self, *names: str) -> bool:
        """Whether one of the options is given."""
        return any(name in self.options for name in names)


def read(sub: Sequence[str]) -> Words:
    """Take the words from the subcommand on apart."""
    options, operands, tools = [], [], []
    rest = list(sub[1:])
    while rest:
        word = rest.pop(0)
        if word == "--":
            operands += rest
            break
        if word.startswith("--"):
            name, attached, value = word.partition("=")
            if name in VALUES and not attached:
                value = rest.pop(0) if rest else ""
            options.append(name)
            tools += [value] if name == "--tool" else []
        elif word.startswith("-") and len(word) > 1:
            found, takes = _letters(word[1:])
            options += found
            if takes and rest:
                rest.pop(0)
        else:
            operands.append(word)
    return Words(NAMES.get(sub[0], sub[0]), tuple(options), tuple(operands), tuple(tools))


def _letters(cluster: str) -> tuple[list[str], bool]:
    """The short options of a cluster, and whether the last one's value is the next word."""
    found = []
    for place, letter in enumerate(cluster):
        found.append("-" + letter)
        if letter in VALUE_LETTERS:
            return found, place == len(cluster) - 1
    return found, False


def _describe(words: Words) -> str:
    return "" if words.has("-m", "--message", "--stdin") else "jj describe -m MESSAGE"


def _commit(words: Words) -> str:
    if words.has("-i", "--interactive", "--tool"):
        return "jj commit -m MESSAGE FILES"
    return "" if words.has("-m", "--message") else "jj commit -m MESSAGE"


def _squash(words: Words) -> str:
    return "jj squash FILES" if words.has("-i", "--interactive", "--tool") else ""


def _split(words: Words) -> str:
    ready = words.operands and words.has("-m", "--message") and not words.has("-i", "--interactive", "--tool")
    return "" if ready else "jj split -m MESSAGE FILES"


def _resolve(words: Words) -> str:
    ready = words.has("-l", "--list") or (words.tools and all(tool in (":ours", ":theirs") for tool in words.tools))
    return "" if ready else "jj resolve --tool :ours FILES (or :theirs), or edit the conflict markers in the files"


def _restore(words: Words) -> str:
    return "jj restore FILES" if words.has("-i", "--interactive", "--tool") else ""


def _never(instead: str) -> Callable[[Words], str]:
    return lambda _words: instead


def _edits(instead: str) -> Callable[[Words], str]:
    return lambda words: instead if words.operands[:1] in (("edit",), ("e",)) else ""


FORMS: Mapping[str, Callable[[Words], str]] = {
    "describe": _describe,
    "commit": _commit,
    "squash": _squash,
    "unsquash": _squash,
    "split": _split,
    "resolve": _resolve,
    "restore": _restore,
    "diffedit": _never("edit the files, or jj restore --from REVISION FILES"),
    "arrange": _never("jj rebase --revision REVISION --insert-after REVISION"),
    "config": _edits("jj config set --user NAME VALUE"),
    "sparse": _edits("jj sparse set --add PATH"),
}
"""For each command: what to run instead of a form that waits; "" when it does not."""


def instead_of(words: Words) -> str:
    """What to run instead, "" for a form that needs nobody. Asking for help never does."""
    if words.has("-h", "--help"):
        return ""
    if words.has("--editor"):
        return f"jj {words.name} -m MESSAGE, without --editor"
    found = FORMS[words.name](words) if words.name in FORMS else ""
    if not found and words.name not in FORMS and words.has("-i", "--interactive"):
        found = f"jj {words.name} FILES, without --interactive"
    return found


def edits_silently(argv: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Whether the message editor in force is one that needs nobody, as in `JJ_EDITOR=true jj describe`. It does not speak for diff editors."""
    editor = environment.get("JJ_EDITOR", "")
    for place, word in enumerate(argv):
        value = (
            word.removeprefix("--config=")
            if word.startswith("--config=")
            else argv[place + 1]
            if word == "--config" and place + 1 < len(argv)
            else ""
        )
        if value.replace(" ", "").startswith("ui.editor="):
            editor = value.partition("=")[2].strip().strip("'\"[]")
    return bool(editor) and editor.split()[0].strip("'\",").rpartition("/")[2] in SILENT_EDITORS
