"""How the limiter lives with others: a person at a terminal, ten jobs that want more than the machine has."""

from __future__ import annotations

import itertools
import shlex
import subprocess
import time

from guards.limits import ledger
from guards.limits.machine import survey
from guards.limits.store import Store
from tests.guards.limits.terminal import DEEDS, Shell

JOBS, SHARE, FLOOR = 10, 0.3, 0.9
LAST = 0.5
"""Seconds that each job of the queue lasts."""


def _done(do, line):
    """What the shell said in the end; the assertion's text when it did not come to that."""
    shell = Shell()
    try:
        return do(shell, line)
    except AssertionError as error:
        return str(error)[:200]
    finally:
        shell.close()


def terminal(place, quick):
    """What a person does at a terminal, with the limiter and without."""

    def line(words):
        """From a file, so that what is typed and echoed is not what is waited for."""
        path = f"{place.folder}/typed"
        with open(path, "w") as file:
            file.write("exec " + shlex.join(words) + "\n")
        return f"sh {path}\n"

    for backend in place.backends:
        ways = (
            lambda text: line(["sh", "-c", text]),
            lambda text, backend=backend: line(place.words(backend, "--", "sh", "-c", text)),
        )
        wrong = []
        for name, (do, _) in DEEDS.items():
            found = [_done(do, way) for way in ways]
            wrong += [] if found[0] == found[1] else [f"{name}: {found[0]!r} without, {found[1]!r} with"]
        yield (
            f"{backend}: {len(DEEDS) - len(wrong)} of {len(DEEDS)} as without the limiter {'; '.join(wrong)}",
            not wrong,
        )


def _watch(store, jobs, seen):
    """Look at the records until all jobs have ended: the most that ran at once, in bytes of budget; `seen` gets ids in the order of start."""
    most = 0
    while any(job.poll() is None for job in jobs):
        living, _ = ledger.jobs(store)
        running = [job for job in living if job.state == "running"]
        most = max(most, sum(job.budget for job in running))
        for job in sorted(running, key=lambda job: job.ticket):
            seen.setdefault(job.identity, job.ticket)
        time.sleep(0.01)
    return most


def _killed_holder(place, backend, budget, runtime):
    """Seconds from SIGKILL of a supervisor that holds room to the start of the job that waited for it."""
    words = ("--wait", "--memory", "256MiB", "--reserve", budget, "-c")
    holders = [
        subprocess.Popen(place.words(backend, *words, "echo; setsid sleep 300 & sleep 300"), stdout=-1)
        for _ in range(int(FLOOR / SHARE))
    ]
    waiting = None
    try:
        for holder in holders:
            holder.stdout.readline()
        waiting = subprocess.Popen(place.words(backend, *words, "echo"), stdout=-1)
        while not any(job.state == "waiting" for job in ledger.jobs(runtime)[0]):
            time.sleep(0.01)
        began = time.monotonic()
        holders[0].kill()
        waiting.stdout.readline()
        return time.monotonic() - began
    finally:
        for process in (*holders, *([waiting] if waiting else ())):
            process.terminate()
            process.wait()
            process.stdout.close()


def queue(place, quick):
    """Ten jobs that reserve 30 % of what there is, started together."""
    machine = survey()
    if machine.available < machine.total * (FLOOR - 0.05):
        yield (
            f"only {machine.available >> 20} of {machine.total >> 20} MiB are available: other programs would be in the way",
            None,
        )
    room = machine.available - int(machine.total * (1 - FLOOR))
    budget = int(min(machine.total * SHARE, room / 3.05))
    for backend in place.backends:
        words = place.words(backend, "--wait", "--memory", "256MiB", "--reserve", budget, "-c", f"sleep {LAST}")
        words.remove("--report-json")
        words.remove(f"{place.folder}/report")
        store = Store(place.runtime)
        seen = {}
        began = time.monotonic()
        jobs = [subprocess.Popen(words) for _ in range(JOBS)]
        most = _watch(store, jobs, seen)
        wall = time.monotonic() - began
        codes = [job.wait() for job in jobs]
        tickets = list(seen.values())
        inversions = sum(one > other for one, other in itertools.pairwise(tickets))
        text = (
            f"{backend}: {JOBS} jobs of {budget >> 20} MiB: at most {most >> 20} MiB at once of {room >> 20} MiB room"
        )
        text += f", exit codes {sorted(set(codes))}, {inversions} started out of order, {wall:.1f} s for 4 turns of {LAST} s"
        yield text, most <= room and set(codes) == {0} and not inversions and len(seen) == JOBS
        freed = [_killed_holder(place, backend, budget, store) for _ in range(1 if quick else 5)]
        store.close()
        shown = ", ".join(f"{seconds:.2f}" for seconds in freed)
        yield f"{backend}: room of a killed holder is taken after {shown} s, at most 2", max(freed) <= 2
