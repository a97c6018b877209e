"""Paths that begin with a variable."""

from __future__ import annotations

from policy.rules.fact import NO, FactResult
from policy.rules.predicates.find_tests import finder_of
from policy.rules.predicates.well_known import CACHE, CACHE_GLOBS, TEMPORARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading, Value
    from policy.rules.fact import Question
    from policy.world import World

TOPS = (
    "bin",
    "boot",
    "dev",
    "etc",
    "home",
    "lib",
    "lib64",
    "opt",
    "root",
    "sbin",
    "srv",
    "usr",
    "var",
    "Users",
    "mnt",
    "data",
)


def empty_variable(invocation: Invocation, _world: World, question: Question, reading: Reading) -> FactResult:
    """A path is `$NAME/`, `$NAME/*` or `$NAME/etc`, and nothing is known of NAME: empty, it means the root of the file system."""
    for value in _values(invocation, question):
        if value.text is None and not value.known and _ends_at_root(value.raw):
            return FactResult(True, (value.raw,), 1, "its variable is not known")
        if value.text is None and invocation.launched_by and (raw := _in_the_launcher(invocation, question, reading)):
            return FactResult(True, (raw,), 1, "its variable is not known")
    return NO


def _in_the_launcher(invocation: Invocation, question: Question, reading: Reading) -> str:
    """The path as it stands in the text that a launcher was given (`ssh host "rm -rf $DIR/*"`)."""
    for earlier in reversed(reading.invocations[: question.position]):
        if earlier.program == invocation.launched_by[-1]:
            words = (word for value in earlier.words if value.text is None for word in value.raw.split())
            return next((word.strip("\"'") for word in words if _ends_at_root(word)), "")
    return ""


def _values(invocation: Invocation, question: Question) -> list[Value]:
    """The words behind the matched effects, or all operands where an effect does not tell."""
    found = [effect.value for effect in question.matched if effect.path is None and effect.value is not None]
    return found or list(invocation.operands)


def _ends_at_root(raw: str) -> bool:
    text = raw.replace('"', "").replace("'", "")
    if not text.startswith("$") or ":?" in text:
        return False
    if text.startswith("${"):
        name, _, rest = text[2:].partition("}")
        if not name.replace("_", "a").isalnum():
            return False
    else:
        rest = text[1:].lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
    return rest.startswith("/") and (not rest.strip("/*.?") or rest.strip("/*").split("/")[0] in TOPS)


def guarded_variable(invocation: Invocation, _world: World, question: Question, reading: Reading) -> FactResult:
    """The shell itself stops when the variable is empty (${NAME:?}), in the path or in the directory that was changed to."""
    unknown = [value for value in _values(invocation, question) if value.text is None]
    if unknown:
        return FactResult(all(":?" in value.raw for value in unknown))
    moves = [one for one in reading.invocations[: question.position] if one.program in ("cd", "pushd")]
    return FactResult(bool(moves) and any(":?" in value.raw for value in moves[-1].words))


TEMPORARY_NAMES = (
    "TMPDIR",
    "TMP",
    "TEMP",
    "TEMPDIR",
    "RUNNER_TEMP",
    "XDG_RUNTIME_DIR",
    "BATS_TMPDIR",
    "BATS_TEST_TMPDIR",
    "PYTEST_TMPDIR",
)


def temporary_variable(invocation: Invocation, _world: World, question: Question, _reading: Reading) -> FactResult:
    """Every unknown path is something below a temporary folder: "$TMPDIR/build", or "/tmp/build-$$" where only a number is not known."""
    values = _values(invocation, question)
    return FactResult(
        bool(values)
        and all(_is_named(value) or _is_temporary(value.raw) or _is_numbered(value.raw) for value in values)
    )


def _is_named(value: Value) -> bool:
    """Whether the word is known and names something: `*` in a folder that is not known is everything there."""
    return value.text is not None and bool(value.text.strip("./*"))


NUMBERS = ("RANDOM", "SRANDOM", "BASHPID", "PPID", "UID", "EUID", "EPOCHSECONDS", "SECONDS", "LINENO")
"""Parameters whose value is digits alone, as $$ is."""


def _is_numbered(raw: str) -> bool:
    text = raw.replace('"', "").replace("'", "").replace("$(date +%s)", "0").replace("$$", "0").replace("${$}", "0")
    first, *parts = text.split("$")
    rest = [_after_number(part) for part in parts]
    if None in rest:
        return False
    whole = "0".join([first, *(part for part in rest if part is not None)])
    root = next((root for root in TEMPORARY if whole.startswith(f"{root}/")), "")
    return bool(root and whole[len(root) :].strip("/*.?0")) and "`" not in whole and ".." not in whole


def _after_number(part: str) -> str | None:
    """What follows a parameter of NUMBERS, `part` being what stood behind its sign; None for any other."""
    if part.startswith("{"):
        name, closed, rest = part[1:].partition("}")
        return rest if closed and name in NUMBERS else None
    rest = part.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
    return rest if part[: len(part) - len(rest)] in NUMBERS else None


def _is_temporary(raw: str) -> bool:
    text = raw.replace('"', "").replace("'", "").replace("{", "").replace("}", "")
    name, slash, rest = text.removeprefix("$").partition("/")
    return (
        text.startswith("$")
        and bool(slash)
        and name in TEMPORARY_NAMES
        and bool(rest.strip("/*.?"))
        and ".." not in rest
    )


def cache_inside(invocation: Invocation, _world: World, question: Question, reading: Reading) -> FactResult:
    """Every unknown path ends in the name of a folder that tools make anew, in whatever folder that is: `"$dir/node_modules"`, one word each."""
    values = _values(invocation, question)
    if values and (finder := finder_of(invocation, question, reading)) is not None:
        return FactResult(_finds_caches(finder))
    return FactResult(bool(values) and all(_is_named(value) or _is_cache(value) for value in values))


def _finds_caches(finder: Invocation) -> bool:
    """Whether find picks by name, and only by names of what tools make anew; nothing is joined by `-o` or turned round."""
    texts = [value.text for value in finder.words]
    names = [after for text, after in zip(texts, [*texts[1:], None], strict=True) if text == "-name"]
    plain = not {"-o", "-or", "!", "-not", ","} & set(texts)
    return plain and bool(names) and all(n is not None and (n in CACHE or n in CACHE_GLOBS) for n in names)


def _is_cache(value: Value) -> bool:
    text = value.raw.replace('"', "").replace("'", "").removesuffix("/*").rstrip("/")
    before, slash, name = text.rpartition("/")
    return not value.splits and bool(slash) and before.endswith(ENDING_EXPANSION) and name in CACHE


ENDING_EXPANSION = tuple("})abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")
"""What may stand before the last slash: the end of an expansion or of a plain name; `~`, `*` and the like may not."""
