"""What Python expressions are: literals, joined text, paths, environment, lists."""

from __future__ import annotations

from policy.flow.state import LONGEST
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy.flow.languages.python import Known, Reader

UNKNOWN = Value(None, quoted=True)
ITEMS = 2_000
"""How many items a list may grow to before it counts as unknown."""
SAME = frozenset({"str", "os.fspath", "pathlib.Path", "Path", "pathlib.PurePath", "pathlib.PosixPath", "os.path.abspath", "os.path.realpath", "os.path.normpath", "shlex.quote", "list", "sorted", "tuple", "bytes", "repr", "os.fsencode", "textwrap.dedent", "enumerate", "reversed", "set"})  # fmt: skip
METHODS_SAME = frozenset(
    {
        "items",
        "values",
        "strip",
        "encode",
        "decode",
        "resolve",
        "absolute",
        "expanduser",
        "as_posix",
        "copy",
        "rstrip",
        "lstrip",
    }
)


def value(reader: Reader, node: Any) -> Known:
    """The value of an expression."""
    handler = EXPRESSIONS.get(type(node).__name__)
    return UNKNOWN if handler is None else handler(reader, node)


def text(known: Known) -> Value:
    """A single text; a list is unknown."""
    return known if isinstance(known, Value) else UNKNOWN


def joined(first: Value, second: Value, between: str = "") -> Value:
    """Two texts in a row."""
    if first.text is None:
        return Value(None, first.known, quoted=True)
    head = first.text + between
    if len(head) + len(second.known) > LONGEST or len(second.text or "") > LONGEST:
        return Value(None, head[:LONGEST], quoted=True)
    if second.text is None:
        return Value(None, head + second.known, quoted=True)
    whole = head + second.text
    glob = first.glob or second.glob
    return Value(whole, whole if not glob else first.known, glob, quoted=True)


def _constant(reader: Reader, node: Any) -> Known:
    held = node.value
    if isinstance(held, bytes):
        held = held.decode("utf-8", "replace")
    del reader
    return Value(str(held), str(held), quoted=True) if isinstance(held, (str, int)) else UNKNOWN


def _name(reader: Reader, node: Any) -> Known:
    return reader.names.get(node.id, UNKNOWN)


def _list(reader: Reader, node: Any) -> Known:
    items: list[Known] = []
    for item in node.elts:
        if type(item).__name__ == "Starred":
            inner = reader.value(item.value)
            items.extend(inner if isinstance(inner, list) else [Value(None, splits=True)])
        else:
            items.append(reader.value(item))
    return items


def _dictionary(reader: Reader, node: Any) -> Known:
    """The values alone."""
    return [reader.value(item) for item in node.values]


def _format(reader: Reader, node: Any) -> Known:
    whole = Value("", "", quoted=True)
    for part in node.values:
        inner = part.value if type(part).__name__ == "FormattedValue" else part
        whole = joined(whole, text(reader.value(inner)))
    return whole


def _binary(reader: Reader, node: Any) -> Known:
    left, right = reader.value(node.left), reader.value(node.right)
    operation = type(node.op).__name__
    if operation == "Add":
        if isinstance(left, list) and isinstance(right, list):
            return [*left, *right] if len(left) + len(right) <= ITEMS else UNKNOWN
        return joined(text(left), text(right))
    if operation == "Div":
        return joined(text(left), text(right), "/")
    if operation == "Mod" and text(left).text is not None:
        return _percent(text(left).text or "", right if isinstance(right, list) else [right])
    return UNKNOWN


def _percent(template: str, values: list[Known]) -> Value:
    whole, queue = Value("", "", quoted=True), list(values)
    for index, part in enumerate(template.split("%s")):
        if index:
            whole = joined(whole, text(queue.pop(0)) if queue else UNKNOWN)
        whole = joined(whole, Value(part, part))
    return whole


def _subscript(reader: Reader, node: Any) -> Known:
    base, index = reader.dotted(node.value), text(reader.value(node.slice))
    if base == "os.environ" and index.text is not None:
        return environment(reader, index.text)
    if base == "sys.argv" and index.text is not None and index.text.isdigit():
        place = int(index.text) - 1
        return reader.arguments[place] if 0 <= place < len(reader.arguments) else UNKNOWN
    if type(node.slice).__name__ == "Slice":
        return _sliced(reader, node, base)
    inner = reader.value(node.value)
    if isinstance(inner, list) and index.text is not None and index.text.lstrip("-").isdigit():
        place = int(index.text)
        return inner[place] if -len(inner) <= place < len(inner) else UNKNOWN
    return UNKNOWN


