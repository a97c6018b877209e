"""Checks every rule and writes the file that `policy.compiled` loads.

Refused: a shipped rule whose example fails, or whose `instead` is itself refused in its own example. A managed or user rule of that kind is
left out and told as a problem, the rest stays on.
"""

from __future__ import annotations

import importlib
import marshal
import os
import tempfile

from policy.compiled import VERSION, Compiled, file_name, packed, stamp_of
from policy.rules import catalog, literals, translate
from policy.rules.schema import EFFECTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy.rules.catalog import Catalog, Sources


def write(sources: Sources, directory: str, *, check: bool = True) -> tuple[str, ...]:
    """Compiles `sources` into `directory` in one step (a reader sees the old file or the new one). Returns problems; raises RuleError."""
    found = catalog.load(sources)
    content, problems = pack(sources, found, check=check)
    descriptor, temporary = tempfile.mkstemp(prefix=".policy.", dir=directory)
    with os.fdopen(descriptor, "wb") as file:
        file.write(packed(content))
        os.fchmod(file.fileno(), 0o600)
    os.replace(temporary, os.path.join(directory, file_name()))
    return problems


def pack(sources: Sources, found: Catalog, *, check: bool = True) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The content of the compiled file, and what had to be left out."""
    grammars = importlib.import_module("policy.programs.compile").grammars(os.path.join(sources.shipped, "programs"))
    content = _content(sources, found, grammars)
    problems = found.problems
    if check:
        from policy.rules.given import refuse_broken

        left_out, told = refuse_broken(found, Compiled(content))
        if left_out:
            kept = {name: rule for name, rule in found.rules.items() if name not in left_out}
            content = _content(sources, found.replace(rules=kept), grammars)
        problems += told
    content["config"]["problems"] = problems
    return content, problems


def _content(sources: Sources, found: Catalog, grammars: dict[str, bytes]) -> dict[str, Any]:
    rules = catalog.compiled(found, translate.aliases(grammars))
    names = literals.Names(grammars, EFFECTS)
    stamped = [*found.files, os.path.join(sources.shipped, "programs")]
    config = translate.frozen(found.config.model_dump(exclude={"rules", "packs", "final"}))
    config["bin"] = sources.bin
    config["issues"] = {name: _decision(found, name) for name in catalog.ISSUES}
    config["launching"] = names.launching
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
