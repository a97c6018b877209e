"""Turns rules that were read and checked into what the hot path loads. Runs when rules change, never in a hook.

A compiled rule is a tuple in the order of `policy.compiled.Rule`; an alternative is (tests, facts, options). Rules are filed in buckets:
"git" or "git reset" for a program and a subcommand, "effect:KIND", "environment", or "*" for what can concern any command.
"""

from __future__ import annotations

from policy.rules.glob import has_magic
from policy.rules.schema import Facts, Match, Rule, RuleError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

LISTS = (
    "place", "program", "no_program", "subcommand", "door", "host", "agent", "tool", "piped_from", "piped_to", "launched_by", "not_launched_by", "marks", "no_marks",
    "command", "variable", "operand", "no_operand", "word", "no_word",
)  # fmt: skip
FLAGS = ("started_by_path", "unknown", "inert", "min_operands", "max_operands")
OPTIONS = ("any_option", "all_options", "no_option")
VARIABLES = ("environment", "no_environment")
PHRASES = ("stdin_contains", "says")
SOFT = ("allow", "rewrite", "advice", "pass")


def aliases(grammars: Any) -> dict[str, str]:
    """Other names of programs to the names that their invocations carry; `grammars` maps names to marshalled grammars."""
    import marshal

    loaded = ((name, marshal.loads(grammars[name])) for name in grammars.keys())  # noqa: S302, SIM118
    return {name: grammar for name, grammar in loaded if isinstance(grammar, str)}


def rule(name: str, source: Rule, action: str, parameters: dict[str, Any], known_as: dict[str, str]) -> tuple[Any, ...]:
    """One rule as the engine reads it, under the decision and the parameters that the layers left it.

    `known_as` are the aliases: a rule may use any name of a program.
    """
    values = {**source.parameters, **parameters}
    maybe = source.maybe or ("pass" if action in SOFT else "ask")
    made = (_alternative(name, source, one, values, known_as) for one in source.match)
    alternatives = tuple(alternative for alternative in made if alternative is not None)
    instead = _substituted(name, source.instead, values)
    texts = (_told(source.summary, values), _told(source.why, values), tuple(instead), _told(source.advice, values))
    return (
        name, action, maybe, *texts, _told(source.rewrite, values), source.translate, source.escape, source.severity, source.final, alternatives,
    )  # fmt: skip


def places(source: Rule) -> list[str]:
    """Where a match counts that does not say it: what would be refused here is at least a question anywhere else, unless `not_in` says why not.

    Softer rules speak of this machine and of others; what a container holds comes from its image, and comes again.
    """
    everywhere = ("local", "remote", "container") if source.decision == "deny" else ("local", "remote")
    return [place for place in everywhere if place not in source.not_in]


def _told(text: str, values: dict[str, Any]) -> str:
    """A sentence with the text parameters that it names filled in."""
    for key, value in values.items():
        if isinstance(value, str):
            text = text.replace(f"{{{key}}}", value)
    return text


def _alternative(
    name: str, source: Rule, one: Match, values: dict[str, Any], known_as: dict[str, str]
) -> tuple[Any, ...] | None:
    """None when a list of names that was to be met is empty once the parameters are filled in: nothing can meet it."""
    given = {
        key: _substituted(name, getattr(one, key), values)
        for key in Match.model_fields
        if key not in ("when", "unless")
    }
    if any(getattr(one, key) and not given[key] for key in given if not key.startswith(("no", "not"))):
        return None
    given["place"] = given["place"] or places(source)
    for key in ("program", "no_program", "command"):
        given[key] = list(dict.fromkeys(_canonical(one, known_as) for one in given[key]))
    tests: list[tuple[str, Any]] = []
    tests += [(key, tuple(given[key])) for key in LISTS if given[key]]
    tests += [(key, given[key]) for key in FLAGS if given[key] is not None]
    tests += [(key, tuple(map(option, given[key]))) for key in OPTIONS if given[key]]
    tests += [(key, tuple(map(_variable, given[key]))) for key in VARIABLES if given[key]]
    if given["effect"]:
        tests.append(("effects", _effects(given)))
    tests += [(key, tuple(" ".join(p.casefold().split()) for p in given[key])) for key in PHRASES if given[key]]
    facts: list[tuple[str, Any, bool]] = []
    if given["path_class"] or given["not_path_class"]:
        facts.append(("path_class", {"any": tuple(given["path_class"]), "none": tuple(given["not_path_class"])}, False))
    for table, negated in ((one.when, False), (source.when, False), (one.unless, True), (source.unless, True)):
        facts += _facts(name, table, values, negated)
    shown = tuple(option(o)[0] for o in (*given["any_option"], *given["all_options"]))
    return tuple(tests), tuple(facts), shown


