"""What names in code stand for: constants and lists given to variables, calls and modules under other names, variables of loops."""

from __future__ import annotations

from policy.flow.languages.call_tables import ARGV, DELETE, SHELL, WRITE
from policy.flow.languages.call_values import GLOBS, arguments, expression, globbed
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.flow.languages.calls import Finder

EACH = frozenset({"each", "map", "forEach", "each_entry", "flatMap"})
DECLARED = frozenset({"my", "our", "const", "let", "var", "local"})


def calls_of(language: str) -> frozenset[str]:
    """Every name that means something to us."""
    return frozenset(name for table in (SHELL, ARGV, DELETE, WRITE) for name in table.get(language, ()))


def bind(finder: Finder, index: int, name: str) -> bool:
    """Note what the word at `index` gives a meaning to; whether that is all there is to it."""
    language = finder.language
    if finder.sign(index + 1) == "=" and finder.sign(index + 2) not in {"=", "~", ">"}:
        _assigned(finder, index, name)
        return True
    following = finder.found[index + 2 : index + 3]
    between = finder.sign(index + 1) == ":" or finder.found[index + 1 : index + 2] == [("word", "as", Value("", ""))]
    if (
        language == "node"
        and name in finder.names | {"promises"}
        and between
        and following[:1]
        and following[0][0] == "word"
    ):
        finder.renamed[following[0][1]] = name
        return True
    if name in {"require", "from"}:
        _imported(finder, index)
    if name in GLOBS.get(language, ()) and (found := globbed(finder, index)) is not None:
        finder.recent = found[0]
    if name in {"for", "foreach"} and language == "perl":
        _perl_loop(finder, index)
    elif name in EACH or (name == "as" and language == "php"):
        _block(finder, index)
    elif name == "of" and language == "node" and index:
        finder.known[finder.found[index - 1][1]] = _first(finder, index)
    return name in {"for", "foreach"}


def _first(finder: Finder, index: int) -> Value:
    values = arguments(finder, index)
    return values[0] if values else Value(None, quoted=True)


def _assigned(finder: Finder, index: int, name: str) -> None:
    at = index + 2
    if finder.sign(at) in {"(", "["}:
        values = arguments(finder, index + 1)
        finder.lists[name] = values
        if values:
            finder.recent = values[0]
        return
    held, end = expression(finder, at)
    if held.text is not None or held.known:
        finder.known[name] = held
        if held.glob:
            finder.lists[name] = [held]
        return
    tail = finder.found[at:end]
    if tail and tail[-1][0] == "word" and tail[-1][1] in finder.names | {"promises"}:
        finder.renamed[name] = tail[-1][1]
    module = next((value.text for kind, _, value in tail[:4] if kind == "string"), None)
    if module and tail[0][1] in {"require", "await"}:
        finder.renamed.setdefault(name, _short(module))


def _short(module: str) -> str:
    return module.removeprefix("node:").rpartition("/")[2]


def _imported(finder: Finder, index: int) -> None:
    """`{ rm } = require("fs")`, `import { rm } from "fs"`, `import * as x from "fs"`."""
    at = index - 1 - (finder.sign(index - 1) == "=")
    if at < 0 or at >= len(finder.found):
        return
    if finder.sign(at) != "}":
        module = finder.found[index + 1][2].text if index + 1 < len(finder.found) else None
        if finder.found[index][1] == "from" and finder.found[at][0] == "word" and module:
            finder.renamed[finder.found[at][1]] = _short(module)
        return
    while at >= 0 and finder.sign(at) != "{":
        if finder.found[at][0] == "word":
            finder.imported.add(finder.found[at][1])
        at -= 1


def _perl_loop(finder: Finder, index: int) -> None:
    at = index + 1
    while at < len(finder.found) and finder.found[at][1] in DECLARED:
        at += 1
    named = at < len(finder.found) and finder.found[at][1][:1] == "$"
    variable = finder.found[at][1] if named else "$_"
    finder.known[variable] = _first(finder, at if named else at - 1)


def _block(finder: Finder, index: int) -> None:
    """The parameter of a block, `{ |x|`, `do |x|`, `(x =>`, `((x) =>`, `function(x)`, `as $x)`, is one of what stood before."""
    receiver = finder.found[index - 2][1] if index > 1 and finder.sign(index - 1) == "." else finder.found[index - 1][1]
    over = finder.lists.get(receiver, [finder.recent])
    for at in range(index + 1, min(index + 6, len(finder.found))):
        kind, text, _ = finder.found[at]
        if kind == "word" and text not in {"do", "function", "async"}:
            finder.known[text] = over[0] if over else finder.recent
            return
