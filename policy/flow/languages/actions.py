"""What code asks for, put into the walk: shell text, argvs, effects on paths."""

from __future__ import annotations

from policy.model import Invocation, Value
from policy.programs.paths import effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Effect

MOST = 400
"""How many actions one piece of code may have."""


class Actions:
    """Collects what one piece of code does; `finish` adds its effects as an invocation of the program `@code`.

    Its words show the language's own program, but no rule about how that program is started concerns it.
    """

    def __init__(self, walk: Walk, language: str, state: State, where: Where) -> None:
        self.walk = walk
        self.language = language
        self.state = state
        self.where = where
        self.effects: list[Effect] = []
        self.seen = 0
        self.only_known = "script-file" in where.marks
        self.database: Value | None = None
        self.sql: list[str] = []

    # In a script on disk, bodies of functions are full of parameters: what is not known there is left alone.

    def step(self, cost: int) -> None:
        """Count work; raises Spent when there is no more of it."""
        self.walk.step(self.where, cost)

    def allowed(self) -> bool:
        """Whether there is room for one more; past the bound an issue says so."""
        self.seen += 1
        if self.seen == MOST + 1:
            self.walk.issue("shell/too-large", f"{self.language} code does more than is followed", self.where)
        return self.seen <= MOST

    def shell(self, value: Value, *, cwd: Value | None = None) -> None:
        """Text that sh runs."""
        if self.allowed() and not (self.only_known and value.text is None):
            from policy.flow import launch

            launch.shell_text(self.walk, value, self._state(cwd), self._where(), "sh")

    def argv(self, words: Sequence[Value], *, cwd: Value | None = None) -> None:
        """A program with its arguments."""
        unclear = self.only_known and any(word.text is None for word in words)
        if words and self.allowed() and not unclear:
            self.walk.start(list(words), self._state(cwd).copy(), self._where())

    def touch(self, kind: str, value: Value, *, recursive: bool = False) -> None:
        """Something that happens to a path."""
        if self.allowed() and not (self.only_known and value.text is None):
            for cwd in self.state.cwd:
                self.effects.append(effect(kind, value, cwd, recursive=recursive, source="code"))

    def statement(self, value: Value) -> None:
        """A statement for the database that was connected to last; those of a script on disk are its own affair."""
        if not self.only_known and value.text and self.allowed():
            self.sql.append(value.text)

    def finish(self) -> None:
        """Add the effects that were collected."""
        if self.effects:
            self._emit("@code", effects=tuple(self.effects))
        self.effects = []

    def close(self) -> None:
        """The code ends: add its effects, and its statements as what the program `@sql` is given for its database (the operand)."""
        self.finish()
        if self.sql:
            self._emit("@sql", stdin=";\n".join(self.sql), operands=(self.database,) if self.database else ())

    def _emit(
        self,
        program: str,
        *,
        effects: tuple[Effect, ...] = (),
        stdin: str | None = None,
        operands: tuple[Value, ...] = (),
    ) -> None:
        name = PROGRAMS.get(self.language, self.language)
        where = self.where
        self.walk.out.append(
            Invocation(
                program=program,
                words=(Value(name, name),),
                operands=operands,
                stdin=stdin,
                effects=effects,
                cwd=self.state.cwd[0] if len(self.state.cwd) == 1 else None,
                environment=where.environment,
                launched_by=where.launched_by,
                place=where.place,
                piped_from=where.piped_from,
                span=where.span,
                marks=(*where.marks, *(("maybe",) if where.maybe else ())),
            )
        )

    def _state(self, cwd: Value | None) -> State:
        if cwd is None:
            return self.state
        from policy.flow.start import moved

        state = self.state.copy()
        state.cwd = moved(state.cwd, cwd)
        return state

    def _where(self) -> Where:
        self.finish()
        where = self.where.copy()
        where.stdin, where.stdin_path, where.redirects = None, None, ()
        return where


PROGRAMS = {"other": "script"}
