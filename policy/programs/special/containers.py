"""docker, podman and their compose: a program named by --entrypoint stands before the words after the image."""

from __future__ import annotations

from policy.programs.read import Launch, Parsed, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from policy.model import Value


def docker(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """As the grammar says; with --entrypoint the words after the image or service are its arguments."""
    parsed = plain(words, grammar)
    entry = next((o.value for o in reversed(parsed.options) if o.name == "--entrypoint" and o.value is not None), None)
    if entry is not None and entry.text != "" and parsed.place == "container" and parsed.operands:
        parsed.launches = [launch for launch in parsed.launches if launch.kind != "argv"]
        parsed.launches.append(Launch("argv", [entry, *parsed.operands[1:]]))
    return parsed
