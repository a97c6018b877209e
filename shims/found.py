"""What shims are made from: the installation's places, the programs that were found, and the files that make the rules stale."""

from __future__ import annotations

from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from shims import forms

    class Places(Protocol):
        """The part of guards.layout.Layout that shims need."""

        @property
        def prefix(self) -> str: ...
        @property
        def config(self) -> str: ...
        @property
        def compiled(self) -> str: ...
        @property
        def python(self) -> str: ...
        @property
        def managed(self) -> str: ...
        @property
        def shared(self) -> bool: ...


class Found(Record):
    """A guarded command, the real program behind it, and the forms that go there at once."""

    shim: forms.Shim
    real: str
    forms: tuple[forms.Form, ...]


class Watch(Record):
    """Files and folders that must be older than the compiled rules, and paths where nothing may be."""

    present: tuple[str, ...]
    absent: tuple[str, ...]
