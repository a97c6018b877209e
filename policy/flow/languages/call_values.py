"""What arguments of calls are: strings and their parts, constants, lists, globs, the home directory."""

from __future__ import annotations

from policy.flow.languages.tokens import tokens
from policy.flow.state import LONGEST
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.flow.languages.calls import Finder

UNKNOWN = Value(None, quoted=True)
CONJUNCTIONS = frozenset({"or", "and", "if", "unless", "for", "foreach", "while", "do", "then"})
ENDED_BY_WORDS = frozenset({"perl", "ruby", "php"})
GLOBS = {"perl": ("glob",), "php": ("glob", "scandir"), "ruby": ("glob", "children", "entries", "each_child", "Dir"), "node": ("globSync", "readdirSync", "readdir")}  # fmt: skip
BARE = frozenset({"scandir", "children", "entries", "each_child", "readdirSync", "readdir"})
"""Those that give names without their directory."""
HOMES = frozenset(
    {
        "process.env.HOME", "process.env[HOME]", "os.homedir()", "homedir()", "require(os).homedir()", "Deno.env.get(HOME)", "Dir.home", "ENV[HOME]",
        "$ENV{HOME}", "getenv(HOME)", "$_SERVER[HOME]", "ENVIRON[HOME]", "os.getenv(HOME)",
    }
)  # fmt: skip
JOINS = frozenset({"path.join", "path.resolve", "File.join", "File.expand_path", "Path.join"})
REACH = 8
SPREADS = frozenset({"*", "@", "&", "\\", ".", "..."})


def arguments(finder: Finder, index: int, *, lists: bool = False) -> list[Value]:
    """The values of the arguments of the call at `index`; with `lists`, those of list literals one by one."""
    at = index + 1
    wrapped = finder.sign(at) == "("
    at += wrapped
    if finder.language == "perl" and finder.sign(at) == "{":
        at = after_list(finder, at)
    values: list[Value] = []
    while at < len(finder.found):
        if finder.sign(at) in {"[", "("}:
            if lists or not values:
                at += 1
                continue
            values.append(UNKNOWN)
            at = after_list(finder, at)
        if finder.sign(at) == "{":
            at = after_list(finder, at)
            continue
        if finder.sign(at) in {")", ";", "}", "]"} or (finder.sign(at) == "\n" and not wrapped):
            break
        if _conjunction(finder, at):
            break
        more, at = _next(finder, at)
        values += more
        while finder.sign(at) in {",", "\n", "]"}:
            at += 1
    return values


def _next(finder: Finder, at: int) -> tuple[list[Value], int]:
    """The values of the expression at `at`, several for the name of a list, and where it ends."""
    if finder.sign(at) in SPREADS and at + 1 < len(finder.found) and finder.found[at + 1][1] in finder.lists:
        at += 1
    kind, name, _ = finder.found[at]
    if kind == "word" and name in finder.lists and finder.sign(at + 1) not in {".", "[", "("}:
        return finder.lists[name], at + 1
    held, end = expression(finder, at)
    return ([held], end) if end > at else ([], at + 1)


def _conjunction(finder: Finder, at: int) -> bool:
    kind, text, _ = finder.found[at]
    return kind == "word" and text in CONJUNCTIONS and finder.language in ENDED_BY_WORDS


def after_list(finder: Finder, at: int) -> int:
    """The index behind the bracket that closes the one at `at`."""
    depth = 0
    while at < len(finder.found):
        finder.actions.step(1)
        depth += finder.sign(at) in {"[", "(", "{"}
        depth -= finder.sign(at) in {"]", ")", "}"}
        at += 1
        if depth <= 0:
            break
    return at


def expression(finder: Finder, at: int) -> tuple[Value, int]:
    """Strings, known variables, globs and their concatenation; returns the value and where it ends."""
    whole, sure, known, glob, begun = "", "", True, False, at
    while at < len(finder.found):
        finder.actions.step(1)
        kind, text, value = finder.found[at]
        ends = kind == "sign" and text in ",;)]}\n|&"
        if ends or _conjunction(finder, at) or (finder.language == "other" and at > begun):
            break
        held, end = _special(finder, at)
        if held is None and kind == "sign":
            known = known and (text in {"+", "."} or (at == begun and text in SPREADS))
            at = after_list(finder, at) if not known and text in "([{" else at + 1
            continue
        if held is None:
            held, end = _plain(finder, kind, text, value), at + 1
        if known:
            whole += held.known if held.text is None else held.text
            sure = sure if glob else sure + held.known
            glob = glob or held.glob
            known = held.text is not None and len(whole) <= LONGEST
        at = end
    return Value(whole if known and at > begun else None, sure, glob, quoted=True), at


