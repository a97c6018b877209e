"""Perl, Ruby, node, PHP, Lua, awk and others by their call forms: system("…"), exec, spawn, unlink, writeFile and the like."""

from __future__ import annotations

from policy.flow.languages import call_statements
from policy.flow.languages.actions import Actions
from policy.flow.languages.call_names import bind, calls_of
from policy.flow.languages.call_tables import ARGV, CALLBACKS, DELETE, MOVE, OWNERS, READ, RECURSIVE, SHELL, WRITE
from policy.flow.languages.call_values import CONJUNCTIONS, GLOBS, arguments, expression
from policy.flow.languages.tokens import tokens
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.languages.tokens import Token
    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where

UNKNOWN = Value(None, quoted=True)
SPECIAL = frozenset({"open", "fopen", "chdir", "Command", *CALLBACKS, *(name for names in (*MOVE.values(), *READ.values()) for name in names)})  # fmt: skip


def read(walk: Walk, language: str, value: Value, arguments: Sequence[Value], state: State, where: Where) -> None:  # noqa: PLR0913, PLR0917
    """Walk the calls in the order in which they stand."""
    del arguments
    text = value.text if value.text is not None else value.known
    actions = Actions(walk, language, state.copy(), where)
    try:
        Finder(actions, language, tokens(text, language)).run()
    finally:
        actions.close()