def _canonical(written: str, known_as: dict[str, str]) -> str:
    program, blank, subcommand = written.partition(" ")
    return known_as.get(program, program) + blank + subcommand


def _effects(given: dict[str, Any]) -> dict[str, Any]:
    wanted: dict[str, Any] = {"kinds": tuple(given["effect"])}
    wanted.update({key: tuple(given[key]) for key in ("path", "not_path") if given[key]})
    wanted.update({key: given[key] for key in ("redirect", "recursive") if given[key] is not None})
    return wanted


def _facts(name: str, table: Facts, values: dict[str, Any], negated: bool) -> list[tuple[str, Any, bool]]:
    return [(fact, frozen(_substituted(name, value, values)), negated) for fact, value in table.pairs().items()]


def option(written: str) -> tuple[str, str | None, bool]:
    """`--reset=hard*` as ("--reset", "hard*", False), `!--ff` as ("--ff", None, True)."""
    negated = written.startswith("!")
    name, found, value = written.lstrip("!").partition("=")
    return name, value if found else None, negated


def _variable(written: str) -> tuple[str, str | None]:
    name, found, value = written.partition("=")
    return name, value if found else None


def _substituted(rule_name: str, given: Any, values: dict[str, Any]) -> Any:
    """`given` with every "$name" replaced by the parameter; a list parameter inside a list is spliced in."""
    if isinstance(given, str) and given.startswith("$") and given[1:].isidentifier():
        if given[1:] not in values:
            raise RuleError(f"{rule_name}: {given} names no parameter; [parameters] has {', '.join(values) or 'none'}")
        return values[given[1:]]
    if isinstance(given, list):
        spliced: list[Any] = []
        for item in given:
            new = _substituted(rule_name, item, values)
            spliced.extend(new if isinstance(new, list) and isinstance(item, str) else [new])
        return spliced
    if isinstance(given, dict):
        return {key: _substituted(rule_name, value, values) for key, value in given.items()}
    return given


def frozen(value: Any) -> Any:
    """Lists as tuples, at any depth: marshal keeps both, the hot path should not have to care."""
    if isinstance(value, list):
        return tuple(frozen(v) for v in value)
    if isinstance(value, dict):
        return {key: frozen(v) for key, v in value.items()}
    return value


def keys(alternative: tuple[Any, ...]) -> Iterable[str]:
    """The buckets that an alternative belongs in."""
    tests = dict(alternative[0])
    if "command" in tests and "program" not in tests:
        return list(dict.fromkeys(command.partition(" ")[0] for command in tests["command"]))
    if "program" in tests:
        subcommands = tests.get("subcommand", ())
        if subcommands and not any(map(has_magic, subcommands)):
            return [f"{program} {sub}" for program in tests["program"] for sub in subcommands]
        return list(tests["program"])
    if "effects" in tests:
        return [f"effect:{kind}" for kind in tests["effects"]["kinds"]]
    circumstances = {
        "environment": "environment" in tests,
        "path": tests.get("started_by_path", False),
        "pipe": "piped_from" in tests or "piped_to" in tests,
    }
    return [next((key for key, holds in circumstances.items() if holds), "*")]


def buckets(rules: Iterable[tuple[Any, ...]]) -> dict[str, tuple[tuple[Any, ...], ...]]:
    """Rules by bucket; in a bucket a rule has only the alternatives that belong there."""
    filed: dict[str, dict[str, list[Any]]] = {}
    by_name = {}
    for one in rules:
        by_name[one[0]] = one
        for alternative in one[-1]:
            for key in keys(alternative):
                filed.setdefault(key, {}).setdefault(one[0], []).append(alternative)
    return {
        key: tuple((*by_name[name][:-1], tuple(alternatives)) for name, alternatives in members.items())
        for key, members in filed.items()
    }
