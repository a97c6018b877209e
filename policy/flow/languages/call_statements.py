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


def string(finder: Finder, index: int, value: Value) -> None:
    """A string that is a statement behind such a call, or names the database."""
    text = (value.text or "").strip()
    if text.endswith(STORES) or "://" in text:
        finder.actions.database = value
    elif text.lower().startswith(VERBS) and finder.sign(index - 1) == "(" and finder.found[index - 2][1] in CALLS:
        finder.actions.statement(value)


def word(finder: Finder, index: int, name: str) -> None:
    """`User.delete_all`: every row of a model, where nothing narrows it down."""
    if name in SWEEPS and index > 1 and finder.sign(index - 1) == ".":
        kind, model, _ = finder.found[index - 2]
        if kind == "word" and model[:1].isupper():
            text = f"delete from {model}"  # noqa: S608  # judged, not sent to a database
            finder.actions.statement(Value(text, text))
