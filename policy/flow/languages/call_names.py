"""What names in code stand for: constants and lists given to variables, calls and modules under other names, variables of loops."""

from __future__ import annotations

from policy.flow.languages.call_tables import ARGV, DELETE, SHELL, WRITE
from policy.flow.languages.call_values import GLOBS, arguments, expression, globbed
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.flow.languages.calls import Finder

EACH = frozenset({"each", "map", "forEach", "each_entry", "each_child", "flatMap"})
EACH_MOST = 16
REACH, WRAPPER = 8, 40
"""How many tokens a function's head may have, and how many behind it are looked at for what it calls."""
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
    if name in {"function", "def"} and following and finder.sign(index + 2) == "(":
        _wrapped(finder, index + 2, finder.found[index + 1][1])
    if name in {"require", "from"}:
        _imported(finder, index)
    if name in GLOBS.get(language, ()) and (found := globbed(finder, index)) is not None:
        finder.recent = found[0]
    if name in {"for", "foreach"} and language == "perl":
        _perl_loop(finder, index)
    elif name in EACH or (name == "as" and language == "php"):
        _block(finder, index)
    elif name == "of" and language == "node" and index:
        _goes_over(finder, finder.found[index - 1][1], arguments(finder, index, lists=True))
    return name in {"for", "foreach"}


def _goes_over(finder: Finder, variable: str, values: list[Value]) -> None:
    """A loop's variable is each of the values in turn."""
    finder.each[variable] = values[:EACH_MOST]
    finder.known[variable] = values[0] if values else Value(None, quoted=True)


def _assigned(finder: Finder, index: int, name: str) -> None:
    at = index + 2
    _wrapped(finder, at, name)
    many = finder.found[at : at + 1] and finder.found[at][0] == "string" and finder.sign(at + 1) == ","
    if finder.sign(at) in {"(", "["} or (many and finder.language in {"perl", "ruby"}):
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


def _wrapped(finder: Finder, at: int, name: str) -> None:
    """`run = (c) => execSync(c)`, `function run(c) { exec(c); }`: the call that a function hands its first argument on to has its name too."""
    words = [
        token
        for token in finder.found[at : at + REACH]
        if token[0] == "word" and token[1] not in DECLARED | {"async", "function", name}
    ]
    parameter = words[0][1] if words else ""
    arrow = any(finder.sign(i) == "=" and finder.sign(i + 1) == ">" for i in range(at, at + REACH))
    if not parameter or (
        not arrow and finder.found[at][1] not in {"function", "async", "("} and finder.found[at - 1][1] != name
    ):
        return
    for place in range(at, min(at + WRAPPER, len(finder.found) - 2)):
        kind, text, _ = finder.found[place]
        if (
            kind == "word"
            and text in finder.names
            and finder.sign(place + 1) == "("
            and finder.found[place + 2][1] == parameter
        ):
            finder.renamed[name] = text
            return


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
    _goes_over(finder, variable, arguments(finder, at if named else at - 1, lists=True))


def _block(finder: Finder, index: int) -> None:
    """The parameter of a block, `{ |x|`, `do |x|`, `(x =>`, `((x) =>`, `function(x)`, `as $x)`, is one of what stood before."""
    receiver = finder.found[index - 2][1] if index > 1 and finder.sign(index - 1) == "." else finder.found[index - 1][1]
    over = finder.lists.get(receiver, [finder.recent])
    if receiver == "]":
        over = _literal(finder, index - 2) or over
    elif finder.sign(index - 2) == "," and finder.found[index - 3][0] == "string":
        over = _words_before(finder, index - 2)
    for at in range(index + 1, min(index + 6, len(finder.found))):
        kind, text, _ = finder.found[at]
        if kind == "word" and text not in {"do", "function", "async"}:
            _goes_over(finder, text, over)
            return


def _literal(finder: Finder, at: int) -> list[Value]:
    """The items of the list literal that ends at `at`."""
    depth = 0
    while at >= 0:
        finder.actions.step(1)
        depth += (finder.sign(at) == "]") - (finder.sign(at) == "[")
        if not depth:
            return [] if at and finder.found[at - 1][0] == "word" else arguments(finder, at - 1, lists=True)
        at -= 1
    return []


def _words_before(finder: Finder, at: int) -> list[Value]:
    """The words of %w[…] that end at `at`."""
    values: list[Value] = []
    while at > 0 and finder.sign(at) == "," and finder.found[at - 1][0] == "string":
        values.insert(0, finder.found[at - 1][2])
        at -= 2
    return values
