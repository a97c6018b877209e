"""xargs and parallel: a command, completed by words that come from elsewhere."""

from __future__ import annotations

from policy.model import Value
from policy.programs.options import take
from policy.programs.read import Launch, Parsed, joined
from policy.programs.read import _keep as keep
from policy.programs.special.find import replaced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def xargs(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """The command of xargs; `after` holds it. policy.flow.templates starts it with what is read at the end, or in place of the string of -I."""
    parsed = Parsed()
    taken = take(words, 1, grammar, None, first=True)
    keep(parsed, taken)
    command = list(words[taken.stop :])
    parsed.operands = tuple(command)
    if not command:
        return parsed
    parsed.stdin = "xargs"
    parsed.after = command
    if taken.doubtful:
        parsed.launches.append(Launch("argv", command[1:], maybe=True))
    return parsed


def placeholder(parsed: Parsed) -> str:
    """The string that -I, -i or --replace names; "" without one."""
    for option in reversed(parsed.options):
        if option.name in {"-I", "-J"}:
            return (option.value.text if option.value else None) or "{}"
        if option.name == "--replace":
            return (option.value.text if option.value else None) or "{}"
    return ""


SEPARATORS = frozenset({":::", "::::", ":::+", "::::+"})


def parallel(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """Parallel joins its template into shell text, once for each argument; without a template every argument is shell text."""
    parsed = Parsed()
    taken = take(words, 1, grammar, None, first=True)
    keep(parsed, taken)
    rest = list(words[taken.stop :])
    cut = next((place for place, word in enumerate(rest) if word.text in SEPARATORS), len(rest))
    dashes = next((place for place, word in enumerate(rest) if word.text == "--"), len(rest))
    behind = rest[dashes + 1 :]
    if cut == len(rest) and behind and not any("{" in (word.text or "") for word in behind):
        cut = dashes  # the parallel of moreutils
    template, sources = rest[:cut], rest[cut:]
    parsed.operands = tuple(rest)
    if sources and sources[0].text == "--":
        for word in sources[1:]:
            parsed.launches.append(Launch("shell", [joined([*template, word])]))
        return parsed
    arguments = (
        [word for word in sources if word.text not in SEPARATORS] if all(w.text != "::::" for w in sources) else []
    )
    if not template:
        parsed.launches.extend(Launch("shell", [word]) for word in arguments)
        parsed.stdin = "" if sources else "code:sh"
        return parsed
    marked = any("{" in (word.text or "") for word in template)
    for argument in arguments[:16] or [Value(None, quoted=True, raw="(input)")]:
        filled = [replaced(word, argument) for word in template]
        parsed.launches.append(Launch("shell", [joined(filled if marked else [*template, argument])]))
    return parsed
