"""One argv that is about to run: which program it is, the Invocation that it makes, and what it launches in turn."""

from __future__ import annotations

from policy.flow.state import INVOCATIONS, MADE
from policy.model import Invocation, Value
from policy.programs.paths import absolute, base
from policy.programs.read import Parsed, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Effect

BUILTINS = frozenset(
    {
        "cd", "pushd", "popd", "chdir", "export", "declare", "typeset", "local", "readonly", "unset", "read", "printf", "set", "shift",
        "alias", "unalias", "eval", "source", ".", "trap", "mapfile", "readarray", "getopts", "let", "test", "[", "hash", "exec",
        "command", "builtin", "wait", "shopt", "cp", "mv", "ln", "install", "tee", "sponge", "dd", "-", "noglob", "nocorrect", "repeat", "emulate",
    }
)  # fmt: skip
"""Names whose meaning is the shell's own, or that leave something behind for later commands; the rest needs no second look."""

LAUNCHED = frozenset({"--", "git", "rm", "sh", "bash", "dash", "zsh"})
"""Words that say where a command may begin among those of a program without a grammar; see policy.flow.unknown.launcher."""


def start(walk: Walk, words: Sequence[Value], state: State, where: Where) -> None:
    """Start an argv: emit what it is, then follow everything that it launches. `state` changes as the command changes it."""
    if not words:
        if walk.printed is not None and where.shell:
            walk.printed.append(Value("", ""))
        return
    walk.step(where)
    head = words[0]
    text = head.text
    if text is None or head.glob:
        from policy.flow import unknown

        unknown.start(walk, words, state, where)
        return
    if not text:
        return
    if where.shell and (text in state.aliases or text in state.functions):
        from policy.flow import functions

        if functions.start(walk, words, state, where):
            return
    name = base(text) if "/" in text else text
    if state.files and text[:1] in "/.~" and (original := _copied(text, state)):
        name = original
    walk.program(name, words, state, where)


def program(walk: Walk, name: str, words: Sequence[Value], state: State, where: Where) -> None:
    """Start a program whose name is known."""
    if name in BUILTINS:
        from policy.flow import builtins

        if builtins.start(walk, name, words, state, where):
            return
    grammar = walk.grammar(name)
    parsed = Parsed() if grammar is None else read(words, grammar)
    if grammar is None:
        parsed.operands = tuple(words[1:])
    program = name if grammar is None else grammar["name"]
    walk.finish(program, words, parsed, grammar, state, where)


def finish(  # noqa: PLR0913, PLR0917
    walk: Walk,
    program: str,
    words: Sequence[Value],
    parsed: Parsed,
    grammar: dict[str, Any] | None,
    state: State,
    where: Where,
) -> None:
    """Emit a program that was read, and follow its launches."""
    if parsed.cwd:
        state = state.copy()
        for value in parsed.cwd:
            state.cwd = moved(state.cwd, value)
        if state.files:
            from policy.flow import copies

            state.cwd = copies.reached(state.cwd, state)
    walk.emit(program, words, parsed, state, where)
    if walk.printed is not None:
        from policy.flow import output

        walk.printed.append(output.of(walk, program, words, parsed, state, where))
    if _goes_on(words, parsed, grammar, state, where):
        from policy.flow import launch

        launch.follow(walk, program, words, parsed, grammar, state, where)


def _goes_on(
    words: Sequence[Value], parsed: Parsed, grammar: dict[str, Any] | None, state: State, where: Where
) -> bool:
    """Whether there can be more to follow than the invocation itself; most commands end here, and cost no more."""
    if grammar is None:
        return "/" in (words[0].text or "") or any(base(word.text or "") in LAUNCHED for word in words[1:])
    if parsed.launches or parsed.stdin or parsed.config or parsed.subcommand == "pkg":
        return True
    if not grammar["env"]:
        return False
    first = parsed.subcommand.partition(" ")[0]
    return (
        bool(where.environment or state.exported or state.files)
        or first == "config"
        or (bool(first) and first not in grammar["subs"])
    )


