"""make: rules and variables of a makefile, expanded as far as they are plain text."""

from __future__ import annotations

from policy.flow import recipes
from policy.programs.special.words import EVALUATED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Value

NAMES = ("GNUmakefile", "makefile", "Makefile")
EXPANSIONS = 4_000
"""How many texts of one makefile are expanded; what comes after counts as unknown."""
OPERATORS = (":::=", "::=", ":=", "?=", "+=", "!=", "=")


def follow(walk: Walk, program: str, words: Sequence[Value], state: State, where: Where) -> None:
    """Walk the recipes of the goals (`words[1:]`, the first rule without any) and of what they need; `words[0]` names the file."""
    del program
    named = words[0].text if words else ""
    found = _fed(walk, state, where) if named in FED else recipes.text_of(walk, (named,) if named else NAMES, state)
    evaluated = [value.text for name, value in where.environment if name == EVALUATED and value.text]
    if evaluated:
        path, text = found or ("--eval", "")
        found = path, "\n".join([*evaluated, text])
    if found is None:
        return
    makefile = Makefile(_included(walk, found[1], state, 0))
    for name, value in where.environment:
        makefile.given[name] = value.text if value.text is not None else "$(unknown)"
    for text in makefile.at_once:
        recipes.run(walk, f"{found[0]} {text}", text, state, where)
    goals = [word.text for word in words[1:] if word.text is not None] or makefile.order[:1]
    for goal in goals[:16]:
        _goal(walk, makefile, found[0], goal, state, where)


FED = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
INCLUDES = ("include ", "-include ", "sinclude ")


def _fed(walk: Walk, state: State, where: Where) -> tuple[str, str] | None:
    """The makefile on standard input."""
    from policy.flow import stdin

    value = stdin.text(walk, state, where)
    return None if value is None or value.text is None else ("-", value.text)


def _included(walk: Walk, text: str, state: State, depth: int) -> str:
    """A makefile with those that it includes by plain names in their place."""
    if depth > 3 or not any(word in text for word in INCLUDES):
        return text
    lines = []
    for line in text.split("\n"):
        named = line.split()[1:9] if line.startswith(INCLUDES) else []
        found = [recipes.text_of(walk, (name,), state) for name in named]
        lines += [_included(walk, one[1], state, depth + 1) for one in found if one is not None] if named else [line]
    return "\n".join(lines)


def _goal(walk: Walk, makefile: Makefile, path: str, goal: str, state: State, where: Where) -> None:  # noqa: PLR0913, PLR0917
    key = f"goal {path} {goal}"
    rule = makefile.rules.get(goal)
    if rule is None or key in walk.active or len(walk.active) > 20:
        return
    active = walk.active
    walk.active = (*active, key)
    needs, lines = rule
    for need in makefile.expanded(needs, goal).split()[:32]:
        _goal(walk, makefile, path, need, state, where)
    for line in lines:
        if "dry-run" in where.marks and not _always(line):
            continue
        text = makefile.expanded(line, goal).lstrip("@-+ \t")
        recipes.run(walk, f"{path} {goal} {text}", text, state, where)
    walk.active = active


def _always(line: str) -> bool:
    """Whether a recipe line runs even where recipes are only shown."""
    head = line[: len(line) - len(line.lstrip("@-+ \t"))]
    return "+" in head or "$(MAKE)" in line or "${MAKE}" in line


