"""Our sentences. Names that come from outside are quoted, escaped and cut, so that nobody speaks with our voice. On the hot path."""

from __future__ import annotations

from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.compiled import Rule
    from policy.model import Decision, Effect, Invocation, Issue, Request, Value
    from policy.rules.fact import FactResult

WIDTH, SHOWN = 40, 3
UNKNOWN = "__gatepost_unknown__"
"""What stands for an unknown part where text that is only partly known was read again."""
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_")
TROUBLE = {
    "shell/unparsed": "the shell text could not be read, so what it would run is not known",
    "shell/too-large": "the request is too large to be judged whole; split it",
    "shell/too-deep": "the request is nested too deeply to be judged whole; write it flatter",
    "shell/unknown-program": "which program would run is not known before it runs; name it",
}


def quote(name: str, width: int = WIDTH) -> str:
    """A name from outside: in double quotes, control and direction characters escaped, at most `width` characters of it."""
    return _in_quotes(name if len(name) <= width else name[: width - 1] + "…")


def folder(path: str, width: int = 80) -> str:
    """A directory from outside, as quote(); of a long one the end, which tells it from its neighbours."""
    return _in_quotes(path if len(path) <= width else "…" + path[1 - width :])


def _in_quotes(text: str) -> str:
    return '"' + "".join(_visible(c) for c in text) + '"'


