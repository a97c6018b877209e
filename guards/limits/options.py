"""The command line of with-limits, read by one table. Options end at the first word that is none, or at `--`."""

from __future__ import annotations

from guards.limits import spec
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from guards.limits.spec import Amount

UNBOUNDED = float("inf")
MOST_LETTERS = 64


class Slot(Record):
    """At most `most` jobs that name this slot run at once."""

    name: str
    most: int = 1


class Asked(Record):
    """What the command line says; None where it says nothing. Sizes in bytes, times in seconds.

    `lifted` names the fields that were given as `none`: neither a profile nor a default sets them again.
    """

    command: tuple[str, ...] = ()
    text: str | None = None
    shell: str | None = None
    profile: str | None = None
    memory: Amount | None = None
    swap: int | None = None
    cpu: float | None = None
    cpu_time: float | None = None
    time: float | None = None
    pids: int | None = None
    kill_after: float | None = None
    nice: int | None = None
    address_space: int | None = None
    file_size: int | None = None
    open_files: int | None = None
    core: int | None = None
    leftover: str | None = None
    tie_to: int | None = None
    wait: float | None = None
    reserve: int | None = None
    slot: Slot | None = None
    reservation: bool = True
    check_headroom: bool = False
    json: bool = False
    require_kernel: bool = False
    backend: str | None = None
    oom_partial: bool = False
    max_pressure: float | None = None
    min_memory_free_percent: float | None = None
    min_swap_free: int | None = None
    max_load_per_cpu: float | None = None
    refuse_unknown: bool = False
    quiet: bool = False
    report: bool = False
    report_json: str | None = None
    help: bool = False
    version: bool = False
    lifted: tuple[str, ...] = ()


class UsageError(Exception):
    """The command line cannot be read; the message says where."""


def _text(word: str) -> str:
    if not word:
        raise spec.SpecError("the value is empty")
    return word


def _size_or_0(word: str) -> int:
    return 0 if word == "0" else spec.parse_size(word)


def _wait(word: str) -> float:
    """0 asks once and does not wait."""
    return 0.0 if word == "0" else spec.parse_duration(word)


def _one_of(*known: str) -> Callable[[str], str]:
    def read_one(word: str) -> str:
        if word not in known:
            raise spec.SpecError(f"{spec.shown(word)} is none of {', '.join(known)}")
        return word

    return read_one


def _slot(word: str) -> Slot:
    name, equals, most = word.partition("=")
    if not name or len(name) > MOST_LETTERS or not name.replace("-", "").replace("_", "").replace(".", "").isalnum():
        raise spec.SpecError(
            f"{spec.shown(word)} is not NAME or NAME=N, a name of at most {MOST_LETTERS} letters, digits and . _ -"
        )
    return Slot(name, spec.parse_count(most) if equals else 1)


def _percent(word: str) -> float:
    value = _ratio(word.removesuffix("%"))
    if value > 100:
        raise spec.SpecError(f"{spec.shown(word)} is not a percentage from 0 to 100")
    return value


