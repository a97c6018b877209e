"""What goes wrong inside the hook, as a decision that says so."""

from __future__ import annotations

from guards.hook.call import Unreadable
from policy.model import Decision


class Unlogged(Exception):  # noqa: N818
    """The decision could not be written to the log."""


def decision_for(error: BaseException) -> Decision:
    """An ask with the cause in a clause; the rule id says which part failed: hook/input, hook/overdue, hook/policy, hook/log or hook/failure."""
    kind = type(error).__name__
    if isinstance(error, Unreadable):
        return Decision("ask", "hook/input", f"Gatepost could not read the request from the host: {error}")
    if kind == "Overdue":
        return Decision("ask", "hook/overdue", "Gatepost did not finish judging this command in time")
    if kind == "CompiledError":
        return Decision(
            "ask",
            "hook/policy",
            f"Gatepost could not load its compiled rules: {error}. `gatepost compile` makes them anew",
        )
    if isinstance(error, Unlogged):
        return Decision(
            "ask", "hook/log", f"Gatepost could not write its log ({_clipped(error)}), and judges nothing unseen"
        )
    return Decision("ask", "hook/failure", f"Gatepost failed while judging this command ({kind}: {_clipped(error)})")


def _clipped(error: BaseException, most: int = 120) -> str:
    text = "".join(
        letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in " ".join(str(error).split())
    )
    return text if len(text) <= most else text[: most - 3] + "..."


def place_of(error: BaseException) -> str:
    """FILE:LINE of where the error was raised, "" when it was raised nowhere; for the log."""
    trace = error.__traceback__
    if trace is None:
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
