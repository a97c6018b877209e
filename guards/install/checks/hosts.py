"""The hosts: is the hook registered where each one reads, does it answer a refusal and a pass, has the host been seen calling it."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from typing import TYPE_CHECKING, Any

from guards import history
from guards.hook.settle import TRY
from guards.install import hosts, probe
from guards.install.change import Conflict
from guards.install.doctor import Check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from guards.install.doctor import Patient

CANARY = "rm -rf /gatepost-canary"
"""Harmless where it runs, and looked at by Python wherever a hook is called: it shows in the log."""


def examine(patient: Patient) -> Iterator[Check]:
    """The hosts asked for, else those that are found on PATH or have our registration."""
    seen = _last_calls(patient)
    some = False
    for name in patient.hosts or hosts.names():
        program = _program(hosts.find(name), patient)
        found = list(_host(patient, name, program, seen.get(name)))
        if found and (patient.hosts or program or any(check.level != "warn" for check in found)):
            some = True
            yield from found
    if not some:
        yield Check("warn", "hosts", "no agent host is found on PATH and none has our hook", "gatepost install HOST")


def _host(patient: Patient, name: str, program: str | None, seen: dict[str, Any] | None) -> Iterator[Check]:
    """Everything about one host; a single warning when the hook is not registered in any scope."""
    installer = hosts.find(name)
    places = [
        hosts.registration(name, patient.layout, patient.home, scope, patient.environment) for scope in installer.SCOPES
    ]
    try:
        where = next((place for place in places if place.present()), None)
        if where:
            where.install()  # only to hear whether the host would accept the file; nothing is made
    except Conflict as error:
        yield Check("fail", name, str(error), "mend the file by hand")
        return
    if where is None:
        yield Check("warn", name, f"the hook is not registered in {places[0].path}", f"gatepost install {name}")
        return
    yield Check("ok", name, f"registered in {where.path}")
    yield from _answers(patient, name)
    yield _called(name, seen)
    yield from _particular(installer, patient, program)


def _program(installer: hosts.Installer, patient: Patient) -> str | None:
    path = patient.environment.get("PATH")
    return next((found for name in installer.PROGRAMS if (found := shutil.which(name, path=path))), None)


def _answers(patient: Patient, name: str) -> Iterator[Check]:
    for command, wanted in ((probe.REFUSED, "refused"), (probe.PASSED, "passed")):
        answer = probe.ask(patient.layout, name, command)
        if answer.word == wanted:
            yield Check("ok", name, f"`{command}` is {wanted}")
        else:
            yield Check(
                "fail", name, f"`{command}` should be {wanted}, and is {answer.word}: {answer.said}", "gatepost compile"
            )


def _last_calls(patient: Patient) -> dict[str, dict[str, Any]]:
    """Each host's last logged call, tries of ours left out."""
    return {str(entry.get("host")): entry for entry in history.entries(patient.layout) if entry.get("session") != TRY}


def _called(name: str, entry: dict[str, Any] | None) -> Check:
    if entry is None:
        text = "answers, but the host has not been seen calling it (commands that concern no rule leave no trace)"
        return Check("note", name, text, f"gatepost doctor {name} --live, or ask the agent to run `{CANARY}`")
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry["time"]))
    return Check("ok", name, f"last logged call by the host: {when}")


def _particular(installer: Any, patient: Patient, program: str | None) -> Iterator[Check]:
    """The host's version, where ours depends on it, and what its own module knows to look at."""
    name = installer.__name__.rpartition(".")[2]
    needed = getattr(installer, "NEEDS", None)
    if needed and program:
        version = _version(program)
        if version is None:
            yield Check("note", name, f"{program} does not tell its version; {_dotted(needed)} is needed")
        elif version < needed:
            yield Check(
                "fail",
                name,
                f"{program} is {_dotted(version)}: before {_dotted(needed)} a failing hook lets commands run",
                "update it",
            )
        else:
            yield Check("ok", name, f"{program} is {_dotted(version)}")
    inspect = getattr(installer, "inspect", None)
    if inspect:
        yield from inspect(patient)


def _version(program: str) -> tuple[int, ...] | None:
    try:
        made = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"(\d+)\.(\d+)\.(\d+)", made.stdout)
    return tuple(map(int, found.groups())) if found else None


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
