"""Which database a command means, as far as the request itself says it, and whether that one is there for tests."""

from __future__ import annotations

from policy.rules.fact import NO, FactResult
from policy.rules.predicates.statements import given_texts, split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

OPTIONS = ("--dbname", "--database", "--env", "--environment", "-d", "-D", "--url")
MODES = frozenset(
    {"RAILS_ENV", "RACK_ENV", "NODE_ENV", "MIX_ENV", "APP_ENV", "FLASK_ENV", "DJANGO_ENV", "DJANGO_SETTINGS_MODULE"}
)
NAMING = frozenset({"PGDATABASE", "MYSQL_DATABASE", "DB_NAME", "DB_DATABASE", "DATABASE_NAME"})
FIRST = frozenset({"@sql", "psql", "mysql", "dropdb", "sqlite3", "duckdb", "mongosh", "pgcli", "mycli", "litecli"})
"""Programs whose first operand names the database."""
SIGNS = frozenset({"test", "tests", "testing", "ci", "tmp", "scratch", "sandbox", "e2e"})


def database_for_tests(invocation: Invocation, world: World, _question: Question, _reading: Reading) -> FactResult:
    """The request names a database, and all that it names, those in DROP DATABASE among them, are called ones for tests."""
    dropped = [name for text in given_texts(invocation, world) for name in _dropped(text)]
    if dropped and not all(map(for_tests, dropped)):
        return NO
    named = list(_named(invocation)) or dropped
    if dropped and not any(map(_drops_more, given_texts(invocation, world))):
        named = dropped
    return FactResult(bool(named) and all(map(for_tests, named)), tuple(named), len(named))


def _named(invocation: Invocation) -> Iterator[str]:
    for name, value in invocation.environment:
        text = value.text or ""
        if name in MODES | NAMING:
            yield text
        elif "://" in text and name.endswith(("URL", "URI")):
            yield _of_address(text)
    for option in invocation.options:
        if option.name in OPTIONS and option.value is not None:
            yield _of_address(option.value.text or "")
    yield from _written(invocation)
    texts = [v.text or "" for v in invocation.operands]
    if invocation.program == "mysqladmin":
        yield from texts[texts.index("drop") + 1 :][:1] if "drop" in texts else ()
    for position, text in enumerate(texts):
        name, found, mode = text.partition("=")
        if found and name in MODES:
            yield mode
        elif "://" in text or (position == 0 and invocation.program in FIRST and " " not in text):
            yield _of_address(text)


def _written(invocation: Invocation) -> Iterator[str]:
    """What stands behind a long option, also of a program whose options are not known; a schema only where it is one for tests."""
    texts = [word.text or "" for word in invocation.words]
    for place, text in enumerate(texts):
        name, found, value = text.partition("=")
        value = value if found else "".join(texts[place + 1 : place + 2])
        if name in ("--env", "--environment", "--settings") and not any(o.name == name for o in invocation.options):
            yield value.rpartition(".")[2] if name == "--settings" else value
        elif name == "--schema" and for_tests(value.rpartition("/")[2]):
            yield value


def _of_address(text: str) -> str:
    """The database of `scheme://host/NAME?…`, the last part of a path, or the name itself."""
    name = text.partition("?")[0].rstrip("/").rpartition("/")[2]
    return name if "://" not in text or text.count("/") > 2 else ""


def _dropped(text: str) -> Iterator[str]:
    for statement in split(text):
        words = statement.split()
        if words[:2] == ["drop", "database"]:
            rest = words[4:] if words[2:4] == ["if", "exists"] else words[2:]
            yield rest[0] if rest else ""


def _drops_more(text: str) -> bool:
    return any(
        s.startswith(("drop ", "truncate", "delete ", "update ")) and not s.startswith("drop database ")
        for s in split(text)
    )


def for_tests(name: str) -> bool:
    """Whether a database, a volume, a project is called one for tests: `app_test`, `ci-12`, `testdb`."""
    parts = "".join(c if c.isalnum() else " " for c in name.casefold()).split()
    return any(part in SIGNS or part.startswith("test") for part in parts)
