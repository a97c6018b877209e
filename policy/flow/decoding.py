"""Programs that turn one text into another: base64 -d, xxd -r, tr, rev, a plain sed."""

from __future__ import annotations

from policy.flow import stdin
from policy.flow.where import weigh
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.programs.read import Parsed

UNKNOWN = Value(None)


def base64(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    """Decoded input; encoding gives text that nobody runs."""
    del words
    value = stdin.text(walk, state, where)
    if value is None or value.text is None or parsed.operands:
        return UNKNOWN
    if not any(option.name in {"--decode", "-D"} for option in parsed.options):
        return UNKNOWN
    weigh(walk, len(value.text), 8)
    return _known(_from_base64(value.text))


def _from_base64(text: str) -> bytes:
    import binascii

    cleaned = "".join(text.split())
    try:
        return binascii.a2b_base64(cleaned + "=" * (-len(cleaned) % 4))
    except (binascii.Error, ValueError):
        return b""


def _known(data: bytes) -> Value:
    text = data.decode("utf-8", "replace")
    return Value(text, text) if text else UNKNOWN


def other(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    """Xxd -r -p, tr A B, rev; sed and head pass their input on, changed in ways that are not followed."""
    program = words[0].text or ""
    value = stdin.text(walk, state, where)
    if value is None or value.text is None:
        return UNKNOWN
    weigh(walk, len(value.text), 8)
    if program.endswith("xxd"):
        import binascii

        try:
            return _known(binascii.unhexlify("".join(value.text.split())))
        except (binascii.Error, ValueError):
            return UNKNOWN
    if program.endswith("rev"):
        return _known("\n".join(line[::-1] for line in value.text.split("\n")).encode())
    if program.endswith("tr"):
        return _translated(value.text, [word.text for word in words[1:]])
    del parsed
    return UNKNOWN


def _translated(text: str, sets: list[str | None]) -> Value:
    if sets[:1] == ["-d"] and len(sets) == 2 and sets[1] is not None:
        return _known(text.translate(dict.fromkeys(map(ord, _set(sets[1])))).encode())
    if len(sets) != 2 or sets[0] is None or sets[1] is None or sets[0][:1] == "-":
        return UNKNOWN
    source, target = _set(sets[0]), _set(sets[1])
    if not target:
        return UNKNOWN
    target += target[-1] * max(0, len(source) - len(target))
    pairs = zip(
        reversed(source), reversed(target[: len(source)]), strict=True
    )  # of a letter that stands twice the first counts
    return _known(text.translate({ord(old): new for old, new in pairs}).encode())


def _set(text: str) -> str:
    from policy.flow.output import unescaped

    text = unescaped(text)
    found, index = "", 0
    while index < len(text):
        if index + 2 < len(text) and text[index + 1] == "-":
            last = min(ord(text[index + 2]), ord(text[index]) + 255)
            found += "".join(map(chr, range(ord(text[index]), last + 1)))
            index += 3
        else:
            found += text[index]
            index += 1
    return found
