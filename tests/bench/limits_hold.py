"""Whether limits hold: overshoot, shared pages, nobody left, right reasons."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import uuid
from pathlib import Path

from tests.guards.limits.grower import GROWS

LIMIT = 500 << 20
SHARES = """\
import os, time
shared = bytearray(b"x") * (2 << 20)
for _ in range(200):
    if os.fork() == 0:
        own = bytearray(b"y") * (1 << 20)
        time.sleep(4)
        os._exit(0)
for _ in range(200):
    os.wait()
"""
ESCAPES = {
    "plain": "{sleep} & {sleep}",
    "setsid": "setsid {sleep} & {sleep}",
    "double fork": "(setsid sh -c '{sleep} & {sleep} &' &) ; {sleep}",
    "cleared environment": "env -i setsid sh -c '{sleep} & exec {sleep}' & {sleep}",
    "deaf": "trap '' TERM INT HUP; setsid sh -c \"trap '' TERM INT HUP; {sleep}; {sleep}\" & {sleep}; {sleep}",
    "leader first": "setsid sh -c '{sleep}' & ({sleep} &) ; exit 0",
    "fork bomb": "bomb() {{ bomb | bomb & {sleep} & }}; trap '' TERM; setsid sh -c 'while :; do {sleep} & done' & bomb; {sleep}",
}
SLEEP = "sleep 300.0{tag}"
BOMBS = 200
"""Processes that a run may have: what a fork bomb comes to."""


def overshoot(place, quick):
    counter = Path(place.folder, "counter")
    for backend in place.backends:
        for rate, label in ((1e9, "1 GB/s"), (0, "unthrottled")):
            over = []
            for _ in range(2 if quick else 5):
                counter.write_bytes(bytes(4096))
                code, _ = place.run(
                    backend, "--memory", LIMIT, "--", place.python, "-I", "-S", "-c", GROWS, counter, rate
                )
                taken = struct.unpack_from("q", counter.read_bytes())[0]
                over.append(taken - LIMIT if code == 137 else 1 << 40)
            most = 0 if backend != "proc" else LIMIT // 10
            shown = ", ".join(f"{value / (1 << 20):+.0f}" for value in over)
            text = f"{backend}, {label}: {shown} MiB of 500 as the child counts, at most {most >> 20}"
            yield text, max(over) <= most if label == "1 GB/s" or backend != "proc" else None


def shared(place, quick):
    """200 workers of which each shares two thirds; the limit is 1.2 times what they truly take."""
    for backend in place.backends:
        _, first = place.run(backend, "--memory", "none", "--", place.python, "-I", "-S", "-c", SHARES)
        true = 200 * ((1 << 20) + (700 << 10)) + (12 << 20)
        runs = 1 if quick else 3
        codes = [
            place.run(backend, "--memory", int(true * 1.2), "--", place.python, "-I", "-S", "-c", SHARES)[0]
            for _ in range(runs)
        ]
        killed = sum(code == 137 for code in codes)
        yield (
            f"{backend}: {killed} of {runs} killed below the limit (summed resident sizes {first['peak'] >> 20} MiB, limit {int(true * 1.2) >> 20} MiB)",
            killed == 0,
        )


def _alive(tag):
    """Living processes with the mark in their command line: its sleepers, and the shells whose text has it."""
    found = 0
    for path in Path("/proc").iterdir():
        try:
            if path.name.isdigit() and tag.encode() in (path / "cmdline").read_bytes():
                found += (path / "stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
        except OSError:
            continue
    return found


def _outsiders():
    """Processes like those that are ended, beside them: in our own group, in one of their own, and an orphan's child."""
    plain = subprocess.Popen(["sleep", "900"])
    apart = subprocess.Popen(["sleep", "900"], start_new_session=True)
    nested = subprocess.Popen(["sh", "-c", "sleep 900 & wait"], start_new_session=True)
    return plain, apart, nested


def survivors(place, quick):
    runs = 3 if quick else 20
    for backend in place.backends:
        outside = _outsiders()
        left, killed = dict.fromkeys(ESCAPES, 0), 0
        for _ in range(runs):
            for name, text in ESCAPES.items():
                tag = str(uuid.uuid4().int)[:12]
                limited = text.format(sleep=SLEEP.format(tag=tag))
                options = ("--time", "150ms", "--kill-after", "50ms", "--pids", BOMBS)
                _, found = place.run(backend, *options, "-c", limited)
                left[name] += _alive(tag) + found["survivors"]
        for process in outside:
            killed += process.poll() is not None
            if process is not outside[0]:
                os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            process.wait()
        shown = ", ".join(f"{name} {count}" for name, count in left.items())
        yield (
            f"{backend}: survivors of {runs} runs each: {shown}; outsiders killed: {killed}",
            not any(left.values()) and not killed,
        )
        many = f"for i in $(seq 199); do setsid {SLEEP.format(tag=1)} & done; wait"
        _, found = place.run(
            backend, "--pids", "1000", "--time", "1500ms", "--kill-after", "1ms", "-c", "trap '' TERM; " + many
        )
        yield f"{backend}: {found['killed']} processes from decision to empty in {found['kill_ms']:.0f} ms", None


def reasons(place, quick):
    """Twelve forced ends: exit code and reason of each."""
    python = ["--", place.python, "-I", "-S", "-c"]
    child = "import os\nif os.fork() == 0:\n x = bytearray(b'x') * (200 << 20); os._exit(0)\nos.wait()"
    forced = [
        (["--", "true"], 0, "exit"),
        (["-c", "exit 7"], 7, "exit"),
        (["-c", "exit 137"], 137, "exit"),
        (["-c", "kill -SEGV $$"], -11, "signal"),
        (["-c", "kill -KILL $$"], -9, "signal"),
        (["--time", "200ms", "-c", "sleep 60"], 124, "time"),
        (["--time", "200ms", "-c", "trap 'exit 3' TERM; while :; do sleep 0.05; done"], 124, "time"),
        (["--memory", "64MiB", *python, "x = bytearray(b'x') * (200 << 20)"], 137, "memory"),
        (["--memory", "64MiB", *python, child], 137, "memory"),
        (["--cpu-time", "200ms", "--kill-after", "50ms", "-c", "while :; do :; done"], 152, "cpu-time"),
        (["--", "/no/such/command"], 127, "not-started"),
        (["--", "/etc/passwd"], 126, "not-started"),
    ]
    for backend in place.backends:
        wrong = []
        for words, code, reason in forced:
            found, report = place.run(backend, *words)
            if (found, report["reason"]) != (code, reason):
                wrong.append(f"{words} gave {found} {report['reason']}")
        yield f"{backend}: {len(forced) - len(wrong)} of {len(forced)} right {'; '.join(wrong)}", not wrong
