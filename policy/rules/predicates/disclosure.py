"""Whether a command that reads a file of secrets shows more of it than the names."""

from __future__ import annotations

from policy.rules.fact import NO, FactResult
from policy.rules.glob import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

SHOWN = ("/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/1", "/dev/fd/2")
QUIET = ("--count", "-c", "--quiet", "--silent", "-q", "--files-with-matches", "-l", "--files-without-match", "-L")


STRUCTURED = (".json", ".yml", ".yaml", ".tfstate", ".xml", ".plist")
"""Ends of names of files that are no lines of NAME=VALUE, so that what cuts at the sign shows them whole."""
NAMING = frozenset({"keys", "keys[]", "keys_unsorted", "keys_unsorted[]", "paths", "paths(scalars)", "[paths]", "[paths(scalars)]", "length", "type"})  # fmt: skip
AFTER_NAMES = frozenset(
    {".[]", 'join(".")', "map(tostring)", "length", "sort", "@tsv", "@csv", "unique", 'map(join("."))'}
)


def shows_names_only(invocation: Invocation, _world: World, question: Question, reading: Reading) -> FactResult:
    """It counts, tests, or cuts everything after the name off; or what follows in its pipeline does."""
    from policy.rules.predicates.surroundings import pipeline

    chain = (invocation, *pipeline(reading, invocation, after=True))
    structured = _structured(question)
    return FactResult(any(_keeps_back(one, structured=structured) for one in chain))


def _structured(question: Question) -> bool:
    return any((effect.path or "").endswith(STRUCTURED) for effect in question.matched)


def suggests_names(invocation: Invocation, _world: World, question: Question, _reading: Reading) -> FactResult:
    """Always; with the command that shows the names in the file and nothing else, by the kind of file that it is."""
    path = next((effect.path for effect in question.matched if effect.path and effect.path.isprintable()), None)
    if path is None or invocation.place != "local" or any(sign in path for sign in "*?["):
        return FactResult(True)
    from policy.wording import shell_quote

    if not _structured(question):
        return FactResult(True, instead=(f"cut -s -d= -f1 {shell_quote(path)}",))
    program = "yq" if path.endswith((".yml", ".yaml")) else "jq"
    return FactResult(True, instead=(f"{program} keys {shell_quote(path)}",))


def stays_secret(invocation: Invocation, world: World, question: Question, _reading: Reading) -> FactResult:
    """It only copies or moves the file to a place on this machine that is called a file of secrets, too."""
    if invocation.program not in ("cp", "mv", "install"):
        return NO
    from policy.rules.predicates.places import Place

    written = [effect for effect in invocation.effects if effect.kind in ("write", "move-to")]
    return FactResult(bool(written) and all(Place(e, invocation, world, question).belongs("secret") for e in written))


def _keeps_back(invocation: Invocation, *, structured: bool) -> bool:
    texts = [v.text or "" for v in invocation.words[1:]]
    if invocation.program in ("grep", "egrep", "fgrep", "rg", "ag", "ack"):
        return invocation.has(*QUIET) or any(text in QUIET for text in texts)
    if invocation.program == "wc":
        return True
    if invocation.program in ("jq", "yq"):
        return _only_names(invocation.operands[0].text if invocation.operands else None)
    return invocation.program == "wc" or (not structured and _cuts_off(invocation.program, texts))


def _cuts_off(program: str, texts: list[str]) -> bool:
    """Whether everything behind the sign between name and value is taken away."""
    if program == "cut":
        return any(text in ("-f1", "--fields=1") for text in texts) and any("=" in text for text in texts)
    if program in ("sed", "awk", "gawk"):
        return any("=.*" in text or "{print $1}" in text or "{ print $1 }" in text for text in texts) and any(
            "=" in text for text in texts
        )
    return False


def _only_names(program: str | None) -> bool:
    """Whether a jq program prints keys, paths, a type or a number: a path, then one of those, then what only forms them."""
    pieces = [piece.strip() for piece in (program or "").split("|")]
    while len(pieces) > 1 and pieces[0].strip(".").replace("_", "").replace(".", "").replace("[]", "").isalnum():
        pieces = pieces[1:]
    return pieces[0] in NAMING and all(piece in AFTER_NAMES for piece in pieces[1:])


def prints_variable(invocation: Invocation, _world: World, question: Question, _reading: Reading) -> FactResult:
    """A word expands a variable of one of these names, whole (not ${NAME:+text}, which only tells that it is set)."""
    for value in invocation.words[1:]:
        for part in _expanded(value.raw).split("$")[1:]:
            braced = part.startswith("{")
            name = part[1:].partition("}")[0] if braced else _name(part)
            plain = _name(name)
            operator = name[len(plain) :]
            if (
                any(matches(plain.upper(), p) for p in question.value)
                and operator[:2] not in (":+", "+")
                and not (braced and not plain)
            ):
                return FactResult(True, (plain,), 1)
    return NO


def _expanded(raw: str) -> str:
    """The word as written, without what single quotes and backslashes keep from being expanded."""
    kept: list[str] = []
    inside = ""
    position = 0
    while position < len(raw):
        character = raw[position]
        if inside == "'":
            inside = "" if character == "'" else inside
        elif character == "\\":
            position += 1
        elif character == '"':
            inside = "" if inside else '"'
        elif character == "'" and not inside:
            inside = "'"
        else:
            kept.append(character)
        position += 1
    return "".join(kept)


def _name(text: str) -> str:
    return text[: len(text) - len(text.lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"))]


def written_to_file(invocation: Invocation, _world: World, _question: Question, _reading: Reading) -> FactResult:
    """Its output goes into a file."""
    return FactResult(to_file(invocation))


def to_file(invocation: Invocation) -> bool:
    """Whether its standard output is a file, and not what the transcript shows anyway."""
    return any(
        effect.kind in ("write", "append")
        and effect.source.lstrip("0123456789") in (effect.source, effect.source.removeprefix("1"))
        and effect.path not in SHOWN
        for effect in invocation.redirects
    )
