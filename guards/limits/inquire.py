"""Questions that run nothing: --help, --version, --check-headroom."""

from __future__ import annotations

import posix
import time

from guards.limits import admission, ledger, limits, machine, nested
from guards.limits import plan as plans
from guards.limits.ledger import Job
from guards.limits.options import Slot
from guards.limits.say import say
from guards.limits.show import show_count, show_size
from guards.limits.spec import Amount
from guards.limits.store import Store, StoreError
from guards.wire import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.layout import Layout
    from guards.limits.machine import Machine
    from guards.limits.options import Asked

HELP = """\
with-limits [options] -- COMMAND [ARGUMENTS]      run a command, its whole process tree inside limits
with-limits [options] [--shell PATH] -c TEXT      the same for a line of shell
with-limits --check-headroom [--json]             would a command be admitted now? exit 0 or 75
with-limits status [--json]                       what runs, what waits and why
with-limits history [--json]                      what commands needed before

limits     -m, --memory SIZE|P%|auto|none   --swap SIZE   --cpu CORES   --cpu-time D   -t, --time D   --pids N
           --nice N   --address-space SIZE   --file-size SIZE   --open-files N   --core SIZE   --profile NAME
ending     --kill-after D   --leftover kill|wait|leave   --tie-to PID   --oom-partial=ok
queue      --wait[=D]   --reserve SIZE   --no-reservation   --slot NAME[=N]   --max-pressure 1|2|4
           --min-memory-free-percent P   --min-swap-free SIZE   --max-load-per-cpu X   --refuse-unknown
kept by    --require-kernel   --backend cgroup2|scope|cgroup1|proc|portable
report     --report   --report-json FILE   -q, --quiet

exit codes: the command's own; 75 not admitted, 124 time, 125 with-limits itself, 126 and 127 not started,
            137 memory, 152 CPU time
example:    with-limits --memory 2GiB --time 10m -- pytest -q
"""


def answer(asked: Asked, layout: Layout) -> int:
    """Print the answer; the exit code."""
    if asked.help:
        print(HELP, end="")
        return 0
    if asked.version:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print("with-limits", version("gatepost"))
        except PackageNotFoundError:
            print("with-limits of gatepost")
        return 0
    found = headroom(plans.configured(asked, layout)[0], layout)
    for warning in found["warnings"]:
        say(f"with-limits: {warning}")
    if asked.json:
        print(encode(found))
    else:
        print(_words(found))
    return 0 if found["admitted"] else 75


def headroom(asked: Asked, layout: Layout) -> dict[str, Any]:
    """What the admission of a run with these options would look at and say now. Changes nothing, deletes nothing, waits for no lock."""
    warnings = []
    others: list[Job] = []
    try:
        store = Store(f"{layout.runtime}/limits")
        others, _ = ledger.jobs(store)
        store.close()
    except StoreError as error:
        warnings.append(str(error))
    surveyed = machine.survey(thorough=True)
    policy = admission.policy_of(asked)
    now = time.monotonic()
    decided = admission.decide(_asking(asked, surveyed, layout), others, surveyed, policy, now)
    return {
        "schema": 1,
        "readings": {**surveyed.as_dict(), "pressure_level": admission.level(surveyed)},
        "policy": policy.as_dict(),
        "reservations": {
            "jobs": len(others),
            "unrealized_bytes": sum(other.unrealised(now) for other in others),
        },
        "room": admission.room(surveyed, policy),
        "refusing": list(decided.refusing),
        "notes": list(decided.notes),
        "unknown": list(decided.unknown),
        "warnings": warnings,
        "admitted": decided.admitted,
    }


def _asking(asked: Asked, surveyed: Machine, layout: Layout) -> Job:
    """The job that would ask, last in the queue; of a command that was never seen before."""
    spec = limits.resolve(asked, surveyed, Amount("auto"))
    slot = asked.slot or Slot("")
    return Job(
        "0-0",
        "",
        "waiting",
        budget=plans.budget_of(asked, spec, layout, ("", "")),
        ticket=1 << 62,
        slot=slot.name,
        most=slot.most,
        within=nested.outer(posix.environ),
    )


def _words(found: dict[str, Any]) -> str:
    room = found["room"]
    free = "an unknown amount" if room is None else show_size(max(0, room - found["reservations"]["unrealized_bytes"]))
    verdict = "a command would be admitted now" if found["admitted"] else "refused: " + "; ".join(found["notes"])
    return f"{verdict} ({free} to give beside what is reserved, {show_count(found['reservations']['jobs'], 'job runs or waits', 'jobs run or wait')})"
