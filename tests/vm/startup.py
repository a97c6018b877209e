"""What a start costs in the guest: the bare command, fork and exec in Python, with-limits, systemd-run with two limits. Medians, interleaved."""

import os
import statistics
import subprocess
import sys
import time

ROUNDS = 15
ROOT = "/work"
ENTRY = f"""
import sys, posix
sys.path[:0] = [{ROOT!r}]
from guards.layout import Layout
from guards.limits.main import main
folder = "/tmp/startup-" + str(posix.getuid())
posix._exit(main(sys.argv[1:], Layout(*(folder + "/" + name for name in "pbcsrm"), "", ({ROOT!r},))))
"""
FORK = """
import posix
pid = posix.fork()
if not pid:
    posix.execv("/bin/true", ["true"])
posix.waitpid(pid, 0)
posix._exit(0)
"""
PYTHON = [sys.executable, "-I", "-S", "-c"]
SCOPE = ["systemd-run", *(["--user"] if os.getuid() else []), "--scope", "-q", "-p", "MemoryMax=512M", "-p", "TasksMax=64", "true"]
COMMANDS = {
    "true": ["/bin/true"],
    "python": [*PYTHON, "pass"],
    "fork and exec": [*PYTHON, FORK],
    "with-limits": [*PYTHON, ENTRY, "-q", "--memory", "512MiB", "--", "/bin/true"],
    "systemd-run": SCOPE,
}


def main():
    times = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):
        for name, words in COMMANDS.items():
            began = time.perf_counter()
            subprocess.run(words, check=False, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            times[name].append(time.perf_counter() - began)
    found = {name: statistics.median(values) * 1000 for name, values in times.items()}
    print(f"uid {os.getuid()}: " + ", ".join(f"{name} {value:.0f} ms" for name, value in found.items()))
    ours = found["with-limits"] - found["fork and exec"]
    theirs = found["systemd-run"] - found["true"]
    print(f"with-limits adds {ours:.0f} ms to fork and exec, systemd-run adds {theirs:.0f} ms: {ours / theirs:.2f}")


main()
