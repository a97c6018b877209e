"""What a run was: the exit code, the one line for people, the document for programs."""

from __future__ import annotations

import time

from guards.limits import deliver
from guards.limits.codes import BY_REASON, NOT_EXECUTABLE, NOT_FOUND, OURS
from guards.limits.procfs import PAGE
from guards.limits.say import say
from guards.limits.show import show_count, show_duration, show_size
from guards.wire import encode
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.limits.limits import LimitSpec
    from guards.limits.options import Asked
    from guards.limits.plan import Plan
    from guards.limits.run import Ended
    from guards.limits.supervise import Outcome

SCHEMA = 1


class Run(Record):
    """Everything a report is made of."""

    identity: str
    argv: tuple[str, ...]
    spec: LimitSpec
    backend: str
    kernel: bool
    applied: dict[str, float]
    warnings: tuple[str, ...]
    outcome: Outcome
    waited: float = 0.0
    oom_partial: bool = False
    throttled: float = 0.0


def run_of(plan: Plan, ended: Ended, waited: float) -> Run:
    """What a report tells, of a run that is over."""
    return Run(
        identity=plan.job.identity,
        argv=plan.argv,
        spec=plan.spec,
        backend=ended.backend,
        kernel=ended.kernel,
        applied=ended.applied,
        warnings=ended.warnings,
        outcome=ended.outcome,
        waited=waited,
        oom_partial=plan.asked.oom_partial,
        throttled=ended.throttled,
    )


def finish(asked: Asked, run: Run) -> int:
    """Print and write what was asked for, and what has to be known; the exit code."""
    if asked.report or worth_a_line(run):
        say(line(run))
    if asked.report_json is not None:
        try:
            deliver.deliver(asked.report_json, encode(document(run, time.time())) + "\n")
        except OSError as error:
            say(f"with-limits: --report-json {asked.report_json}: {error.strerror}; the report is lost")
    return exit_code(run)


def exit_code(run: Run) -> int:
    """The code to exit with; for reasons signal and interrupted the caller dies of `outcome.signal` instead."""
    outcome = run.outcome
    if outcome.reason == "not-started":
        started = outcome.started
        if started.step != "exec":
            return OURS
        return NOT_FOUND if started.error in {2, 20} else NOT_EXECUTABLE
    if outcome.reason == "memory" and run.oom_partial and outcome.code is not None and outcome.code >= 0:
        return outcome.code
    if outcome.reason in BY_REASON:
        return BY_REASON[outcome.reason]
    if outcome.signal:
        return 128 + outcome.signal
    return outcome.code or 0


def _cause(run: Run) -> str:
    """What happened, in words."""
    outcome, spec, usage = run.outcome, run.spec, run.outcome.usage
    peak = f"peak {show_size(usage.peak)}" if usage.peak else ""
    own = f", {show_size(usage.anonymous)} of it the program's own" if usage.anonymous and usage.cache else ""
    if outcome.reason == "memory":
        if spec.memory is not None and usage.peak is not None and usage.peak < spec.memory * 0.99 - PAGE:
            limit = "memory ran out in a group above this job"
        else:
            limit = f"memory limit {show_size(spec.memory or 0)} reached"
        kept = "; the command itself ended with 0, but a child was killed" if outcome.code == 0 else ""
        return f"{limit} ({peak}{own}){kept}"
    words = {
        "time": f"time limit {show_duration(spec.time or 0)} reached",
        "cpu-time": f"CPU time limit {show_duration(spec.cpu_time or 0)} reached",
        "processes": f"more than {spec.pids} processes at once",
        "tie": "the process it was tied to has ended",
        "host": f"the machine ran out of reserve, and this job took most ({peak})",
        "interrupted": f"ended by signal {outcome.signal}",
        "signal": f"the command died of signal {outcome.signal}, which no limit sent",
        "exit": f"ended with {outcome.code}",
    }
    return words.get(outcome.reason, outcome.reason)


def line(run: Run) -> str:
    """One line: cause, who was ended, how long it took, where the limits were kept."""
    outcome, usage = run.outcome, run.outcome.usage
    if outcome.reason == "not-started":
        from guards.limits import unstarted

        return f"with-limits: {unstarted.words(run.argv[0], outcome.started)}"
    parts = [_cause(run)]
    victims = outcome.ended or usage.oom_kills
    if victims and outcome.reason not in {"exit", "signal"}:
        many = f"{victims} process{'es' if victims > 1 else ''}"
        parts.append(f"killed {many}" + (f" in {show_duration(outcome.kill_time)}" if outcome.kill_time else ""))
    if outcome.leftover:
        parts.append(f"{outcome.leftover} left over: {run.spec.leftover}")
    if outcome.survivors and run.spec.leftover != "leave":
        parts.append(f"{outcome.survivors} DID NOT DIE")
    if usage.refused:
        parts.append(
            f"{usage.refused} fork{'s' if usage.refused > 1 else ''} refused at {show_count(run.spec.pids or 0, 'process', 'processes')}"
        )
    parts.append(f"wall {show_duration(outcome.wall)}, cpu {show_duration(usage.cpu)}")
    if outcome.reason in {"exit", "signal"} and usage.peak:
        parts.append(f"peak {show_size(usage.peak)}")
    parts.append(f"backend {run.backend}")
    return "with-limits: " + "; ".join(parts)


def worth_a_line(run: Run) -> bool:
    """Whether something happened that the person has to know without having asked for a report."""
    outcome = run.outcome
    if outcome.reason in {"exit", "interrupted"}:
        return bool(outcome.survivors) or bool(outcome.usage.refused)
    return outcome.reason != "signal" or outcome.signal == 9


def document(run: Run, now: float) -> dict[str, Any]:
    """The JSON report; docs/limits.md holds its schema."""
    outcome, usage, spec = run.outcome, run.outcome.usage, run.spec
    over = 0 if spec.memory is None or usage.peak is None else max(0, usage.peak - spec.memory)
    return {
        "schema": SCHEMA,
        "id": run.identity,
        "argv": list(run.argv),
        "reason": outcome.reason,
        "exit": exit_code(run),
        "code": outcome.code,
        "signal": outcome.signal or None,
        "backend": run.backend,
        "kernel": run.kernel,
        "asked": {name: value for name, value in spec.as_dict().items() if value is not None},
        "applied": run.applied,
        "wall": round(outcome.wall, 6),
        "cpu": round(usage.cpu, 6),
        "peak": usage.peak,
        "peak_own": usage.anonymous,
        "cache": usage.cache,
        "shared_left": usage.shared,
        "processes": usage.processes,
        "oom_kills": usage.oom_kills,
        "forks_refused": usage.refused,
        "throttled": round(usage.throttled + run.throttled, 6),
        "waited": round(run.waited, 3),
        "overshoot": over,
        "leftover": outcome.leftover,
        "killed": outcome.ended,
        "kill_ms": round(outcome.kill_time * 1000, 3),
        "survivors": outcome.survivors,
        "overhead_ms": round(outcome.overhead * 1000, 3),
        "warnings": list(run.warnings),
        "ended_at": round(now, 3),
    }
