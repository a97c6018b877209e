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


def shows_metadata_only(invocation: Invocation, _world: World, _question: Question, _reading: Reading) -> FactResult:
    """The template of `kubectl get` prints names, labels or the type of an object: not its data, nor the copy of it that an annotation holds."""
    option = invocation.option("--output")
    text = (option.value.text if option is not None and option.value is not None else None) or ""
    kind, _, template = text.partition("=")
    if kind not in ("jsonpath", "go-template") or not template.strip("'\"{} "):
        return FactResult(False)
    fields = [part.partition("}")[0].strip() for part in template.replace("{{", "{").split("{")[1:]]
    return FactResult(all(map(_is_metadata, fields)))


def _is_metadata(field: str) -> bool:
    for every in (".items[*]", ".items[0]", "@"):
        field = field.removeprefix(every)
    plain = field == ".type" or field.startswith((".metadata.name", ".metadata.labels", ".metadata.creationTimestamp"))
    return field in ('"\\n"', "end", "range .items", "range") or (plain and "," not in field and " " not in field)
