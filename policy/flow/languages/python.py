"""Python code by its syntax tree: processes, deletions and writes, with constants followed through simple assignments."""

from __future__ import annotations

from policy.flow.languages.actions import Actions
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where

    Known = Value | list["Known"]

ONLY_AST = 0x400
NODE = 1
"""What a node that is looked at counts."""
UNKNOWN = Value(None, quoted=True)


def read(walk: Walk, language: str, value: Value, arguments: Sequence[Value], state: State, where: Where) -> None:  # noqa: PLR0913, PLR0917
    """Walk the code's calls in order; code that does not parse does not run either, and is left alone."""
    if value.text is None:
        return
    tree = parsed(value.text)
    if tree is None:
        return
    own = state.copy()
    actions = Actions(walk, language, own, where)
    try:
        Reader(actions, arguments).block([tree])
    except RecursionError:
        walk.issue("shell/too-deep", "expressions inside expressions", where)
    finally:
        actions.close()


def parsed(text: str) -> Any:
    """The syntax tree, None when Python itself would refuse the text."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return compile(text, "<code>", "exec", ONLY_AST, dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


ENTERED = 3
"""How deep functions of the code's own are followed into one another."""
PRODUCED = ("elt", "key", "value")
LISTED = 200


class Reader:
    """Follows statements in the order in which they stand; `names` holds what variables are known to be, `modules` what imports mean."""

    def __init__(self, actions: Actions, arguments: Sequence[Value]) -> None:
        self.actions = actions
        self.names: dict[str, Known] = {}
        self.modules: dict[str, str] = {}
        self.functions: dict[str, Any] = {}
        self.entered = 0
        self.arguments = arguments

    def block(self, nodes: Sequence[Any]) -> None:
        """Nodes in order, children before what is done with them."""
        for node in nodes:
            self.actions.step(NODE)
            kind = type(node).__name__
            handler = STATEMENTS.get(kind)
            if handler is None:
                self.block(list(children(node)))
            else:
                handler(self, node)

    def assign(self, node: Any) -> None:
        self.block([node.value] if node.value is not None else [])
        targets = node.targets if type(node).__name__ == "Assign" else [node.target]
        for target in targets:
            if type(target).__name__ == "Name":
                self.names[target.id] = UNKNOWN if node.value is None else self.value(node.value)
                if node.value is not None and (name := self.dotted(node.value)):
                    self.modules[target.id] = name

    def loop(self, node: Any) -> None:
        self.block([node.iter])
        over = self.value(node.iter)
        items = over if isinstance(over, list) else [over]
        for item in items[:16] or [UNKNOWN]:
            self.bound(node.target, item)
            self.block(node.body)
        self.block(node.orelse)

    def bound(self, target: Any, item: Known) -> None:
        """What a loop gives to its variable, or to several; of a pair that is one text the last is it (enumerate, items)."""
        if type(target).__name__ == "Name":
            self.names[target.id] = item
            return
        parts = list(getattr(target, "elts", ()))
        whole = isinstance(item, list) and len(item) == len(parts)
        for place, part in enumerate(parts):
            if type(part).__name__ == "Name":
                self.names[part.id] = item[place] if whole and isinstance(item, list) else UNKNOWN
        if parts and not whole:
            self.bound(parts[-1], item)

    def comprehension(self, node: Any) -> None:
        """`[f(x) for x in y]`: like the loop, by its first `for`."""
        first = node.generators[0]
        self.block([first.iter])
        over = self.value(first.iter)
        inner = [*first.ifs, *node.generators[1:], *(getattr(node, name) for name in PRODUCED if hasattr(node, name))]
        for item in (over if isinstance(over, list) else [over])[:16] or [UNKNOWN]:
            self.bound(first.target, item)
            self.block(inner)

    def extended(self, node: Any) -> None:
        """`x += y`."""
        self.block([node.value])
        if type(node.target).__name__ == "Name":
            before, more = self.names.get(node.target.id, UNKNOWN), self.value(node.value)
            lists = isinstance(before, list) and isinstance(more, list) and len(before) + len(more) <= LISTED
            self.names[node.target.id] = [*before, *more] if lists else UNKNOWN

    def imports(self, node: Any) -> None:
        prefix = f"{node.module}." if type(node).__name__ == "ImportFrom" and node.module else ""
        for alias in node.names:
            if alias.name == "*":
                from policy.flow.languages import python_calls

                named = [name for name in python_calls.NAMES if name.startswith(prefix)]
                self.modules.update({name[len(prefix) :]: name for name in named})
                continue
            if prefix or alias.asname:
                self.modules[alias.asname or alias.name] = prefix + alias.name

    def context(self, node: Any) -> None:
        for item in node.items:
            self.block([item.context_expr])
            if type(item.optional_vars).__name__ == "Name":
                self.names[item.optional_vars.id] = self.value(item.context_expr)
        self.block(node.body)

    def call(self, node: Any) -> None:
        from policy.flow.languages import python_calls

        self.block([node.func, *node.args, *(keyword.value for keyword in node.keywords)])
        self.grown(node.func, node.args)
        if type(node.func).__name__ == "Name" and node.func.id in self.functions:
            self.enter(self.functions[node.func.id], node)
        else:
            python_calls.call(self, node)

    def define(self, node: Any) -> None:
        """`def f(…)`: read as it stands, and again where it is called, with what it is given."""
        self.functions.pop(node.name, None)
        self.block([*node.decorator_list, *node.body])
        self.functions[node.name] = node

    def enter(self, function: Any, node: Any) -> None:
        """The body of a function of the code's own, its parameters known as far as the call says."""
        if self.entered >= ENTERED:
            return
        names = [parameter.arg for parameter in function.args.posonlyargs + function.args.args]
        values = [self.value(argument) for argument in node.args]
        given = dict(zip(reversed(names), (self.value(one) for one in reversed(function.args.defaults)), strict=False))
        given.update(zip(names, values, strict=False))
        given.update({keyword.arg: self.value(keyword.value) for keyword in node.keywords if keyword.arg})
        if function.args.vararg is not None:
            given[function.args.vararg.arg] = list(values[len(names) :])
        saved, self.names = self.names, {**self.names, **dict.fromkeys(names, UNKNOWN), **given}
        self.entered += 1
        self.block(function.body)
        self.entered -= 1
        self.names = saved

    def grown(self, called: Any, arguments: Sequence[Any]) -> None:
        """`x.append(y)` and `x.extend(y)` on a list that is known."""
        if type(called).__name__ != "Attribute" or type(called.value).__name__ != "Name" or len(arguments) != 1:
            return
        before = self.names.get(called.value.id)
        if isinstance(before, list) and called.attr in {"append", "extend"} and len(before) < LISTED:
            more = self.value(arguments[0])
            added = (more if isinstance(more, list) else [UNKNOWN]) if called.attr == "extend" else [more]
            self.names[called.value.id] = [*before, *added]

    def dotted(self, node: Any) -> str:
        """The dotted name of a function or module, aliases of imports resolved; "" for anything else."""
        kind = type(node).__name__
        if kind == "Name":
            return self.modules.get(str(node.id), str(node.id))
        if kind == "Attribute":
            inner = self.dotted(node.value)
            return f"{inner}.{node.attr}" if inner else ""
        if kind == "Call":
            return self.dynamic(node)
        return ""

    def dynamic(self, node: Any) -> str:
        name = self.dotted(node.func) if type(node.func).__name__ in {"Name", "Attribute"} else ""
        if name in {"__import__", "importlib.import_module"} and node.args:
            value = self.value(node.args[0])
            return value.text or "" if isinstance(value, Value) else ""
        if name == "getattr" and len(node.args) > 1:
            value = self.value(node.args[1])
            inner = self.dotted(node.args[0])
            return f"{inner}.{value.text}" if inner and isinstance(value, Value) and value.text else ""
        return ""

    def value(self, node: Any) -> Known:
        """What an expression is, as text or a list of texts; unknown for everything that is not followed."""
        from policy.flow.languages import python_values

        self.actions.step(NODE)
        return python_values.value(self, node)


def children(node: Any) -> Iterator[Any]:
    """The nodes directly below a node."""
    for field in getattr(node, "_fields", ()):
        inner = getattr(node, field, None)
        if isinstance(inner, list):
            yield from (item for item in inner if hasattr(item, "_fields"))
        elif hasattr(inner, "_fields"):
            yield inner


STATEMENTS = {
    "FunctionDef": Reader.define,
    "AsyncFunctionDef": Reader.define,
    "Assign": Reader.assign,
    "AugAssign": Reader.extended,
    **dict.fromkeys(("ListComp", "SetComp", "GeneratorExp", "DictComp"), Reader.comprehension),
    "AnnAssign": Reader.assign,
    "NamedExpr": Reader.assign,
    "For": Reader.loop,
    "AsyncFor": Reader.loop,
    "Import": Reader.imports,
    "ImportFrom": Reader.imports,
    "With": Reader.context,
    "Call": Reader.call,
}
