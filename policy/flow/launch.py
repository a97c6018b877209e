"""Follows what a program launches: argvs, shell text, code, files, recipes, and programs named in its environment."""

from __future__ import annotations

from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.programs.read import Launch, Parsed

DEPTH = 24
SHELL_DIALECTS = {
    "bash": "bash",
    "rbash": "bash",
    "zsh": "zsh",
    "sh": "sh",
    "dash": "sh",
    "ash": "sh",
    "ksh": "bash",
    "pwsh": "powershell",
}


def follow(  # noqa: PLR0913, PLR0917
    walk: Walk,
    program: str,
    words: Sequence[Value],
    parsed: Parsed,
    grammar: dict[str, Any] | None,
    state: State,
    where: Where,
) -> None:
    """Follow every launch of a program that was just emitted."""
    if where.depth > DEPTH:
        walk.issue("shell/too-deep", "commands inside commands", where)
        return
    if grammar is None:
        _unfamiliar(walk, words, state, where)
        return
    if parsed.config or grammar["env"]:
        from policy.flow import configured

        configured.follow(walk, program, parsed, grammar, state, where)
    if parsed.launches:
        _launches(walk, program, parsed, state, where)
    if parsed.subcommand == "pkg" and where.place == "local":
        from policy.flow.recipes import package

        package.keep(walk, parsed.operands, state)
    if parsed.stdin.startswith("recipe:"):
        from policy.flow import recipes

        if not any(launch.kind == "recipe" for launch in parsed.launches):
            named = parsed.stdin[7:]
            recipes.follow(walk, program, [Value(named, named), *parsed.operands], state, where.under(program))
    elif parsed.stdin == "xargs":
        from policy.flow import templates

        templates.follow(walk, parsed, state, where)
    elif parsed.stdin and not any(
        launch.kind in {"shell", "code", "file"} and not launch.maybe for launch in parsed.launches
    ):
        from policy.flow import stdin

        given = parsed.operands if any(option.name == "-s" for option in parsed.options) else None
        stdin.follow(walk, program, parsed.stdin, state, where.under(program, place=parsed.place), given)


def _unfamiliar(walk: Walk, words: Sequence[Value], state: State, where: Where) -> None:
    """A program without a grammar: a script of its own is read, otherwise its words may hold a command that it starts."""
    if "/" in (words[0].text or ""):
        from policy.flow import files

        if files.program(walk, words, state, where):
            return
    from policy.flow import unknown

    unknown.launcher(walk, words, state, where)


def _launches(walk: Walk, program: str, parsed: Parsed, state: State, where: Where) -> None:
    mounts: tuple[tuple[str, str], ...] = ()
    workdir = None
    if parsed.place == "container" and where.place == "local":
        from policy.flow import mounts as mounted

        mounts, workdir = mounted.of(parsed, state), mounted.workdir(parsed)
    for launch in parsed.launches:
        inner = where.under(launch.name or program, place=launch.place or parsed.place)
        inner.redirects = ()
        inner.mounts, inner.workdir = mounts or where.mounts, workdir or where.workdir
        inner.maybe = where.maybe or launch.maybe
        one(walk, program, launch, _state(walk, launch, parsed, state, inner), inner)


def _state(walk: Walk, launch: Launch, parsed: Parsed, state: State, where: Where) -> State:
    """The state that the launched command meets: its own process, with directory and assignments of the launcher."""
    assigned = [*parsed.assigned, *launch.assigned]
    if not assigned and not launch.cwd and where.place == "local":
        return state
    from policy.flow.start import moved

    state = state.copy()
    for value in launch.cwd:
        state.cwd = moved(state.cwd, value)
    if where.place != "local":
        state.cwd = (None,)
    for value in assigned:
        text = value.text if value.text is not None else value.known
        name, _, rest = text.partition("=")
        held = Value(rest if value.text is not None else None, rest)
        if name.startswith("BASH_FUNC_") and rest.startswith("()"):
            walk.script(name[10:].removesuffix("%%") + " " + rest, state, where, quiet=True)
            continue
        state.assign(name, (held,))
        where.environment = (*where.environment, (name, held))
    return state


def one(walk: Walk, program: str, launch: Launch, state: State, where: Where) -> None:
    """Follow a single launch in its own circumstances."""
    kind = launch.kind
    if launch.maybe and not _likely(walk, launch):
        return
    if kind == "argv":
        walk.start(list(launch.words), state, where)
    elif kind == "shell":
        away = "unknown" if where.place == "remote" else "sh"
        shell_text(walk, launch.words[0], state, where, SHELL_DIALECTS.get(program, away))
    elif kind == "words":
        from policy.flow import splitting

        splitting.start(walk, launch.words[0], state, where)
    elif kind == "code":
        from policy.flow import code

        code.read(walk, launch.language, launch.words, state, where, program)
    elif kind == "file":
        from policy.flow import files

        files.script(walk, launch.language, launch.words, state, where, program)
    elif kind == "module":
        module(walk, launch.words, state, where)
    elif kind == "recipe":
        from policy.flow import recipes

        if launch.language == "dry-run":
            where.marks = (*where.marks, "dry-run")
        recipes.follow(walk, program, launch.words, state, where)


def _likely(walk: Walk, launch: Launch) -> bool:
    """Whether another reading of the words names a program that could do harm."""
    text = launch.words[0].text if launch.words else None
    grammar = walk.grammar(text.rpartition("/")[2]) if text and text[0] != "-" else None
    return grammar is not None and not grammar["inert"]


def module(walk: Walk, words: Sequence[Value], state: State, where: Where) -> None:
    """A module that is run by its name (python -m pytest) is the program of that name, or one that is only a module (`-m timeit`)."""
    name = (words[0].text or "").partition(".")[0]
    name = f"-m {name}" if name and walk.grammars.get(f"-m {name}") else name.replace("_", "-")
    if name and walk.grammar(name) is not None:
        walk.program(name, words, state, where)


def shell_text(  # noqa: PLR0913, PLR0917
    walk: Walk, value: Value, state: State, where: Where, dialect: str = "", arguments: Sequence[Value] | None = None
) -> None:
    """Walk shell text in a process of its own. Of text that is only partly known the certain beginning is read, up to its last line or `;`."""
    own = state.child()
    for name, held in where.environment:
        own.assign(name, (held,))
    if arguments is not None:
        own.positional = tuple(arguments)
    if value.text is not None:
        walk.script(value.text, own, where, dialect=dialect)
        return
    from policy.flow import partial

    partial.read(walk, value, own, where, dialect)
