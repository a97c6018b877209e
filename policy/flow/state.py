"""What one command of a request leaves behind for the next: directory, variables, functions, aliases, files written."""

from __future__ import annotations

from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from policy.model import Command, Effect

    Opened = tuple[Value | None, str | None, tuple[Effect, ...]]
    """What stands in a descriptor: text that is known, or the path it is read from, and the effect of having opened it."""

ALTERNATIVES = 48
"""How many values one variable, or readings one command, may have before it counts as unknown."""

LONGEST = 65_536
"""How long a value may grow before it counts as unknown."""


STEPS = 36_000
"""What one request may cost, in the steps of policy.shell, of which a thousand take a millisecond or two: a text that is read counts its own."""

COMMAND, MADE = 18, 10
"""What a command that is looked at counts, and an invocation that comes of it."""

INVOCATIONS = 2_500
"""How many invocations one request may make."""


class Spent(Exception):  # noqa: N818  # not a fault: the work that one request may cost is used up
    """A budget of the whole request is used up; the issue is noted already."""


UNKNOWN = Value(None, splits=True)


class State:
    """A shell's state as far as it is known. Every variable and the directory hold all their possible values."""

    __slots__ = (
        "aliases",
        "arrays",
        "cwd",
        "descriptors",
        "exported",
        "exports",
        "files",
        "functions",
        "git_aliases",
        "git_includes",
        "positional",
        "references",
        "stack",
        "values",
    )

    def __init__(self, cwd: str | None) -> None:
        self.cwd: tuple[str | None, ...] = (cwd,)
        self.values: dict[str, tuple[Value, ...]] = {}
        self.arrays: dict[str, tuple[Value, ...]] = {}
        self.exported: dict[str, None] = {}
        self.exports: tuple[tuple[str, Value], ...] | None = None
        self.functions: dict[str, tuple[tuple[Command, ...], int, dict[int, tuple[int, list[Command]]]]] = {}
        self.aliases: dict[str, str] = {}
        self.git_aliases: dict[str, str] = {}
        self.git_includes: tuple[str, ...] = ()
        self.files: dict[str, str | None] = {}
        self.descriptors: dict[str, Opened] = {}
        self.references: dict[str, str] = {}
        self.positional: tuple[Value, ...] | None = None
        self.stack: tuple[tuple[str | None, ...], ...] = ()

    def copy(self) -> State:
        """A state of its own, for what a subshell changes."""
        other = State.__new__(State)
        other.cwd, other.positional, other.stack = self.cwd, self.positional, self.stack
        other.git_includes, other.references = self.git_includes, dict(self.references)
        other.values, other.arrays, other.exported = dict(self.values), dict(self.arrays), dict(self.exported)
        other.functions, other.aliases, other.git_aliases = (
            dict(self.functions),
            dict(self.aliases),
            dict(self.git_aliases),
        )
        other.files, other.exports, other.descriptors = self.files, self.exports, self.descriptors
        return other

    def child(self) -> State:
        """What a process that this shell starts inherits: exported variables only. Functions stay, they may be exported too."""
        other = self.copy()
        if "*" not in self.exported:
            other.values = {
                name: values for name, values in self.values.items() if name in self.exported or name == "0"
            }
        other.arrays, other.aliases, other.references, other.positional = {}, {}, {}, None
        return other

    def environment(self) -> tuple[tuple[str, Value], ...]:
        """What is exported, the last hundred of it; a variable that may have several values is unknown."""
        if self.exports is None:
            names = list(self.exported)[-100:]
            found = ((name, self.values.get(name, ())) for name in names if name != "*")
            self.exports = tuple((name, values[0] if len(values) == 1 else Value(None)) for name, values in found)
        return self.exports

    def export(self, name: str) -> None:
        """Hand a variable to the processes that are started from now on; "*" all of them."""
        self.exported[name] = None
        self.exports = None

    def take(self, other: State) -> None:
        """Become what `other` is."""
        for name in State.__slots__:
            setattr(self, name, getattr(other, name))

    def assign(self, name: str, values: Sequence[Value]) -> None:
        """Give a variable all its possible values."""
        unique = tuple(dict.fromkeys(values))
        name = self.references.get(name, name)
        if name in self.exported:
            self.exports = None
        self.values[name] = unique if len(unique) <= ALTERNATIVES else (Value(None),)
        self.arrays.pop(name, None)

    def differs(self, other: State) -> bool:
        """Whether merging with `other` would change anything."""
        return (
            self.cwd != other.cwd
            or self.values != other.values
            or self.arrays != other.arrays
            or len(self.functions) != len(other.functions)
        )

    def same(self, other: State) -> bool:
        """Whether a command would meet exactly what it meets in `other`."""
        return all(getattr(self, name) == getattr(other, name) for name in State.__slots__ if name != "exports")

    def merge(self, other: State, environment: Mapping[str, str]) -> None:
        """Allow for `other` as well: it is not known which of the two came to pass."""
        self.cwd = tuple(dict.fromkeys(self.cwd + other.cwd))
        if len(self.cwd) > 4:
            self.cwd = (None,)
        for name in {*self.values, *other.values}:
            mine, theirs = self.values.get(name), other.values.get(name)
            if mine != theirs:
                fallback = (Value(environment[name], environment[name]),) if name in environment else (Value(None),)
                self.assign(name, (mine or fallback) + (theirs or fallback))
        for name in {*self.arrays, *other.arrays}:
            if self.arrays.get(name) != other.arrays.get(name):
                self.arrays[name] = (UNKNOWN,)
        self.functions = {**other.functions, **self.functions}
        self.aliases = {**other.aliases, **self.aliases}
        self.git_aliases = {**other.git_aliases, **self.git_aliases}
        self.exported.update(other.exported)
        self.exports = None
