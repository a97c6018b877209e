"""Agent sessions: which one we are in. The id only ever narrows what passes (grants), so a forged one gains nothing."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from guards.layout import Layout

VARIABLE = "GATEPOST_SESSION"


def current(environment: Mapping[str, str]) -> str:
    """The id that `gatepost run` gave this session, "" outside of one."""
    return environment.get(VARIABLE, "")


def terminal(layout: Layout, environment: Mapping[str, str]) -> str:
    """The terminal of the person who started this session with `gatepost run`; "" when it has none or is gone."""
    from guards.sessions import find

    found = find(layout, current(environment))
    return found.terminal if found else ""
