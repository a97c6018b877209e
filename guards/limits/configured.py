"""`[limits]` of the configuration read: the compiled form first, TOML only when that is stale."""

from __future__ import annotations

import posix

from guards.limits import options
from guards.limits.options import Asked, UsageError
from guards.limits.procfs import exists
from guards.limits.settings import Settings
from guards.limits.spec import SpecError, parse_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.layout import Layout

EVERY_RUN = "default"
"""The profile that applies to every run, below the one that `--profile` names and the command line."""
NOT_IN_A_PROFILE = frozenset(("--help", "--version", "--check-headroom", "--json", "--profile"))
"""Options that ask something else than a run, or would name another profile."""


def load(layout: Layout) -> Settings:
    """Raises UsageError for a table that cannot be read: a limit that was asked for in the configuration is not passed over."""
    files = [f"{folder}/config.toml" for folder in (layout.managed, layout.config) if exists(f"{folder}/config.toml")]
    origin = " or ".join(files) or f"{layout.config}/config.toml"
    return _settings(_table(layout, files), origin) if files else Settings(origin=origin)


def faults(layout: Layout) -> list[str]:
    """Whatever in the configuration would keep a limited command from running, in words."""
    try:
        found = load(layout)
    except UsageError as error:
        return [str(error)]
    told = []
    for name, table in found.profiles.items():
        try:
            _read(name, table, found.origin)
        except UsageError as error:
            told.append(str(error))
    return told


def _table(layout: Layout, files: list[str]) -> dict[str, Any]:
    from policy.compiled import Compiled, CompiledError

    try:
        found: dict[str, Any] = Compiled.load(layout.compiled).config.get("limits", {})
    except CompiledError:
        import tomllib

        found = {}
        for path in files:
            try:
                layer = tomllib.loads(_text(path))
            except (OSError, ValueError, RecursionError) as error:
                told = error.strerror if isinstance(error, OSError) else error
                raise UsageError(f"{path}: {told}; mend it, `gatepost doctor` says more") from None
            found.update(_named(f"{path}: [limits]", layer.get("limits", {})))
            if "limits" in layer.get("final", ()):
                break
    return found


def _text(path: str) -> str:
    """A plain file's text; a pipe in its place is an error and not waited for."""
    descriptor = posix.open(path, posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC)
    with open(descriptor, encoding="utf-8") as file:
        if posix.fstat(descriptor).st_mode & 0o170000 != 0o100000:
            raise OSError(0, "it is no plain file")
        return file.read()


def _settings(table: Any, origin: str) -> Settings:
    values: dict[str, Any] = {}
    for name, value in _named(f"{origin}: [limits]", table).items():
        where = f"{origin}: [limits.{name}]"
        if name in {"aggregate", "reserve"}:
            try:
                values[name] = parse_memory(str(value))
            except SpecError as error:
                raise UsageError(f"{origin}: [limits] {name}: {error}; a share is written '85%'") from None
        elif name in READERS:
            values[name] = READERS[name](where, _named(where, value))
        else:
            known = ", ".join((*READERS, "aggregate", "reserve"))
            raise UsageError(f"{origin}: [limits] {name} is not known; known are {known}")
    return Settings(**values, origin=origin)


def _named(where: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UsageError(f"{where} must be a table of names and values")
    return value


def _profiles(where: str, table: dict[str, Any]) -> dict[str, Any]:
    return {name: _named(f"{where[:-1]}.{name}]", options) for name, options in table.items()}


def _environment(where: str, table: dict[str, Any]) -> dict[str, str]:
    for name, value in table.items():
        if (
            not name
            or "=" in name
            or "\0" in f"{name}{value}"
            or not isinstance(value, str | int | float)
            or isinstance(value, bool)
        ):
            raise UsageError(f"{where} {name!r} cannot be put into an environment: it takes NAME = 'text' or a number")
    return {name: str(value) for name, value in table.items()}


def _workers(where: str, table: dict[str, Any]) -> dict[str, str]:
    for name, value in _environment(where, table).items():
        if value not in {"auto", "off"} and not (value.isascii() and value.isdigit() and int(value)):
            raise UsageError(f"{where} {name}: {value!r} is none of auto, off and a number of workers")
    return _environment(where, table)


READERS = {"profiles": _profiles, "environment": _environment, "workers": _workers}
"""Tables of `[limits]`: each is checked whole before any run, so that no part of it is passed over."""


def apply(settings: Settings, asked: Asked) -> Asked:
    """The command line completed from its profile and from the one for every run. Raises UsageError."""
    if asked.profile is not None and asked.profile not in settings.profiles:
        known = ", ".join(sorted(settings.profiles)) or "none"
        raise UsageError(f"{settings.origin}: no profile {asked.profile!r} in [limits.profiles]; there are: {known}")
    empty = Asked()
    for name in (asked.profile, EVERY_RUN):
        if name is None or name not in settings.profiles:
            continue
        below = _read(name, settings.profiles[name], settings.origin)
        changes = {
            field: value
            for field, value in below.as_dict().items()
            if value != getattr(empty, field) and getattr(asked, field) == getattr(empty, field)
            if field not in asked.lifted and field != "lifted"
        }
        if asked.reserve is not None:  # whoever stands above has said how it is with the reservation
            changes.pop("reservation", None)
        if not asked.reservation:
            changes.pop("reserve", None)
        asked = asked.replace(**changes, lifted=tuple(dict.fromkeys((*asked.lifted, *below.lifted))))
    return asked


def _read(name: str, table: dict[str, Any], origin: str) -> Asked:
    """A profile's options. `false` takes back what the profile for every run says, as `none` does for a value."""
    where = f"{origin}: [limits.profiles.{name}]"
    words = []
    off = []
    said: dict[str, str] = {}
    for key, value in table.items():
        option = "--" + key.replace("_", "-")
        field = _field(option)
        if field in said:
            raise UsageError(f"{where} {said[field]} and {key} are names of one option; keep one of them")
        if field:
            said[field] = key
        if option in NOT_IN_A_PROFILE or not isinstance(value, str | int | float):
            raise UsageError(f"{where} {key} has no place in a profile, or no such value")
        if value is False and option in options.FLAGS:
            off.append(options.FLAGS[option][0])
        else:
            words.append(option if value is True else f"{option}={'none' if value is False else value}")
    try:
        found = options.read_profile(words)
    except UsageError as error:
        raise UsageError(f"{where} {error}") from None
    return found.replace(lifted=(*found.lifted, *off))


def _field(option: str) -> str:
    """The field that an option sets, "" for an unknown one; options of the same field are one with several names."""
    tables: tuple[dict[str, tuple[str, Any]], ...] = (options.VALUES, options.FLAGS, options.OPTIONAL)
    return next((table[option][0] for table in tables if option in table), "")
