"""What the model is told: what is refused and why, what to run instead, how to learn more, the rule id last."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Decision

WAY_ON = "The effect is refused, not the spelling. How this was judged: `gatepost explain COMMAND`."
FAILURES = ("gatepost/error", "hook/input", "hook/policy", "hook/log", "hook/failure", "hook/overdue", "self/broken")
"""Ids of what goes wrong inside the guard; they end in ask, or deny where the host cannot ask."""


def refusal(decision: Decision) -> str:
    """The text of a deny or an ask. Never empty, never about what a person may lift."""
    parts = [_sentence(decision.reason or "This command is refused")]
    if decision.instead:
        from policy import wording  # its sentence was worded there too

        parts.append(wording.instead(decision))
    parts.extend(_sentence(advice) for advice in decision.advice)
    if decision.rule in FAILURES:
        parts += [] if "gatepost doctor" in decision.reason else ["`gatepost doctor` says what is wrong."]
    elif decision.action == "deny":
        parts.append(WAY_ON)
    return " ".join(parts) + (f" [{decision.rule}]" if decision.rule else "")


def advice(decision: Decision) -> str:
    """What the model is told beside a command that goes on; "" when nothing."""
    return "\n\n".join(decision.advice)


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else text + "."