def _sliced(reader: Reader, node: Any, base: str) -> Known:
    """`sys.argv[1:]` and the like."""
    inner = [UNKNOWN, *reader.arguments] if base == "sys.argv" else reader.value(node.value)
    lower = "0" if node.slice.lower is None else text(reader.value(node.slice.lower)).text or ""
    if (
        not isinstance(inner, list)
        or not lower.isdigit()
        or node.slice.upper is not None
        or node.slice.step is not None
    ):
        return UNKNOWN
    return list(inner[int(lower) :])


def environment(reader: Reader, name: str) -> Value:
    if name == "HOME":
        home = reader.actions.walk.home(reader.actions.state)
        return UNKNOWN if home is None else Value(home, home, quoted=True)
    held = reader.actions.walk.environment.get(name)
    return UNKNOWN if held is None else Value(held, held, quoted=True)


def _call(reader: Reader, node: Any) -> Known:
    from policy.flow.languages.python_makers import MAKERS

    name = reader.dotted(node.func)
    maker = MAKERS.get(name)
    if maker is not None:
        return maker(reader, node)
    if name in SAME and node.args:
        first = reader.value(node.args[0])
        for more in node.args[1:] if name.endswith("Path") else ():
            first = joined(text(first), text(reader.value(more)), "/")
        return first
    if type(node.func).__name__ == "Attribute":
        return _method(reader, node)
    return UNKNOWN


def _method(reader: Reader, node: Any) -> Known:
    method, base = node.func.attr, reader.value(node.func.value)
    arguments = [reader.value(argument) for argument in node.args]
    if method in METHODS_SAME:
        return at_home(reader, text(base)) if method == "expanduser" else base
    handler = TEXT_METHODS.get(method)
    return UNKNOWN if handler is None else handler(text(base), arguments)


def _split(base: Value, arguments: list[Known]) -> Known:
    if base.text is None or arguments:
        return UNKNOWN
    return [Value(part, part, quoted=True) for part in base.text.split()]


def _joined_list(base: Value, arguments: list[Known]) -> Known:
    items = arguments[0] if arguments and isinstance(arguments[0], list) else [UNKNOWN]
    whole = Value("", "", quoted=True)
    for index, item in enumerate(items):
        whole = joined(joined(whole, base) if index else whole, text(item))
        if whole.text is None:
            break
    return whole


def _joinpath(base: Value, arguments: list[Known]) -> Known:
    for item in arguments:
        base = joined(base, text(item), "/")
    return base


def _formatted(base: Value, arguments: list[Known]) -> Known:
    return (
        _percent(base.text.replace("{}", "%s"), arguments) if base.text is not None and "{}" in base.text else UNKNOWN
    )


def _globbed(base: Value, arguments: list[Known]) -> Known:
    return joined(base, text(arguments[0]) if arguments else UNKNOWN, "/").replace(glob=True)


def _below(base: Value, arguments: list[Known]) -> Known:
    return joined(base, text(arguments[0]) if arguments else Value("*", "*"), "/**/").replace(glob=True)


TEXT_METHODS: dict[str, Callable[[Value, list[Known]], Known]] = {
    "split": _split,
    "join": _joined_list,
    "joinpath": _joinpath,
    "format": _formatted,
    "glob": _globbed,
    "rglob": _below,
    "iterdir": lambda base, _: joined(base, Value("*", "*"), "/").replace(glob=True),
}


def at_home(reader: Reader, value: Value) -> Value:
    known = value.text if value.text is not None else value.known
    if known[:1] != "~" or (len(known) > 1 and known[1] != "/"):
        return value
    home = environment(reader, "HOME")
    if home.text is None:
        return UNKNOWN
    return Value(None if value.text is None else home.text + known[1:], home.text + known[1:], value.glob, quoted=True)


EXPRESSIONS: dict[str, Callable[[Reader, Any], Known]] = {
    "Constant": _constant,
    "Name": _name,
    "List": _list,
    "Tuple": _list,
    "Set": _list,
    "Dict": _dictionary,
    "JoinedStr": _format,
    "BinOp": _binary,
    "Subscript": _subscript,
    "Call": _call,
}