def _plain(finder: Finder, kind: str, text: str, value: Value) -> Value:
    if kind in {"string", "command"}:
        return value if value.text is not None or not value.raw else resolved(finder, value)
    return finder.known.get(text, Value(text, text) if text.isdigit() else UNKNOWN)


def _special(finder: Finder, at: int) -> tuple[Value | None, int]:
    """A glob, the home directory or joined paths that begin here, None for anything else."""
    kind, text, _ = finder.found[at]
    if kind == "word":
        owned = finder.sign(at + 1) == "." and at + 2 < len(finder.found) and text != "Dir"
        place = at + 2 if owned and finder.found[at + 2][1] in GLOBS.get(finder.language, ()) else at
        if finder.found[place][1] in GLOBS.get(finder.language, ()) and (found := globbed(finder, place)) is not None:
            return found
        return _named(finder, at)
    if kind == "sign" and text == "<" and finder.language == "perl":
        end = next((i for i in range(at + 1, min(at + 24, len(finder.found))) if finder.sign(i) == ">"), 0)
        inner = "".join(token[1] for token in finder.found[at + 1 : end])
        if end and any(mark in inner for mark in "*?/~{"):
            return Value(inner, inner.partition("*")[0], glob=True, quoted=True), end + 1
    return None, at


def globbed(finder: Finder, at: int) -> tuple[Value, int] | None:
    """The pattern that a call of glob and its like, or Ruby's Dir[…], stands for, and where it ends."""
    name, first = finder.found[at][1], at + 1
    if name == "Dir" and finder.sign(first) == "." and finder.found[first + 1 : first + 2]:
        first += 2 if finder.found[first + 1][1] in GLOBS["ruby"] else 0
        name = finder.found[first - 1][1]
    opened = finder.sign(first) in {"(", "["}
    end = after_list(finder, first) if opened else first + 1
    if first + opened >= len(finder.found) or (name == "Dir" and not opened):
        return None
    held, stop = expression(finder, first + opened)
    if name in BARE:
        return Value("*", "", glob=True, quoted=True), end
    if held.text is None:
        return None
    return Value(held.text, held.text.partition("*")[0], glob=True, quoted=True), end if opened else stop


def _named(finder: Finder, at: int) -> tuple[Value | None, int]:
    joined = ""
    for end in range(at, min(at + REACH, len(finder.found))):
        kind, text, value = finder.found[end]
        joined += (value.text or "?") if kind == "string" else text
        if joined in HOMES and finder.sign(end + 1) + finder.found[min(end + 2, len(finder.found) - 1)][1] != ".get":
            home = finder.actions.walk.home(finder.actions.state)
            return (UNKNOWN if home is None else Value(home, home, quoted=True)), end + 1
        if joined in JOINS and finder.sign(end + 1) == "(":
            parts = arguments(finder, end)
            texts = [part.text for part in parts]
            if texts and None not in texts:
                whole = "/".join(text for text in texts if text)
                return Value(whole, whole, any(part.glob for part in parts), quoted=True), after_list(finder, end + 1)
    return None, at


def resolved(finder: Finder, value: Value) -> Value:
    """A string with interpolations, as far as these are known."""
    raw, whole, index, glob = value.raw, "", 0, False
    while index < len(raw):
        inner, end = _interpolated(finder, raw, index)
        if not end:
            index += raw[index] == "\\" and index + 1 < len(raw)
            whole += raw[index]
            index += 1
            continue
        if not inner:
            return Value(None, whole, quoted=True)
        saved, finder.found = finder.found, tokens(inner, finder.language)
        held, _ = expression(finder, 0)
        finder.found = saved
        if held.text is None:
            return Value(None, whole + held.known, quoted=True)
        whole, index, glob = whole + held.text, end, glob or held.glob
    return Value(whole, whole.partition("*")[0] if glob else whole, glob, quoted=True)


def _interpolated(finder: Finder, raw: str, index: int) -> tuple[str, int]:
    """The expression that is put in here and where it ends; ("", 0) for plain text."""
    mark, following = raw[index], raw[index + 1 : index + 2]
    opening = {"node": "${", "ruby": "#{"}.get(finder.language)
    if opening:
        end = raw.find("}", index) if raw.startswith(opening, index) else -1
        return (raw[index + 2 : end], end + 1) if end > 0 else ("", 0)
    if mark == "{" and following == "$" and finder.language == "php":
        end = raw.find("}", index)
        return raw[index + 1 : end], end + 1 if end > 0 else 0
    if mark not in "$@" or not (following.isalpha() or following in {"{", "_"}):
        return "", 0
    if following == "{":
        end = raw.find("}", index)
        return "$" + raw[index + 2 : end], end + 1 if end > 0 else 0
    end = index + 1
    while end < len(raw) and (raw[end].isalnum() or raw[end] == "_"):
        end += 1
    if raw[index:end] == "$ENV" and raw[end : end + 6] == "{HOME}":
        end += 6
    return raw[index:end], end
