"""One stage for each context that recorded cases describe, and the engine of the shipped rules over the real world."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

from guards.hook.hosts import find
from guards.world.real import RealWorld
from policy.compiled import Compiled
from policy.engine import Engine
from policy.model import Request
from policy.rules import catalog
from policy.rules import compile as compiler


def _module(name):
    spec = importlib.util.spec_from_file_location(f"cases_{name}", Path(__file__).parent / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


staging = _module("stage")


@pytest.fixture(scope="session")
def stages(tmp_path_factory):
    """Makes the stage of a case, once for each context; afterwards none of them may have changed."""
    made = {}
    env = {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_NAME": "dev" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_EMAIL": "dev@example.com" for who in ("AUTHOR", "COMMITTER")},
    }

    def stage(case):
        key = staging.key_of(case)
        if key not in made:
            made[key] = staging.Stage(tmp_path_factory.mktemp("case"), staging.context_of(case), env)
        return made[key]

    yield stage
    assert [key for key, one in made.items() if one.changed()] == []


@pytest.fixture(scope="session")
def engine():
    sources = catalog.Sources(catalog.shipped(), (), "/opt/gatepost/bin")
    content, _ = compiler.pack(sources, catalog.load(sources), check=False)
    return Engine.of(Compiled(content))


@pytest.fixture(scope="session")
def answer(engine, stages):
    """The answer of a host to a case: deny, ask, rewrite, advice, allow or no-opinion."""

    def answered(case, host="claude"):
        stage = stages(case)
        text = case["request"].replace("/home/dev", str(stage.home))
        request = Request(
            text=text,
            cwd=str(stage.cwd),
            environment=stage.env,
            home=str(stage.home),
            host=host,
            session="case",
            dialect="bash",
        )
        decision = engine.decide(request, RealWorld(stage.env, str(stage.home)))
        if decision.action == "pass":
            return "advice" if decision.advice else "no-opinion"
        return "deny" if decision.action == "ask" and not find(host).ASKS else decision.action

    return answered
