"""The answer that Claude Code introduced and several hosts read: `hookSpecificOutput` with the event's name in it."""

from __future__ import annotations

from guards.hook.call import Reply
from guards.wire import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def nested(event: str, output: dict[str, Any], note: str = "") -> Reply:
    """One JSON object with `hookSpecificOutput`, `hookEventName` first (without it Claude drops the answer and the command runs).

    `note` is for the person (`systemMessage`), never for the model. Nothing to say is silence: empty output, status 0.
    """
    answer: dict[str, Any] = {}
    if note:
        answer["systemMessage"] = note
    if output:
        answer["hookSpecificOutput"] = {"hookEventName": event, **output}
    return Reply(encode(answer) if answer else "")


def blocked(reason: str) -> Reply:
    """Exit 2 with the reason on stderr and nothing on stdout: every command-hook host blocks on it."""
    return Reply("", reason + "\n", 2)
