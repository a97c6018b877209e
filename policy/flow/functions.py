"""Functions and aliases that the request itself defines."""

from __future__ import annotations

from policy.flow.state import COMMAND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Invocation, Value


REMEMBERED = 16
"""How many different calls of one function are kept."""


class Called:
    """One call of a function: what it met, and what it left, started and printed (None when nobody asked)."""

    __slots__ = ("active", "left", "made", "met", "printed", "where")

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        met: State,
        where: Where,
        active: tuple[str, ...],
        left: State,
        made: tuple[Invocation, ...],
        printed: tuple[Value, ...] | None,
    ) -> None:
        self.met, self.where, self.active, self.left, self.made, self.printed = met, where, active, left, made, printed


def start(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    """Start `words` as an alias or a function; False when the name is neither here."""
    name = words[0].text or ""
    if name in state.aliases and not words[0].quoted and f"alias {name}" not in walk.active and len(walk.active) < 24:
        return _alias(walk, name, words, state, where)
    if name not in state.functions:
        return False
    outer = state.positional
    state.positional = tuple(words[1:])
    call(walk, name, state, where)
    state.positional = outer
    return True


def call(walk: Walk, name: str, state: State, where: Where) -> None:
    """Walk a function's body with the positional parameters of the state; a function that calls itself is walked once more, then shown as @recursion."""
    walk.called.add(name)
    key = f"function {name}"
    if walk.active.count(key) >= 2 or len(walk.active) > 24:
        from policy.model import Value
        from policy.programs.read import Parsed

        walk.emit("@recursion", [Value(name, name)], Parsed(), state, where)
        return
    calls = walk.calls.setdefault(name, [])
    met = state.copy()
    met.files = dict(state.files)  # the copies share it
    for before in calls:
        if _again(walk, before, met, where):
            state.take(before.left.copy())
            return
    commands, depth, frames = state.functions[name]
    saved = walk.frames, walk.results, walk.active
    walk.frames, walk.results, walk.active = frames, {}, (*walk.active, key)
    first, printed = len(walk.out), None if walk.printed is None else len(walk.printed)
    walk.run(commands, depth, state, where)
    walk.frames, walk.results, walk.active = saved
    if len(calls) < REMEMBERED:
        said = None if walk.printed is None or printed is None else tuple(walk.printed[printed:])
        calls.append(Called(met, where.copy(), walk.active, state.copy(), tuple(walk.out[first:]), said))


def _again(walk: Walk, before: Called, met: State, where: Where) -> bool:
    """Give once more what the same call in the same state and circumstances gave before; False when this is another one."""
    said = before.printed
    if (said is None) is not (walk.printed is None) or before.active != walk.active or not met.same(before.met):
        return False
    if not where.same(before.where):
        return False
    walk.step(where, COMMAND + len(before.made))
    walk.repeat(before.made, where)
    if said is not None and walk.printed is not None:
        walk.printed.extend(said)
    return True


def uncalled(walk: Walk, state: State, where: Where) -> None:
    """Bodies of functions that nothing called: they may be called later, with arguments that are not known."""
    for name in tuple(state.functions):
        if name not in walk.called:
            aside = state.copy()
            aside.positional = None
            call(walk, name, aside, where)


def _spliced(walk: Walk, name: str, text: str, words: Sequence[Value], state: State, where: Where) -> bool:  # noqa: PLR0913, PLR0917
    """An alias as the shell has it: text in the place of its name, whatever it opens, joins or redirects."""
    from policy.wording import shell_quote

    active = walk.active
    walk.active = (*walk.active, f"alias {name}")
    rest = (shell_quote(word.text or "") if not word.glob else word.text or "" for word in words[1:])
    walk.script(" ".join((text, *rest)), state, where.under("alias", builtins=True))
    walk.active = active
    return True


def _alias(walk: Walk, name: str, words: Sequence[Value], state: State, where: Where) -> bool:
    from policy import shell

    text = state.aliases[name]
    if not text.replace(" ", "").replace("-", "").isalnum() and all(word.text is not None for word in words[1:]):
        return _spliced(walk, name, text, words, state, where)
    try:
        script = walk.parse(text, "bash", where)
    except shell.Unparsed:
        walk.issue("shell/unparsed", f"the alias {name}", where)
        return True
    if not script.commands:
        return False
    active = walk.active
    walk.active = (*walk.active, f"alias {name}")
    for command in script.commands[:-1]:
        walk.command(command, state, where.under(name, builtins=True))
    from policy.flow import expand

    last = script.commands[-1]
    for reading in expand.words(walk, state, last.words):
        walk.start([*reading, *words[1:]], state, where)
    walk.active = active
    return True
