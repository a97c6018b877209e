"""Agent sessions: which one we are in. The id only ever narrows what passes (grants), so a forged one gains nothing."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE = "GATEPOST_SESSION"


def current(environment: Mapping[str, str]) -> str:
    """The id that `gatepost run` gave this session, "" outside of one."""
    return environment.get(VARIABLE, "")
