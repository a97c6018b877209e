"""Whether the guard is really there: each door is tried, not only looked at. Nothing is changed."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from policy.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from guards.layout import Layout


class Check(Record):
    """One thing looked at. `level` is ok, note (worth knowing), warn (weaker than it could be) or fail (does not guard); `cure` what mends it."""

    level: str
    subject: str
    text: str
    cure: str = ""


class Patient(Record):
    """What is examined: an installation, in a home, for some hosts ((): every one that is found), as this environment sees it."""

    layout: Layout
    home: str
    hosts: tuple[str, ...]
    environment: Mapping[str, str]


CHECKS = (
    "guards.install.checks.installation",
    "guards.install.checks.hosts",
    "guards.install.checks.shims",
    "guards.install.checks.shell",
)
"""Modules with `examine(patient) -> Iterator[Check]`, in the order in which they are told."""

LIVE = ("guards.install.checks.live",)
"""Those that start the hosts themselves; only when asked for."""


def examine(patient: Patient, checks: Sequence[str] = CHECKS) -> Iterator[Check]:
    """Every check of every module. A module that fails is itself a finding."""
    for name in checks:
        try:
            yield from importlib.import_module(name).examine(patient)
        except Exception as error:  # noqa: BLE001  -- a doctor that falls over must not look like health
            yield Check("fail", name.rpartition(".")[2], f"could not be examined: {type(error).__name__}: {error}")
