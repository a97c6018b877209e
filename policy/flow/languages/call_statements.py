"""SQL that code of any language hands to its database: strings behind calls such as query( and execute(, and Rails' delete_all."""

from __future__ import annotations

from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.flow.languages.calls import Finder

CALLS = frozenset(
    {
        "query", "execute", "exec", "exec_query", "exec_update", "statement", "unprepared", "raw", "run", "prepare", "do", "multi_query",
        "executeRaw", "executeRawUnsafe", "$executeRaw", "$executeRawUnsafe", "queryRawUnsafe", "$queryRawUnsafe",
    }
)  # fmt: skip
VERBS = ("drop ", "truncate ", "delete from ", "update ", "alter ", "create ")
STORES = (".db", ".sqlite", ".sqlite3", ":memory:")
SWEEPS = frozenset({"delete_all", "destroy_all"})
EMPTYING = frozenset(
    {
        "dropDatabase", "drop_database", "drop_table", "dropTable", "dropAllTables", "dropCollection", "flushall", "flushAll", "flushdb", "flushDb",
        "Schema::drop", "Schema::dropIfExists", "Schema::dropAllTables",
    }
)  # fmt: skip
"""Calls that empty or drop whatever they are given."""
WITHOUT_CONDITION = frozenset({"deleteMany", "delete", "del", "drop", "truncate", "sync"})
"""Calls that do so when no condition is given, neither as an argument nor before them."""
HEADS = frozenset({"table", "knex", "collection", "from", "query", "getCollection"})
"""Calls that name a whole table, behind which one of those takes all of it."""
OWNERS = frozenset({"sequelize", "connection"})
"""Objects that stand for a whole database."""


def string(finder: Finder, index: int, value: Value) -> None:
    """A string that is a statement behind such a call, or names the database."""
    text = (value.text or "").strip()
    if text.endswith(STORES) or "://" in text:
        finder.actions.database = value
    elif text.lower().startswith(VERBS) and finder.sign(index - 1) == "(" and _last(finder, index - 2) in CALLS:
        finder.actions.statement(value)


def _last(finder: Finder, index: int) -> str:
    """The name of a call without its class."""
    return finder.found[index][1].rpartition("::")[2]


def _sweeps(finder: Finder, index: int, name: str) -> bool:
    """Whether a call takes all rows of a table, or the table, or the database."""
    last = name.rpartition("::")[2]
    if name in EMPTYING:
        return finder.sign(index + 1) == "(" or finder.language == "ruby"
    if last not in WITHOUT_CONDITION or finder.sign(index + 1) != "(":
        return False
    given = [text for _, text, _ in finder.found[index + 2 : index + 7]]
    if last == "sync":
        return given == ["{", "force", ":", "true", "}"]
    if last == "truncate" and finder.language == "ruby":
        return index > 1 and finder.found[index - 2][1] == "connection"
    nothing = given[:1] == [")"] or given[:3] == ["{", "}", ")"]
    return nothing and (last == "deleteMany" or name.endswith("::truncate") or _of_all(finder, index))


def _of_all(finder: Finder, index: int) -> bool:
    """Whether what stands before a method is a whole table or database: `knex('users')`, `DB::table('users')`, `sequelize`."""
    at = index - (2 if finder.sign(index - 1) == "." else 3)
    if at < 0 or finder.sign(at) != ")":
        return at >= 0 and finder.found[at][1] in OWNERS
    while at > 0 and finder.sign(at) != "(":
        at -= 1
    return at > 0 and _last(finder, at - 1) in HEADS


def word(finder: Finder, index: int, name: str) -> None:
    """`User.delete_all`, `DB::table('users')->truncate()`, `prisma.user.deleteMany()`: every row, where nothing narrows it down."""
    if _sweeps(finder, index, name):
        finder.actions.statement(Value(f"truncate ({name})", f"truncate ({name})"))
    if name in SWEEPS and index > 1 and finder.sign(index - 1) == ".":
        kind, model, _ = finder.found[index - 2]
        if kind == "word" and model[:1].isupper():
            text = f"delete from {model}"  # noqa: S608  # judged, not sent to a database
            finder.actions.statement(Value(text, text))
