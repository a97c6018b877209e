"""`gatepost rules`: list, show, try, make and document rules."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import click

from guards.layout import current
from policy.rules import catalog
from policy.rules.layers import near
from policy.rules.schema import RuleError

if TYPE_CHECKING:
    from policy.compiled import Compiled
    from policy.rules.catalog import Catalog
    from policy.rules.layers import Found
    from policy.rules.respell import Score

TEMPLATE = """summary  = "what is refused, without a full stop"
why      = "the harm, in one clause"
decision = "deny"            # deny, ask, rewrite, allow or advice
instead  = []                # commands to run instead, each is judged too: "git stash push", "ls {{operand}}"

[[match]]
program = ["{name}"]
word    = ["something-bad"]

[[example]]
run    = "{name} something-bad"
expect = "deny"

[[example]]
run    = "{name} --help"
expect = "pass"
"""


@click.group()
def command() -> None:
    """List, show, try, make and document rules.

    \b
    gatepost rules list --pack git
    gatepost rules show git/reset-hard
    gatepost rules new team/no-friday-deploys && gatepost rules test team
    """  # noqa: D301


def _catalog() -> Catalog:
    layout = current()
    try:
        found = catalog.load(catalog.sources(layout.managed, layout.config, layout.bin))
    except RuleError as error:
        raise click.ClickException(str(error)) from None
    for problem in found.problems:
        click.echo(f"gatepost: {problem}", err=True)
    return found


def _chosen(found: Catalog, names: tuple[str, ...]) -> list[Found]:
    """The rules of these ids and packs; all when none is named."""
    chosen = [
        rule for rule in found.rules.values() if not names or rule.id in names or rule.id.partition("/")[0] in names
    ]
    if not chosen:
        known = {*found.rules, *(name.partition("/")[0] for name in found.rules)}
        raise click.ClickException(
            f"no rule or pack is called {', '.join(names)}{near(names[0], known)}; `gatepost rules list` shows all"
        )
    return chosen


@command.command("list")
@click.option("--pack", default="", help="Only this pack.")
@click.option("--json", "as_json", is_flag=True, help="One JSON array.")
def listed(pack: str, *, as_json: bool) -> None:
    """List the rules: id, what they answer after all layers, what they are about.

    \b
    gatepost rules list --pack files
    """  # noqa: D301
    rules = _chosen(_catalog(), (pack,) if pack else ())
    if as_json:
        click.echo(json.dumps([_data(rule) for rule in rules]))
        return
    width = max(len(rule.id) for rule in rules)
    for rule in rules:
        click.echo(f"{rule.id:<{width}}  {rule.action if rule.enabled else 'off':<7} {rule.rule.summary}")


def _data(rule: Found) -> dict[str, object]:
    return {
        "id": rule.id,
        "decision": rule.action,
        "enabled": rule.enabled,
        "layer": rule.layer,
        "file": rule.path,
        "final": rule.rule.final,
        "escape": rule.rule.escape,
        "origin": dict(rule.origin),
        "summary": rule.rule.summary,
        "why": rule.rule.why,
        "instead": rule.rule.instead,
        "parameters": dict(rule.parameters),
    }


@command.command()
@click.argument("name", metavar="PACK/RULE")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def show(name: str, *, as_json: bool) -> None:
    """Show one rule: what it says, why, where each part comes from, and its examples.

    \b
    gatepost rules show files/delete-home
    """  # noqa: D301
    rule = _chosen(_catalog(), (name,))[0]
    if as_json:
        click.echo(json.dumps(_data(rule)))
        return
    click.echo(f"{rule.id}  ({rule.layer}: {rule.path})")
    click.echo(f"  {rule.rule.summary}")
    click.echo(f"  because {rule.rule.why}")
    click.echo(
        f"  decision  {rule.action if rule.enabled else 'off'}, from {rule.origin.get('enabled', rule.origin['decision'])}"
    )
    for text in rule.rule.instead:
        click.echo(f"  instead   {text}")
    for key, value in rule.parameters.items():
        click.echo(f"  parameter {key} = {value!r}, from {rule.origin.get(f'parameters.{key}', rule.layer)}")
    if rule.rule.escape:
        click.echo(f"  lifted by a trailing comment  # gatepost: allow {rule.id} because REASON")
    for example in rule.rule.example:
        click.echo(f"  example   {example.expect:<7} {example.run or example.argv or example.path!r}")


@command.command()
@click.argument("names", nargs=-1, metavar="[PACK/RULE|PACK]...")
@click.option(
    "--respell/--no-respell",
    default=None,
    help="Also try the examples in other spellings, elsewhere and as mere data (done either way); --respell prints the score.",
)
def test(names: tuple[str, ...], *, respell: bool | None) -> None:
    """Try the rules' examples, their suggestions, and the examples in other spellings. Exit status 1 when something is wrong.

    With --respell the score is printed: of each rule's examples, how many other spellings kept the answer, how many by which the
    command runs on another machine or in a container were at least asked about, and in how many forms as mere data nothing was said.

    \b
    gatepost rules test
    gatepost rules test --respell git
    gatepost rules test --no-respell team/no-friday-deploys
    """  # noqa: D301
    from policy.compiled import Compiled
    from policy.rules import compile as compiler
    from policy.rules.checked import tried_out

    layout = current()
    found = _catalog()
    chosen = _chosen(found, names)
    content, _ = compiler.pack(catalog.sources(layout.managed, layout.config, layout.bin), found, check=False)
    everything = Compiled(content)
    faults = [fault for rule in chosen for fault in tried_out(rule, everything).faults]
    scores = _respelled(chosen, everything) if respell is not False else []
    faults += [fault for score in scores for fault in score.faults]
    for fault in faults:
        click.echo(fault)
    if respell:
        _print_scores(scores)
    click.echo(f"{_many(len(chosen), 'rule')} tried, {_many(len(faults), 'fault')}", err=True)
    sys.exit(1 if faults or found.problems or not all(score.reached for score in scores) else 0)


def _respelled(chosen: list[Found], everything: Compiled) -> list[Score]:
    from policy.rules.respell import score

    return [score(rule, everything) for rule in chosen]


def _many(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"


def _print_scores(scores: list[Score]) -> None:
    """One line a rule, the total, and where a rule does not count, with its reason."""
    from policy.rules.respell import FORMS, SPELLINGS, total

    width = max(len(score.rule) for score in scores)
    click.echo(f"{'':<{width}}  {'spellings kept':>15}  {'least':>5}  {'elsewhere asked':>15}  {'data silent':>11}")
    for score in (*scores, total(scores)):
        least = "-" if score.least is None else score.least
        click.echo(
            f"{score.rule:<{width}}  {f'{score.kept}/{score.tried}':>15}  {least:>5}  "
            f"{f'{score.asked}/{score.away}':>15}  {f'{score.silent}/{score.forms}':>11}{'' if score.reached else '  short'}"
        )
    for score in scores:
        for place, reason in score.elsewhere:
            click.echo(f"{score.rule}: not {'on other machines' if place == 'remote' else 'in containers'}: {reason}")
    click.echo(
        f"aim: each refused example in {SPELLINGS} spellings or more, each example as data in {FORMS} forms or more"
    )


@command.command()
@click.argument("name", metavar="PACK/RULE")
@click.option("--folder", default=None, help="The rules folder to write to; default: the user's.")
def new(name: str, folder: str | None) -> None:
    """Write the skeleton of a rule of your own.

    \b
    gatepost rules new team/no-friday-deploys
    """  # noqa: D301
    pack, _, rule = name.partition("/")
    plain = "abcdefghijklmnopqrstuvwxyz0123456789-"
    if not pack or not rule or any(c not in plain for c in pack + rule):
        raise click.UsageError("a rule's name is PACK/RULE in small letters, digits and dashes")
    path = os.path.join(folder or os.path.join(current().config, "rules"), pack, f"{rule}.toml")
    if os.path.exists(path) or name in _catalog().rules:
        raise click.ClickException(f"{name} exists already")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(TEMPLATE.format(name=rule))
    click.echo(f"{path}\nnow say what it matches, then: gatepost rules test {name}")


@command.command()
@click.option("--check", is_flag=True, help="Write nothing; exit status 1 when a page does not say what the rules say.")
@click.option("--folder", default=None, help="The rules folder; default: the one that ships with gatepost.")
def docs(folder: str | None, *, check: bool) -> None:
    """Write a page beside the rules of every pack, and an index, from the rule files.

    \b
    gatepost rules docs --check
    """  # noqa: D301
    from policy.rules import docs as pages

    where = folder or catalog.shipped()
    try:
        changed = pages.drift(where) if check else pages.write(where)
    except RuleError as error:
        raise click.ClickException(str(error)) from None
    for path in changed:
        click.echo(f"{path}: {'does not say what the rules say; run: gatepost rules docs' if check else 'written'}")
    sys.exit(1 if check and changed else 0)


@command.command()
@click.argument("scripts", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--store",
    default=None,
    help="The file to write to; default: the state folder's, which conventions/first-run-review reads.",
)
def attest(scripts: tuple[str, ...], store: str | None) -> None:
    """Say that the present version of SCRIPTS was looked at; conventions/first-run-review lets exactly this content run.

    \b
    gatepost rules attest experiments/exp_1.py
    """  # noqa: D301
    from hashlib import sha256

    path = store or os.path.join(current().state, "attested")
    os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
    with open(path, "a", encoding="utf-8") as file:
        for script in scripts:
            with open(script, "rb") as content:
                file.write(f"{sha256(content.read()).hexdigest()}  {script}\n")
    click.echo(f"{len(scripts)} attested in {path}")


@command.command()
def schema() -> None:
    """Print the JSON Schema of a rule file, for editors.

    \b
    gatepost rules schema > rule.schema.json
    """  # noqa: D301
    from policy.rules.schema import Rule

    click.echo(json.dumps(Rule.model_json_schema(), indent=1))
