"""Options of one argv part by its grammar: spellings, abbreviations, clusters, attached values, negation."""

from __future__ import annotations

from policy.model import Option, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Entry = tuple[str, int, str]

FLAG, VALUE, ATTACHED, TWO, LAST = 0, 1, 2, 3, 4


class Taken:
    """What was read of a part: options in order with the roles of their values, operands, where reading stopped, and what stayed unclear.

    `stop` is the index of the first operand when the part stops there, else the number of words. `doubtful` counts unknown options whose
    value, if they take one, was read as an operand. `ended` tells that -- was met, `cut` that an option makes all words after it operands.
    """

    __slots__ = ("assigned", "cut", "doubtful", "ended", "operands", "options", "roles", "stop", "unknown")

    def __init__(self) -> None:
        self.options: list[Option] = []
        self.roles: list[tuple[str, Value, Option]] = []
        self.operands: list[Value] = []
        self.assigned: list[Value] = []
        self.unknown = False
        self.doubtful = 0
        self.ended = False
        self.cut = False
        self.stop = 0

    def add(
        self, entry: Entry | None, value: Value | None, written: str, *, negated: bool = False, sure: bool = True
    ) -> None:
        option = Option(entry[0] if entry else written, value, written, negated, sure)
        self.options.append(option)
        self.cut = self.cut or (entry is not None and entry[1] == LAST)
        if entry and entry[2]:
            self.roles.append((entry[2], value or Value(""), option))


