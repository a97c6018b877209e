"""From nodes to the Script: every simple command in source order, each with the constructs around it."""

from __future__ import annotations

from policy.model import Assignment, Command, Frame, Redirect, Script, Word
from policy.shell.budget import Unparsed
from policy.shell.nodes import Node, Redirection
from policy.shell.redirections import as_dash, frames_of, redirect, words_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy.shell.budget import Work
    from policy.shell.nodes import Token, Unit
    from policy.shell.redirections import Parts
    from policy.shell.words import Scanner

    Context = tuple[Frame, ...]

_JOINERS = {
    "SEMICOLON": ";",
    "NEWLINE": ";",
    "AMPERSAND": "&",
    "AND_AND": "&&",
    "OR_OR": "||",
    "|": "|",
    "|&": "|&",
    "": "",
}


class Writer:
    """Walks the units of one text. `seen` counts the words that were handed on; it must come to what the lexers counted."""

    def __init__(self, work: Work, scanner: Scanner) -> None:
        self.work = work
        self.scanners: list[Scanner] = [scanner]
        self.commands: list[Command] = []
        self.number = len(work.frames)
        self.entered: set[int] = set()
        self.seen = 0
        self.expected = 0
        self.depth = 0

    def script(self, units: list[Unit], words: int, text: str, dialect: str) -> Script:
        self.expected += words
        self.units(units, ())
        self._check()
        commands = self.commands
        commands.sort(key=_start)
        comments = sorted(set(self.work.comments))
        return Script(text, tuple(commands), tuple(comments), dialect)

    def _check(self) -> None:
        missed = set(range(1, len(self.work.frames) + 1)) - self.entered - self.work.tentative
        if missed or self.seen != self.expected:
            raise Unparsed("something in the text was read and not followed")

    # --- lists

    def units(self, units: list[Unit], context: Context) -> None:
        joiner = ""
        for unit in units:
            self.sequence(unit, context, joiner)
            last = unit[-1]
            joiner = _JOINERS[last] if isinstance(last, str) else ";"

    def sequence(self, items: Unit | Node, context: Context, joiner: str = "") -> None:
        """Commands joined by operators; those of an and-or list that & ends run in the background."""
        if isinstance(items, Node):
            items = [items]
        self.depth += 1
        if self.depth > self.work.limits.depth:
            raise Unparsed("commands are nested too deeply", 0, "shell/too-deep")
        first = 0
        for index in range(1, len(items) + 1, 2):
            operator = items[index] if index < len(items) else "SEMICOLON"
            if operator in ("AND_AND", "OR_OR"):
                continue
            around = context
            if operator == "AMPERSAND":
                around = (*context, self._frame("background"))
            for i in range(first, index, 2):
                before = items[i - 1] if i else None
                self.node(items[i], around, _JOINERS[before] if isinstance(before, str) else joiner)
            first = index + 1
        self.depth -= 1

    def _number(self) -> int:
        self.number += 1
        return self.number

    def _frame(
        self, kind: str, name: str = "", part: str = "", words: tuple[Word, ...] | None = None, node: Node | None = None
    ) -> Frame:
        redirects = tuple([self._redirect(item) for item in node.redirections]) if node is not None else ()
        return Frame(kind, self._number(), name, part, words, redirects)

    # --- nodes

    def node(self, node: Node, context: Context, joiner: str) -> None:
        _VISITS[node.kind](self, node, context, joiner)

    def simple(self, node: Node, context: Context, joiner: str) -> None:
        words: list[Word] = []
        assignments: list[Assignment] = []
        redirects: list[Redirect] = []
        frames: list[int] = []
        for part in node.parts:
            if isinstance(part, Redirection):
                redirects.append(self._redirect(part))
                frames.extend(frames_of(part))
                continue
            payload = part[3]
            self.seen += 1
            frames.extend(part[4])
            if isinstance(payload, Assignment):
                assignments.append(payload)
            else:
                words.append(payload)
        self._command(node, (tuple(words), tuple(assignments), tuple(redirects)), context, joiner)
        if self.work.posix and redirects:
            self._as_dash(node, words, redirects, context)
        self._enter(frames, context)

    def _as_dash(self, node: Node, words: list[Word], redirects: list[Redirect], context: Context) -> None:
        around = (*context, Frame("dialect", self._number(), "posix"))
        for parts, joiner in as_dash(words, redirects):
            self._command(node, parts, around, joiner)

    def _command(self, node: Node, parts: Parts, context: Context, joiner: str) -> None:
        scanner = self.scanners[-1]
        span = scanner.span(node.start, node.end)
        exact = scanner.origin is None
        self.commands.append(tuple.__new__(Command, (*parts, context, joiner, span, exact)))

    def pipeline(self, node: Node, context: Context, joiner: str) -> None:
        frame = self._frame("pipe")
        place = 0
        for part in reversed(node.parts):
            if isinstance(part, str):
                joiner = part
                continue
            self.node(part, (*context, frame.replace(name=str(place))), joiner)
            place += 1

    def prefixed(self, node: Node, context: Context, joiner: str) -> None:
        around = (*context, self._frame(node.kind))
        for part in node.parts:
            self.node(part, around, joiner)

    def evaluated(self, node: Node, context: Context, joiner: str) -> None:
        """(( )) and [[ ]]: no command, but a place where substitutions run and redirections happen."""
        token: Token = node.parts[0]
        self.seen += 1
        if node.redirections or any(frame.redirects for frame in context):
            redirects = tuple([self._redirect(item) for item in node.redirections])
            self._command(node, ((), (), redirects), context, joiner)
        self._enter(token[4], context)
        self._outside(node, context)

    def function(self, node: Node, context: Context, _joiner: str) -> None:
        name = self._name(node)
        self.node(node.parts[0], (*context, self._frame("function", name)), "")

    def coproc(self, node: Node, context: Context, joiner: str) -> None:
        name = self._name(node) if node.name else ""
        self.node(node.parts[0], (*context, self._frame("coproc", name)), joiner)

    def _name(self, node: Node) -> str:
        self.seen += 1
        token = node.name
        if token is None or not isinstance(token[3], Word):
            return ""
        if token[4]:
            raise Unparsed("a name is made by a substitution", token[1])
        return token[3].value if token[3].value is not None else token[3].raw

    def branches(self, node: Node, context: Context, joiner: str) -> None:
        """if, loops, groups and subshells: one frame number, a part for each list in it."""
        before = len(self.commands)
        frame = self._frame(node.kind, node=node)
        for part, items in node.parts:
            self.sequence(items, (*context, frame.replace(part=part) if part else frame), joiner)
            joiner = ""
        self._outside(node, context)
        self._keep_redirects(node, frame, context, joiner, before)

    def iteration(self, node: Node, context: Context, joiner: str) -> None:
        before = len(self.commands)
        name = "" if node.name is not None and node.name[3] is None else self._name(node)
        words = None
        if node.name is not None and node.name[3] is None:
            self.seen += 1
            self._enter(node.name[4], context)
        if node.words is not None:
            words = self._words(node.words, context)
        frame = self._frame(node.kind, name, "body", words, node)
        for _, items in node.parts:
            self.sequence(items, (*context, frame), joiner)
        self._outside(node, context)
        self._keep_redirects(node, frame, context, joiner, before)

    def case(self, node: Node, context: Context, joiner: str) -> None:
        before = len(self.commands)
        frame = self._frame("case", "", "", self._words(node.words or [], context), node)
        for patterns, items in node.parts:
            raws = [word.raw for word in self._words(patterns, context)]
            if items:
                self.sequence(items, (*context, frame.replace(part="|".join(raws))), joiner)
        self._outside(node, context)
        self._keep_redirects(node, frame, context, joiner, before)

    def _words(self, tokens: list[Token], context: Context) -> tuple[Word, ...]:
        out: list[Any] = []
        for token in tokens:
            self.seen += 1
            out.append(token[3])
            self._enter(token[4], context)
        return tuple(out)

    def _keep_redirects(self, node: Node, frame: Frame, context: Context, joiner: str, before: int) -> None:
        """A construct without any command in it still opens what it is redirected to."""
        if frame.redirects and len(self.commands) == before:
            self._command(node, ((), (), frame.redirects), context, joiner)

    # --- redirections and substitutions

    def _redirect(self, item: Redirection) -> Redirect:
        self.seen += words_in(item)
        return redirect(item, self.scanners[-1])

    def _outside(self, node: Node, context: Context) -> None:
        for item in node.redirections:
            self._enter(frames_of(item), context)

    def _enter(self, frames: tuple[int, ...] | list[int], context: Context) -> None:
        """The commands of substitutions, each once."""
        for number in frames:
            if number in self.entered:
                continue
            self.entered.add(number)
            kind, units, words, scanner = self.work.frames[number - 1]
            self.expected += words
            self.scanners.append(scanner)
            self.depth += 1
            self.units(units, (*context, Frame(kind, number, "posix" if kind == "dialect" else "")))
            self.depth -= 1
            self.scanners.pop()


def _start(command: Command) -> int:
    return command.span[0]


_VISITS = {
    "simple": Writer.simple,
    "pipeline": Writer.pipeline,
    "not": Writer.prefixed,
    "time": Writer.prefixed,
    "arith": Writer.evaluated,
    "cond": Writer.evaluated,
    "function": Writer.function,
    "coproc": Writer.coproc,
    "if": Writer.branches,
    "loop": Writer.branches,
    "group": Writer.branches,
    "subshell": Writer.branches,
    "for": Writer.iteration,
    "select": Writer.iteration,
    "case": Writer.case,
}
