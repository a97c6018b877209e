"""What a rule's fact is asked and what it answers. Facts live in policy/rules/predicates, one subject a file."""

from __future__ import annotations

from policy.model import Request
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from policy.model import Effect, Invocation, Reading
    from policy.world import World

    Fact = Callable[[Invocation, World, "Question", Reading], "FactResult"]


class FactResult(Record):
    """`held` None: it cannot be told, which counts as held. `names` are the first things concerned, `total` how many there are in all.

    `note` says in a few words what was found ("2 modified files"); it is our own text, names from outside belong in `names`.
    `instead` are commands that the fact suggests beside the rule's own. `effects`, when not empty, narrows the effects that the following facts and the message speak of.
    """

    held: bool | None
    names: tuple[str, ...] = ()
    total: int = 0
    note: str = ""
    effects: tuple[Effect, ...] = ()
    instead: tuple[str, ...] = ()


class Question(Record):
    """What a fact may look at beside the invocation: `value` is what the rule wrote, `matched` the effects that the rule's match chose.

    `settings` is the configuration's [settings]; `position` this invocation's place in the reading: those before it have run by then.
    """

    value: Any = True
    matched: tuple[Effect, ...] = ()
    request: Request = Request()
    settings: Mapping[str, Any] = {}
    position: int = 0


NO = FactResult(False)
YES = FactResult(True)
