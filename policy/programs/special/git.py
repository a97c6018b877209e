"""git: its subcommands by the grammar; what no grammar says is what an alias of the same request may mean."""

from __future__ import annotations

from policy.model import Value
from policy.programs.read import Launch, Parsed, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

URLS = frozenset(
    {"clone", "fetch", "pull", "push", "ls-remote", "remote add", "remote set-url", "submodule add", "archive"}
)


def git(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """Read git; a repository called ext::COMMAND is a command."""
    parsed = plain(words, grammar)
    if parsed.subcommand in URLS:
        for value in parsed.operands:
            text = value.text if value.text is not None else value.known
            if text.startswith("ext::"):
                rest = text[5:]
                for mark in ("%S", "%s", "%G", "%V"):
                    rest = rest.replace(mark, "")
                parsed.launches.append(Launch("words", [Value(rest if value.text is not None else None, rest)]))
    return parsed
