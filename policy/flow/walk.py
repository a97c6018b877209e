"""Walks a Script in the order in which a shell would run it, and keeps the state that commands hand on."""

from __future__ import annotations

from policy.flow import expand
from policy.flow import start as starting
from policy.flow.nesting import NESTED, extent, nested
from policy.flow.state import COMMAND, INVOCATIONS, STEPS, Spent
from policy.model import Command, Issue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from policy.flow.functions import Called
    from policy.flow.state import State
    from policy.flow.where import Where
    from policy.model import Frame, Invocation, Request, Script, Value, Word
    from policy.programs import Grammars
    from policy.shell import Unparsed
    from policy.world import World

DEPTH = 24
"""How many launchers, functions and texts may stand inside one another."""

ASIDE = ("subshell", "background", "coproc")
SURE = frozenset({
    "cd", "mkdir", "pushd", "popd", "export", "set", "true", ":", "echo", "git", "source", ".", "unset", "local", "declare", "", "shopt",
})  # fmt: skip
"""Commands after which `&&` is taken to go on: what follows them changes the state for good."""


class Walk:
    """One reading of a request: the invocations found so far (`out`), the issues, and the means to find more."""

    def __init__(self, request: Request, world: World, grammars: Grammars) -> None:
        self.request = request
        self.world = world
        self.grammars = grammars
        self.environment: Mapping[str, str] = request.environment
        self.out: list[Invocation] = []
        self.issues: list[Issue] = []
        self.top: Script | None = None
        self.sealed = True
        self.steps = 0
        self.budget = STEPS
        self.room = INVOCATIONS
        self.printed: list[Value] | None = None
        self.frames: dict[int, tuple[int, list[Command]]] = {}
        self.results: dict[int, Value] = {}
        self.active: tuple[str, ...] = ()
        self.called: set[str] = set()
        self.traps: list[tuple[str, Where]] = []
        self.calls: dict[str, list[Called]] = {}
        self.texts: dict[tuple[int, int] | None, Script | None] = {}
        self.parsed: dict[tuple[str, str], Script | Unparsed] = {}
        self.read = self.made = 0
        self.lastpipe = False
        self.inlined: list[str] = []
        self.tail: Word | None = None
        self.here: Where | None = None
        self.last = any(name in request.text for name in ("$_", "${_"))

    def home(self, state: State) -> str | None:
        """What ~ and $HOME mean here."""
        values = state.values.get("HOME")
        if values is not None:
            return values[0].text if len(values) == 1 else None
        return self.request.home or self.environment.get("HOME")

    def issue(self, rule: str, detail: str, where: Where) -> None:
        """Note something that could not be followed; the same thing once. What stands in a script on disk is not the request's own."""
        if rule != "shell/too-large" and ("script-file" in where.marks or "recipe" in where.marks):
            return
        issue = Issue(rule, detail, where.span)
        if issue not in self.issues:
            self.issues.append(issue)

    def step(self, where: Where, cost: int = COMMAND) -> None:
        """Count work; raises Spent when the request has used up what it may cost."""
        self.steps += cost
        if self.steps > self.budget:
            self.spent(where, whole=self.budget >= STEPS)

    def repeat(self, made: Sequence[Invocation], where: Where) -> None:
        """Add invocations that were made before; raises Spent when there is no room for them."""
        if len(self.out) + len(made) > self.room:
            self.spent(where, whole=self.room >= INVOCATIONS)
        self.out.extend(made)

    def spent(self, where: Where, *, whole: bool) -> None:
        """Stop reading; the `whole` request, or only a script on disk that has a budget of its own."""
        if whole:
            self.issue("shell/too-large", "more commands than are looked at", where)
        raise Spent

    def script(  # noqa: PLR0913
        self, text: str, state: State, where: Where, *, top: bool = False, dialect: str = "", quiet: bool = False
    ) -> None:
        """Read shell text and walk it. `quiet`: text from a file, which may be anything, so that failing to read it is no issue."""
        if where.depth > DEPTH:
            self.issue("shell/too-deep", "commands inside commands", where)
            return
        from policy import shell

        self.step(where)
        try:
            script = self.parse(text, dialect or self.request.dialect, where)
        except shell.Unparsed as error:
            if not quiet:
                from policy.flow import unparsed

                unparsed.note(self, text, error, state, where)
            return
        if top:
            self.top = script
        elif self.texts.setdefault(where.span, script) is not script:
            self.texts[where.span] = None
        saved = self.frames, self.results
        self.frames, self.results = nested(script), {}
        inner = where if top else where.copy()
        inner.own = top
        inner.shell = True
        first = len(self.traps)
        self.run(script.commands, 0, state, inner)
        self.leave(first, state)
        if top and state.functions:
            from policy.flow import functions

            functions.uncalled(self, state, inner)
        self.frames, self.results = saved

    def parse(self, text: str, dialect: str, where: Where) -> Script:
        """The Script of a text, read once; raises policy.shell.Unparsed, and Spent when its length uses up the budget."""
        from policy import shell

        read = self.parsed.get((text, dialect))
        if read is None:
            spent: list[int] = []
            limits = shell.Limits(steps=max(0, min(shell.Limits().steps, self.budget - self.steps)))
            try:
                read = shell.parse(text, dialect, limits, spent)
            except shell.Unparsed as error:
                read = error
            self.parsed[text, dialect] = read
            self.step(where, sum(spent))
        if isinstance(read, shell.Unparsed):
            raise read
        return read

    start = starting.start
    program = starting.program
    finish = starting.finish
    grammar = starting.grammar
    emit = starting.emit

    def substituted(self, number: int, state: State, *, fed: bool = False) -> Value:
        """What $(…) prints, as far as it is known; see policy.flow.inside."""
        from policy.flow import inside

        return inside.substituted(self, number, state, fed=fed)

    def leave(self, first: int, state: State) -> None:
        """A shell ends: what it set as traps since `first` runs."""
        waiting = self.traps[first:]
        del self.traps[first:]
        for text, where in waiting:
            self.script(text, state.copy(), where)

    # --- lists and constructs ---------------------------------------------------------------------------------------

    def run(self, commands: Sequence[Command], depth: int, state: State, where: Where) -> None:
        """Walk commands that share the first `depth` constructs of their context."""
        index, count = 0, len(commands)
        before: State | None = None
        sure = True
        while index < count:
            command = commands[index]
            context = command.context
            end = extent(commands, index, depth)
            if len(context) > depth and context[depth].kind in NESTED:
                index = end
                continue
            if command.joiner not in {"&&", "||"} or command.joiner == "":
                if before is not None:
                    state.merge(before, self.environment)
                before, sure = None, True
            elif before is None and (not sure or command.joiner == "||"):
                before = state.copy()
            if len(context) == depth:
                was = state.cwd
                self.command(command, state, where)
                if before is None and was != state.cwd:
                    from policy.flow import failing

                    before = failing.cd(self, commands, index, was, state, where)
                sure = sure and (not command.words or command.words[0].value in SURE)
            else:
                self.construct(context[depth], commands[index:end], depth, state, where)
                sure = sure and context[depth].kind in {"group", "subshell", "substitution"}
            index = end
        if before is not None:
            state.merge(before, self.environment)
        self._left_over(commands, depth, state, where)

    def _left_over(self, commands: Sequence[Command], depth: int, state: State, where: Where) -> None:
        """Substitutions that no word asked for: in arithmetic, tests, subjects of case."""
        for command in commands:
            for frame in command.context[depth:]:
                if frame.kind in NESTED:
                    if frame.number not in self.results and not self._read_inline(frame.number):
                        self.here = where
                        self.substituted(frame.number, state)
                    break

    def _read_inline(self, number: int) -> bool:
        """Whether a substitution was walked already as part of a text that was read by itself (a default, an array, a brace item)."""
        raw = " ".join(word.raw for word in self.frames[number][1][0].words)
        return bool(raw) and any(raw in source for source in self.inlined)

    def construct(self, frame: Frame, commands: Sequence[Command], depth: int, state: State, where: Where) -> None:
        """Walk a compound command whose parts all lie in `commands`."""
        kind = frame.kind
        if frame.redirects:
            from policy.flow import redirects

            where = where.copy()
            redirects.redirected(self, frame.redirects, state, where)
        if kind == "pipe":
            from policy.flow import pipes

            pipes.run(self, commands, depth, state, where)
        elif kind in ASIDE:
            own, first = state.copy(), len(self.traps)
            self.run(commands, depth + 1, own, where)
            self.leave(first, own)
        elif kind == "function":
            state.functions[frame.name] = (tuple(commands), depth + 1, self.frames)
        elif kind in {"if", "loop", "for", "select", "case"}:
            from policy.flow import branches

            branches.run(self, frame, commands, depth, state, where)
        else:
            self.run(commands, depth + 1, state, where)

    # --- one command ------------------------------------------------------------------------------------------------

    def command(self, command: Command, state: State, where: Where) -> None:
        """Expand a simple command in the state that it meets, start what it says, and keep what it changes."""
        self.step(where)
        self.here = where
        where = self._placed(command, where)
        if command.assignments:
            from policy.flow import assignments

            assignments.apply(self, command, state, where)
        first = len(self.out)
        readings = expand.words(self, state, command.words)
        if len(self.out) > first:
            where = where.copy()
            where.feeders = tuple(dict.fromkeys(made.program for made in self.out[first:]))
        if command.redirects:
            from policy.flow import redirects

            redirects.started(self, command, readings, state, where)
            return
        self.each(command, readings, state, where)

    def each(self, command: Command, readings: Sequence[Sequence[Value]], state: State, where: Where) -> None:
        """Start every reading of a command; only one of them comes to pass, so what they leave behind is merged."""
        tail = command.words[0] if command.words else None
        ends: list[State] = []
        for reading in readings:
            self.tail = tail
            own = state if len(readings) == 1 else state.copy()
            self.start(reading, own, where)
            if self.last:
                own.assign("_", tuple(reading[-1:]))
            ends.append(own)
        if len(ends) > 1:
            state.take(ends[0])
            for end in ends[1:]:
                if end.differs(state):
                    state.merge(end, self.environment)

    def _placed(self, command: Command, where: Where) -> Where:
        """The circumstances with the command's own place in the request's text, free to be changed."""
        if where.own:
            where = where.copy()
            where.span = command.span if command.exact else None
            ends = command.words and command.exact
            where.argv_span = (command.words[0].span[0], command.words[-1].span[1]) if ends else None
        elif command.redirects or command.assignments:
            where = where.copy()
        return where
