"""What the configuration may say about limits: profiles, extra environment, worker caps, what jobs may take together, the machine's reserve."""

from __future__ import annotations

from guards.limits.spec import Amount
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Settings(Record):
    """What the configuration says; the defaults where it says nothing.

    profiles     name to options as on the command line, without the dashes: {"tests": {"memory": "4GiB", "time": "30m"}}
    environment  added to the environment of every limited command
    workers      variables that cap test runners: {"CARGO_BUILD_JOBS": "auto", "GOMAXPROCS": "2", "PYTEST_XDIST_AUTO_NUM_WORKERS": "off"}
    aggregate    what all jobs together may take; `reserve` what the machine always keeps free
    origin       where it is written, for messages
    """

    profiles: dict[str, dict[str, Any]] = {}  # noqa: RUF012
    environment: dict[str, str] = {}  # noqa: RUF012
    workers: dict[str, str] = {}  # noqa: RUF012
    aggregate: Amount = Amount("percent", 85)
    reserve: Amount = Amount("percent", 2)
    origin: str = ""
