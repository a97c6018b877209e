"""One run from the options to the exit code: limits, backend, admission, the command, the report."""

from __future__ import annotations

import posix
import time

from guards.limits import limits, machine, report, signals
from guards.limits.backends import Wish
from guards.limits.choose import Unfit, choose
from guards.limits.procfs import read, stat
from guards.limits.spawn import Start
from guards.limits.spec import Amount
from guards.limits.supervise import Supervisor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.layout import Layout
    from guards.limits.options import Asked
    from guards.limits.report import Run

MARKER = b"WITH_LIMITS_ID"
DEFAULT_SHELL = "/bin/sh"


def _say(text: str) -> None:
    from guards.limits.main import say

    say(text)


def run(asked: Asked, _layout: Layout, began: float) -> int:
    """The exit code of the command, or ours. Dies of the command's signal."""
    own = stat("self")
    identity = f"{posix.getpid()}-{own.start if own is not None else 0}"
    found = machine.survey()
    spec = limits.resolve(asked, found, Amount("auto"))
    argv = asked.command if asked.text is None else (asked.shell or DEFAULT_SHELL, "-c", asked.text)
    try:
        backend = choose(asked, Wish(identity, spec, limits.aggregate(found)))
    except Unfit as error:
        _say(f"with-limits: {error}")
        return report.OURS
    environment = {**posix.environ, MARKER: identity.encode()}
    start = Start(argv, environment, own_group=not signals.has_terminal())
    supervisor = Supervisor(spec, backend)
    try:
        outcome = supervisor.run(start, began)
    finally:
        backend.close()
    done = report.Run(
        identity,
        argv,
        spec,
        backend.name,
        backend.kernel,
        backend.applied,
        tuple(backend.warnings),
        outcome,
        oom_partial=asked.oom_partial,
        throttled=supervisor.duty.throttled if supervisor.duty else 0.0,
    )
    return _finish(done, asked)


def _finish(done: Run, asked: Asked) -> int:
    if asked.report or report.worth_a_line(done):
        _say(report.line(done))
    if asked.report_json is not None:
        from guards.limits.store import replace
        from guards.wire import encode

        replace(asked.report_json, encode(report.document(done, time.time())) + "\n")
    if done.outcome.signal and done.outcome.reason in {"signal", "interrupted"}:
        signals.die_of(done.outcome.signal)
    return report.exit_code(done)


def boot_clock() -> float:
    """Seconds since boot, as process start times count them."""
    return float(read("/proc/uptime").split()[0] or 0)