class Reading:
    """One part being read: `part` says what its options are, `outer` (or None) those that the whole program shares."""

    __slots__ = ("first", "outer", "part", "taken", "words")

    def __init__(
        self, words: Sequence[Value], part: dict[str, Any], outer: dict[str, Any] | None, *, first: bool
    ) -> None:
        self.words = words
        self.part = part
        self.outer = outer
        self.first = first
        self.taken = Taken()

    def lookup(self, name: str) -> Entry | None:
        """The entry of an exact spelling."""
        entry = self.part["opts"].get(name)
        if entry is None and self.outer is not None:
            entry = self.outer["opts"].get(name)
        return entry  # type: ignore[no-any-return]

    def run(self, index: int) -> None:
        """Read from `index` to the end, to the first operand, or to an option that ends them all."""
        taken, part, words = self.taken, self.part, self.words
        count = len(words)
        while index < count:
            word = words[index]
            text = word.text
            if text is None:
                index = self.unknown(index)
                if index < 0:
                    index = -index - 1
                    break
                continue
            if text == "--" and part["dashes"]:
                taken.ended = True
                index += 1
                if not self.first:
                    taken.operands.extend(words[index:])
                    index = count
                break
            if len(text) > 1 and (text[0] == "-" or (text[0] == "+" and part["plus"])):
                index = self.option(index, text)
                if taken.cut:
                    break
                continue
            if part["assign"] and is_assignment(text):
                taken.assigned.append(word)
            elif self.first:
                break
            else:
                taken.operands.append(word)
            index += 1
        taken.stop = index

    def unknown(self, index: int) -> int:
        """A word that is not wholly known. Returns the next index, or -(index + 1) when reading stops here."""
        word, taken = self.words[index], self.taken
        known = word.known
        if known not in {"", "-", "--"} and known[0] == "-":
            name, equals, rest = known.partition("=")
            entry = self.lookup(name)
            if equals and entry:
                taken.add(entry, Value(None, rest, raw=word.raw), name)
                return index + 1
            entry = self.lookup(known[:2])
            if entry and entry[1] in {VALUE, ATTACHED, LAST} and known[1] != "-":
                taken.add(entry, Value(None, known[2:], raw=word.raw), known[:2])
                return index + 1
            taken.unknown = True
            return index + 1
        if self.part["assign"] and is_assignment(known):
            taken.assigned.append(word)
            return index + 1
        if known[:1] == "-" or (not known and not word.quoted):
            taken.unknown = True
        if self.first:
            return -index - 1
        taken.operands.append(word)
        return index + 1

    def option(self, index: int, text: str) -> int:
        """A word that begins like an option."""
        if text[0] == "-" and (text[1] == "-" or self.part["single"]):
            glued = text[1] != "-" and "=" not in text and self.part["cluster"] and len(text) > 2
            if glued and self.lookup(text) is None and self.lookup(text[:2]) is not None:
                return self.cluster(index, text)
            return self.long(index, text)
        exact = self.lookup(text)
        if exact is not None and len(text) > 2:
            return self.given(index, exact, text, None)
        return self.cluster(index, text)

    def given(self, index: int, entry: Entry, written: str, attached: Value | None) -> int:
        """An option whose entry is known: with its value, attached or from the next words."""
        arity, words, taken = entry[1], self.words, self.taken
        if arity in {FLAG, ATTACHED} or attached is not None:
            taken.add(entry, attached, written)
            return index + 1
        if index + (2 if arity == TWO else 1) >= len(words):
            taken.add(entry, None, written)
            return len(words)
        value = words[index + 1]
        taken.unknown = taken.unknown or value.splits
        taken.add(entry, value, written)
        if arity != TWO:
            return index + 2
        taken.add(entry, words[index + 2], written)
        return index + 3

    def long(self, index: int, text: str) -> int:
        """--name, --name=value, --no-name, or the same with one dash where the grammar says so."""
        name, equals, rest = text.partition("=")
        attached = Value(rest, rest, raw=self.words[index].raw) if equals else None
        entry = self.lookup(name)
        if entry is None and self.part["single"]:
            entry = self.lookup(name[1:] if name.startswith("--") else "-" + name)
        if entry is not None:
            if entry[1] == FLAG and attached is not None:
                self.taken.add(entry, attached, text, negated=rest.lower() in {"false", "0", "no", "f"})
                return index + 1
            return self.given(index, entry, name, attached)
        if self.part["neg"] and (found := self.negated(name)):
            for candidate, sure in found:
                self.taken.add(candidate, attached, name, negated=True, sure=sure)
            return index + 1
        return self.abbreviated(index, name, attached)

    def negated(self, name: str) -> list[tuple[Entry, bool]]:
        """What --no-NAME undoes, or --NAME where the option itself is called --no-NAME; abbreviations included."""
        part = self.part
        if not name.startswith("--no-"):
            exact = self.lookup("--no-" + name[2:])
            return [(exact, True)] if exact else []
        exact = self.lookup("--" + name[5:])
        if exact:
            return [(exact, True)]
        if not part["abbr"] or any(long.startswith(name) for long in part["longs"]):
            return []
        found = {part["opts"][long] for long in part["longs"] if long.startswith("--" + name[5:])}
        return [(entry, len(found) == 1) for entry in sorted(found)]

    def abbreviated(self, index: int, name: str, attached: Value | None) -> int:
        """A long option that is no exact spelling: what it may be short for, each unsure when there are several."""
        entries: list[Entry] = []
        if self.part["abbr"] and len(name) > 2:
            for part in (self.part, self.outer):
                if part is not None and not entries:
                    entries = sorted({part["opts"][long] for long in part["longs"] if long.startswith(name)})
        if len(entries) == 1:
            return self.given(index, entries[0], name, attached)
        for entry in entries:
            self.taken.add(entry, attached, name, sure=False)
        if not entries:
            self.taken.add(None, attached, name)
        if attached is None:
            self.taken.doubtful += 1
        return index + 1

    def cluster(self, index: int, text: str) -> int:
        """-abc: flags up to the first one that takes a value, which is the rest of the word or the next one."""
        if not self.part["cluster"]:
            return self.alone(index, text)
        sign, taken = text[0], self.taken
        for place in range(1, len(text)):
            entry = self.lookup(sign + text[place])
            if entry is None:
                if text[place].isdigit() and place == 1:
                    taken.add(None, None, text)
                    return index + 1
                taken.add(None, None, sign + text[place])
                taken.doubtful += place == len(text) - 1
                continue
            if entry[1] == FLAG:
                taken.add(entry, None, sign + text[place])
                continue
            rest = text[place + 1 :]
            if not rest:
                return self.given(index, entry, sign + text[place], None)
            if rest[0] == "=" and self.outer is not None:
                rest = rest[1:]
            taken.add(entry, Value(rest, rest, raw=self.words[index].raw), sign + text[place])
            return index + 1
        return index + 1

    def alone(self, index: int, text: str) -> int:
        """A short option of a program that has no clusters; its value may be attached."""
        entry = self.lookup(text[:2])
        if entry is None or (len(text) > 2 and entry[1] == FLAG):
            self.taken.add(None, None, text)
            self.taken.doubtful += 1
            return index + 1
        rest = text[3:] if text[2:3] == "=" else text[2:]
        return self.given(index, entry, text[:2], Value(rest, rest) if rest else None)


def take(
    words: Sequence[Value], start: int, part: dict[str, Any], outer: dict[str, Any] | None, *, first: bool
) -> Taken:
    """Read `words` from `start` by `part`, falling back to the options of `outer`; with `first`, stop at the first operand."""
    reading = Reading(words, part, outer, first=first)
    reading.run(start)
    return reading.taken


def is_assignment(text: str) -> bool:
    """Whether a word reads as NAME=value; env, sudo and make take any name that is not empty."""
    return text.find("=") > 0
