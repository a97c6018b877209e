"""Immutable records with named fields, cheap to import: the base of every model class.

`dataclasses` and `typing` cost more at start-up than the whole hook may take (decision 0003), so a record is a tuple whose
fields are C-level getters. Annotated class attributes are the fields, in order; a value beside one is its default.
"""

from __future__ import annotations

import _collections  # type: ignore[import-not-found]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self, dataclass_transform
else:

    def dataclass_transform(**_kw: object) -> object:
        return lambda cls: cls


GETTERS = [_collections._tuplegetter(index, None) for index in range(16)]  # noqa: SLF001
"""One descriptor for each place serves all classes."""


class _RecordType(type):
    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> _RecordType:
        fields = namespace.get("_fields")
        if fields is None:  # a packed class (guards.install.pack) names its fields, a source annotates them
            fields = namespace["_fields"] = tuple(namespace.get("__annotations__", ()))
        while len(GETTERS) < len(fields):
            GETTERS.append(_collections._tuplegetter(len(GETTERS), None))  # noqa: SLF001
        defaults: dict[str, Any] = {}
        tail: tuple[Any, ...] = ()
        index = 0
        for field in fields:
            if field in namespace:
                defaults[field] = namespace[field]
                tail += (namespace[field],)
            elif tail:
                tail = ()
            namespace[field] = GETTERS[index]
            index += 1  # noqa: SIM113  enumerate would make a tuple of each
        namespace["_defaults"] = defaults
        namespace["_tail"] = tail
        namespace["__match_args__"] = fields
        namespace["__slots__"] = ()
        return super().__new__(mcs, name, bases, namespace)


@dataclass_transform(frozen_default=True)
class Record(tuple, metaclass=_RecordType):  # type: ignore[type-arg]  # noqa: SLOT001
    """A frozen value: equal by type and content, hashable when its fields are. Fields may not be called `count` or `index`."""

    if TYPE_CHECKING:
        _fields: tuple[str, ...]
        _defaults: dict[str, Any]
        _tail: tuple[Any, ...]

    def __new__(cls, *args: Any, **named: Any) -> Self:
        fields = cls._fields
        if not named:  # most records are made by position, with defaults for the rest
            missing = len(fields) - len(args)
            if not missing:
                return tuple.__new__(cls, args)
            if 0 < missing <= len(cls._tail):
                return tuple.__new__(cls, args + cls._tail[-missing:])
        values = list(args)
        for field in fields[len(args) :]:
            if field in named:
                values.append(named.pop(field))
            elif field in cls._defaults:
                values.append(cls._defaults[field])
            else:
                raise TypeError(f"{cls.__name__}: the field {field!r} is missing")
        if named or len(values) != len(fields):
            raise TypeError(f"{cls.__name__}: takes {', '.join(fields)}; got {len(args)} values and {sorted(named)}")
        return tuple.__new__(cls, values)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__

    def __repr__(self) -> str:
        shown = ", ".join(f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({shown})"

    def replace(self, **changes: Any) -> Self:
        """A copy with other values in the named fields."""
        fields = self._fields
        if not changes.keys() <= set(fields):
            raise TypeError(f"{type(self).__name__}: has no field {', '.join(sorted(changes.keys() - set(fields)))}")
        values = [changes.get(field, old) for field, old in zip(fields, self, strict=True)]
        return tuple.__new__(type(self), values)

    def as_dict(self) -> dict[str, Any]:
        """Field names to values, one level deep."""
        return dict(zip(self._fields, self, strict=True))
