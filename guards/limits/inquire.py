"""Questions that run nothing: --help, --version, --check-headroom."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.layout import Layout
    from guards.limits.options import Asked

HELP = """\
with-limits [options] -- COMMAND [ARGUMENTS]      run a command, its whole process tree inside limits
with-limits [options] -c TEXT                     the same for a line of shell
with-limits --check-headroom [--json]             would a command be admitted now? exit 0 or 75
with-limits status [--json]                       what runs, what waits and why
with-limits history [--json]                      what commands needed before

limits     -m, --memory SIZE|P%|auto|none   --swap SIZE   --cpu CORES   --cpu-time D   -t, --time D   --pids N
           --nice N   --address-space SIZE   --file-size SIZE   --open-files N   --core SIZE   --profile NAME
ending     --kill-after D   --leftover kill|wait|leave   --tie-to PID   --oom-partial=ok
queue      --wait[=D]   --reserve SIZE   --no-reservation   --slot NAME[=N]   --max-pressure P
           --min-memory-free-percent P   --min-swap-free SIZE   --max-load-per-cpu X   --refuse-unknown
kept by    --require-kernel   --backend cgroup2|scope|cgroup1|proc
report     --report   --report-json FILE   -q, --quiet

exit codes: the command's own; 75 not admitted, 124 time, 125 with-limits itself, 126 and 127 not started,
            137 memory, 152 CPU time
example:    with-limits --memory 2GiB --time 10m -- pytest -q
"""


def answer(asked: Asked, _layout: Layout) -> int:
    """Print the answer; the exit code."""
    if asked.help:
        print(HELP, end="")
        return 0
    return 0
