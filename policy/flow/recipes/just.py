"""just: recipes of a justfile, with their dependencies, parameters and plain assignments."""

from __future__ import annotations

from policy.flow import recipes
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where

NAMES = ("justfile", "Justfile", ".justfile")


class Recipe:
    """A recipe: parameter names with defaults, what it needs, its lines."""

    __slots__ = ("lines", "needs", "parameters")

    def __init__(self, parameters: list[tuple[str, str | None]], needs: list[str]) -> None:
        self.parameters = parameters
        self.needs = needs
        self.lines: list[str] = []


def follow(walk: Walk, program: str, words: Sequence[Value], state: State, where: Where) -> None:
    """Walk the recipe that the first word names (the first one without a word); later words are its arguments."""
    del program
    found = recipes.text_of(walk, NAMES, state)
    if found is None:
        return
    table, variables = read(found[1])
    name = words[0].text if words and words[0].text else next(iter(table), "")
    if name:
        _walk(walk, (found[0], table, variables), name, list(words[1:]), state, where)


def _walk(  # noqa: PLR0913, PLR0917
    walk: Walk,
    source: tuple[str, dict[str, Recipe], dict[str, str]],
    name: str,
    arguments: list[Value],
    state: State,
    where: Where,
) -> None:
    path, table, variables = source
    recipe = table.get(name)
    key = f"goal {path} {name}"
    if recipe is None or key in walk.active or len(walk.active) > 20:
        return
    active = walk.active
    walk.active = (*active, key)
    for need in recipe.needs:
        _walk(walk, source, need, [], state, where)
    known = dict(variables)
    for place, (parameter, default) in enumerate(recipe.parameters):
        value = arguments[place] if place < len(arguments) else Value(default, default or "")
        known[parameter] = f"${recipes.UNKNOWN}" if value.text is None else value.text
    lines = [filled(line, known) for line in recipe.lines]
    if lines and lines[0].startswith("#!"):
        _script(walk, f"{path} {name}", lines, state, where)
    else:
        for line in lines:
            text = line.lstrip("@-")
            recipes.run(walk, f"{path} {name} {text}", text, state, where, arguments)
    walk.active = active


def _script(walk: Walk, key: str, lines: list[str], state: State, where: Where) -> None:
    from policy.flow import code, files

    text = "\n".join(lines)
    language = files.shebang(text)
    if language == "sh":
        recipes.run(walk, key, text, state, where)
    elif language:
        code.read(walk, language, (Value(text, text),), state, where, language, quiet=True)


def read(text: str) -> tuple[dict[str, Recipe], dict[str, str]]:
    """Recipes and variables in the order in which they stand."""
    table: dict[str, Recipe] = {}
    variables: dict[str, str] = {}
    current: Recipe | None = None
    for line in text.replace("\\\n", " ").split("\n"):
        if line[:1] in {" ", "\t"}:
            if current is not None and line.strip():
                current.lines.append(line.strip())
            continue
        if not line.strip() or line[:1] in {"#", "["}:
            continue
        current = None
        name, assigned, value = line.partition(":=")
        if assigned:
            variables[name.replace("export ", "").strip()] = value.strip().strip("'\"")
            continue
        head, colon, needs = line.partition(":")
        if colon and head.strip():
            names = head.strip().lstrip("@").split()
            current = Recipe(
                [_parameter(word) for word in names[1:]], [need.strip("()") for need in needs.split() if need != "&&"]
            )
            table[names[0]] = current
    return table, variables


def _parameter(word: str) -> tuple[str, str | None]:
    name, equals, default = word.lstrip("+*$").partition("=")
    return name, default.strip("'\"") if equals else None


def filled(line: str, known: dict[str, str]) -> str:
    """A line with {{name}} put in as text, unquoted, as just does it."""
    while (start := line.find("{{")) >= 0:
        end = line.find("}}", start)
        if end < 0:
            break
        name = line[start + 2 : end].strip()
        line = line[:start] + known.get(name, f"${recipes.UNKNOWN}") + line[end + 2 :]
    return line
