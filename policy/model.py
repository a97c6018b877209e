"""What passes between the stages: Request -> Script -> Invocations -> Findings -> Decision. Frozen, and free of imports that cost.

Text offsets are indexes into the text of the Script they belong to. "Unknown" is always None, never a guess.
"""

from __future__ import annotations

from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# --- what is asked --------------------------------------------------------------------------------------------------


class Request(Record):
    """One thing that an agent or a program wants to do.

    `text` is shell text (hook door); `argv` is set instead at the shim door, bytes decoded with surrogateescape. `tool` is "shell", or
    "write", "edit", "read" for a host's file tools, with `path` and `content` then. `environment` is what the judged commands would
    see; it decides nothing but the meaning of the text. `agent` is the name of the sub-agent that asks, "" for the main one or where the
    host does not say. `dialect` is one of bash, sh, zsh, fish, powershell, cmd, unknown.
    """

    text: str = ""
    argv: tuple[str, ...] | None = None
    cwd: str | None = None
    environment: Mapping[str, str] = {}
    home: str | None = None
    tool: str = "shell"
    path: str | None = None
    content: str | None = None
    door: str = "hook"
    host: str = ""
    session: str = ""
    dialect: str = "unknown"
    agent: str = ""


# --- what the text says (policy.shell) ------------------------------------------------------------------------------


class Piece(Record):
    """A part of a word.

    kind     text
    text     literal characters after quote removal
    param    the parameter's name; `operator` and `operand` hold what follows it in ${name OP operand}
    command  "" for $( ) and backticks; `frame` numbers the substitution that its commands carry in their context
    process  "<" or ">" for <( ) and >( ); `frame` as above
    arith    the source of $(( )) or $[ ]
    glob     an unquoted glob or extglob, as written
    brace    an unquoted brace expansion, as written
    tilde    an unquoted leading ~ or ~name, as written
    array    the source between the parentheses of name=( )
    """

    kind: str
    text: str
    quoted: bool = False
    operator: str = ""
    operand: str = ""
    frame: int = 0


class Word(Record):
    """A shell word. `value` is its static value after quote removal, None as soon as any piece but text (or tilde) is in it."""

    raw: str
    span: tuple[int, int]
    value: str | None
    pieces: tuple[Piece, ...] = ()
    quoted: bool = False


class Redirect(Record):
    """`operator` as written without its descriptor; `descriptor` a number, "{name}" or ""; `body` the text of a here-document or here-string.

    For a here-document `target` is the delimiter word, and `body.value` is None when the body is expanded and holds an expansion.
    """

    operator: str
    descriptor: str
    target: Word | None
    body: Word | None = None
    span: tuple[int, int] = (0, 0)


class Assignment(Record):
    """name=word or name+=word before a command; `subscript` the source between [ and ], or None."""

    name: str
    word: Word
    append: bool = False
    subscript: str | None = None


class Frame(Record):
    """One construct around a command, outermost first in Command.context. `number` is unique in its Script.

    kind: subshell, group, if, loop (while and until), for, select, case, function, pipe, background, coproc, substitution, process, not, time,
    dialect (around what only the shell of that name would run)
    name: the function's, the for variable's, or a pipeline member's place ("0", "1", …); a coproc's name
    part: condition or body for if and loop; then/else for if; the patterns for case
    words: what for and select iterate over (None without `in`), and the subject of case
    """

    kind: str
    number: int
    name: str = ""
    part: str = ""
    words: tuple[Word, ...] | None = None
    redirects: tuple[Redirect, ...] = ()


