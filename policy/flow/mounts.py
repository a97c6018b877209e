"""Directories of this machine inside a container: what is done to them there is done here."""

from __future__ import annotations

from policy.programs.paths import absolute, normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Effect, Invocation
    from policy.programs.read import Parsed


def of(parsed: Parsed, state: State) -> tuple[tuple[str, str], ...]:
    """(path in the container, path here) for every -v HOST:PATH and --mount type=bind of a run."""
    cwd = state.cwd[0] if len(state.cwd) == 1 else None
    found: list[tuple[str, str]] = []
    for option in parsed.options:
        text = option.value.text if option.value is not None else None
        if not text:
            continue
        source, target = "", ""
        if option.name in {"--volume", "-v"}:
            source, _, rest = text.partition(":")
            target = rest.partition(":")[0]
        elif option.name == "--mount":
            fields = dict(part.partition("=")[::2] for part in text.split(","))
            source = fields.get("source", fields.get("src", ""))
            target = fields.get("target", fields.get("destination", fields.get("dst", "")))
        if "/" not in source and source not in {".", ".."}:
            continue
        here = absolute(source, cwd)
        if here is not None and target[:1] == "/":
            found.append((normal(target), here))
    return tuple(found)


def workdir(parsed: Parsed) -> str | None:
    """The directory in the container that a run starts in, when it says so."""
    option = next(
        (option for option in parsed.options if option.name == "--workdir" and option.value is not None), None
    )
    return None if option is None or option.value is None else option.value.text


def local(walk: Walk, made: Invocation, where: Where) -> None:
    """Add the invocation once more as a local one, with the effects that reach a mounted directory."""
    effects = [here for effect in (*made.effects, *made.redirects) if (here := _here(effect, where)) is not None]
    if effects:
        walk.out.append(
            made.replace(
                place="local", effects=tuple(effects), redirects=(), cwd=_cwd(where), marks=(*made.marks, "mounted")
            )
        )


def _cwd(where: Where) -> str:
    """The directory here that the container's own one is, else the first that is mounted."""
    for target, source in where.mounts:
        if where.workdir is not None and (where.workdir + "/").startswith(target.rstrip("/") + "/"):
            return normal(source + where.workdir[len(target.rstrip("/")) :])
    return where.mounts[0][1]


def _here(effect: Effect, where: Where) -> Effect | None:
    path = effect.path
    if path is None and effect.value is not None and effect.value.text is not None:
        path = absolute(effect.value.text, where.workdir)
    if path is None:
        return None
    for target, source in where.mounts:
        if path == target or path.startswith(target.rstrip("/") + "/"):
            return effect.replace(path=normal(source + path[len(target.rstrip("/")) :]))
        if target.startswith(path.rstrip("/") + "/") and effect.recursive:
            return effect.replace(path=source)
    return None
