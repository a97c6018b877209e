"""Code in other languages: what it would start, delete or write, as far as a bounded reading shows."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Value

READERS = {
    "python": "python",
    "node": "calls",
    "perl": "calls",
    "ruby": "calls",
    "php": "calls",
    "lua": "calls",
    "awk": "calls",
    "other": "calls",
    "sed": "sed",
    "vim": "vim",
    "sql": "sql",
    "fish": "fish",
}
"""Language to the module of policy.flow.languages that reads it; SQL and redis are judged as the text that they are."""

LIMIT = 262_144
PIECE, PLAIN = 120, {"sed": 24, "sql": 24}
"""What a piece of code counts however short it is; languages that are read line by line count less."""
LETTERS = {"python": 16, "sed": 8, "sql": 8, "fish": 8, "vim": 4}
"""How many letters of code count as much as one step; of the languages that are read by their tokens it is three."""
SIGNS = "(,.=[+\n"
"""Signs of Python, each of which makes about one node of its syntax tree."""


def read(  # noqa: PLR0913, PLR0917
    walk: Walk,
    language: str,
    words: Sequence[Value],
    state: State,
    where: Where,
    program: str,
    *,
    quiet: bool = False,
) -> None:
    """Read code (`words[0]`, with its arguments after it). `quiet`: from a file, so that text which cannot be read is no issue."""
    value = words[0]
    text = value.text if value.text is not None else value.known
    if not text.strip():
        return
    if language == "sh":
        from policy.flow import launch

        if len(words) > 1:
            state = state.copy()
            state.values["0"] = (words[1],)
        launch.shell_text(walk, value, state, where, launch.SHELL_DIALECTS.get(program, "sh"), words[2:])
        return
    name = READERS.get(language)
    if name is None:
        return
    if len(text) > LIMIT:
        if not quiet:
            walk.issue("shell/too-large", f"{language} code longer than is read", where)
        return
    signs = sum([text.count(sign) for sign in SIGNS]) if language == "python" else 0
    walk.step(where, PLAIN.get(language, PIECE) + len(text) // LETTERS.get(language, 3) + signs * 3 // 2)
    module = __import__("policy.flow.languages." + name, fromlist=[name])
    module.read(walk, language, value, words[1:], state, where)
