"""What the limiter costs: to start, to enter groups, to watch."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import time
import uuid
from pathlib import Path

import psutil
from measure import Command

from guards.limits import spawn as spawning
from guards.limits.backends import Wish, create
from guards.limits.limits import LimitSpec
from guards.limits.procfs import write
from guards.limits.spawn import Start

TRUE = "/bin/true"


def _medians(commands, rounds):
    """Name to (CPU ms, wall ms), medians of interleaved rounds."""
    found = {command.name: ([], []) for command in commands}
    for _ in range(rounds):
        for command in commands:
            cpu, wall, _ = command.run()
            found[command.name][0].append(cpu)
            found[command.name][1].append(wall)
    return {name: tuple(statistics.median(values) for values in both) for name, both in found.items()}


def start(place, quick):
    """What a user pays for a command that does nothing, launcher included."""
    floor = [Command("python", [place.python, "-I", "-S", "-c", "pass"]), Command("true", [TRUE])]
    ways = [
        *((name, [*place.launcher, "--backend", name]) for name in place.backends),
        ("chosen", place.launcher),
        ("without a C compiler", place.script),
    ]
    found = _medians([*floor, *(Command(name, [*words, "--", TRUE]) for name, words in ways)], 20 if quick else 60)
    cpu = found["python"][0] + found["true"][0]
    for name, words in ways:
        ratio = found[name][0] / cpu
        text = f"{name}: {found[name][0]:.2f} ms CPU ({found[name][1]:.1f} wall), {ratio:.2f} of python -I -S -c pass plus true ({cpu:.2f})"
        yield (f"{text}, not reached: 1.6", None) if words == place.script else (f"{text}, at most 1.6", ratio <= 1.6)


class Plain:
    """Like a plain fork and exec: nothing to enter."""

    mask = frozenset()

    def reset_in_child(self):
        """Nothing was caught."""


def _spawned(way, entrance):
    """(CPU, wall) in ms of one start and wait, ours and the child's."""
    began, used = time.perf_counter(), time.thread_time()
    pid = way(entrance)
    usage = os.wait4(pid, 0)[2]
    used = time.thread_time() - used + usage.ru_utime + usage.ru_stime
    return used * 1000, (time.perf_counter() - began) * 1000


def _plain_fork(entrance):
    pid = os.fork()
    if not pid:
        for file in entrance:
            write(file, "0")
        os.execv(TRUE, [TRUE])
    return pid


def spawn(place, quick):
    """Fork and exec from this interpreter, with and without entering the groups; and the limiter's own way, the box."""
    environment = dict(os.environb)

    def boxed(entrance):
        start = Start((TRUE,), environment, own_group=False, entrance=entrance, box=place.box)
        return spawning.spawn(start, LimitSpec(nice=5), Plain(), set()).pid

    for name in place.backends[:-1]:
        groups = create(name, Wish("bench-" + uuid.uuid4().hex, LimitSpec(memory=1 << 30, pids=64)))
        samples = {"plain": [], "fork and enter": [], "box": []}
        try:
            for _ in range(50 if quick else 300):
                samples["plain"].append(_spawned(_plain_fork, ()))
                samples["fork and enter"].append(_spawned(_plain_fork, groups.entrance))
                samples["box"].append(_spawned(boxed, groups.entrance))
        finally:
            groups.close()
        medians = {
            way: [statistics.median(row[kind] for row in rows) for kind in (0, 1)] for way, rows in samples.items()
        }
        for way in ("fork and enter", "box"):
            cpu, wall = (ours / plain for ours, plain in zip(medians[way], medians["plain"], strict=True))
            text = f"{name}: {way} is {cpu:.2f} of a plain fork and exec ({medians['plain'][0]:.2f} ms) in CPU, {wall:.2f} in wall time"
            yield text + ", at most 1.15", cpu <= 1.15


def _cpu(pid):
    """CPU seconds of one process, to the nanosecond."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def _looks(pid):
    return int(
        next(
            line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("voluntary")
        ).split()[1]
    )


def supervisor(place, quick):
    """Trees at rest beside 300 other processes, all at once; in turn, what psutil costs at the same number of looks. Medians of rounds."""
    trees = [(name, 20, 0.2 if name != "proc" else 0.5) for name in place.backends] + [("proc", 200, 2.5)]
    rounds, seconds = (2, 5) if quick else (5, 10)
    crowd = subprocess.Popen(["sh", "-c", "for i in $(seq 300); do sleep 900 & done; wait"], start_new_session=True)
    running = [_tree(place, name, size) for name, size, _ in trees]
    try:
        time.sleep(4)
        found, theirs = [], []
        for _ in range(rounds):
            found.append(_watched([process.pid for process in running], seconds))
            theirs.append(_psutil(running[-1].pid, found[-1][-1][1], seconds))
        for number, (name, size, most) in enumerate(trees):
            share, rate = (statistics.median(row[number][kind] for row in found) for kind in (0, 1))
            yield (
                f"{name}, tree of {size}: {share:.2f} % of a core at {rate:.1f} looks a second, at most {most}",
                share <= most,
            )
        theirs = statistics.median(theirs)
        yield (
            f"psutil at the same rate: {theirs:.1f} %, {theirs / share:.1f} times ours, at least 5",
            theirs >= 5 * share,
        )
    finally:
        for process in running:
            process.terminate()
            process.wait()
        os.killpg(crowd.pid, signal.SIGKILL)
        crowd.wait()


def _tree(place, name, size):
    text = f"for i in $(seq {size - 1}); do sleep 900 & done; wait"
    return subprocess.Popen(place.words(name, "--memory", "2GiB", "-c", text), stdin=subprocess.DEVNULL)


def _watched(pids, seconds):
    """(percent of a core, looks a second) of each over a while in which nothing else goes on."""
    before, began = [(_cpu(pid), _looks(pid)) for pid in pids], time.monotonic()
    time.sleep(seconds)
    wall = time.monotonic() - began
    return [
        ((_cpu(pid) - cpu) / wall * 100, (_looks(pid) - looks) / wall)
        for pid, (cpu, looks) in zip(pids, before, strict=True)
    ]


def _psutil(pid, rate, seconds):
    """Percent of a core that psutil takes for so many looks a second at a supervisor's tree, which it finds as cold as we do."""
    process = psutil.Process(pid)
    spent = 0.0
    looks = max(1, round(rate * seconds))
    for _ in range(looks):
        time.sleep(1 / rate)
        began = time.process_time()
        for child in process.children(recursive=True):
            child.memory_info()
        spent += time.process_time() - began
    return spent / looks * rate * 100
