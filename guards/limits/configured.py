"""`[limits]` of the configuration read: the compiled form first, TOML only when that is stale."""

from __future__ import annotations

from guards.limits import options
from guards.limits.options import Asked, UsageError
from guards.limits.procfs import exists
from guards.limits.settings import Settings
from guards.limits.spec import SpecError, parse_amount

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.layout import Layout

EVERY_RUN = "default"
"""The profile that applies to every run, below the one that `--profile` names and the command line."""


def load(layout: Layout) -> Settings:
    """Raises UsageError for a table that cannot be read: a limit that was asked for in the configuration is not passed over."""
    files = [f"{folder}/config.toml" for folder in (layout.managed, layout.config) if exists(f"{folder}/config.toml")]
    return _settings(_table(layout, files)) if files else Settings()


def _table(layout: Layout, files: list[str]) -> dict[str, Any]:
    from policy.compiled import Compiled, CompiledError

    try:
        found: dict[str, Any] = Compiled.load(layout.compiled).config.get("limits", {})
    except CompiledError:
        import tomllib

        found = {}
        for path in files:
            try:
                with open(path, "rb") as file:
                    found.update(tomllib.load(file).get("limits", {}))
            except (OSError, ValueError) as error:
                raise UsageError(f"{path}: {error}") from None
    return found


def _settings(table: dict[str, Any]) -> Settings:
    values: dict[str, Any] = {}
    for name, value in table.items():
        if name in {"aggregate", "reserve"}:
            try:
                values[name] = parse_amount(str(value))
            except SpecError as error:
                raise UsageError(f"[limits] {name}: {error}") from None
        elif name in {"profiles", "environment", "workers"} and isinstance(value, dict):
            values[name] = value
        else:
            raise UsageError(
                f"[limits] {name} is not known; known are profiles, environment, workers, aggregate, reserve"
            )
    return Settings(**values)


def apply(settings: Settings, asked: Asked) -> Asked:
    """The command line completed from its profile and from the one for every run. Raises UsageError."""
    if asked.profile is not None and asked.profile not in settings.profiles:
        known = ", ".join(sorted(settings.profiles)) or "none"
        raise UsageError(f"no profile {asked.profile!r} in [limits.profiles]; there are: {known}")
    empty = Asked()
    for name in (asked.profile, EVERY_RUN):
        if name is None or name not in settings.profiles:
            continue
        below = _read(name, settings.profiles[name])
        changes = {
            field: value
            for field, value in below.as_dict().items()
            if value != getattr(empty, field) and getattr(asked, field) == getattr(empty, field) and field != "command"
        }
        asked = asked.replace(**changes)
    return asked


def _read(name: str, table: dict[str, Any]) -> Asked:
    words = []
    for key, value in table.items():
        option = "--" + key.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not False:
            words.append(f"{option}={value}")
    try:
        return options.read([*words, "--", "profile"])
    except UsageError as error:
        raise UsageError(f"[limits.profiles.{name}] {error}") from None
