"""Scripts in files: written earlier in the same request, or readable on disk."""

from __future__ import annotations

from policy.flow import outside
from policy.flow.state import Spent
from policy.model import Value
from policy.programs.paths import absolute, base

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where

LIMIT = 65_536
OWN_STEPS, OWN_INVOCATIONS = 24_000, 400
"""What reading one file on disk may cost at most; no more than half of what is left, so that what was asked for is not cut off."""

MOST = 24
"""How many files one request may bring in."""

KNOWN_HARMLESS = frozenset(
    {"activate", "activate.fish", ".bashrc", ".zshrc", ".profile", ".bash_profile", "nvm.sh", "env"}
)
"""Start-up files that are sourced all day; they are read only when the request itself wrote them."""

STANDARD_INPUT = frozenset({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})


def content(walk: Walk, value: Value, state: State, where: Where) -> tuple[str, str] | None:
    """Path and text of a file that a value names; None when it cannot be read or is somewhere else."""
    if value.text is None or where.place != "local":
        return None
    for cwd in state.cwd:
        path = absolute(value.text, cwd)
        if path is None:
            continue
        if f"file {path}" in walk.active or walk.read >= MOST:
            return None
        if path in state.files:
            text = state.files[path]
            return None if text is None else (path, text)
        if f"={path}" in state.files:
            path = state.files[f"={path}"] or path
        walk.read += 1
        text = outside.text(walk, path, LIMIT)
        if text is not None:
            return path, text
    return None


def program(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    """./NAME or /path/NAME: a script says in its first line what reads it. Whether there is one that could be read."""
    found = content(walk, words[0], state, where)
    if found is None:
        return False
    path, text = found
    language = shebang(text)
    if language:
        _run(walk, language, path, text, words[1:], state, where.under(base(path)))
    return bool(language)


def shebang(text: str) -> str:
    """The language that the first line names; "sh" for a text without one that is no binary, "" for others."""
    if text[:2] != "#!":
        return "" if "\0" in text[:512] else "sh"
    words = text[2 : text.find("\n") if "\n" in text else len(text)].split()
    names = [base(word) for word in words if "=" not in word and word[:1] != "-"]
    name = names[1] if names[:1] == ["env"] and len(names) > 1 else (names[0] if names else "sh")
    return LANGUAGES.get(name.rstrip("0123456789."), "")


LANGUAGES = {
    "sh": "sh", "bash": "sh", "dash": "sh", "ash": "sh", "zsh": "sh", "ksh": "sh", "python": "python", "pypy": "python", "node": "node",
    "nodejs": "node", "perl": "perl", "ruby": "ruby", "php": "php", "awk": "awk", "gawk": "awk", "sed": "sed",
}  # fmt: skip


def script(walk: Walk, language: str, words: Sequence[Value], state: State, where: Where, launcher: str) -> None:  # noqa: PLR0913, PLR0917
    """A file that an interpreter is told to run; "-" is its input."""
    if not words:
        return
    if words[0].text in STANDARD_INPUT:
        from policy.flow import stdin

        stdin.follow(walk, launcher, f"code:{language}", state, where)
        return
    tool = base(words[0].text or "")
    if len(words) > 1 and words[1].text in SHELLS.get(tool, ()):
        walk.program(tool, words, state, where)
        return
    found = content(walk, words[0], state, where)
    if found is not None:
        _run(walk, language, *found, words[1:], state, where)


SHELLS = {"manage.py": ("shell", "shell_plus", "dbshell"), "artisan": ("tinker",)}
"""Scripts of frameworks, and their commands that take code (as an option or as input); each has a grammar of its own."""


def source(walk: Walk, operands: Sequence[Value], state: State, where: Where) -> None:
    """Source FILE: its commands run in this very shell."""
    text = operands[0].text
    if text in STANDARD_INPUT:
        from policy.flow import stdin

        value = stdin.text(walk, state, where)
        if value is not None and value.text is not None:
            walk.script(value.text, state, where.under("source", builtins=True))
        return
    if text is not None and base(text) in KNOWN_HARMLESS and absolute(text, state.cwd[0]) not in state.files:
        return
    found = content(walk, operands[0], state, where)
    if found is None:
        return
    path, body = found
    inner = where.under("source", builtins=True)
    inner.marks = _marks(inner.marks, path, state)
    outer = state.positional
    if len(operands) > 1:
        state.positional = tuple(operands[1:])
    quiet = path not in state.files
    aside(walk, f"file {path}", lambda: walk.script(body, state, inner, quiet=quiet), own=quiet)
    state.positional = outer


def _marks(marks: tuple[str, ...], path: str, state: State) -> tuple[str, ...]:
    if path.startswith("/dev/fd/"):
        return marks
    return (*marks, "written-then-run") if path in state.files else (*marks, "script-file")


def _run(  # noqa: PLR0913, PLR0917
    walk: Walk, language: str, path: str, text: str, arguments: Sequence[Value], state: State, where: Where
) -> None:
    where.marks = _marks(where.marks, path, state)
    quiet = path not in state.files
    if language == "sh":
        own = state.child()
        own.positional = tuple(arguments)
        own.functions = {}
        own.arrays["BASH_SOURCE"] = (Value(path, path),)
        for name, held in where.environment:
            own.assign(name, (held,))
        own.values["0"] = (Value(path, path),)
        aside(walk, f"file {path}", lambda: walk.script(text, own, where, quiet=quiet), own=quiet)
        return
    from policy.flow import code

    words = (Value(text, text), *arguments)
    aside(
        walk, f"file {path}", lambda: code.read(walk, language, words, state, where, base(path), quiet=True), own=quiet
    )


def aside(walk: Walk, key: str, read: Callable[[], None], *, own: bool) -> None:
    """Read a file, known as `key` meanwhile. With a budget of its `own`, what is too large is left off: it is not what was asked."""
    kept = walk.active, walk.frames, walk.results, walk.printed, walk.here
    budget, room = walk.budget, walk.room
    walk.active = (*walk.active, key)
    if own:
        walk.budget = walk.steps + min(OWN_STEPS, (budget - walk.steps) // 2)
        walk.room = len(walk.out) + min(OWN_INVOCATIONS, (room - len(walk.out)) // 2)
    try:
        read()
    except Spent:
        if not own or walk.budget == budget:
            raise
    walk.active, walk.frames, walk.results, walk.printed, walk.here = kept
    walk.budget, walk.room = budget, room