def _ratio(word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1e6:
        raise spec.SpecError(f"{spec.shown(word)} is not a number from 0 up")
    return value


VALUES: dict[str, tuple[str, Callable[[str], Any]]] = {
    "--memory": ("memory", spec.parse_memory),
    "--mem": ("memory", spec.parse_memory),
    "-m": ("memory", spec.parse_memory),
    "--swap": ("swap", _size_or_0),
    "--cpu": ("cpu", spec.parse_cores),
    "--cpu-time": ("cpu_time", spec.parse_duration),
    "--time": ("time", spec.parse_duration),
    "-t": ("time", spec.parse_duration),
    "--pids": ("pids", spec.parse_count),
    "--kill-after": ("kill_after", spec.parse_duration),
    "--grace": ("kill_after", spec.parse_duration),
    "--nice": ("nice", spec.parse_nice),
    "--address-space": ("address_space", spec.parse_size),
    "--file-size": ("file_size", spec.parse_size),
    "--open-files": ("open_files", spec.parse_count),
    "--core": ("core", _size_or_0),
    "--leftover": ("leftover", _one_of("kill", "wait", "leave")),
    "--tie-to": ("tie_to", spec.parse_count),
    "--shell": ("shell", _text),
    "--profile": ("profile", _text),
    "--reserve": ("reserve", spec.parse_size),
    "--slot": ("slot", _slot),
    "--backend": ("backend", _one_of("cgroup2", "scope", "cgroup1", "proc", "portable")),
    "--report-json": ("report_json", _text),
    "--max-pressure": ("max_pressure", lambda word: float(_one_of("1", "2", "4")(word))),
    "--min-memory-free-percent": ("min_memory_free_percent", _percent),
    "--min-swap-free": ("min_swap_free", _size_or_0),
    "--max-load-per-cpu": ("max_load_per_cpu", _ratio),
    "-c": ("text", _text),
}
"""Options with a value: `--name VALUE` or `--name=VALUE`, `-m VALUE` or `-mVALUE`."""

FLAGS: dict[str, tuple[str, Any]] = {
    "--quiet": ("quiet", True),
    "-q": ("quiet", True),
    "--report": ("report", True),
    "--require-kernel": ("require_kernel", True),
    "--require-native": ("require_kernel", True),
    "--check-headroom": ("check_headroom", True),
    "--json": ("json", True),
    "--no-reservation": ("reservation", False),
    "--refuse-unknown": ("refuse_unknown", True),
    "--wait": ("wait", UNBOUNDED),
    "--wait-for-headroom": ("wait", UNBOUNDED),
    "--help": ("help", True),
    "-h": ("help", True),
    "--version": ("version", True),
}
OPTIONAL: dict[str, tuple[str, Callable[[str], Any]]] = {
    "--wait": ("wait", _wait),
    "--wait-for-headroom": ("wait", _wait),
    "--oom-partial": ("oom_partial", lambda word: _one_of("ok")(word) == "ok"),
}
"""Options whose value, if any, must be attached by `=`."""
LIFTABLE = frozenset(
    (
        *("cpu", "cpu_time", "time", "pids", "address_space", "file_size", "open_files", "core"),
        *("tie_to", "wait", "slot", "max_load_per_cpu"),
    )
)
"""Fields that the value `none` takes back from a profile, or from the default."""


def read(words: list[str]) -> Asked:
    """The words after the program's name. Raises UsageError."""
    values, place = _options(words)
    asked = Asked(command=tuple(words[place:]), **values)
    _check(asked)
    if 0 < place < len(words) and words[place - 1] in {"--wait", "--wait-for-headroom"}:
        _not_a_bound(words[place])
    return asked


def read_profile(words: list[str]) -> Asked:
    """Options without a command, as a profile of the configuration gives them. Raises UsageError."""
    values, place = _options(words)
    if place < len(words):
        raise UsageError(f"{words[place]!r} is no option")
    asked = Asked(**values)
    _exclusive(asked)
    return asked


def _options(words: list[str]) -> tuple[dict[str, Any], int]:
    """(the options in front by field, the place of what follows them)."""
    values: dict[str, Any] = {}
    place = 0
    while place < len(words):
        word = words[place]
        if word == "--":
            return values, place + 1
        if not word.startswith("-") or word == "-":
            break
        place = _option(words, place, values)
    return values, place


def _not_a_bound(word: str) -> None:
    """`--wait 10m` would wait for ever, and then run a program named 10m. Raises UsageError."""
    try:
        spec.parse_duration(word)
    except spec.SpecError:
        return
    raise UsageError(
        f"the bound of a wait is attached: --wait={word} (a program named {word} is run as: --wait -- {word})"
    )


def _option(words: list[str], place: int, values: dict[str, Any]) -> int:
    """Read one option at `place` into `values`; the place after it."""
    word = words[place]
    name, equals, attached = word.partition("=")
    if not word.startswith("--"):
        name, attached = word[:2], word[2:]
        equals = attached and "="
    table = OPTIONAL if equals and name in OPTIONAL else VALUES
    if name in FLAGS and not equals:
        field, value = FLAGS[name]
        values[field] = value
        return place + 1
    if name not in table:
        raise UsageError(_unreadable(word, name))
    if not equals:
        place += 1
        if place == len(words) or words[place] == "--":
            raise UsageError(f"{name} needs a value")
        attached = words[place]
    field, reader = table[name]
    lifted = [other for other in values.pop("lifted", ()) if other != field]
    if attached == "none" and field in LIFTABLE:
        values.pop(field, None)
        lifted.append(field)
    else:
        try:
            values[field] = reader(attached)
        except spec.SpecError as error:
            raise UsageError(f"{name}: {error}") from None
    if lifted:
        values["lifted"] = tuple(lifted)
    return place + 1


def _unreadable(word: str, name: str) -> str:
    """Why an option was not read."""
    if name in FLAGS:
        return f"{name} takes no value"
    if name in OPTIONAL:
        return f"{name} needs its value attached: {name}=VALUE"
    return f"unknown option {word!r}"


def _exclusive(asked: Asked) -> None:
    """What one place may not say together, a command line or a profile. Raises UsageError."""
    if asked.reserve is not None and not asked.reservation:
        raise UsageError("--reserve and --no-reservation exclude each other; keep one of them")


def _check(asked: Asked) -> None:
    """What does not go together."""
    if asked.help or asked.version:
        return
    if asked.text is not None and asked.command:
        raise UsageError("give either -c TEXT or a command, not both")
    if asked.shell is not None and asked.text is None:
        raise UsageError("--shell needs -c TEXT")
    if asked.check_headroom and (asked.command or asked.text is not None or asked.wait is not None):
        raise UsageError("--check-headroom only looks: it takes no command and no --wait")
    if asked.json and not asked.check_headroom:
        raise UsageError("--json belongs to --check-headroom; for a run use --report-json FILE")
    _exclusive(asked)
    if not asked.check_headroom and not asked.command and asked.text is None:
        raise UsageError("no command; try: with-limits --memory 2GiB --time 10m -- pytest -q")