class Command(Record):
    """A simple command. `joiner` is what stands between it and the command before it in the same list: "", ";", "&&", "||", "&", "|" or "|&".

    `exact` is False when `span` does not point into the request's own text (inside backticks, text from elsewhere): no rewrite there.
    """

    words: tuple[Word, ...]
    assignments: tuple[Assignment, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    context: tuple[Frame, ...] = ()
    joiner: str = ""
    span: tuple[int, int] = (0, 0)
    exact: bool = True


class Script(Record):
    """A text that was read whole. `commands` holds every simple command at any depth, in source order; `comments` the spans of comments."""

    text: str
    commands: tuple[Command, ...]
    comments: tuple[tuple[int, int], ...] = ()
    dialect: str = "bash"


class Value(Record):
    """A word as far as it is known when the command runs.

    `text` is the whole value, None when some of it is unknown; `known` is its leading part that is certain. `glob`: it still holds an
    unquoted pattern (then `text` is the pattern). `splits`: an unquoted unknown expansion may become any number of words.
    """

    text: str | None
    known: str = ""
    glob: bool = False
    splits: bool = False
    quoted: bool = False
    raw: str = ""


class Option(Record):
    """An option under its canonical name (the grammar's first spelling, "--force" for -f, --forc): `value` None when it takes none.

    `negated` for --no-force; `sure` False when it is one reading among several (an ambiguous abbreviation).
    """

    name: str
    value: Value | None = None
    written: str = ""
    negated: bool = False
    sure: bool = True


class Effect(Record):
    """What a program does to a path: kind is read, write (truncates), append, create, delete, move-from, move-to, mode, execute, link.

    `path` is absolute and lexically normalised, or None when unknown; with `glob` it is a pattern. `within` means only what is below it.
    """

    kind: str
    path: str | None
    recursive: bool = False
    glob: bool = False
    within: bool = False
    value: Value | None = None
    source: str = "operand"


class Invocation(Record):
    """One program start that the request would cause, at any depth of launchers.

    program      its name, without directory, aliases of the grammar resolved; "" when unknown (then `words[0].known` is a prefix)
    subcommand   the grammar's, canonical, "" when none; nested ones joined by a blank ("stash pop")
    words        the argv, `words[0]` as written
    options      in order, global ones (before the subcommand) too, told apart by `scope` of the grammar's option name ("git -C" is "-C")
    operands     after the subcommand, without options and their values
    unknown      some words may be options, operands or nothing: a rule that would match one of them matches "maybe"
    environment  variables that the request itself sets for this command
    redirects    (operator, descriptor, Effect or None) of the command itself and of the constructs around it
    cwd          the directory it runs in, absolute; None when unknown
    launched_by  names of launchers, outermost first
    place        local, remote or container
    stdin        text fed to it when known (here-document, here-string, echo … |), else None; `piped_from`, `piped_to` name its neighbours
    span         of the simple command in the request's text that starts it, None when it is not in that text; `argv_span` of the words alone
    inert        it only reads or prints its arguments by the grammar's word (echo, grep, git log …)
    """

    program: str
    words: tuple[Value, ...]
    subcommand: str = ""
    options: tuple[Option, ...] = ()
    operands: tuple[Value, ...] = ()
    unknown: bool = False
    environment: tuple[tuple[str, Value], ...] = ()
    effects: tuple[Effect, ...] = ()
    redirects: tuple[Effect, ...] = ()
    cwd: str | None = None
    launched_by: tuple[str, ...] = ()
    place: str = "local"
    stdin: str | None = None
    piped_from: tuple[str, ...] = ()
    piped_to: tuple[str, ...] = ()
    span: tuple[int, int] | None = None
    argv_span: tuple[int, int] | None = None
    inert: bool = False
    path: str = ""
    marks: tuple[str, ...] = ()

    def option(self, *names: str) -> Option | None:
        """The last option given under one of the canonical names, negated ones included."""
        for option in reversed(self.options):
            if option.name in names:
                return option
        return None

    def has(self, *names: str) -> bool:
        """Whether one of the options is in force: given, and not undone later."""
        return any((found := self.option(name)) is not None and not found.negated for name in names)


class Issue(Record):
    """Something in the request that could not be read or followed: `rule` is the id of the shell/* or world/* finding it becomes."""

    rule: str
    detail: str
    span: tuple[int, int] | None = None


class Reading(Record):
    """All invocations of a request in execution order as far as it is known, and what could not be read.

    `work` is what that cost, in steps; `texts` the text that the simple command at a span starts (`bash -c`, eval, a here-document for a shell), None for several.
    """

    invocations: tuple[Invocation, ...]
    issues: tuple[Issue, ...] = ()
    script: Script | None = None
    work: int = 0
    texts: Mapping[tuple[int, int] | None, Script | None] = {}


ACTIONS = ("pass", "allow", "rewrite", "ask", "deny")
"""From weakest to strictest; advice travels beside any of them."""


class Finding(Record):
    """One rule's word on one invocation. `action` is pass, advice, allow, rewrite, ask or deny. `sure` is False for a match that only may be."""

    rule: str
    action: str
    reason: str
    instead: tuple[str, ...] = ()
    invocation: int | None = None
    where: str | None = None
    sure: bool = True
    translate: str = ""
    severity: str = "normal"
    final: bool = False
    escape: bool = False
    rewrite: str = ""


class Decision(Record):
    """The answer to a request. `rewrite` is the whole new text (hook) or None; `note` goes to the person only, never to the model.

    `there` is the place that `instead` is meant for when that is not here: remote or container.
    """

    action: str = "pass"
    rule: str = ""
    reason: str = ""
    instead: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    rewrite: str | None = None
    findings: tuple[Finding, ...] = ()
    note: str = ""
    there: str = ""
