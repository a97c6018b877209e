"""What a command would take away from a cluster."""

from __future__ import annotations

from policy.rules.fact import FactResult
from policy.rules.predicates.git_order import joined

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
    """Only objects that are named one by one, all of these kinds, and not by force. A name may be one that only the shell knows."""
    operands = [value.text if value.text is not None else value.known for value in invocation.operands]
    if invocation.has(*MANY) or not operands or invocation.operands[0].text is None:
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


ON_THIS_MACHINE = ("kind-", "k3d-", "minikube")
"""Contexts of clusters that are made on this machine to try things out."""
POINTING = frozenset({"gcloud", "aws", "az", "kubectx", "doctl", "eksctl", "tsh", "oc", "rancher"})
"""What may make another cluster the present one."""


def local_cluster(invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """The cluster is one for trying things out, by the context that is named or the present one; or the namespace is made by this request."""
    earlier = reading.invocations[: question.position]
    if _made_here(invocation, question, reading):
        return FactResult(True)
    option = invocation.option("--context", "--kube-context")
    if option is not None and option.value is not None:
        return FactResult(_tries(option.value.text))
    elsewhere = invocation.has("--kubeconfig", "--server", "--cluster", "--token")
    if invocation.place != "local" or elsewhere or any(name == "KUBECONFIG" for name, _ in invocation.environment):
        return FactResult(False)
    return FactResult(_tries(_present(world, question, earlier)))


def _tries(context: str | None) -> bool:
    return (context or "").startswith(ON_THIS_MACHINE)


def _present(world: World, question: Question, earlier: tuple[Invocation, ...]) -> str | None:
    """The present context: what the request makes it, or what the settings file says."""
    for one in reversed(earlier):
        texts = [value.text for value in one.words[1:]]
        if one.program == "kubectl" and one.subcommand == "config use-context":
            return one.operands[0].text if one.operands else None
        if one.program in {"kind", "k3d", "minikube"} and texts[:1] != ["delete"] and {"create", "start"} & set(texts):
            return f"{one.program}-"
        if one.program in POINTING or (one.program == "kubectl" and one.subcommand.startswith("config set")):
            return None
    if "KUBECONFIG" in question.request.environment or not question.request.home:
        return None
    text = world.read_text(f"{question.request.home}/.kube/config", 262_144) or ""
    lines = [line for line in text.splitlines() if line.startswith("current-context:")]
    return lines[0].partition(":")[2].strip().strip("\"'") if len(lines) == 1 else None


def _made_here(invocation: Invocation, question: Question, reading: Reading) -> bool:
    """Whether the namespace that goes, or in which something goes, was created by an earlier command, which stops the request where there is one already."""
    made: set[str | None] = set()
    enough = ("and", "then") if "set -e" in question.request.text else ("and",)
    for one in reading.invocations[: question.position]:
        texts = [value.text for value in one.operands]
        creates = one.program == "kubectl" and one.subcommand.startswith("create") and not one.has("--dry-run")
        if creates and joined(one, invocation, reading) in enough:
            made |= set(texts[-1:]) if {"ns", "namespace"} & {*texts, *one.subcommand.split()} else set()
    made.discard(None)
    if not made:
        return False
    space = invocation.option("--namespace")
    if space is not None:
        return space.value is not None and space.value.text in made and not invocation.has("--all-namespaces")
    kinds, *names = [value.text for value in invocation.operands] or [None]
    return kinds in {"ns", "namespace", "namespaces"} and bool(names) and set(names) <= made