class Finder:
    """Goes through the tokens.

    `known` and `lists` hold what variables are, `renamed` calls and modules under other names, `imported` names taken out of a module,
    `recent` the last glob or list, which a loop may go over.
    """

    def __init__(self, actions: Actions, language: str, found: list[Token]) -> None:
        self.actions = actions
        self.language = language
        self.found = found
        self.known: dict[str, Value] = {}
        self.lists: dict[str, list[Value]] = {}
        self.renamed: dict[str, str] = {}
        self.imported: set[str] = set()
        self.each: dict[str, list[Value]] = {}
        self.recent = UNKNOWN
        self.names = calls_of(language)

    def run(self) -> None:
        """All calls, backquoted commands and assignments."""
        for index, (kind, text, value) in enumerate(self.found):
            if kind == "command":
                self.actions.shell(value)
            elif kind == "word":
                self.word(index, text)
            elif kind == "string":
                self.string(index, text, value)
            elif kind == "sign" and text in {"|", ">"} and self.language == "awk":
                self.pipe(index) if text == "|" else self.printed(index)
        if self.language == "other":
            from policy.flow.languages import lines

            lines.read(self.actions, self.found)

    def word(self, index: int, name: str) -> None:
        """A word that may be a call, or that gives a name a meaning."""
        call_statements.word(self, index, name)
        if bind(self, index, name):
            return
        name = name.lstrip("@") if self.language == "php" else name
        last = self.renamed.get(name, name).rpartition("::")[2]
        if last not in self.names | SPECIAL or not self.owned(index, last):
            return
        if self.sign(index + 1) == ")" and self.sign(index + 2) == "(":
            index += 1  # promisify(exec)("…")
        if self.called(index) or (self.language == "ruby" and last == "rmtree"):
            self.call(index, last)

    def string(self, index: int, mark: str, value: Value) -> None:
        """`x["execSync"]("…")`, and $`…` of node's shells."""
        call_statements.string(self, index, value)
        if mark == "`" and index and self.found[index - 1][1] == "$":
            self.actions.shell(expression(self, index)[0])
        elif (
            self.sign(index - 1) == "["
            and self.sign(index + 1) == "]"
            and value.text in self.names
            and self.called(index + 1)
        ):
            self.call(index + 1, value.text or "")

    def call(self, index: int, last: str) -> None:
        """A call whose arguments follow the token at `index`; with a loop's variable for each that it is."""
        first = index + 1 + (self.sign(index + 1) == "(")
        variable = self.found[first][1] if first < len(self.found) else ""
        if len(self.each.get(variable, ())) > 1 and self.found[first][0] == "word":
            for value in self.each.pop(variable):
                self.known[variable] = value
                self.call(index, last)
            return
        language = self.language if self.language in SHELL else "other"
        if last in SHELL[language]:
            self.process(index, last)
        else:
            self.files(index, last, language)

    def files(self, index: int, last: str, language: str) -> None:
        """Calls that start programs without a shell, and those that change files."""
        if last in ARGV.get(language, ()):
            self.spawn(index)
        elif last in DELETE.get(language, ()):
            for argument in self.arguments(index, lists=True) or self.implied(index):
                self.actions.touch("delete", self.at_home(argument), recursive=last in RECURSIVE)
        elif last in WRITE.get(language, ()):
            written = self.arguments(index)[:1]
            if written:
                self.actions.touch("append" if last.startswith("append") else "write", written[0])
        elif last in READ.get(language, ()):
            for argument in self.arguments(index)[:1]:
                self.actions.touch("read", argument)
        else:
            self.others(index, last, language)

    def others(self, index: int, last: str, language: str) -> None:
        """Calls that move, hand on a name to be called, or open."""
        if last in MOVE.get(language, ()):
            for kind, argument in zip(("move-from", "move-to"), self.arguments(index), strict=False):
                self.actions.touch(kind, argument)
        elif last in CALLBACKS and language == "php":
            self.called_back(index)
        elif last == "Command":
            self.command(index)
        elif last in {"open", "fopen", "chdir"} and language in {"perl", "php", "ruby", "lua"}:
            self.opened(index, last)

    def arguments(self, index: int, *, lists: bool = False) -> list[Value]:
        return arguments(self, index, lists=lists)

    def implied(self, index: int) -> list[Value]:
        """Perl's `unlink for LIST`, and `unlink` alone, which takes what a loop is at; Ruby's `Pathname(PATH).rmtree`."""
        if self.language == "ruby" and self.sign(index - 2) == ")":
            at = next((i for i in range(index - 3, max(-1, index - 9), -1) if self.sign(i) == "("), -1)
            return (
                [expression(self, at + 1)[0]]
                if "Pathname" in {token[1] for token in self.found[max(0, at - 3) : at]}
                else []
            )
        if self.language != "perl":
            return []
        if self.found[index + 1 : index + 2] and self.found[index + 1][1] in {"for", "foreach"}:
            return arguments(self, index + 1, lists=True)
        return [self.known["$_"]] if "$_" in self.known else []

    def at_home(self, value: Value) -> Value:
        """A path whose tilde the language itself expands: Lisp's, and that of a glob."""
        home = self.actions.walk.home(self.actions.state)
        if home is None or (value.text or "")[:2] != "~/" or not (value.glob or self.language == "other"):
            return value
        text = home + (value.text or "")[1:]
        return Value(text, text.partition("*")[0], value.glob, quoted=True)

    def called_back(self, index: int) -> None:
        """PHP's array_map("unlink", …)."""
        name, *rest = self.arguments(index, lists=True) or [UNKNOWN]
        for argument in rest:
            if name.text in DELETE["php"]:
                self.actions.touch("delete", argument)
            elif name.text in SHELL["php"]:
                self.actions.shell(argument)

    def command(self, index: int) -> None:
        """`new Deno.Command("git", {args: […]})`."""
        at = next((i for i in range(index, min(index + 12, len(self.found))) if self.found[i][1] == "args"), 0)
        rest = arguments(self, at + 1, lists=True) if at else []
        self.actions.argv([*self.arguments(index)[:1], *rest])

    def sign(self, index: int) -> str:
        return self.found[index][1] if index < len(self.found) and self.found[index][0] == "sign" else ""

    def owned(self, index: int, name: str) -> bool:
        """Whether the object before the name is one whose method does what we think."""
        owners = OWNERS.get((self.language, name))
        before = self.found[index - 2][1] if index > 1 and self.sign(index - 1) == "." else ""
        if before == ")":
            before = "require"
        if not before and name in self.imported:
            return True
        return owners is None or before in owners or self.renamed.get(before) in owners

    def called(self, index: int) -> bool:
        """Whether arguments follow: a parenthesis, or a string or list at once where the language allows that."""
        if index + 1 >= len(self.found):
            return False
        kind, text, _ = self.found[index + 1]
        if kind == "sign" and text == "(":
            return True
        if self.language == "perl" and (text in {"<", "{", ";", "}"} or text in CONJUNCTIONS):
            return True
        return self.language in {"perl", "ruby", "other"} and (
            kind == "string"
            or (kind == "word" and (text in self.known or text in self.lists or text in GLOBS.get(self.language, ())))
        )

    def process(self, index: int, name: str) -> None:
        """One argument is shell text; several are an argv (but not in node, PHP and awk)."""
        values = self.arguments(index, lists=self.language in {"perl", "ruby"})
        if not values:
            return
        if self.sign(index + 1) == "(" and self.sign(index + 2) == "[" and self.language in {"ruby", "php"}:
            self.actions.argv(self.arguments(index + 1, lists=True))
        elif len(values) > 1 and self.language in {"perl", "ruby"} and name not in {"popen", "open"}:
            if values[0].text in {"w", "r"}:
                values = values[1:]
            self.actions.argv(values)
        elif values[0].text is not None or values[0].known:
            self.actions.shell(values[0])

    def spawn(self, index: int) -> None:
        """Node: a program and a list whose members are its arguments."""
        if self.language == "other":
            self.actions.argv([self.found[index + 1][2]])
            return
        values = self.arguments(index, lists=True)
        if len(values) == 1 and " " in (values[0].text or ""):
            self.actions.shell(values[0])
        elif values and values[0].text is not None:
            self.actions.argv(values)

    def pipe(self, index: int) -> None:
        """awk: "CMD" | getline, and print … | "CMD"."""
        if (
            index
            and self.found[index - 1][0] == "string"
            and "getline" in {token[1] for token in self.found[index + 1 : index + 3]}
        ):
            self.actions.shell(expression(self, index - 1)[0])
        elif (
            index
            and self.found[index - 1][1] in self.known
            and "getline" in {t[1] for t in self.found[index + 1 : index + 3]}
        ):
            self.actions.shell(self.known[self.found[index - 1][1]])
        elif index + 1 < len(self.found) and self.sign(index + 1) != "|" and self.sign(index - 1) != "|":
            held, _ = expression(self, index + 1)
            if held.text is not None or held.known:
                self.actions.shell(held)

    def printed(self, index: int) -> None:
        """Awk: print … > "FILE"."""
        at = index - 1
        while at >= 0 and self.sign(at) not in {";", "{", "}", "\n"}:
            if self.found[at][1] in {"print", "printf"}:
                held, _ = expression(self, index + 1 + (self.sign(index + 1) == ">"))
                if held.text is not None:
                    self.actions.touch("append" if self.sign(index + 1) == ">" else "write", held)
                return
            at -= 1

    def opened(self, index: int, name: str) -> None:
        """Open in Perl, Ruby, PHP and Lua: a mode that writes, or a text with a pipe that runs."""
        values = self.arguments(index)
        if name == "chdir" or not values:
            return
        texts = [value.text or value.known for value in values]
        for text in texts:
            stripped = text.strip()
            if stripped in {"-|", "|-"}:
                break
            if stripped.startswith("|") or (stripped.endswith("|") and len(stripped) > 1):
                self.actions.shell(Value(stripped.strip("|"), stripped.strip("|")))
                return
        if self.language == "perl":
            self.perl_open(values, texts)
        elif len(texts) > 1 and texts[1][:1] in {"w", "a", "x", "c"}:
            self.actions.touch("append" if texts[1][:1] == "a" else "write", values[0])
        else:
            self.actions.touch("read", values[0])

    def perl_open(self, values: list[Value], texts: list[str]) -> None:
        """Perl: a mode and a name apart or in one text, or a command to read from or write to."""
        for place, text in enumerate(texts):
            mode = text.strip()
            if mode in {"-|", "|-"} and place + 1 < len(values):
                self.actions.shell(values[place + 1])
                return
            if mode[:1] == ">":
                name = (
                    values[place + 1]
                    if place + 1 < len(values) and not mode.strip("> :utf8")
                    else Value(mode.strip("> "), mode.strip("> "))
                )
                self.actions.touch("append" if mode[:2] == ">>" else "write", name)
                return