def grammar(walk: Walk, name: str) -> dict[str, Any] | None:
    """The grammar of a program; a version at the end of its name does not count (python3.12)."""
    grammar = walk.grammars.get(name)
    if grammar is None and name[-1:].isdigit():
        grammar = walk.grammars.get(name.rstrip("0123456789.").rstrip("-"))
    return grammar


def emit(walk: Walk, program: str, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> None:  # noqa: PLR0913, PLR0917
    """Add the invocation, once for every directory that it may run in."""
    if len(walk.out) >= walk.room:
        walk.spent(where, whole=walk.room >= INVOCATIONS)
    walk.step(where, MADE * (1 + len(parsed.roles) + 3 * len(where.redirects)))
    environment = where.environment
    if state.exported:
        environment = state.environment() + environment
    remote = where.place != "local"
    head = words[0].text or ""
    marks = where.marks + (("maybe",) if where.maybe else ())
    piped_from = where.piped_from
    if where.feeders and (program in {"eval", "source"} or _runs_unknown(parsed)):
        piped_from += where.feeders
    fed = None if where.stdin is None else where.stdin.text
    if fed is None and where.stdin_path is not None and parsed.stdin:
        from policy.flow import stdin

        fed = (stdin.text(walk, state, where) or Value(None)).text
    if fed is None and parsed.launches:
        fed = _statements(walk, parsed, state, where)
    for cwd in (None,) if remote else state.cwd:
        walk.out.append(
            Invocation(
                program,
                tuple(words),
                parsed.subcommand,
                parsed.options,
                parsed.operands,
                parsed.unknown,
                environment,
                effects(parsed, cwd),
                where.redirects,
                None if cwd is not None and "*" in cwd else cwd,
                where.launched_by,
                where.place,
                fed,
                piped_from,
                (),
                where.span,
                where.argv_span,
                parsed.inert,
                (absolute(head, cwd) or head) if "/" in head else "",
                marks,
            )
        )
    if where.mounts and remote:
        from policy.flow import mounts

        mounts.local(walk, walk.out[-1], where)


def _statements(walk: Walk, parsed: Parsed, state: State, where: Where) -> str | None:
    """What stands in the files that a database's client is told to read: those that this request wrote (`psql -f`), those that statements name (`source`)."""
    launches = [one for one in parsed.launches if one.language == "sql" and one.words]
    if not launches:
        return None
    from policy.flow import files
    from policy.flow.languages import sql

    texts: list[str | None] = []
    for launch in launches:
        text = launch.words[0].text
        if text and launch.kind == "file":
            texts += [state.files.get(absolute(text, cwd) or "") for cwd in state.cwd]
        elif text and launch.kind == "code":
            held = [files.content(walk, Value(name, name), state, where) for name in sql.included(text)]
            texts += [one[1] for one in held if one is not None]
    return "\n".join(text for text in texts if text) or None


def _copied(text: str, state: State) -> str:
    """The name of the program that a path is a copy of or a link to, by what this request did."""
    for cwd in state.cwd:
        path = absolute(text, cwd)
        original = state.files.get(f"={path}")
        if original:
            return base(original)
    return ""


def _runs_unknown(parsed: Parsed) -> bool:
    """Whether what is launched is text or a file that only a substitution knows."""
    for launch in parsed.launches:
        first = launch.words[0] if launch.words else None
        if first is None or launch.kind not in {"shell", "code", "file"}:
            continue
        if (first.text is None and not first.known.strip()) or (first.text or "").startswith("/dev/fd/"):
            return True
    return False


def effects(parsed: Parsed, cwd: str | None) -> tuple[Effect, ...]:
    """What happens to paths, as seen from a directory."""
    if not parsed.roles:
        return ()
    from policy.programs import effects as programs_effects

    return programs_effects.of(parsed, cwd)


def moved(cwds: tuple[str | None, ...], value: Value) -> tuple[str | None, ...]:
    """The directories after a change to `value`; a pattern stays one, so that `cd ..` leads back."""
    if value.text is None:
        return (None,)
    return tuple(dict.fromkeys(absolute(value.text, cwd) if value.text else cwd for cwd in cwds))
