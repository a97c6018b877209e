"""What can be wrong with shims beside their place on PATH: baked programs that moved, stale forms, literal tildes, ordinary shells."""

from __future__ import annotations

import os

from guards import session
from shims import generate_shims, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from guards.layout import Layout

COMPILE = "gatepost compile"


def findings(layout: Layout, environment: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """(level, text, cure) for each finding; the levels are those of guards.install.doctor. Nothing is changed."""
    path = environment.get("PATH", os.defpath)
    folder = layout.prefix + "/shims"
    yield from _programs(layout, folder, path)
    yield from _listed(layout)
    yield from _entries(folder, path, environment)
    yield from _jj(layout, folder, path, environment)
    if generate_shims.baked(layout) and resolve.is_script(
        next(iter(f"{folder}/{name}" for name in generate_shims.baked(layout)))
    ):
        yield (
            "note",
            "shims are shell scripts: with a C compiler on this machine they would cost half a millisecond less",
            COMPILE,
        )


def _programs(layout: Layout, folder: str, path: str) -> Iterator[tuple[str, str, str]]:
    """Whether each shim stands for the program that PATH means now."""
    search = ":".join((path, *generate_shims.ORDINARY))
    made = generate_shims.baked(layout)
    moved = 0
    for name, real in sorted(made.items()):
        now = generate_shims.real_program(name, search, folder, made)
        moved += now != real
        if not resolve.executable(real):
            yield "warn", f"{name}: {real} is gone; each call looks for another one", COMPILE
        elif now != real:
            yield "warn", f"{name}: made for {real}, but PATH now means {now or 'none'}", COMPILE
        for entry in path.split(":"):
            stand_in = f"{entry}/{name}"
            if entry.startswith("/") and resolve.executable(stand_in) and resolve.is_manager(stand_in):
                yield (
                    "note",
                    f"{name}: {stand_in} belongs to a version manager and is passed over; {real} is started",
                    "",
                )
    if made and not moved and not generate_shims.fresh(layout, path):
        yield (
            "warn",
            "shims are older than the compiled rules, or a new program has come; until then more calls are judged in Python",
            COMPILE,
        )


def _listed(layout: Layout) -> Iterator[tuple[str, str, str]]:
    """Programs that the configuration wants a shim for, in vain."""
    rules = generate_shims.compiled(layout)
    made = generate_shims.baked(layout)
    for name in generate_shims.listed(rules):
        if name not in made:
            yield "note", f"{name}: the configuration lists it under shims, but no such program is found", ""
        elif rules is not None and not generate_shims.named(rules, name):
            yield "note", f"{name}: the configuration lists it under shims, but no rule says anything of it", ""


def _entries(folder: str, path: str, environment: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """What is wrong with PATH itself."""
    ours = resolve.identity(folder)
    for entry in path.split(":"):
        if entry.startswith("~"):
            yield (
                "warn",
                f"PATH holds {entry!r} with a tilde that no program expands: the folder is never searched",
                "write it out",
            )
    on_path = [entry for entry in path.split(":") if entry and resolve.identity(entry) == ours] if ours else []
    if on_path and not session.current(environment):
        text = "the shims are on the PATH of an ordinary shell; they belong in agent sessions only"
        yield "warn", text, "gatepost run -- AGENT, and take the folder out of the shell's start-up file"


def _jj(layout: Layout, folder: str, path: str, environment: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Whether the installed jj has commands or options that the rules do not know."""
    program = resolve.find("jj", path, folder)
    if program is None:
        return
    from guards.shim import jjhelp
    from policy.compiled import CompiledError

    try:
        unknown = jjhelp.unknown(layout, program, environment)
    except (OSError, CompiledError) as error:
        yield "note", f"jj: it could not be asked for its commands: {error}", ""
        return
    if unknown:
        names = ", ".join(map(str, unknown[:6])) + (f" and {len(unknown) - 6} more" if len(unknown) > 6 else "")
        text = f"jj: the installed one has what our rules do not know: {names}; unknown commands run with their editors off"
        yield "note", text, ""
