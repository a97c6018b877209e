"""A command word that is not known, or a pattern: what could it be?"""

from __future__ import annotations

from policy.model import Invocation, Value
from policy.programs.paths import base

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where

GIT_VERBS = frozenset(
    {
        "reset",
        "clean",
        "checkout",
        "restore",
        "push",
        "switch",
        "stash",
        "branch",
        "filter-branch",
        "reflog",
        "update-ref",
    }
)

MOST = 12
"""How many programs a known beginning may stand for before only the arguments count."""

PLAIN_WORDS = frozenset({"test", "time", "command", "install", "script", "build", "run"})
"""Names of programs that are more often the first argument of something else."""


def start(walk: Walk, words: Sequence[Value], state: State, where: Where) -> None:
    """Follow the readings that fit: by the word's known end or beginning, or by the arguments; otherwise note an unknown program."""
    head = words[0]
    if head.glob and head.text is not None:
        if head.text.strip("*") or not _is_answer(head):
            _glob(walk, words, state, where)
            return
        head = Value(None, splits=True, raw=head.raw)
    name = _ending(walk, head)
    if name:
        walk.program(name, words, state, where)
        return
    _emit(walk, words, state, where)
    inner = where.copy()
    inner.maybe = True
    rest = list(words[1:])
    likely = _fitting(rest) if rest else []
    if head.known:
        _beginning(walk, words, likely, state, inner)
        return
    if not rest:
        return
    first = rest[0].text
    if first is not None and head.splits and first not in PLAIN_WORDS and walk.grammar(base(first)) is not None:
        walk.start(rest, state, inner)
    for program in likely:
        walk.program(program, [Value(program, program), *rest], state, inner)


def _is_answer(head: Value) -> bool:
    """Whether the pattern stands for what a variable or a substitution holds, and is none that the shell expands."""
    return "$" in head.raw or "`" in head.raw


def _ending(walk: Walk, head: Value) -> str:
    """The name at the end of a path whose beginning is unknown ("$dir"/rm)."""
    tail = walk.tail
    if tail is None or tail.raw != head.raw or not tail.pieces or tail.pieces[-1].kind != "text":
        return ""
    text = tail.pieces[-1].text
    return base(text) if "/" in text else ""


def _emit(walk: Walk, words: Sequence[Value], state: State, where: Where) -> None:
    for cwd in state.cwd:
        walk.out.append(
            Invocation(
                program="",
                words=tuple(words),
                operands=tuple(words[1:]),
                unknown=True,
                environment=where.environment,
                redirects=where.redirects,
                cwd=cwd,
                launched_by=where.launched_by,
                place=where.place,
                stdin=None if where.stdin is None else where.stdin.text,
                piped_from=where.piped_from,
                span=where.span,
                argv_span=where.argv_span,
                marks=where.marks,
            )
        )


def _beginning(walk: Walk, words: Sequence[Value], likely: Sequence[str], state: State, where: Where) -> None:
    """A program of which the first letters are known: every guarded one that it could be; an issue where the arguments look like harm."""
    known = words[0].known
    if known.endswith("/"):
        return
    known = base(known)
    fitting = {
        grammar["name"]
        for name in walk.grammars.names
        if name.startswith(known) and (grammar := walk.grammar(name)) and not grammar["inert"]
    }
    if len(fitting) <= MOST:
        for name in sorted(fitting):
            walk.program(name, [Value(name, name), *words[1:]], state, where)
    if fitting.intersection(likely):
        walk.issue(
            "shell/unknown-program", f"{known}… could be {', '.join(sorted(fitting.intersection(likely)))}", where
        )


def launcher(walk: Walk, words: Sequence[Value], state: State, where: Where) -> None:
    """A program without a grammar may start what its words hold (`retry 3 git reset --hard`, `wrapper -- COMMAND`): one reading among several."""
    for index, word in enumerate(words[1:], 1):
        rest = words[index + 1 :]
        if word.text == "--":
            command = rest
        elif rest and _begins(base(word.text or ""), rest[0].text or ""):
            command = words[index:]
        else:
            continue
        if command and " " not in (command[0].text or ""):
            inner = where.under(base(words[0].text or ""))
            inner.maybe = True
            walk.start(list(command), state.copy(), inner)
        return


def _begins(program: str, first: str) -> bool:
    """Whether a word and the one behind it look like the beginning of a command that can do harm, and not like two arguments."""
    if program == "git":
        return first in GIT_VERBS or first in {"-C", "-c"}
    if program == "rm":
        return first[:1] == "-" and _removes(first)
    return program in {"sh", "bash", "dash", "zsh"} and first[:1] == "-" and first[-1:] == "c"


def _fitting(rest: Sequence[Value]) -> list[str]:
    """Programs whose dangerous forms the arguments look like."""
    first = rest[0].text or ""
    flags = [word.text for word in rest if word.text is not None and word.text[:1] == "-"]
    if first in GIT_VERBS and len(rest) > 1:
        return ["git"]
    if first[:1] == "-" and any(_removes(flag) for flag in flags[:2]) and len(rest) > len(flags):
        return ["rm"]
    return []


def _removes(flag: str) -> bool:
    if flag[:2] == "--":
        return flag in {"--recursive", "--force"}
    return set(flag[1:]) <= set("rRfvdiI") and ("r" in flag or "R" in flag) and "f" in flag


def _listed(walk: Walk, pattern: str, state: State) -> list[Value]:
    """What the pattern expands to by the directory's own listing, in order; [] when its directory is a pattern or is not known."""
    from policy.flow import globs, outside
    from policy.programs.paths import absolute

    folder, slash, last = pattern.rpartition("/")
    place = absolute(folder or ("/" if slash else "."), state.cwd[0] if len(state.cwd) == 1 else None)
    if place is None or any(mark in folder for mark in "*?["):
        return []
    found = [name for name in outside.names(walk, place, 5000) if globs.matches(last, name) and name[:1] != "."]
    return [Value(folder + slash + name, folder + slash + name, quoted=True) for name in found[:16]]


def _glob(walk: Walk, words: Sequence[Value], state: State, where: Where) -> None:
    """A pattern as the command word: every guarded name that it matches."""
    from policy.flow import globs

    pattern = words[0].text or ""
    last = base(pattern)
    if not _is_answer(words[0]) and (listed := _listed(walk, pattern, state)):
        walk.start([*listed, *words[1:]], state, where)
        return
    names = sorted(name for name in walk.grammars.names if globs.matches(last, name))
    if len(names) > 8 or not any(mark.isalnum() for mark in last):
        _emit(walk, words, state, where)
        if len(names) > 8 and last.strip("*?"):
            walk.issue("shell/unknown-program", f"{last} could be {', '.join(names[:3])}", where)
        return
    inner = where.copy()
    inner.maybe = where.maybe or len(names) != 1
    for name in names:
        walk.program(name, words, state, inner)
    if not names:
        _emit(walk, words, state, where)
