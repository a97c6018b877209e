"""What kernel limits add to a start in the guest: groups made, entered and removed, against systemd-run. Medians, interleaved."""

import os
import statistics
import subprocess
import sys
import time

sys.path[:0] = ["/work"]

from guards.limits.backends import Wish, create  # noqa: E402
from guards.limits.limits import LimitSpec  # noqa: E402
from guards.limits.spawn import Start, spawn  # noqa: E402

ROUNDS = 25
TRUE = "/bin/true"
SPEC = LimitSpec(memory=512 << 20, pids=64)
SCOPE = [
    "systemd-run",
    *(["--user"] if os.getuid() else []),
    "--scope",
    "-q",
    "-p",
    "MemoryMax=512M",
    "-p",
    "TasksMax=64",
    TRUE,
]


def forked():
    pid = os.fork()
    if not pid:
        os.execv(TRUE, [TRUE])
    os.waitpid(pid, 0)


class Nothing:
    """No signal was caught before the start."""

    def reset_in_child(self):
        """Nothing to reset."""


def limited(number):
    """As the limiter does it: groups made, the command started through the box where there is one, groups removed."""
    groups = create("cgroup2", Wish(f"{os.getpid()}-{number}", SPEC))
    if isinstance(groups, str):
        sys.exit(groups)
    start = Start((TRUE,), dict(os.environb), False, groups.entrance, box=os.environ.get("GATEPOST_TEST_BOX", ""))
    os.waitpid(spawn(start, SPEC, Nothing(), set()).pid, 0)
    groups.close()


def main():
    times = {"true": [], "fork and exec": [], "with groups": [], "systemd-run": []}
    for number in range(ROUNDS):
        for name, run in (
            ("true", lambda: subprocess.run([TRUE], check=False)),
            ("fork and exec", forked),
            ("with groups", lambda number=number: limited(number)),
            ("systemd-run", lambda: subprocess.run(SCOPE, check=False, stdin=subprocess.DEVNULL)),
        ):
            began = time.perf_counter()
            run()
            times[name].append((time.perf_counter() - began) * 1000)
    found = {name: statistics.median(values) for name, values in times.items()}
    ours, theirs = found["with groups"] - found["fork and exec"], found["systemd-run"] - found["true"]
    print(f"uid {os.getuid()}: " + ", ".join(f"{name} {value:.0f} ms" for name, value in found.items()))
    print(f"groups add {ours:.0f} ms, systemd-run adds {theirs:.0f} ms: {ours / theirs:.2f} of it, at most 0.25")


main()
