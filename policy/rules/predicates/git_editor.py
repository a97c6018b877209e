"""Whether an editor that git or jj would open comes back by itself."""

from __future__ import annotations

from policy.rules.fact import FactResult
from policy.rules.predicates.git_config import pairs
from policy.rules.predicates.git_state import Case
from policy.world import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

ORDER = {
    "git": ("GIT_EDITOR", "core.editor", "VISUAL", "EDITOR"),
    "jj": ("JJ_EDITOR", "ui.editor", "VISUAL", "EDITOR"),
}
SEQUENCE = ("GIT_SEQUENCE_EDITOR", "sequence.editor")
"""Where the editor's name is looked for, strongest first: variables and settings."""
SCREENS = frozenset(
    [
        "vi",
        "vim",
        "nvim",
        "view",
        "nano",
        "pico",
        "emacs",
        "emacsclient",
        "micro",
        "joe",
        "ne",
        "mcedit",
        "hx",
        "kak",
        "ed",
        "ex",
        "code",
        "codium",
        "cursor",
        "zed",
        "subl",
        "gedit",
        "kate",
        "mate",
        "nvim-qt",
        "gvim",
        "mvim",
        "editor",
        "sensible-editor",
        "notepad",
        "less",
        "more",
    ]
)


def waits(command: str) -> bool:
    """Whether an editor command is one that a person works in."""
    words = [word for word in command.split() if "=" not in word.split("/")[0]]
    return bool(words) and words[0].rpartition("/")[2] in SCREENS


def editor_returns(invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """Whether the editor is set to something that needs nobody (`true`, `:`, `sed -i …`), by the request, the environment or git's settings."""
    order = ORDER.get(invocation.program, ())
    if question.value == "sequence":
        order = (*SEQUENCE, *order)
    variables = {**question.request.environment, **{name: value.text for name, value in invocation.environment}}
    given = dict(pairs(invocation))
    for name in order:
        if "." not in name:
            chosen = variables.get(name)
        elif name in given:
            chosen = given[name]
        else:
            chosen = configured(invocation, world, question, reading, name) if invocation.program == "git" else None
        if chosen:
            return FactResult(not waits(chosen))
    return FactResult(False)


def configured(invocation: Invocation, world: World, question: Question, reading: Reading, key: str) -> str | None:
    try:
        return world.config(Case(invocation, world, question, reading).place().repository, key)
    except Unanswered:
        return None
