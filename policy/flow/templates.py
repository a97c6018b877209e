"""xargs: its command, completed by the words that it reads, as far as they are known."""

from __future__ import annotations

from policy.model import Value
from policy.programs.paths import absolute
from policy.programs.special.find import replaced
from policy.programs.special.templates import placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.programs.read import Parsed

ANYTHING = Value(None, splits=True, raw="(input)")
MOST = 32
ZERO = frozenset({"--null", "--delimiter"})
ESCAPES = {"\\n": "\n", "\\t": "\t", "\\0": "\0"}


def follow(walk: Walk, parsed: Parsed, state: State, where: Where) -> None:
    """Start the command once with all words, or with -I once for each line; unknown input is one unknown word, or several."""
    command = parsed.after or [Value("echo", "echo")]
    inner = where.under("xargs")
    inner.stdin, inner.stdin_path, inner.redirects = None, None, ()
    mark = placeholder(parsed)
    if mark:
        for line in _lines(walk, parsed, state, where):
            walk.start([*command[:1], *(replaced(word, line, mark) for word in command[1:])], state.copy(), inner)
        return
    walk.start([*command, *_words(walk, parsed, state, where)], state.copy(), inner)


def _input(walk: Walk, parsed: Parsed, state: State, where: Where) -> Value | None:
    from policy.flow import stdin

    named = next((option.value for option in parsed.options if option.name == "--arg-file"), None)
    if named is not None:
        where = where.copy()
        where.stdin, where.stdin_path = None, absolute(named.text or "", state.cwd[0]) if named.text else None
    return stdin.text(walk, state, where)


def _lines(walk: Walk, parsed: Parsed, state: State, where: Where) -> list[Value]:
    value = _input(walk, parsed, state, where)
    if value is None or value.text is None:
        return [Value(None, value.known if value is not None else "", quoted=True, raw="(input)")]
    if any(option.name in ZERO for option in parsed.options) and not value.glob:
        return _items(parsed, value)
    lines = [line.strip() for line in value.text.replace("\0", "\n").split("\n") if line.strip()]
    return [Value(line, "" if value.glob else line, value.glob, quoted=True) for line in lines[:MOST]]


def _items(parsed: Parsed, value: Value) -> list[Value]:
    """The input taken apart by the letter that -0 or -d names, blanks and ends of line kept."""
    sign = "\0"
    for option in parsed.options:
        if option.name == "--delimiter":
            given = option.value.text if option.value is not None else None
            if given is None:
                return [ANYTHING]
            sign = ESCAPES.get(given, given[:1] or "\0")
    items = (value.text or "").removesuffix(sign).split(sign)
    if (
        sign == "\0" and len(items) == 1
    ):  # find and git print ends of line here where they print NUL with -print0 and -z
        items = [line for line in items[0].split("\n") if line.strip()] if value.known == "" else items
    return [Value(item, item, quoted=True) for item in items[:MOST]]


def _words(walk: Walk, parsed: Parsed, state: State, where: Where) -> list[Value]:
    value = _input(walk, parsed, state, where)
    if value is None or value.text is None:
        return [ANYTHING]
    zero = any(option.name in ZERO for option in parsed.options)
    if value.glob:
        return _lines(walk, parsed, state, where)
    if zero:
        return _items(parsed, value)
    from policy.flow.splitting import split

    return split(value)
