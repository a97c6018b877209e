"""What a command would take away from a cluster."""

from __future__ import annotations

from policy.rules.fact import FactResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

MANY = (
    "--all",
    "--all-namespaces",
    "--selector",
    "--field-selector",
    "--filename",
    "--kustomize",
    "--force",
    "--grace-period",
    "--raw",
)
"""Options by which more goes than is named, or goes without being asked."""


def named_objects(invocation: Invocation, _world: World, question: Question, _reading: Reading) -> FactResult:
    """Only objects that are named one by one, all of these kinds, and not by force."""
    operands = [value.text or "" for value in invocation.operands]
    if invocation.has(*MANY) or not operands or invocation.unknown or any(v.text is None for v in invocation.operands):
        return FactResult(False)
    if any("/" in operand for operand in operands):
        kinds = [operand.partition("/")[0] for operand in operands]
    else:
        kinds = operands[0].split(",") if len(operands) > 1 else [""]
    return FactResult(all(kind.casefold().partition(".")[0] in question.value for kind in kinds))
