"""What a request to a forge's API is about."""

from __future__ import annotations

from policy.rules.fact import FactResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

MARKS = frozenset({"labels", "assignees", "requested_reviewers", "reactions", "subscription", "lock"})
"""What hangs on an issue or a pull request and is put back with a click."""


def only_marks(invocation: Invocation, _world: World, _question: Question, _reading: Reading) -> FactResult:
    """The path is that of labels, reviewers or reactions of one issue, pull request or comment, not of the repository's own labels."""
    text = (invocation.operands[0].text if invocation.operands else None) or ""
    parts = text.strip("/").partition("?")[0].split("/")
    if parts[:1] != ["repos"] or len(parts) < 6 or parts[3] not in ("issues", "pulls"):
        return FactResult(False)
    return FactResult(any(part in MARKS for part in parts[4:]))