class Makefile:
    """Rules (target to needs and recipe lines), variables, and shell texts that run while the file is read."""

    def __init__(self, text: str) -> None:
        self.rules: dict[str, tuple[str, list[str]]] = {}
        self.order: list[str] = []
        self.variables: dict[str, str] = {}
        self.given: dict[str, str] = {}
        self.at_once: list[str] = []
        self.left = EXPANSIONS
        lines: list[str] = []
        for line in text.replace("\\\n", " ").split("\n"):
            if line.startswith("\t"):
                if line.strip():
                    lines.append(line.strip())
                continue
            line = _uncommented(line)  # noqa: PLW2901
            if not line.strip():
                continue
            lines = self._line(line)

    def _line(self, line: str) -> list[str]:
        """A line that is no recipe; returns the list that following recipe lines belong to."""
        if (assigned := _assignment(line)) is not None:
            name, operator, value = assigned
            if operator == "+=":
                value = f"{self.variables.get(name, '')} {value}".strip()
            if operator == "!=":
                self.at_once.append(value)
                value = "$(unknown)"
            if operator != "?=" or name not in self.variables:
                self.variables[name] = value
            if operator in {":=", "::=", ":::="} or "$(shell" not in value:
                self._shells(value)
            return []
        self._shells(line)
        targets, colon, rest = line.partition(":")
        if not colon or not targets.strip():
            return []
        needs, _, inline = rest.lstrip(":").partition(";")
        lines = [inline.strip()] if inline.strip() else []
        for target in self.expanded(targets, "").split():
            before = self.rules.get(target)
            if before is not None:
                before[1].extend(lines)
                self.rules[target] = (f"{before[0]} {needs}", before[1])
                lines = before[1]
            else:
                self.rules[target] = (needs, lines)
            if target[:1] != "." and "%" not in target:
                self.order.append(target)
        return lines

    def _shells(self, value: str) -> None:
        place = value.find("$(shell ")
        if place >= 0:
            self.at_once.append(self.expanded(value[place + 8 : _closing(value, place + 2)], ""))

    def expanded(self, text: str, target: str, depth: int = 0) -> str:
        """Text with variables put in; what is not followed becomes an unknown shell word."""
        if "$" not in text or depth > 8:
            return text
        self.left -= 1
        if self.left < 0:
            return "$$" + recipes.UNKNOWN
        parts: list[str] = []
        index = 0
        while index < len(text):
            if text[index] != "$" or index + 1 >= len(text):
                parts.append(text[index])
                index += 1
                continue
            mark = text[index + 1]
            if mark == "$":
                parts.append("$")
                index += 2
            elif mark in "({":
                end = _closing(text, index + 2)
                parts.append(self._reference(text[index + 2 : end], target, depth))
                index = end + 1
            else:
                parts.append(target if mark == "@" else self.expanded(self._variable(mark), target, depth + 1))
                index += 2
        return "".join(parts)

    def _reference(self, inner: str, target: str, depth: int) -> str:
        if inner.startswith("shell "):
            return f"$({self.expanded(inner[6:], target, depth + 1)})"
        if inner in {"@", "MAKE"}:
            return target if inner == "@" else "make"
        if " " in inner or "," in inner or ":" in inner:
            return f"${recipes.UNKNOWN}"
        return self.expanded(self._variable(self.expanded(inner, target, depth + 1)), target, depth + 1)

    def _variable(self, name: str) -> str:
        value = self.given.get(name, self.variables.get(name))
        if value == "$(unknown)" or (value is None and name in {"unknown", "<", "^", "*", "?", "+", "|"}):
            return "$$" + recipes.UNKNOWN
        if value is None:
            return DEFAULTS.get(name, f"$${{{name}}}" if name.isupper() else "")
        return value


DEFAULTS = {"RM": "rm -f", "CC": "cc", "CXX": "g++", "AR": "ar", "SHELL": "/bin/sh", "CURDIR": ".", "PWD": "."}


def _uncommented(line: str) -> str:
    place = line.find("#")
    return line if place < 0 or line[place - 1 : place] == "\\" else line[:place]


def _assignment(line: str) -> tuple[str, str, str] | None:
    """Name, operator and value of an assignment; None for any other line."""
    head = line.strip()
    for word in ("export ", "override ", "unexport ", "private "):
        head = head.removeprefix(word)
    end = 0
    while end < len(head) and (head[end].isalnum() or head[end] in "_-."):
        end += 1
    rest = head[end:].lstrip()
    for operator in OPERATORS:
        if end and rest.startswith(operator):
            return head[:end], operator, rest[len(operator) :].strip()
    return None


def _closing(text: str, index: int) -> int:
    """The index of the parenthesis or brace that ends a reference which began before `index`."""
    depth = 1
    while index < len(text):
        depth += text[index] in "({"
        depth -= text[index] in ")}"
        if depth == 0:
            return index
        index += 1
    return len(text)
