"""Text that cannot be read: an issue, and what could be hidden in it."""

from __future__ import annotations

from policy.model import Invocation, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.shell import Unparsed


def note(walk: Walk, text: str, error: Unparsed, state: State, where: Where) -> None:
    """Note that a text was not understood, and give every guarded program whose name occurs in it as one that may run."""
    walk.issue(error.rule, str(error), where)
    from policy.shell import salvage

    found = salvage.candidates(text)
    names = sorted(name for name in found if name in walk.grammars.names)
    flags = sorted(word for word in found if word[:1] == "-")
    for name in names[:16]:
        grammar = walk.grammar(name)
        if grammar is None or grammar["inert"]:
            continue
        subs = sorted(word for word in found if word in grammar["subs"])[:8]
        for sub in subs or ([] if grammar["subs"] else [""]):
            words = [Value(name, name), *([Value(sub, sub)] if sub else []), *(Value(flag, flag) for flag in flags)]
            _maybe(walk, words, grammar, state, where)


def _maybe(walk: Walk, words: list[Value], grammar: dict[str, object], state: State, where: Where) -> None:
    from policy.programs.read import read

    parsed = read(words, grammar)
    walk.out.append(
        Invocation(
            program=str(grammar["name"]),
            words=tuple(words),
            subcommand=parsed.subcommand,
            options=parsed.options,
            operands=(*parsed.operands, Value(None, splits=True)),
            unknown=True,
            cwd=state.cwd[0],
            launched_by=where.launched_by,
            place=where.place,
            span=where.span,
            marks=(*where.marks, "maybe", "salvaged"),
        )
    )
