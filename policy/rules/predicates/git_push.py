"""What a push would overwrite or delete on the remote, and of which kind the branch is.

The remote itself is not asked. What is known of it is the tracking ref; a plain force overwrites what was never fetched, too.
"""

from __future__ import annotations

from policy.record import Record
from policy.rules.fact import FactResult
from policy.rules.glob import matches
from policy.rules.predicates.git_lost import NOTHING, Loss
from policy.rules.predicates.git_place import is_set, setting
from policy.rules.predicates.git_state import Case
from policy.world import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

PROTECTED = ("main", "master", "trunk", "develop", "production", "release", "release/*")
LOG = 1 << 20


class Target(Record):
    """One ref that is pushed to: `ref` in short, "*" for all of them; `how` is push, force, lease or delete; `source` what goes there."""

    ref: str
    how: str
    source: str = ""
    known: bool = True


def how(given: Invocation) -> str:
    """The strongest word of the options: `--force` beside `--force-with-lease` is a plain force."""
    if given.has("--force", "--mirror"):
        return "force"
    lease = given.option("--force-with-lease")
    if lease is None or lease.negated:
        return "push"
    if lease.value is not None and (lease.value.text or "").endswith(":"):
        return "push"
    return "lease"


def targets(case: Case) -> tuple[str, list[Target]]:
    """The remote and everything that is pushed to it."""
    given = case.invocation
    operands = [None if value.glob and "$" in value.raw else value.text for value in given.operands]
    repository = case.place().repository
    remote = operands[0] if operands else None
    if not operands:
        option = given.option("--repo")
        remote = option.value.text if option is not None and option.value is not None else default_remote(case)
    specs = operands[1:]
    word = how(given)
    mirrored = given.has("--mirror") or is_set(given, case.world, repository, f"remote.{remote or 'origin'}.mirror")
    if mirrored or (given.has("--prune") and (given.has("--all", "--branches") or specs)):
        return remote or "", [Target("*", "delete")]
    if given.has("--all", "--branches"):
        return remote or "", [Target("*", word)]
    if given.has("--delete"):
        return remote or "", [Target(short(name or ""), "delete", known=name is not None) for name in specs]
    if not specs and not given.has("--tags"):
        configured = setting(given, case.world, repository, f"remote.{remote or 'origin'}.push")
        specs = [configured] if configured else default_specs(case)
    found = [target(case, spec, word) for spec in tagged(specs)]
    if given.has("--tags"):
        found.append(Target("tags/*", word))
    return remote or "", found


def default_remote(case: Case) -> str:
    repository = case.place().repository
    current = case.world.branch(repository)
    for key in (f"branch.{current}.pushremote", "remote.pushdefault", f"branch.{current}.remote"):
        value = setting(case.invocation, case.world, repository, key)
        if value:
            return value
    return "origin"


def default_specs(case: Case) -> list[str | None]:
    """What a push without refspecs pushes, by push.default."""
    repository = case.place().repository
    rule = setting(case.invocation, case.world, repository, "push.default") or "simple"
    if rule == "matching":
        return [":"]
    if rule == "nothing":
        return []
    current = current_branch(case)
    if current is None:
        return []
    merge = case.world.config(repository, f"branch.{current}.merge") if rule in ("upstream", "tracking") else None
    return [f"{current}:{merge}" if merge else current]


def current_branch(case: Case) -> str | None:
    """The branch that HEAD is on when the push runs."""
    return case.branch() or case.world.branch(case.place().repository)


def tagged(specs: list[str | None]) -> list[str | None]:
    """`tag NAME` is a refspec of its own."""
    words = iter(specs)
    return [f"refs/tags/{next(words, '')}" if word == "tag" else word for word in words]


def short(ref: str) -> str:
    return ref.removeprefix("refs/heads/").removeprefix("refs/")


def target(case: Case, spec: str | None, word: str) -> Target:
    if spec is None:
        return Target("*", word, known=False)
    forced = spec.startswith("+")
    word = "force" if forced else word
    source, colon, wanted = spec.removeprefix("+").partition(":")
    if not source and not wanted:
        return Target("*", word)
    if not source:
        return Target(short(wanted), "delete")
    wanted = wanted if colon and wanted else source
    if wanted in ("HEAD", "@"):
        current = current_branch(case)
        if current is None:
            return Target("*", word, known=False)
        wanted = current
    if f"refs/tags/{wanted}" in case.world.refs(case.place().repository, f"refs/tags/{wanted}") and "/" not in wanted:
        heads = case.world.refs(case.place().repository, "refs/heads/")
        wanted = wanted if f"refs/heads/{wanted}" in heads else f"refs/tags/{wanted}"
    return Target("*" if "*" in wanted else short(wanted), word, source)


def protected(case: Case, remote: str, ref: str) -> bool:
    """Whether a branch is one that nobody rewrites: configured, or the remote's default."""
    if ref == "*":
        return True
    configured = case.question.settings.get("protected_branches", PROTECTED)
    return any(matches(ref, pattern) for pattern in configured) or ref == default_branch(case, remote)


