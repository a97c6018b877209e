"""nox: what the sessions of a noxfile run."""

from __future__ import annotations

from policy.flow import files, recipes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Value

MOST = 32


def follow(walk: Walk, program: str, words: Sequence[Value], state: State, where: Where) -> None:
    """Walk the sessions that `words[1:]` name, all of them when it names none; `words[0]` is the file."""
    from policy.flow.languages import python
    from policy.flow.languages.actions import Actions

    found = recipes.text_of(walk, ((words[0].text if words else "") or "noxfile.py",), state)
    tree = None if found is None else python.parsed(found[1])
    if found is None or tree is None:
        return
    inner = where.copy()
    inner.marks = (*where.marks, "recipe")
    inner.stdin, inner.stdin_path = None, None
    wanted = {(word.text or "").partition("-")[0].partition("(")[0] for word in words[1:]}

    def read() -> None:
        reader = python.Reader(Actions(walk, "python", state.child(), inner), ())
        reader.block([one for one in tree.body if type(one).__name__ != "FunctionDef"])
        for name, parameter, body in list(sessions(tree))[:MOST]:
            if not wanted or name in wanted:
                reader.modules[parameter] = "nox.Session"
                reader.block(body)
        reader.actions.finish()

    files.aside(walk, f"{program} {found[0]}", read, own=True)


def sessions(tree: Any) -> Iterator[tuple[str, str, list[Any]]]:
    """Name, parameter and body of each function that is a session."""
    for node in tree.body:
        if type(node).__name__ != "FunctionDef" or not node.args.args:
            continue
        for decorator in node.decorator_list:
            called = getattr(decorator, "func", decorator)
            if getattr(called, "attr", getattr(called, "id", "")) == "session":
                given = next((k.value for k in getattr(decorator, "keywords", ()) if k.arg == "name"), None)
                yield str(getattr(given, "value", node.name)), node.args.args[0].arg, node.body
