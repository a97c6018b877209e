"""One alternative of a rule against one invocation: no, maybe (a word is not known) or yes. Asks nothing of the world.

An alternative is a tuple of (test name, value) that the compiler ordered cheapest first; `TESTS` names the functions. On the hot path.
"""

from __future__ import annotations

from policy.rules.glob import any_matches, has_magic
from policy.rules.glob import matches as glob
from policy.rules.match_effects import MAYBE, NO, YES, effects_of, may_begin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy.model import Effect, Invocation, Option, Request, Value

    Test = Callable[[Invocation, Any, Request], int]


def match(
    tests: tuple[tuple[str, Any], ...], invocation: Invocation, request: Request
) -> tuple[int, tuple[Effect, ...]]:
    """How far the alternative holds, and the effects that its `effect` keys chose."""
    verdict = MAYBE if "maybe" in invocation.marks else YES
    chosen: tuple[Effect, ...] = ()
    for name, value in tests:
        if name == "program":  # the first test of most alternatives, and what most of them fail
            found = YES if invocation.program in value else NO
        elif name == "effects":
            found, chosen = effects_of(invocation, value, request)
        else:
            found = TESTS[name](invocation, value, request)
        if found == NO:
            return NO, ()
        if found < verdict:  # noqa: PLR1730  -- a call for each test of each rule costs more
            verdict = found
    return verdict, chosen


def _word(value: Value, patterns: tuple[str, ...]) -> int:
    """Whether a word is one of the patterns; unknown ones may be, unless their certain beginning rules it out."""
    if value.text is not None:
        return YES if any_matches(value.text, patterns) else NO
    if any(p[-1:] == "*" and not has_magic(p[:-1]) and value.known.startswith(p[:-1]) for p in patterns):
        return YES
    if value.known and not any(may_begin(value.known, p) for p in patterns):
        return NO
    return MAYBE


def _best(values: tuple[Value, ...], patterns: tuple[str, ...], invocation: Invocation) -> int:
    best = MAYBE if invocation.unknown else NO
    for value in values:
        best = max(best, _word(value, patterns))
        if best == YES:
            break
    return best


def _operand(invocation: Invocation, patterns: tuple[str, ...], _request: Request) -> int:
    return _best(invocation.operands, patterns, invocation)


def _no_operand(invocation: Invocation, patterns: tuple[str, ...], _request: Request) -> int:
    return NO if any(v.text is not None and _word(v, patterns) == YES for v in invocation.operands) else YES


def _any_word(invocation: Invocation, patterns: tuple[str, ...], _request: Request) -> int:
    return _best(invocation.words[1:], patterns, invocation)


def _no_word(invocation: Invocation, patterns: tuple[str, ...], _request: Request) -> int:
    return NO if any(v.text is not None and _word(v, patterns) == YES for v in invocation.words[1:]) else YES


def _command(invocation: Invocation, commands: tuple[str, ...], _request: Request) -> int:
    if invocation.program in commands or f"{invocation.program} {invocation.subcommand}" in commands:
        return YES
    phrases = [] if invocation.subcommand else [c.split()[1:] for c in commands if c.split()[0] == invocation.program]
    if not phrases:
        return NO
    from policy.rules.predicates.words import begins

    return YES if any(begins(invocation, phrase) for phrase in phrases) else NO


def _min_operands(invocation: Invocation, least: int, _request: Request) -> int:
    certain = sum(not v.splits for v in invocation.operands)
    if certain >= least:
        return YES
    return MAYBE if len(invocation.operands) >= least or invocation.unknown else NO


def _max_operands(invocation: Invocation, most: int, _request: Request) -> int:
    return YES if len(invocation.operands) <= most else NO


def option_state(invocation: Invocation, wanted: tuple[str, str | None, bool]) -> int:
    """Whether an option is in force: `wanted` is (name, glob for its value or None, negated)."""
    name, value_glob, negated = wanted
    state = MAYBE if invocation.unknown else NO
    for option in invocation.options:
        if option.name == name:
            state = _one_option(option, value_glob, negated, state)
            if state == YES and value_glob is not None:
                break
    if not invocation.options and not negated:
        return max(state, _written(invocation, name, value_glob))
    return state


def _written(invocation: Invocation, name: str, value_glob: str | None) -> int:
    """The option among the words, for a program without a grammar: whole, with "=VALUE", or followed by its value."""
    for position, value in enumerate(invocation.operands):
        text = value.text
        if text is None or text[:1] != "-":
            continue
        if text == name:
            following = invocation.operands[position + 1 :]
            return YES if value_glob is None else _word(following[0], (value_glob,)) if following else NO
        if text.startswith(f"{name}="):
            return YES if value_glob is None or glob(text[len(name) + 1 :], value_glob) else NO
    return NO


