"""task: the cmds of a Taskfile, read by indentation alone."""

from __future__ import annotations

from policy.flow import recipes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Value

NAMES = ("Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml")


def follow(walk: Walk, program: str, words: Sequence[Value], state: State, where: Where) -> None:
    """Walk the commands of the tasks that the words name."""
    del program
    found = recipes.text_of(walk, NAMES, state)
    if found is None:
        return
    tasks = read(found[1])
    for word in list(words)[:16]:
        for text in tasks.get(word.text or "", ()):
            recipes.run(walk, f"{found[0]} {text}", _plain(text), state, where)


def read(text: str) -> dict[str, list[str]]:
    """Task names to command texts."""
    tasks: dict[str, list[str]] = {}
    current: list[str] = []
    inside = False
    for line in text.split("\n"):
        stripped = line.strip()
        indent = len(line) - len(line.lstrip())
        if not stripped or stripped[0] == "#":
            continue
        if indent == 0:
            inside = stripped == "tasks:"
        elif inside and indent == 2 and ":" in stripped:
            name, _, rest = stripped.partition(":")
            current = tasks.setdefault(name.strip("'\""), [])
            if rest.strip():
                current.append(rest.strip().strip("'\""))
        elif inside and stripped.startswith(("- ", "cmd:", "sh:")):
            command = stripped.removeprefix("- ").removeprefix("cmd:").removeprefix("sh:").strip()
            if command and not command.startswith(("task:", "defer:", "|")):
                current.append(command.strip("'\""))
        elif inside and indent > 6 and ":" not in stripped.partition(" ")[0]:
            current.append(stripped)
    return tasks


def _plain(text: str) -> str:
    while (start := text.find("{{")) >= 0:
        end = text.find("}}", start)
        if end < 0:
            break
        text = text[:start] + f"${recipes.UNKNOWN}" + text[end + 2 :]
    return text
