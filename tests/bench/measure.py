"""Times whole processes side by side: every round starts each command once, in random order, so that a busy machine slows all alike."""

from __future__ import annotations

import os
import random
import statistics
import time


class Sample:
    """CPU (user and system, children included) and wall time of one command over all rounds, in milliseconds."""

    def __init__(self):
        self.cpu = []
        self.wall = []

    def spread(self, kind):
        values = getattr(self, kind)
        return min(values), statistics.median(values), max(values)


class Command:
    """What to start: an argv, what it reads on stdin, where it runs, its environment."""

    def __init__(self, name, argv, stdin=b"", cwd="/", environment=None):
        self.name = name
        self.argv = argv
        self.stdin = stdin
        self.cwd = cwd
        self.environment = os.environ if environment is None else environment

    def start(self):
        """Process ids of the child, and of the one that feeds it (0 when none has to); stdin comes through a pipe, as from a host."""
        read_end, write_end = os.pipe()
        feeder = self._feed(write_end)
        os.chdir(self.cwd)
        actions = [
            (os.POSIX_SPAWN_DUP2, read_end, 0),
            *((os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_WRONLY, 0) for fd in (1, 2)),
        ]
        child = os.posix_spawn(self.argv[0], self.argv, self.environment, file_actions=actions)
        os.close(read_end)
        return child, feeder

    def run(self):
        """(CPU ms, wall ms, exit status) of one run."""
        began = time.perf_counter()
        child, feeder = self.start()
        _, status, usage = os.wait4(child, 0)
        wall = time.perf_counter() - began
        if feeder:
            os.waitpid(feeder, 0)
        return (usage.ru_utime + usage.ru_stime) * 1000, wall * 1000, os.waitstatus_to_exitcode(status)

    def _feed(self, write_end):
        """Put the input into the pipe; a child of our own writes what does not fit at once."""
        if len(self.stdin) <= 65536:
            os.write(write_end, self.stdin)
            os.close(write_end)
            return 0
        child = os.fork()
        if child == 0:
            try:
                left = self.stdin
                while left:
                    left = left[os.write(write_end, left) :]
            finally:
                os._exit(0)
        os.close(write_end)
        return child


def measure(commands, rounds):
    """Name to Sample; one round that is not counted comes first."""
    samples = {command.name: Sample() for command in commands}
    for turn in range(rounds + 1):
        for command in random.sample(commands, len(commands)):
            cpu, wall, status = command.run()
            if status not in {0, 1, 2, 126}:
                raise SystemExit(f"{command.name}: exit status {status}")
            if turn:
                samples[command.name].cpu.append(cpu)
                samples[command.name].wall.append(wall)
    return samples


def ratio(sample, floor, kind="cpu"):
    """(low, middle, high): the median of the per-round ratios, between the bounds that 95 of 100 resamplings stay in."""
    pairs = [value / below for value, below in zip(getattr(sample, kind), getattr(floor, kind), strict=True)]
    draw = random.Random(7)
    medians = sorted(statistics.median(draw.choices(pairs, k=len(pairs))) for _ in range(400))
    return medians[10], statistics.median(pairs), medians[389]
