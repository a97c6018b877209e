"""Functions and aliases that the request itself defines."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Value


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
    commands, depth, frames = state.functions[name]
    saved = walk.frames, walk.results, walk.active
    walk.frames, walk.results, walk.active = frames, {}, (*walk.active, key)
    walk.run(commands, depth, state, where)
    walk.frames, walk.results, walk.active = saved


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
        script = shell.parse(text, "bash")
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