def _one_option(option: Option, value_glob: str | None, negated: bool, state: int) -> int:
    found = YES if option.sure else MAYBE
    if value_glob is None:
        return found if option.negated == negated else (NO if option.sure else state)
    if option.value is None:
        return state
    return max(state, min(found, _word(option.value, (value_glob,))))


def _any_option(invocation: Invocation, wanted: tuple[Any, ...], _request: Request) -> int:
    return max(option_state(invocation, one) for one in wanted)


def _all_options(invocation: Invocation, wanted: tuple[Any, ...], _request: Request) -> int:
    return min(option_state(invocation, one) for one in wanted)


def _no_option(invocation: Invocation, unwanted: tuple[Any, ...], _request: Request) -> int:
    sure = any(option_state(invocation, one) == YES for one in unwanted)
    return NO if sure else YES


_environments: dict[int, tuple[object, dict[object, int]]] = {}
"""What was found out of an environment, by its identity: the commands of one script share theirs."""


def _environment(invocation: Invocation, wanted: tuple[tuple[str, str | None], ...], _request: Request) -> int:
    environment = invocation.environment
    if not environment:
        return NO
    known = _environments.get(id(environment))
    if known is None or known[0] is not environment:
        if len(_environments) > 64:
            _environments.clear()
        known = _environments[id(environment)] = environment, {}
    found = known[1].get(wanted)
    if found is None:
        found = known[1][wanted] = _variables(environment, wanted)
    return found


def _variables(environment: tuple[tuple[str, Value], ...], wanted: tuple[tuple[str, str | None], ...]) -> int:
    best = NO
    for name, value in environment:
        for pattern, value_glob in wanted:
            if glob(name, pattern):
                best = max(best, YES if value_glob is None else _word(value, (value_glob,)))
    return best


def _no_environment(invocation: Invocation, unwanted: tuple[tuple[str, str | None], ...], request: Request) -> int:
    return NO if _environment(invocation, unwanted, request) == YES else YES


def _variable(invocation: Invocation, names: tuple[str, ...], request: Request) -> int:
    """A variable of one of these names is set, by the request or around it."""
    present = (*request.environment, *(name for name, _ in invocation.environment))
    return YES if any(n in present if not has_magic(n) else any(glob(p, n) for p in present) for n in names) else NO


def phrase_in(text: str, phrases: tuple[str, ...]) -> bool:
    """Whether one of the phrases (folded, single blanks) stands in the text, any white space between its words."""
    folded = " ".join(text.casefold().split())
    return any(p in folded for p in phrases)


def _stdin_contains(invocation: Invocation, phrases: tuple[str, ...], _request: Request) -> int:
    return YES if invocation.stdin is not None and phrase_in(invocation.stdin, phrases) else NO


def _says(invocation: Invocation, phrases: tuple[str, ...], request: Request) -> int:
    if _stdin_contains(invocation, phrases, request) == YES:
        return YES
    words = [v.text if v.text is not None else v.known for v in invocation.words[1:]]
    return YES if phrase_in(" ".join(words), phrases) else NO


def _tests() -> dict[str, Test]:
    """The tests that only compare a field with a list."""
    return {
        "no_program": lambda i, v, _: NO if i.program in v else YES,
        "subcommand": lambda i, v, _: YES if any_matches(i.subcommand, v) else NO,
        "piped_from": lambda i, v, _: YES if any(p in v or "*" in v for p in i.piped_from) else NO,
        "piped_to": lambda i, v, _: YES if any(p in v or "*" in v for p in i.piped_to) else NO,
        "launched_by": lambda i, v, _: YES if any(p in v for p in i.launched_by) else NO,
        "not_launched_by": lambda i, v, _: NO if any(p in v for p in i.launched_by) else YES,
        "place": lambda i, v, _: YES if i.place in v else NO,
        "door": lambda _i, v, r: YES if r.door in v else NO,
        "host": lambda _i, v, r: YES if r.host in v else NO,
        "agent": lambda _i, v, r: YES if r.agent and any(glob(r.agent, p) for p in v) else NO,
        "tool": lambda _i, v, r: YES if r.tool in v else NO,
        "marks": lambda i, v, _: YES if any(m in v for m in i.marks) else NO,
        "no_marks": lambda i, v, _: NO if any(m in v for m in i.marks) else YES,
        "unknown": lambda i, v, _: YES if i.unknown is v else NO,
        "started_by_path": lambda i, v, _: YES if bool(i.path) is v else NO,
        "inert": lambda i, v, _: YES if i.inert is v else NO,
    }


TESTS: dict[str, Test] = {
    **_tests(),
    "any_option": _any_option,
    "all_options": _all_options,
    "no_option": _no_option,
    "operand": _operand,
    "no_operand": _no_operand,
    "word": _any_word,
    "no_word": _no_word,
    "command": _command,
    "min_operands": _min_operands,
    "max_operands": _max_operands,
    "environment": _environment,
    "variable": _variable,
    "no_environment": _no_environment,
    "stdin_contains": _stdin_contains,
    "says": _says,
}
