"""Statements that a database client is given: on the command line, on standard input, in a file."""

from __future__ import annotations

from policy.rules.fact import NO, FactResult
from policy.rules.glob import matches
from policy.rules.predicates.well_known import TEMPORARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

LIMIT = 262_144
CARRIERS = (
    "--command",
    "-c",
    "--execute",
    "-e",
    "--eval",
    "--query",
    "-q",
    "-Q",
    "--sql",
    "--query-string",
    "--statement",
    "-cmd",
)
FILES = ("--file", "-f", "--init-command", "-i")
DUMPS = frozenset(
    {
        "pg_dump",
        "pg_dumpall",
        "mysqldump",
        "mariadb-dump",
        "mongodump",
        "sqlite3",
        "envsubst",
        "redis-cli",
        "psql",
        "mysql",
        "echo",
        "printf",
    }
)
ALWAYS = frozenset({"true", "1", "1=1", "notfalse", "''=''"})
"""Conditions that hold for every row, without blanks."""


def given_texts(invocation: Invocation, world: World) -> list[str]:
    """Everything that the client is known to be given."""
    texts = [invocation.stdin] if invocation.stdin else []
    for option in invocation.options:
        text = option.value.text if option.value is not None else None
        if text and option.name in CARRIERS:
            texts.append(text)
        elif text and option.name in FILES:
            texts += _file(text, invocation, world)
    texts += [v.text for v in invocation.operands if v.text and " " in v.text]
    for effect in invocation.redirects:
        if effect.kind == "read" and effect.path:
            texts += _file(effect.path, invocation, world)
    return texts


def _file(path: str, invocation: Invocation, world: World) -> list[str]:
    absolute = path if path.startswith("/") else f"{invocation.cwd}/{path}" if invocation.cwd else None
    text = world.read_text(absolute, LIMIT) if absolute and invocation.place == "local" else None
    return [] if text is None else [text]


def sql(invocation: Invocation, world: World, question: Question, _reading: Reading) -> FactResult:
    """A statement begins with one of the phrases (globs allowed), or deletes or updates without a condition."""
    if _throw_away(invocation):
        return NO
    for text in given_texts(invocation, world):
        statements = split(text)
        if statements and any(s == "rollback" for s in statements):
            continue
        for statement in statements:
            if _made_again(statement, statements, invocation):
                continue
            if any(_starts(statement, phrase) for phrase in question.value) or _unbounded(statement):
                return FactResult(True, (statement,), 1)
    return NO


def split(text: str) -> list[str]:
    """The statements of a text, folded to small letters and single blanks, without comments and the content of strings."""
    return [" ".join(part.casefold().split()) for part in _without_literals(text).split(";")]


def _throw_away(invocation: Invocation) -> bool:
    """SQLite in memory or in a temporary folder."""
    first = invocation.operands[0].text if invocation.operands else None
    return invocation.program in ("sqlite3", "duckdb", "@sql") and (
        (first is None and invocation.program != "@sql")
        or (first is not None and _fleeting(first.removeprefix("sqlite://").removeprefix("duckdb:")))
    )


def _fleeting(name: str) -> bool:
    return name in ("", "/", ":memory:", "/:memory:") or name.lstrip("/").startswith(
        tuple(f"{root[1:]}/" for root in TEMPORARY)
    )


def _made_again(statement: str, statements: list[str], invocation: Invocation) -> bool:
    """Code that drops a table if it is there and then makes it: the table is its own."""
    head = "drop table if exists "
    if invocation.program != "@sql" or not statement.startswith(head):
        return False
    name = statement[len(head) :].partition(" ")[0]
    return any(one.startswith("create ") and name in one.replace("(", " ").split() for one in statements)


def _starts(statement: str, phrase: str) -> bool:
    if "*" in phrase:
        return matches(statement, phrase + "*")
    return statement == phrase or statement.startswith(phrase + " ")


def _unbounded(statement: str) -> bool:
    if statement.startswith("update ") and " set " not in statement:
        return False
    condition = statement.partition(" where ")[2].replace(" ", "").strip("()")
    return (
        statement.startswith(("delete from ", "update "))
        and (" where " not in statement + " " or condition in ALWAYS)
        and " limit " not in statement
    )


def _without_literals(text: str) -> str:
    """The SQL with comments and the content of string literals taken out."""
    kept: list[str] = []
    at = 0
    while at < len(text):
        character = text[at]
        if character in "'\"`":
            end = text.find(character, at + 1)
            inner = text[at + 1 : end if end > 0 else len(text)]
            kept.append("''" if character == "'" else f" {inner} ")
            at = end + 1 if end > 0 else len(text)
        elif text.startswith(("--", "#"), at):
            end = text.find("\n", at)
            at = end if end > 0 else len(text)
        elif text.startswith("/*", at):
            end = text.find("*/", at)
            kept.append(" ")
            at = end + 2 if end > 0 else len(text)
        else:
            kept.append(character)
            at += 1
    return "".join(kept)


def statements(invocation: Invocation, world: World, question: Question, _reading: Reading) -> FactResult:
    """A line begins with one of the words, or (phrases with a bracket) the text holds it, blanks left out."""
    texts = given_texts(invocation, world)
    if invocation.program.endswith("-cli"):
        texts.append(" ".join(v.text or "" for v in invocation.operands))
    for text in texts:
        tight = "".join(text.casefold().split())
        lines = [" ".join(line.casefold().split()) for line in text.splitlines()]
        for phrase in question.value:
            if ("(" in phrase and "".join(phrase.split()) in tight) or any(
                line == phrase or line.startswith(phrase + " ") for line in lines
            ):
                return FactResult(True, (phrase,), 1)
    return NO


def unseen_statements(invocation: Invocation, world: World, _question: Question, _reading: Reading) -> FactResult:
    """Standard input comes from a file or a program whose text is not known here."""
    for effect in invocation.redirects:
        if effect.kind == "read" and (
            effect.path is None or (not _file(effect.path, invocation, world) and not effect.path.startswith("/dev/"))
        ):
            return FactResult(True, (effect.path,) if effect.path else (), 1, "its input cannot be read from here")
    if invocation.piped_from and invocation.stdin is None and invocation.program == "redis-cli":
        return FactResult(not any(name in DUMPS for name in invocation.piped_from))
    return NO
