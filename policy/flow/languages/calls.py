"""Perl, Ruby, node, PHP, Lua, awk and others by their call forms: system("…"), exec, spawn, unlink, writeFile and the like."""

from __future__ import annotations

from policy.flow.languages.actions import Actions
from policy.flow.languages.call_tables import ARGV, DELETE, OWNERS, READ, RECURSIVE, SHELL, WRITE
from policy.flow.languages.tokens import tokens
from policy.flow.state import LONGEST
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.languages.tokens import Token
    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where

UNKNOWN = Value(None, quoted=True)


def read(walk: Walk, language: str, value: Value, arguments: Sequence[Value], state: State, where: Where) -> None:  # noqa: PLR0913, PLR0917
    """Walk the calls in the order in which they stand."""
    del arguments
    text = value.text if value.text is not None else value.known
    actions = Actions(walk, language, state.copy(), where)
    try:
        Finder(actions, language, tokens(text, language)).run()
    finally:
        actions.finish()


class Finder:
    """Goes through the tokens; `known` holds constants given to variables by plain assignments."""

    def __init__(self, actions: Actions, language: str, found: list[Token]) -> None:
        self.actions = actions
        self.language = language
        self.found = found
        self.known: dict[str, Value] = {}

    def run(self) -> None:
        """All calls, backquoted commands and assignments."""
        for index, (kind, text, value) in enumerate(self.found):
            if kind == "command":
                self.actions.shell(value)
            elif kind == "word":
                self.word(index, text)
            elif kind == "sign" and text in {"|", ">"} and self.language == "awk":
                self.pipe(index) if text == "|" else self.printed(index)
        if self.language == "other":
            from policy.flow.languages import lines

            lines.read(self.actions, self.found)

    def word(self, index: int, name: str) -> None:
        """A word that may be a call, or a variable that is given a constant."""
        if self.sign(index + 1) == "=" and self.sign(index + 2) not in {"=", "~"}:
            held, _ = self.expression(index + 2)
            if held.text is not None or held.known:
                self.known[name] = held
            return
        last = name.rpartition("::")[2]
        language = self.language if self.language in SHELL else "other"
        if not self.owned(index, last) or not self.called(index):
            return
        if last in SHELL[language]:
            self.process(index, last)
        else:
            self.files(index, last, language)

    def files(self, index: int, last: str, language: str) -> None:
        """Calls that start programs without a shell, and those that change files."""
        if last in ARGV.get(language, ()):
            self.spawn(index)
        elif last in DELETE.get(language, ()):
            for argument in self.arguments(index, lists=True):
                self.actions.touch("delete", argument, recursive=last in RECURSIVE)
        elif last in WRITE.get(language, ()):
            written = self.arguments(index)[:1]
            if written:
                self.actions.touch("append" if last.startswith("append") else "write", written[0])
        elif last in READ.get(language, ()):
            for argument in self.arguments(index)[:1]:
                self.actions.touch("read", argument)
        elif last in {"open", "fopen", "chdir"} and language in {"perl", "php", "ruby", "lua"}:
            self.opened(index, last)

    def sign(self, index: int) -> str:
        return self.found[index][1] if index < len(self.found) and self.found[index][0] == "sign" else ""

    def owned(self, index: int, name: str) -> bool:
        """Whether the object before the name is one whose method does what we think."""
        owners = OWNERS.get((self.language, name))
        before = self.found[index - 2][1] if index > 1 and self.sign(index - 1) == "." else ""
        if before == ")":
            before = "require"
        if (
            self.language == "node"
            and name == "exec"
            and before not in {"", "child_process", "cp", "require", "shell", "shelljs", "sh"}
        ):
            return False
        return owners is None or before in owners

    def called(self, index: int) -> bool:
        """Whether arguments follow: a parenthesis, or a string or list at once where the language allows that."""
        if index + 1 >= len(self.found):
            return False
        kind, text, _ = self.found[index + 1]
        if kind == "sign" and text == "(":
            return True
        return self.language in {"perl", "ruby", "other"} and (
            kind == "string" or (kind == "word" and text in self.known)
        )

    def arguments(self, index: int, *, lists: bool = False) -> list[Value]:
        """The values of the arguments of the call at `index`; with `lists`, those of list literals one by one."""
        at = index + 1
        wrapped = self.sign(at) == "("
        at += wrapped
        values: list[Value] = []
        while at < len(self.found):
            if self.sign(at) in {"[", "("}:
                if lists or not values:
                    at += 1
                    continue
                values.append(UNKNOWN)
                at = self.after_list(at)
            if self.sign(at) == "{":
                at = self.after_list(at)
                continue
            if self.sign(at) in {")", ";", "}", "]"} or (self.sign(at) == "\n" and not wrapped):
                break
            held, end = self.expression(at)
            if end > at:
                values.append(held)
            at = end if end > at else at + 1
            while self.sign(at) in {",", "\n", "]"}:
                at += 1
        return values

    def after_list(self, at: int) -> int:
        depth = 0
        while at < len(self.found):
            self.actions.step(1)
            depth += self.sign(at) in {"[", "(", "{"}
            depth -= self.sign(at) in {"]", ")", "}"}
            at += 1
            if depth <= 0:
                break
        return at

    def expression(self, at: int) -> tuple[Value, int]:
        """Strings, known variables and their concatenation; returns the value and where it ends."""
        whole, known, begun = "", True, at
        while at < len(self.found):
            self.actions.step(1)
            kind, text, value = self.found[at]
            if kind == "sign" and text in ",;)]}\n|&":
                break
            if kind == "sign":
                known = known and text in {"+", "."}
                if not known and text in "([{":
                    at = self.after_list(at)
                    continue
                at += 1
                continue
            held = (
                value
                if kind in {"string", "command"}
                else self.known.get(text, Value(text, text) if text.isdigit() else UNKNOWN)
            )
            if known:
                whole += held.known if held.text is None else held.text
                known = held.text is not None and len(whole) <= LONGEST
            at += 1
        return (Value(whole if known and at > begun else None, whole, quoted=True), at)

    def process(self, index: int, name: str) -> None:
        """One argument is shell text; several are an argv (but not in node, PHP and awk)."""
        values = self.arguments(index, lists=self.language in {"perl", "ruby"})
        if not values:
            return
        if len(values) > 1 and self.language in {"perl", "ruby"} and name not in {"popen", "open"}:
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
        if values and values[0].text is not None:
            self.actions.argv(values)

    def pipe(self, index: int) -> None:
        """awk: "CMD" | getline, and print … | "CMD"."""
        if (
            index
            and self.found[index - 1][0] == "string"
            and index + 1 < len(self.found)
            and self.found[index + 1][1] == "getline"
        ):
            self.actions.shell(self.found[index - 1][2])
        elif index + 1 < len(self.found) and self.sign(index + 1) != "|" and self.sign(index - 1) != "|":
            held, _ = self.expression(index + 1)
            if held.text is not None or held.known:
                self.actions.shell(held)

    def printed(self, index: int) -> None:
        """Awk: print … > "FILE"."""
        at = index - 1
        while at >= 0 and self.sign(at) not in {";", "{", "}", "\n"}:
            if self.found[at][1] in {"print", "printf"}:
                held, _ = self.expression(index + 1 + (self.sign(index + 1) == ">"))
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
