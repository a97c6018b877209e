"""Whether what a command finds is what another one is given: in a substitution among its words, or by xargs behind it in the pipeline."""

from __future__ import annotations

from policy.rules.fact import FactResult
from policy.rules.glob import matches
from policy.rules.predicates.surroundings import pipeline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

CHOOSING = frozenset({"grep", "egrep", "fgrep", "rg", "ag", "ack"})
READERS = frozenset({"alias", "sh", "bash", "zsh", "dash", "ksh", "eval", "ssh", "source", "."})
PATTERNS = ("/", "~", "==")


def feeds(invocation: Invocation, _world: World, question: Question, reading: Reading) -> FactResult:
    """One of the named programs gets all that it finds: nothing between them chooses among it."""
    programs = question.value
    following = pipeline(reading, invocation, after=True)
    if any(_chooses(one) for one in following):
        return FactResult(False)
    taking = [one for one in reading.invocations if one.program in programs and one is not invocation]
    if any(one.program == "xargs" for one in following) and any("xargs" in one.launched_by for one in taking):
        return FactResult(True)
    return FactResult(any(_inside(invocation, one) or _in_loop(invocation, one, following, reading) for one in taking))


def feeds_named(invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """As `feeds`, for what chooses lines by one of the names: `grep node`, `awk '/node/{…}'`, `sed -n '/node/p'`."""
    if invocation.program in CHOOSING:
        given = [o.value.text or "" for o in invocation.options if o.name in ("--regexp", "-e") and o.value is not None]
        patterns = given or [v.text or "" for v in invocation.operands[:1]]
    else:
        patterns = ["".join(v.text or "" for v in invocation.words[1:]).partition("/")[2].partition("/")[0]]
    names = [part.strip("[]^$\\ ").replace("]", "") for pattern in patterns for part in pattern.split("|")]
    if not any(matches(name, broad) for name in names for broad in question.value["names"] if name):
        return FactResult(False)
    return feeds(invocation, world, question.replace(value=question.value["programs"]), reading)


def _in_loop(invocation: Invocation, other: Invocation, following: tuple[Invocation, ...], reading: Reading) -> bool:
    """A variable hands what it finds on: `… | while read p; do kill $p; done`, `for p in $(pgrep x); do kill $p; done`, `p=$(pgrep x); kill $p`.

    In text that is not the request's own, where assignments cannot be seen, any variable that is not known counts.
    """
    names = [name for word in other.words[1:] if word.text is None and (name := _variable(word.raw))]
    if not names or reading.script is None:
        return False
    if invocation.span is None:  # what stands in backquotes has no place of its own
        given = tuple(f"{given}`{invocation.program}" for name in names for given in (f"{name}=", f"for {name} in "))
        return any(text in reading.script.text.replace('"', "").replace("` ", "`") for text in given)
    if other in following:
        return True
    if other.span == invocation.span or (other.launched_by and other.launched_by[-1] in READERS):
        return True
    before, _, inside = reading.script.text[: invocation.span[0]].rpartition("$(")
    before = before.rstrip('"')
    return ")" not in inside and before.endswith(
        tuple(f"{name}=" for name in names) + tuple(f"for {name} in " for name in names)
    )


def _variable(raw: str) -> str:
    bare = raw.strip('"').removeprefix("$")
    name = bare.removeprefix("{").removesuffix("}")
    return name if bare != raw.strip('"') and name.replace("_", "a").isalnum() else ""


def _chooses(one: Invocation) -> bool:
    if one.program in CHOOSING:
        return not one.has("--invert-match")
    scripts = (
        "".join(value.text or "" for value in one.words[1:]) if one.program in ("awk", "gawk", "mawk", "sed") else ""
    )
    return any(sign in scripts for sign in PATTERNS)


def _inside(invocation: Invocation, other: Invocation) -> bool:
    """Its text stands among the other's words; in text that is not the request's own, by what is written there."""
    mine, theirs = invocation.span, other.span
    if mine is None or (mine == theirs and invocation.launched_by == other.launched_by):
        return any(word.text is None and invocation.program in word.raw for word in other.words)
    return theirs is not None and mine != theirs and theirs[0] <= mine[0] and mine[1] <= theirs[1]
