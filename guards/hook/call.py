"""What a host's hook payload becomes, and what goes back to it. Host modules read into a Call and render a Reply."""

from __future__ import annotations

from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from policy.model import Request


class Unreadable(Exception):  # noqa: N818
    """The payload is JSON, but not what the host's protocol says; the message says in a clause what is wrong."""


class Call(Record):
    """One call of the hook.

    requests   what the agent wants, each to be judged; usually one (a patch may touch several files)
    event      the host's name of the event, for answers that must repeat it
    arguments  the tool's input as sent, for hosts where a rewrite replaces all of it
    key        the member of `arguments` that holds the command text; "" when a rewrite has no place
    attended   False when the host says that nobody can answer a question
    """

    requests: tuple[Request, ...]
    event: str = ""
    arguments: Mapping[str, Any] = {}
    key: str = ""
    attended: bool = True


class Reply(Record):
    """What the hook process prints and its exit status."""

    stdout: str = ""
    stderr: str = ""
    status: int = 0


class FileTool(Record):
    """How a host's file tool becomes a request: the request's tool, the members that hold the path and the new text."""

    tool: str
    path: str
    content: str = ""


def text_at(source: Mapping[str, Any], key: str, *, default: str | None = None) -> str:
    """The string at `key`. Raises Unreadable when it is no string, holds NUL, or is absent (or null) and there is no default."""
    value = source.get(key)
    if value is None:
        value = default
    if not isinstance(value, str):
        raise Unreadable(f"`{key}` is missing" if value is None else f"`{key}` is no text")
    if "\0" in value:
        raise Unreadable(f"`{key}` holds a NUL character")
    return value


def name_at(source: Mapping[str, Any], key: str, *, default: str | None = None) -> str:
    """The name of an event or a tool at `key`; an empty one is nobody's, so what it would do is not known."""
    name = text_at(source, key, default=default)
    if not name:
        raise Unreadable(f"`{key}` is empty")
    return name


def object_at(source: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The object at `key`; Unreadable when it is none."""
    value = source.get(key)
    if not isinstance(value, dict):
        raise Unreadable(f"`{key}` is missing" if value is None else f"`{key}` is no object")
    return value


def folder_at(source: Mapping[str, Any], *keys: str) -> str | None:
    """The absolute folder at the first of `keys` that is there and not empty; None when there is none."""
    for key in keys:
        if source.get(key) not in (None, ""):
            folder = text_at(source, key)
            if not folder.startswith("/"):
                raise Unreadable(f"`{key}` is no absolute path")
            return folder
    return None


WORKS_IN = ("workdir", "working_dir", "working_directory", "dir_path", "directory", "cwd")
"""Members of a shell tool's arguments by which a model names another folder than the session's: hosts differ, and change."""


def placed(about: Request, arguments: Mapping[str, Any]) -> Request:
    """The request in the folder that the tool's arguments name, if they name one, seen from the session's; from the home it is not known."""
    for key in WORKS_IN:
        if arguments.get(key) not in (None, ""):
            folder = text_at(arguments, key)
            if folder.startswith("/"):
                return about.replace(cwd=folder)
            return about.replace(cwd=f"{about.cwd}/{folder}" if about.cwd and not folder.startswith("~") else None)
    return about


def command_at(arguments: Mapping[str, Any]) -> tuple[str, str]:
    """The command text and the member that holds it: `command` or `cmd`, a text or an argv, which is quoted into a text.

    A list that begins with a whole command line is no argv: whether its host joins the parts or runs each is not known.
    """
    key = "cmd" if "cmd" in arguments and "command" not in arguments else "command"
    value = arguments.get(key)
    if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
        if any("\0" in word for word in value):
            raise Unreadable(f"`{key}` holds a NUL character")
        if any(letter in value[0].strip() for letter in " \t\n;&|"):
            raise Unreadable(f"`{key}` is a list that begins with a command line")
        return " ".join(map(quote, value)), ""
    return text_at(arguments, key), key


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+:,./-")


def quote(word: str) -> str:
    """The word as a shell reads it back, unchanged where nothing needs quoting."""
    if word and _PLAIN.issuperset(word):
        return word
    return "'" + word.replace("'", "'\"'\"'") + "'"
