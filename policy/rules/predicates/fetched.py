"""What was downloaded in this request, where it went from there, and whether it is what runs now."""

from __future__ import annotations

from policy.programs.paths import absolute
from policy.rules.fact import NO, FactResult
from policy.rules.predicates.arrivals import arrivals
from policy.rules.predicates.code import program_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from policy.model import Effect, Invocation, Reading, Value
    from policy.rules.fact import Question
    from policy.world import World

LOADERS = frozenset({"curl", "wget", "aria2c", "http", "xh", "fetch", "lwp-request", "axel"})
NAMING = frozenset({"curl", "wget", "aria2c", "axel"})
"""Loaders that can name what they save after the address."""
TAKING = frozenset({"read", "move-from", "link"})
PUTTING = frozenset({"write", "append", "create", "move-to", "link"})
OPENINGS = ("$(", "<(", "`", "$( ", "<( ")
"""How a substitution begins, in front of the program's name."""


def downloaded(invocation: Invocation, _world: World, question: Question, reading: Reading) -> FactResult:
    """It runs text that a loader prints, or a file that one wrote earlier in this request, under whatever name it is now."""
    for value in program_text(invocation):
        loader = _printed(value)
        if loader:
            return FactResult(True, (loader,), 1)
    if _made_by_xargs(invocation):
        return FactResult(True, ("xargs",), 1)
    there = _whereabouts(reading.invocations[_first(reading) : question.position])
    run = tuple(path for path in dict.fromkeys(_run(invocation)) if path in there)
    return FactResult(True, run, len(run)) if run else NO


def _made_by_xargs(invocation: Invocation) -> bool:
    """Whether its code begins with what a loader prints into xargs."""
    fed = "xargs" in invocation.launched_by and not LOADERS.isdisjoint(invocation.piped_from)
    return fed and invocation.has("-c") and any(not code.known for code in invocation.operands[:1])


def _printed(value: Value) -> str:
    """The loader in a substitution that the word is made of."""
    if value.text is not None and not value.text.startswith("/dev/fd/"):
        return ""
    raw = value.raw
    return next((name for name in LOADERS if any(f"{opening}{name} " in raw for opening in OPENINGS)), "")


def _run(invocation: Invocation) -> Iterator[str]:
    """The files that may hold what it runs: the program itself, the script, its input."""
    if invocation.path:
        yield invocation.path
    for effect in (*invocation.effects, *invocation.redirects):
        if effect.path is not None and effect.kind in ("read", "execute"):
            yield effect.path
    for value in invocation.operands[:1]:
        path = absolute(value.text, invocation.cwd) if value.text else None
        if path is not None:
            yield path


_known: list[tuple[Reading, int]] = []


def _first(reading: Reading) -> int:
    """The place of the first command that downloads, found once for a reading: each later command that runs a file asks for it."""
    if not _known or _known[0][0] is not reading:
        places = (place for place, one in enumerate(reading.invocations) if _loads(one))
        _known[:] = [(reading, next(places, len(reading.invocations)))]
    return _known[0][1]


def _loads(one: Invocation) -> bool:
    return one.program in LOADERS or not LOADERS.isdisjoint(one.piped_from)


def _whereabouts(invocations: Sequence[Invocation]) -> dict[str, None]:
    """Every path under which something downloaded lies after these commands, copies and renamed files included."""
    there: dict[str, None] = {}
    for one in invocations:
        effects = (*one.effects, *one.redirects)
        carries = _loads(one) or any(effect.path in there for effect in effects if effect.kind in TAKING)
        there.update(dict.fromkeys(_by_address(one)))
        there.update(dict.fromkeys(_opened(one)))
        for effect in effects:
            for path in _paths(one, effect):
                if effect.kind in PUTTING and carries:
                    there[path] = None
                elif effect.kind == "delete" or (effect.kind == "write" and one.inert):
                    there.pop(path, None)
    return there


def _opened(one: Invocation) -> Iterator[str]:
    """The descriptors that it opens on what a loader prints (`exec 3< <(curl …)`), by their paths."""
    for effect in one.redirects:
        number = effect.source.removesuffix("<")
        if effect.kind == "read" and number.isdigit() and effect.value is not None and _printed(effect.value):
            yield f"/dev/fd/{number}"


def _paths(one: Invocation, effect: Effect) -> Iterator[str]:
    """The effect's path, and where it may be a directory, what arrives in it."""
    if effect.path is not None:
        yield effect.path
        for name in arrivals(one, effect) or ():
            yield f"{effect.path}/{name}"


def _by_address(loader: Invocation) -> Iterator[str]:
    """The files of a download that take their names from the addresses."""
    if loader.program not in NAMING or (
        loader.program == "curl" and not loader.has("--remote-name", "--remote-name-all")
    ):
        return
    if loader.program != "curl" and any(effect.kind in PUTTING for effect in loader.effects):
        return
    given = loader.option("--output-dir", "--directory-prefix", "--dir", "-d")
    folder = absolute(given.value.text or "", loader.cwd) if given is not None and given.value else loader.cwd
    for address in loader.operands:
        name = (address.text or "").partition("?")[0].partition("#")[0].rpartition("/")[2]
        path = absolute(name, folder) if name else None
        if path is not None:
            yield path
