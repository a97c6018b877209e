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

VARIABLES = {"git": ("GIT_EDITOR", "VISUAL", "EDITOR"), "jj": ("JJ_EDITOR", "VISUAL", "EDITOR")}
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
    mine = {name: value.text for name, value in invocation.environment}
    names = VARIABLES.get(invocation.program, ())
    if question.value == "sequence":
        names = ("GIT_SEQUENCE_EDITOR", *names)
    keys = ("sequence.editor", "core.editor") if question.value == "sequence" else ("core.editor", "ui.editor")
    given = dict(pairs(invocation))
    chosen: list[str | None] = [mine[name] for name in names if name in mine]
    chosen += [given[key] for key in keys if key in given]
    chosen += [value for name in names if (value := question.request.environment.get(name))]
    if not chosen and invocation.program == "git":
        chosen = [configured(invocation, world, question, reading)]
    first = next((one for one in chosen if one), None)
    return FactResult(first is not None and not waits(first))


def configured(invocation: Invocation, world: World, question: Question, reading: Reading) -> str | None:
    try:
        repository = Case(invocation, world, question, reading).place().repository
        return world.config(repository, "core.editor")
    except Unanswered:
        return None
