"""The text of a file in git's configuration format, as key=value."""

from __future__ import annotations

from policy.model import Value

MOST = 200
"""How many settings of one file are looked at."""


def settings(text: str) -> list[Value]:
    """Every setting with the name of its section before it, comments and quotes taken off; a name without a value is true."""
    found: list[Value] = []
    section = ""
    for line in text.replace("\\\n", "").split("\n"):
        held = line.strip()
        if held[:1] == "[" and "]" in held:
            name, _, held = held[1:].partition("]")
            head, _, part = name.partition(" ")
            section = f"{head}.{part.strip().strip(chr(34))}" if part.strip() else head
            held = held.strip()
        if not held or held[0] in "#;" or not section:
            continue
        key, equals, value = held.partition("=")
        value = value.strip().strip('"').replace('\\"', '"') if equals else "true"
        setting = f"{section}.{key.strip()}={value}"
        found.append(Value(setting, setting))
        if len(found) == MOST:
            break
    return found
