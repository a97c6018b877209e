"""Checks every rule and writes the file that `policy.compiled` loads.

Refused: a shipped rule whose example fails, or whose `instead` is itself refused in its own example. A managed or user rule of that kind is
left out and told as a problem, the rest stays on. A suggestion that only other files refuse is not shown; that is told as a note.
"""

from __future__ import annotations

import functools
import marshal
import os
import sys
import tempfile

from policy.compiled import VERSION, Compiled, file_name, packed, stamp_of
from policy.programs import compile as programs
from policy.rules import catalog, layers, literals, translate
from policy.rules.checked import PACKAGE, remembered
from policy.rules.schema import EFFECTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy.rules.catalog import Catalog, Sources
    from policy.rules.checked import Checked

MEMORY = f"checked.{sys.implementation.cache_tag}"
"""The file beside the compiled policy that says what earlier checks found in order."""


SOMEWHERE = "/opt/gatepost/bin"
"""Where the programs of rewrites are taken to be while rules are tried, for a policy that is compiled without an installation."""


def write(sources: Sources, directory: str, *, check: bool = True, beside: str = "") -> tuple[str, ...]:
    """Compiles `sources` into `directory` in one step (a reader sees the old file or the new one). Returns problems; raises RuleError.

    What was checked for the policy in the directory `beside` need not be checked again.
    """
    found = catalog.load(sources)
    memory = {**(remembered(f"{beside}/{MEMORY}") if beside else {}), **remembered(f"{directory}/{MEMORY}")}
    known = dict(memory)
    content, problems = pack(sources, found, check=check, memory=memory)
    _put(directory, file_name(), packed(content))
    if memory != known:
        _put(directory, MEMORY, marshal.dumps(memory))
    return problems


def _put(directory: str, name: str, data: bytes) -> None:
    descriptor, temporary = tempfile.mkstemp(prefix=f".{name}.", dir=directory)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        os.fchmod(file.fileno(), 0o600)
    os.replace(temporary, os.path.join(directory, name))


def pack(
    sources: Sources, found: Catalog, *, check: bool = True, memory: dict[str, Any] | None = None
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The content of the compiled file, and what had to be left out. `memory` is what earlier checks found in order; it is brought up to date."""
    memory = {} if memory is None else memory
    grammars = _grammars(sources, memory)
    problems = list(found.problems)
    content = _content(sources, found, grammars, problems)
    if check:
        done = _checked(sources, found, content, memory)
        if done.left_out:
            kept = {name: rule for name, rule in found.rules.items() if name not in done.left_out}
            content = _content(sources, found.replace(rules=kept), grammars, problems)
        problems += done.problems
        content["config"]["notes"] = done.notes
        memory.update(done.memory)
        for name in [name for name in memory if name not in done.memory and name != "grammars"]:
            del memory[name]
    content["config"]["problems"] = tuple(dict.fromkeys(problems))
    return content, content["config"]["problems"]


def _grammars(sources: Sources, memory: dict[str, Any]) -> dict[str, bytes]:
    """The compiled grammars, from memory while neither their files nor what compiles them has changed."""
    folder = os.path.join(sources.shipped, "programs")
    code = [
        os.path.join(PACKAGE, "programs", name) for name in ("compile.py", "schema.py", "options.py", "__init__.py")
    ]
    files = sorted(entry.path for entry in os.scandir(folder) if entry.name.endswith(".toml"))
    state = repr([(path, stamp_of(path)) for path in (*code, *files)])
    if memory.get("grammars", ("",))[0] != state:
        memory["grammars"] = (state, programs.grammars(folder))
    grammars: dict[str, bytes] = memory["grammars"][1]
    return grammars


def _checked(sources: Sources, found: Catalog, content: dict[str, Any], memory: dict[str, Any]) -> Checked:
    """What the check of all rules found; the policies that only it needs are made when it asks for them."""
    from policy.rules import checked

    alone = catalog.Sources(sources.shipped, (), sources.bin or SOMEWHERE)

    @functools.cache
    def shipped() -> Compiled:
        return Compiled(_content(alone, catalog.load(alone), content["grammars"], []))

    @functools.cache
    def beside() -> Compiled:
        made = _content(alone, catalog.load(alone), content["grammars"], [])
        return Compiled({**made, "config": {**content["config"], "bin": alone.bin}})

    return checked.check(found, checked.Policies(Compiled(content), shipped, beside), memory)


def _content(sources: Sources, found: Catalog, grammars: dict[str, bytes], problems: list[str]) -> dict[str, Any]:
    rules = catalog.compiled(found, translate.aliases(grammars), problems)
    names = literals.Names(grammars, EFFECTS)
    stamped = [*found.files, os.path.join(sources.shipped, "programs")]
    config = translate.frozen(found.config.model_dump(exclude={"rules", "packs", "final"}))
    config["bin"] = sources.bin
    config["issues"] = {name: _decision(found, name) for name in layers.ISSUES}
    config["launching"] = names.launching
    config["notes"] = ()
    return {
        "version": VERSION,
        "stamp": {path: stamp_of(path) for path in stamped},
        "config": config,
        "buckets": {key: marshal.dumps(members) for key, members in translate.buckets(rules).items()},
        "grammars": grammars,
        "literals": {rule[0]: marshal.dumps(literals.of(rule[-1], names)) for rule in rules},
    }


def _decision(found: Catalog, name: str) -> str:
    """What an undecidable request becomes: ask (in profile strict deny) unless configured, by id or for its whole pack."""
    decision = "deny" if found.config.profile == "strict" else "ask"
    for override in found.config.overrides(name):
        decision = override.decision or decision
    return decision
