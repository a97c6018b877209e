"""The table of facts that rules may ask: name -> "module:function" in this package, imported when first asked."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading
    from policy.rules.fact import Fact, FactResult, Question
    from policy.world import World

FACTS: dict[str, str] = {
    "path_class": "path_class:path_class",
    "would_lose": "git_loss:would_lose",
    "pushes": "git_push:pushes",
}


ANYWHERE = frozenset({"path_class"})
"""Facts that the text alone can answer: they are asked for commands on other machines and in containers too."""


def find(name: str) -> Fact:
    """The function behind a fact's name."""
    module, _, function = FACTS[name].partition(":")
    fact: Fact = getattr(__import__(f"policy.rules.predicates.{module}", fromlist=[function]), function)
    return fact


def ask(name: str, invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """One fact's answer; whatever it raises is the caller's to turn into a finding."""
    return find(name)(invocation, world, question, reading)
