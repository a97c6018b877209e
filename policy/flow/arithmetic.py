"""$(( )) on known numbers; anything else is an unknown number."""

from __future__ import annotations

from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.flow.state import State
    from policy.flow.walk import Walk


def value(walk: Walk, state: State, source: str) -> Value:
    """The result of a single operation, else unknown. A number is one word, so nothing is split."""
    del walk
    words = source.replace("+", " + ").replace("-", " - ").replace("*", " * ").split()
    numbers = [_number(state, word) for word in words[::2]]
    if any(number is None for number in numbers) or len(words) not in {1, 3}:
        return Value(None)
    left = numbers[0]
    assert left is not None  # noqa: S101
    if len(words) == 1:
        return Value(str(left), str(left))
    right = numbers[1]
    assert right is not None  # noqa: S101
    results = {"+": left + right, "-": left - right, "*": left * right}
    if words[1] not in results:
        return Value(None)
    return Value(str(results[words[1]]), str(results[words[1]]))


def _number(state: State, word: str) -> int | None:
    if word.isdigit():
        return int(word)
    known = state.values.get(word.removeprefix("$"), ())
    if len(known) == 1 and known[0].text is not None and known[0].text.isdigit():
        return int(known[0].text)
    return None
