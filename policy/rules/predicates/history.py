"""What earlier commands of the same request did to the paths that a rule speaks of."""

from __future__ import annotations

from policy.programs.paths import absolute
from policy.rules.fact import NO, YES, FactResult
from policy.rules.predicates.arrivals import arriving
from policy.rules.predicates.places import Place, at_or_below
from policy.rules.predicates.surroundings import pipeline
from policy.rules.predicates.well_known import CACHE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Effect, Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

MAKING = ("create", "write", "link")
SAVING = ("stash", "stash push", "stash save", "commit", "add")
PRINTING = ("echo", "printf", "ls", "test", "[", "stat", "touch", "mkdir", "rm")


def made_here(invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """Every matched path was made by an earlier command of this request and did not exist before."""
    made = [
        effect.path
        for earlier in reading.invocations[: question.position]
        for effect in (*earlier.effects, *earlier.redirects)
        if effect.kind in MAKING and effect.path and not effect.glob
    ]
    if not question.matched or not made or invocation.place != "local":
        return NO
    for effect in question.matched:
        if not any(
            effect.path and at_or_below(effect.path, path) and world.path(path).kind == "missing" for path in made
        ):
            return NO
    return YES


def saved_before(invocation: Invocation, _world: World, question: Question, reading: Reading) -> FactResult:
    """An earlier command of this request stashed, committed or staged the work at these paths ("untracked": what git does not know, too)."""
    for earlier in reading.invocations[: question.position]:
        saves = (earlier.program == "git" and _saves(earlier, question)) or (
            earlier.program == "jj" and earlier.subcommand == "commit"
        )
        if saves and earlier.cwd == invocation.cwd:
            return YES
    return NO


def _saves(earlier: Invocation, question: Question) -> bool:
    if earlier.subcommand not in SAVING or earlier.has("--patch", "--staged", "--pathspec-from-file", "--dry-run"):
        return False
    stash = earlier.subcommand.startswith("stash")
    if stash and question.value == "untracked" and not earlier.has("--include-untracked", "--all"):
        return False
    if not earlier.operands or not stash or earlier.subcommand == "stash save":
        return True
    kept = [absolute(value.text or "", earlier.cwd) for value in earlier.operands]
    return all(e.path and any(path and at_or_below(e.path, path) for path in kept) for e in question.matched)


def looked_before(_invocation: Invocation, _world: World, question: Question, reading: Reading) -> FactResult:
    """An earlier command of this request tested whether each matched path is there (`[ -f .env ] || …`), read it or copied it."""
    seen = set()
    for earlier in reading.invocations[: question.position]:
        if earlier.program in ("test", "ls", "stat"):
            seen |= {absolute(value.text or "", earlier.cwd) for value in earlier.words[1:]}
        seen |= {effect.path for effect in (*earlier.effects, *earlier.redirects) if effect.kind == "read"}
    conditions = reading.script.text.split("[[")[1:] if reading.script is not None else []
    tested = " ".join(condition.partition("]]")[0] for condition in conditions)
    return FactResult(
        bool(question.matched)
        and all(e.path and (e.path in seen or (e.path.rpartition("/")[2] in tested)) for e in question.matched)
    )


def filled_before(_invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """An earlier command of this request moved files to below a matched path, others than what is made anew (`mv dist dist.old`)."""
    targets = [effect.path for effect in question.matched if effect.path]
    for earlier in reading.invocations[: question.position]:
        sources = [effect for effect in earlier.effects if effect.kind == "move-from"]
        if sources and all(_is_cache(effect, earlier, world, question) for effect in sources):
            continue
        for effect in arriving(earlier, world, reading):
            if effect.kind == "move-to" and effect.path and any(at_or_below(effect.path, target) for target in targets):
                return FactResult(True, (effect.path,), 1, "files were moved into it just before")
    return NO


def _is_cache(effect: Effect, mover: Invocation, world: World, question: Question) -> bool:
    """Whether it is such a folder itself, not something chosen out of it."""
    named = not effect.glob and (effect.path or "").rpartition("/")[2] in CACHE
    return named and Place(effect, mover, world, question).belongs("cache")


def reads_same(invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """A matched path, which the shell empties first, is read by the same command or pipeline."""
    for effect in question.matched:
        if effect.path and not effect.glob and world.path(effect.path).kind not in ("missing", "device"):
            readers = (invocation, *pipeline(reading, invocation))
            if any(_reads(reader, effect.path) for reader in readers):
                return FactResult(True, (effect.path,), 1)
    return NO


def _reads(invocation: Invocation, path: str) -> bool:
    if any(e.kind == "read" and e.path == path for e in (*invocation.effects, *invocation.redirects)):
        return True
    if invocation.effects or invocation.program in PRINTING or invocation.cwd is None:
        return False
    return any(v.text is not None and f"{invocation.cwd}/{v.text}" == path for v in invocation.operands)


def empties(invocation: Invocation, _world: World, _question: Question, _reading: Reading) -> FactResult:
    """What is written is nothing at all: `: > f`, `> f`, `cat /dev/null > f`, `truncate -s 0 f`, `install /dev/null f`."""
    words = [v.text for v in invocation.words[1:]]
    if invocation.program in (":", "true", "", "truncate"):
        return YES
    if invocation.program == "tee":
        nothing = any(e.kind == "read" and e.path == "/dev/null" for e in invocation.redirects)
        return FactResult(nothing or invocation.stdin == "")
    if invocation.program == "dd":
        return FactResult("if=/dev/null" in words)
    if invocation.program in ("cp", "install"):
        return FactResult("/dev/null" in words[:-1])
    if invocation.program == "cat":
        return FactResult(words == ["/dev/null"])
    return FactResult(all(word in ("", "-n") for word in words))


def collapsing(invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """Several files are moved or copied onto one target that is no folder (unless an earlier command makes it one)."""
    if len(invocation.operands) < 2 or invocation.has("--target-directory", "--no-target-directory"):
        return NO
    target, sources = invocation.operands[-1], invocation.operands[:-1]
    renames = "." in (target.text or "").rpartition("/")[2].lstrip(".")
    several = (
        len(sources) > 1 or (any(v.glob for v in sources) and not renames) or _loop_variable(sources[0].raw, reading)
    )
    if not several or target.text is None or target.text.endswith(("/", "/.")) or not invocation.cwd:
        return NO
    path = next((e.path for e in invocation.effects if e.kind in ("move-to", "write") and e.path), None)
    if path is None or world.path(path).kind != "missing":
        return NO
    if any(
        at_or_below(e.path, path)
        for i in reading.invocations[: question.position]
        for e in i.effects
        if e.kind == "create" and e.path
    ):
        return NO
    return FactResult(True, (path,), 1, "the target does not exist")


def _loop_variable(raw: str, reading: Reading) -> bool:
    if reading.script is None or "$" not in raw:
        return False
    frames = (f for c in reading.script.commands for f in c.context if f.kind in ("for", "select") and f.name)
    return any(f"${f.name}" in raw or f"${{{f.name}" in raw for f in frames)