def _visible(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    return character if character.isprintable() else ascii(character)[1:-1]


def names(given: tuple[str, ...], total: int = 0) -> str:
    """At most three names, and how many more there are."""
    shown = ", ".join(quote(name) for name in given[:SHOWN])
    more = max(total, len(given)) - min(len(given), SHOWN)
    return f"{shown} and {more} more" if more and shown else shown


def shell_quote(word: str) -> str:
    """The word as one shell word."""
    return word if word and all(c in PLAIN for c in word) else "'" + word.replace("'", "'\\''") + "'"


class Said(Record):
    """What a rule's texts may speak of."""

    rule: Rule
    invocation: Invocation
    effects: tuple[Effect, ...]
    facts: tuple[FactResult, ...]
    options: tuple[str, ...]
    request: Request

    def instead(self) -> tuple[str, ...]:
        """What to run where the request runs: what a fact suggests, else the rule's `instead` with every placeholder filled in and shell-quoted.

        Those with an unknown, empty or unprintable one are left out. What works on the directory goes there first when the command did.
        """
        suggested = tuple(text for fact in self.facts for text in fact.instead)
        filled = (_filled(text, self._words()) for text in self.rule.instead)
        return tuple(map(self._there, suggested or tuple(text for text in filled if text is not None)))

    def _there(self, text: str) -> str:
        here, there = self.request.cwd, self.invocation.cwd
        if not here or not there or here == there or self.invocation.place != "local" or not text.startswith(DIRECTED):
            return text
        inside = there[len(here.rstrip("/")) + 1 :] if there.startswith(here.rstrip("/") + "/") else there
        return f"cd {shell_quote(inside)} && {text}" if inside.isprintable() else text

    def text(self, text: str) -> str:
        """A sentence of the rule with its placeholders filled in; unknown ones become "…"."""
        if "{" not in text:
            return text
        words = self._words()
        for name in PLACEHOLDERS:
            if f"{{{name}}}" in text:
                given = words.get(name)
                text = text.replace(f"{{{name}}}", "…" if given is None else names(tuple(given), self.total()))
        return text

    def total(self) -> int:
        """How many things the facts found."""
        return max((fact.total for fact in self.facts), default=0)

    def _words(self) -> dict[str, tuple[str, ...] | None]:
        invocation = self.invocation
        operands = _known(invocation.operands)
        found = tuple(name for fact in self.facts for name in fact.names)
        value = next((o.value for o in reversed(invocation.options) if o.name in self.options and o.value), None)
        path = next((e.path for e in self.effects if e.path), None) if invocation.place == "local" else None
        return {
            "program": (invocation.program,),
            "subcommand": tuple(invocation.subcommand.split()),
            "operand": operands[:1] if operands else None,
            "operands": operands,
            "path": None if path is None else (_plain(path),),
            "names": found or None,
            "where": None if invocation.cwd is None else (invocation.cwd,),
            "value": None if value is None or value.text is None else (value.text,),
            "command": _known(invocation.words),
        }


DIRECTED = ("git ", "jj ", "uv ", "terraform ", "just ", "make ", "npm ", "task ", "./")
"""What these do depends on the directory."""
PLACEHOLDERS = ("program", "subcommand", "operand", "operands", "path", "names", "where", "value", "command")


def _plain(path: str) -> str:
    """A path without the parts that a pattern stands in: the folder that it looks into."""
    parts = path.split("/")
    first = next((at for at, part in enumerate(parts) if any(sign in part for sign in "*?[")), len(parts))
    return "/".join(parts[:first]) or "/"


def _known(values: tuple[Value, ...]) -> tuple[str, ...] | None:
    known = tuple(v.text for v in values if v.text is not None)
    return known if len(known) == len(values) else None


def _filled(text: str, words: dict[str, tuple[str, ...] | None]) -> str | None:
    if "{" not in text:
        return text
    for name in PLACEHOLDERS:
        if f"{{{name}}}" in text:
            given = words[name]
            if not given or not all(word.isprintable() for word in given):
                return None
            text = text.replace(f"{{{name}}}", " ".join(map(shell_quote, given)))
    return text


def command(invocation: Invocation) -> str:
    """The command as it is named in a message: its words as a shell would take them, unknown ones as written, cut at 60 characters."""
    words = [_word(v, away=invocation.place != "local") for v in invocation.words]
    if words and invocation.words[0].text:
        words[0] = invocation.words[0].text.rpartition("/")[2] or words[0]
    return quote(" ".join(words), 60)


def _word(value: Value, *, away: bool = False) -> str:
    if away and value.raw[:1] == "~":  # somebody else's home is not known here
        return value.raw
    if value.text is not None:
        return value.text if value.glob else shell_quote(value.text)
    return value.raw if value.raw and UNKNOWN not in value.raw else "…"


def reason(said: Said, *, sure: bool) -> str:
    """What was refused, where, what was found there, and why in one clause."""
    rule, invocation = said.rule, said.invocation
    if invocation.program.startswith("@"):
        refused = f"{invocation.program[1:]} of {names(tuple(e.path for e in said.effects if e.path)) or 'a file'}"
    else:
        refused = command(invocation)
    place = "" if invocation.place == "local" else f" ({invocation.place})"
    where = f" in {folder(invocation.cwd)}" if invocation.cwd and invocation.place == "local" else place
    onto = names(tuple(e.path for e in said.effects if e.path and e in invocation.redirects))
    refused += f" onto {onto}" if onto and not invocation.program.startswith("@") else ""
    found = "; ".join(_found(fact) for fact in said.facts if fact.note or fact.names)
    doubt = "" if sure else " (as far as it can be told)"
    return f"{refused}{where}: {said.text(rule.summary)}{doubt}{': ' + found if found else ''} - {said.text(rule.why)}"


def _found(fact: FactResult) -> str:
    listed = names(fact.names, fact.total)
    return f"{fact.note} ({listed})" if fact.note and listed else fact.note or listed


def unanswered(invocation: Invocation, rule: Rule, why: str) -> str:
    """That it could not be found out whether a rule speaks of a command."""
    return f"{command(invocation)}: whether it {rule.summary} could not be found out ({quote(why, 80)}); name what is meant, or look first"


def issue(given: Issue) -> str:
    """What could not be read, in a sentence."""
    return (
        f"{TROUBLE.get(given.rule, 'this could not be decided')} ({quote(given.detail, 80)})"
        if given.detail
        else TROUBLE.get(given.rule, "this could not be decided")
    )


THERE = {"remote": " on that machine", "container": " in that container"}


def instead(decision: Decision) -> str:
    """What to run instead, and where when that is not here; "" for nothing."""
    if not decision.instead:
        return ""
    return (
        f"Run instead{THERE.get(decision.there, '')}: " + ", or ".join(f"`{text}`" for text in decision.instead) + "."
    )
