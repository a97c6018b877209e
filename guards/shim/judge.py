"""The rules' word on an argv: silence lets it pass, a grant lifts what may be lifted, anything else is a refusal."""

from __future__ import annotations

from guards import judging, session
from guards.shim.call import Call, Refused
from policy.model import Request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from policy.engine import Engine
    from policy.model import Decision, Finding

    Wanted = Callable[[Finding], bool]

STRICT = ("ask", "deny")


def settle(call: Call, argv: Sequence[str] | None = None, *, counts: Wanted | None = None) -> Decision:
    """The engine's decision, when `argv` (the call's own unless given) may run. Raises Refused.

    `counts` leaves out findings that the caller answers itself.
    """
    request = request_of(call, argv)
    judged, world = engine(call), judging.world(request, call.layout)
    decision = judged.decide(request, world)
    if decision.action not in STRICT:
        return decision
    if judged.compiled.config.get("profile") == "observe":
        log(call, request, decision, observed=True)
        return decision.replace(action="pass", findings=())
    if counts is not None:  # what the caller answers itself may have left other rules unasked
        decision = judged.explain(request, world).decision
    against, free = _against(decision, counts), set[str]()
    while against and lifted(call, request, against):
        free.update(finding.rule for finding in against)
        decision = judged.explain(request, world).decision
        against = [finding for finding in _against(decision, counts) if finding.rule not in free]
    if against and not (allowed := _person_says(call, request, against)):
        log(call, request, decision)
        raise Refused(message(decision, against, asked=allowed is False))
    return decision


def request_of(call: Call, argv: Sequence[str] | None = None) -> Request:
    """The question that the engine answers."""
    return Request(
        argv=tuple(argv) if argv is not None else (call.program, *call.words),
        cwd=call.cwd or None,
        environment=call.environment,
        home=call.environment.get("HOME"),
        door="shim",
        session=session.current(call.environment),
        dialect="bash",
    )


_engines: dict[str, Engine] = {}


def engine(call: Call) -> Engine:
    """The installed engine, loaded once. Raises policy.compiled.CompiledError."""
    where = f"{call.layout.compiled}\0{call.cwd}"
    if where not in _engines:
        _engines[where] = judging.engine(call.layout, call.cwd, check="f" not in call.kept)
    return _engines[where]


def _against(decision: Decision, counts: Wanted | None) -> list[Finding]:
    return [
        finding for finding in decision.findings if finding.action in STRICT and (counts is None or counts(finding))
    ]


def lifted(call: Call, request: Request, against: Sequence[Finding]) -> bool:
    """Whether a person has let exactly this pass, by grants for every rule that speaks against it. A final rule is never lifted."""
    if any(finding.final for finding in against) or not call.cwd:
        return False
    from guards import grants

    rules = tuple(dict.fromkeys(finding.rule for finding in against))
    return grants.take_all(call.layout, rules, request.argv or (), call.cwd, request.session)


def _person_says(call: Call, request: Request, against: Sequence[Finding]) -> bool | None:
    """A person's answer on the session's terminal to what only asks; None when nobody is there or it is refused outright.

    Unless a rule is final a code for the person is kept then: `gatepost allow-once` shows it.
    """
    if any(finding.final for finding in against) or not call.cwd:
        return None
    where = session.terminal(call.layout, call.environment)
    if where and all(finding.action == "ask" for finding in against):
        from guards.shim import person

        command = " ".join(request.argv or ())
        shown = "".join(sign if sign.isprintable() else "?" for sign in command)[:200]
        return person.on_terminal(f"gatepost: {against[0].reason.strip()}. Let it run? {shown}", where)
    from guards import codes

    rules = tuple(dict.fromkeys(finding.rule for finding in against))
    codes.offer(call.layout, rules, request.argv or (), call.cwd, request.session)
    return None


def message(decision: Decision, against: Sequence[Finding], *, asked: bool = False) -> str:
    """What was refused and why, what to run instead, the rule id last. `asked`: a person was, and said no.

    What the caller would carry out another way is no reason to refuse, so it is not named while anything else is.
    """
    carried_out = any(finding.translate for finding in decision.findings if finding.action in STRICT)
    named = against if carried_out else decision.findings
    first = next((finding for finding in named if finding.rule == decision.rule), against[0])
    reason = decision.reason if first.rule == decision.rule else first.reason
    parts = [f"gatepost: refused: {reason.strip().rstrip('.')}."]
    if asked:
        parts.append("A person was asked and said no.")
    elif first.action == "ask":
        parts.append("A person has to decide this, and nobody can be asked from here; tell them what you need.")
    if decision.instead and first.rule == decision.rule:
        from policy import wording

        parts.append(wording.instead(decision))
    return " ".join(parts) + f" [{first.rule}]"


def log(call: Call, request: Request, decision: Decision, *, observed: bool = False) -> None:
    """One line in the log. A log that cannot be written changes nothing here: the command is refused anyway."""
    from guards.audit import record

    try:
        record(call.layout, request, decision, observed=observed)
    except OSError:
        return
