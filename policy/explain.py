"""An explanation in words and as plain data: each command found, each rule that matched, what its facts said, what came of it."""

from __future__ import annotations

from policy import wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from policy.engine import Explanation
    from policy.evaluate import Outcome
    from policy.model import Decision, Invocation
    from policy.rules.fact import FactResult


def data(explanation: Explanation) -> dict[str, Any]:
    """Everything as JSON can hold it."""
    commands = [
        {
            "program": i.program,
            "subcommand": i.subcommand,
            "argv": [v.text for v in i.words],
            "cwd": i.cwd,
            "place": i.place,
            "launched_by": list(i.launched_by),
            "span": i.span,
            "effects": [{"kind": e.kind, "path": e.path, "recursive": e.recursive} for e in (*i.effects, *i.redirects)],
            "rules": [_rule(o) for o in explanation.outcomes if o.candidate.position == position],
        }
        for position, i in enumerate(explanation.reading.invocations)
    ]
    issues = [{"rule": issue.rule, "detail": issue.detail} for issue in explanation.reading.issues]
    return {**decision(explanation.decision), "commands": commands, "issues": issues}


def decision(given: Decision) -> dict[str, Any]:
    """A decision as JSON can hold it."""
    findings = [
        {
            "rule": f.rule,
            "action": f.action,
            "reason": f.reason,
            "where": f.where,
            "sure": f.sure,
            "severity": f.severity,
        }
        for f in given.findings
    ]
    return {
        "action": given.action,
        "rule": given.rule,
        "reason": given.reason,
        "instead": list(given.instead),
        "there": given.there,
        "advice": list(given.advice),
        "rewrite": given.rewrite,
        "findings": findings,
    }


def _rule(outcome: Outcome) -> dict[str, Any]:
    facts = [{"fact": name, "wanted": not negated, **_answer(result)} for name, negated, result in outcome.facts]
    return {"rule": outcome.candidate.rule.id, "said": [f.action for f in outcome.findings], "facts": facts}


def _answer(result: FactResult) -> dict[str, Any]:
    return {"held": result.held, "names": list(result.names), "total": result.total, "note": result.note}


def text(explanation: Explanation) -> Iterator[str]:
    """The same for a person, line by line."""
    for position, invocation in enumerate(explanation.reading.invocations):
        yield _command(position, invocation)
        effects = (*invocation.effects, *invocation.redirects)
        for effect in effects[:6]:
            yield f"     {effect.kind}{' (recursive)' if effect.recursive else ''} {wording.folder(effect.path or '?')}"
        if len(effects) > 6:
            yield f"     and {len(effects) - 6} more effects"
        outcomes = [o for o in explanation.outcomes if o.candidate.position == position]
        for outcome in outcomes:
            if outcome.findings:
                yield from _matched(outcome)
        silent = dict.fromkeys(o.candidate.rule.id for o in outcomes if not o.findings)
        if silent:
            yield f"     looked at, and silent: {', '.join(silent)}"
        if not outcomes:
            yield "     no rule matches"
    for issue in explanation.reading.issues:
        yield f"{issue.rule}: {wording.issue(issue)}"
    yield from verdict(explanation.decision)


def _command(position: int, invocation: Invocation) -> str:
    through = f" through {', '.join(invocation.launched_by)}" if invocation.launched_by else ""
    place = f" ({invocation.place})" if invocation.place != "local" else ""
    return (
        f"{position + 1:>3}. {wording.command(invocation)} in {wording.folder(invocation.cwd or '?')}{place}{through}"
    )


def _matched(outcome: Outcome) -> Iterator[str]:
    said = ", ".join(f.action for f in outcome.findings)
    yield f"     {outcome.candidate.rule.id}: {said}"
    for name, negated, result in outcome.facts:
        held = {True: "holds", False: "does not hold", None: "cannot be told"}[result.held]
        shown = "; ".join(part for part in (result.note, wording.names(result.names, result.total)) if part)
        yield f"         {'unless ' if negated else ''}{name} {held}{': ' + shown if shown else ''}"


def verdict(given: Decision) -> Iterator[str]:
    """The decision in a few lines."""
    yield f"{given.action}" + (f" by {given.rule}" if given.rule else ": no rule objects")
    if given.reason:
        yield f"  because  {given.reason}"
    for command in given.instead:
        yield f"  instead  {command}{f'  ({given.there})' if given.there else ''}"
    for advice in given.advice:
        yield f"  advice   {advice}"
    if given.rewrite is not None:
        yield f"  runs as  {given.rewrite}"
