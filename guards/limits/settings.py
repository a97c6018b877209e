"""`[limits]` of the configuration: profiles, extra environment, worker caps, the machine's reserve. Compiled form first; TOML only when that is stale."""

from __future__ import annotations

import posix

from guards.limits import options
from guards.limits.options import Asked, UsageError
from guards.limits.spec import Amount, SpecError, parse_amount
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.layout import Layout

EVERY_RUN = "default"
"""The profile that applies to every run, below the one that `--profile` names and the command line."""


class Settings(Record):
    """What the configuration says; the defaults where it says nothing.

    profiles     name to options as on the command line, without the dashes: {"tests": {"memory": "4GiB", "time": "30m"}}
    environment  added to the environment of every limited command
    workers      variables that cap test runners: {"CARGO_BUILD_JOBS": "auto", "GOMAXPROCS": "2", "PYTEST_XDIST_AUTO_NUM_WORKERS": "off"}
    aggregate    what all jobs together may take; `reserve` what the machine always keeps free
    """

    profiles: dict[str, dict[str, Any]] = {}  # noqa: RUF012
    environment: dict[str, str] = {}  # noqa: RUF012
    workers: dict[str, str] = {}  # noqa: RUF012
    aggregate: Amount = Amount("percent", 85)
    reserve: Amount = Amount("percent", 2)


def load(layout: Layout) -> Settings:
    """Raises UsageError for a table that cannot be read: a limit that was asked for in the configuration is not passed over."""
    files = [f"{folder}/config.toml" for folder in (layout.managed, layout.config) if _exists(f"{folder}/config.toml")]
    return _settings(_table(layout, files)) if files else Settings()


def _exists(path: str) -> bool:
    try:
        posix.stat(path)
    except OSError:
        return False
    return True


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
