"""The escape comment `# gatepost: allow PACK/RULE because REASON`, for rules that declare one (conventions, not disasters)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Finding, Reading, Script

SIGN = "gatepost: allow "


def lifted(findings: tuple[Finding, ...], reading: Reading) -> tuple[Finding, ...]:
    """The findings without those that a comment lifts: a real comment that trails the very command, naming the rule and a reason."""
    script = reading.script
    if script is None or not script.comments or SIGN not in script.text:
        return findings
    escapes = tuple(filter(None, (_escape(script, span) for span in script.comments)))
    return tuple(f.replace(action="pass") if _is_lifted(f, escapes, reading, script) else f for f in findings)


def _escape(script: Script, span: tuple[int, int]) -> tuple[str, int] | None:
    """(rule id, where the comment begins) of an escape with a reason."""
    text = script.text[span[0] : span[1]].lstrip("#").strip()
    if not text.startswith(SIGN):
        return None
    rule, because, reason = text[len(SIGN) :].partition(" because ")
    return (rule.strip(), span[0]) if because and reason.strip() else None


def _is_lifted(finding: Finding, escapes: tuple[tuple[str, int], ...], reading: Reading, script: Script) -> bool:
    if not finding.escape or finding.final or finding.invocation is None:
        return False
    span = reading.invocations[finding.invocation].span
    return span is not None and any(
        rule == finding.rule and _trails(script.text, span[1], start) for rule, start in escapes
    )


def _trails(text: str, end: int, start: int) -> bool:
    """Whether nothing but blanks and closing signs stands between a command's end and a comment, on one line."""
    return start >= end and not text[end:start].strip(" \t;)}&")
