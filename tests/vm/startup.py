"""What kernel limits add to a start in the guest: groups made, entered and removed, against systemd-run. Medians, interleaved."""

import os
import statistics
import subprocess
import sys
import time

sys.path[:0] = ["/work"]

from guards.limits.backends import Wish, create  # noqa: E402
from guards.limits.limits import LimitSpec  # noqa: E402
from guards.limits.procfs import write  # noqa: E402

ROUNDS = 15
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


def forked(groups=None):
    pid = os.fork()
    if not pid:
        if groups is not None:
            [write(file, "0") for file in groups.entrance]
        os.execv(TRUE, [TRUE])
    os.waitpid(pid, 0)


def limited(number):
    groups = create("cgroup2", Wish(f"{os.getpid()}-{number}", SPEC))
    if isinstance(groups, str):
        sys.exit(groups)
    forked(groups)
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
