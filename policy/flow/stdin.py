"""Programs that run what they read: a shell, an interpreter or a database client fed by a pipe, a here-document or a file."""

from __future__ import annotations

from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where

LIMIT = 65_536
DECODERS = frozenset({"base64", "base32", "xxd", "openssl", "uudecode", "rev", "tr", "gzip", "zcat"})
"""Programs that hide text from a reader's eye."""


def text(walk: Walk, state: State, where: Where) -> Value | None:
    """What is fed in: known text, partly known text, or None when nothing is (a terminal, or the input of the whole request)."""
    if where.stdin is not None:
        return where.stdin
    if where.stdin_path is None:
        return None
    held = state.files.get(where.stdin_path)
    if held is None and where.stdin_path not in state.files:
        from policy.flow import outside

        held = outside.text(walk, where.stdin_path, LIMIT)
    return Value(held, held or "")


def follow(  # noqa: PLR0913, PLR0917
    walk: Walk, program: str, role: str, state: State, where: Where, arguments: Sequence[Value] | None = None
) -> None:
    """Run what a program reads, in the language that its grammar says, with `arguments` where it is a shell that was given some."""
    value = text(walk, state, where)
    if value is None:
        return
    inner = where.copy()
    inner.stdin, inner.stdin_path, inner.redirects = None, None, ()
    if inner.place != "local":
        state = state.copy()
        state.cwd = (None,)
    kind, _, language = role.partition(":")
    if DECODERS.intersection(where.piped_from):
        inner.marks = (*inner.marks, "decoded")
    if kind != "code":
        return
    if language == "sh":
        from policy.flow import launch

        launch.shell_text(walk, value, state, inner, launch.SHELL_DIALECTS.get(program, "sh"), arguments)
    elif value.text is not None:
        from policy.flow import code

        code.read(walk, language, (value,), state, inner, program)