def default_branch(case: Case, remote: str) -> str:
    common = case.place().repository.common_dir
    text = case.world.read_text(f"{common}/refs/remotes/{remote or 'origin'}/HEAD", 4096) or ""
    return text.strip().removeprefix(f"ref: refs/remotes/{remote or 'origin'}/") if text.startswith("ref:") else ""


def foreign(case: Case, remote: str, one: Target) -> bool:
    """Whether the tracking ref holds commits that the local branch has never had: somebody else's."""
    repository = case.place().repository
    full = f"refs/remotes/{remote}/{one.ref}"
    tracked = case.world.refs(repository, full).get(full)
    if case.invocation.has("--force-if-includes"):
        return False
    if fetched_before(case, one.ref) and not rebased_before(case):
        return True
    if tracked is None:
        return False
    text = case.world.read_text(f"{repository.common_dir}/logs/refs/heads/{one.ref}", LOG) or ""
    had = {word for line in text.splitlines() for word in line.split(" ", 2)[:2] if word.strip("0")}
    local = case.world.resolve(repository, one.source or one.ref)
    try:
        return case.only_here((tracked,), frozenset((full,)), (*had, local)) > 0
    except Unanswered:
        return True


def rebased_before(case: Case) -> bool:
    """Whether the request rebases the branch onto another before it pushes: then the fetch was for that other one.

    What somebody has pushed to this branch since the last fetch would still be overwritten, so that `lease-fetched` is worth advice.
    """
    earlier = case.reading.invocations[: case.question.position]
    fetched = [position for position, one in enumerate(earlier) if one.program == "git" and one.subcommand == "fetch"]
    after = earlier[fetched[-1] :] if fetched else ()
    return any(one.program == "git" and one.subcommand == "rebase" and one.operands for one in after)


def fetched_before(case: Case, ref: str) -> bool:
    """Whether an earlier command of the request may have moved the tracking ref; `git fetch origin main` moves that of main."""
    for earlier in case.reading.invocations[: case.question.position]:
        if earlier.program != "git" or earlier.subcommand not in ("fetch", "remote update"):
            continue
        specs = earlier.operands[1:] if earlier.subcommand == "fetch" else ()
        if not specs or earlier.unknown or earlier.has("--all", "--multiple", "--stdin", "--refmap"):
            return True
        if any(
            spec.text is None or "*" in spec.text or short(spec.text.lstrip("+").partition(":")[0]) == ref
            for spec in specs
        ):
            return True
    return False


def push(case: Case) -> Loss:
    """Class `remote`: refs that are overwritten or deleted."""
    if case.invocation.has("--dry-run"):
        return NOTHING
    remote, found = targets(case)
    if found and fresh(case, remote):
        return NOTHING
    lost = [
        one for one in found if one.how in ("force", "delete") or (one.how == "lease" and foreign(case, remote, one))
    ]
    return Loss(remote=tuple(f"{remote} {one.ref}" for one in lost), unsure=any(not one.known for one in lost))


def fresh(case: Case, remote: str | None) -> bool:
    """Whether the repository is the request's own and has no remote but such as this request makes."""
    if not case.earlier("init", "clone"):
        return False
    from policy.rules.predicates.git_fresh import pushes_nowhere

    return pushes_nowhere(case, remote)


KINDS = (
    "force-protected",
    "force",
    "lease-protected",
    "lease-foreign",
    "lease-fetched",
    "delete-protected",
    "delete",
    "all",
    "tag",
)


def kind(case: Case, remote: str, one: Target) -> str:
    if one.how == "delete":
        return "all" if one.ref == "*" else "delete-protected" if protected(case, remote, one.ref) else "delete"
    if one.how == "force":
        return "force" if one.ref.startswith("tags/") or not protected(case, remote, one.ref) else "force-protected"
    if one.how == "lease":
        if protected(case, remote, one.ref):
            return "lease-protected"
        if foreign(case, remote, one):
            return "lease-foreign"
        return (
            "lease-fetched" if not case.invocation.has("--force-if-includes") and fetched_before(case, one.ref) else ""
        )
    return "tag" if one.ref.startswith("tags/") else ""


def pushes(invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """Whether a push does one of the things that the rule names (see KINDS)."""
    wanted = (question.value,) if isinstance(question.value, str) else tuple(question.value)
    case = Case(invocation, world, question, reading)
    if invocation.has("--dry-run"):
        return FactResult(False)
    remote, found = targets(case)
    hits = [one for one in found if kind(case, remote, one) in wanted]
    if not hits or fresh(case, remote):
        return FactResult(False)
    names = tuple("all branches" if one.ref == "*" else one.ref for one in hits)
    return FactResult(
        True if any(one.known for one in hits) else None, names, len(names), f"to {remote}" if remote.isalnum() else ""
    )
