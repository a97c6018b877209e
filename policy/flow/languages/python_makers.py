"""What functions of Python's library give back, as far as it is known: paths, names in folders, the environment."""

from __future__ import annotations

from policy.flow import outside
from policy.flow.languages.python_values import UNKNOWN, at_home, environment, joined, text
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy.flow.languages.python import Known, Reader


def _expanduser(reader: Reader, node: Any) -> Known:
    return at_home(reader, text(reader.value(node.args[0]))) if node.args else UNKNOWN


def _join(reader: Reader, node: Any) -> Known:
    whole: Value | None = None
    for argument in node.args:
        part = text(reader.value(argument))
        whole = part if whole is None or (part.text or "").startswith("/") else joined(whole, part, "/")
    return whole or UNKNOWN


def _here(reader: Reader, node: Any) -> Known:
    del node
    path = reader.actions.state.cwd[0] if len(reader.actions.state.cwd) == 1 else None
    return UNKNOWN if path is None else Value(path, path, quoted=True)


def _path_home(reader: Reader, node: Any) -> Known:
    del node
    return environment(reader, "HOME")


def _getenv(reader: Reader, node: Any) -> Known:
    name = text(reader.value(node.args[0])).text if node.args else None
    found = UNKNOWN if name is None else environment(reader, name)
    if found.text is None and len(node.args) > 1:
        return reader.value(node.args[1])
    return found


def _glob(reader: Reader, node: Any) -> Known:
    return text(reader.value(node.args[0])).replace(glob=True) if node.args else UNKNOWN


def _listed(reader: Reader, node: Any) -> Known:
    """Names in a directory: any."""
    del reader, node
    return [Value("*", "", glob=True, quoted=True)]


def _walked(reader: Reader, node: Any) -> Known:
    """os.walk: folder, folders, files."""
    folder = text(reader.value(node.args[0])) if node.args else UNKNOWN
    name = Value("*", "", glob=True, quoted=True)
    return [[folder, [name], [name]]]


def _decoded(reader: Reader, node: Any) -> Known:
    import binascii

    source = text(reader.value(node.args[0])).text if node.args else None
    try:
        plain = binascii.a2b_base64(source or "").decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return UNKNOWN
    return Value(plain, plain, quoted=True) if plain else UNKNOWN


def _words(reader: Reader, node: Any) -> Known:
    from policy.flow.splitting import split

    return list(split(text(reader.value(node.args[0])))) if node.args else UNKNOWN


TEMPORARY = "/tmp"  # noqa: S108


def _temporary(reader: Reader, node: Any) -> Known:
    """A name that nobody has yet, where the folder is seen to be there; a pattern else, and where a prefix or another folder is named."""
    walk = reader.actions.walk
    folder = walk.environment.get("TMPDIR") or TEMPORARY
    if not node.args and not node.keywords and outside.is_directory(walk, folder):
        walk.made += 1
        path = "/".join((folder, f"tmp{walk.made:08}"))
        return Value(path, path, quoted=True)
    start = folder + "/tmp"  # noqa: S108
    return Value(start + "*", start, glob=True, quoted=True)


MAKERS: dict[str, Callable[[Reader, Any], Known]] = {
    "os.path.expanduser": _expanduser,
    "os.path.join": _join,
    "os.getcwd": _here,
    "pathlib.Path.cwd": _here,
    "Path.cwd": _here,
    "Path.home": _path_home,
    "pathlib.Path.home": _path_home,
    "os.getenv": _getenv,
    "os.environ.get": _getenv,
    "os.listdir": _listed,
    "os.walk": _walked,
    "glob.glob": _glob,
    "glob.iglob": _glob,
    "base64.b64decode": _decoded,
    "shlex.split": _words,
    "tempfile.mkdtemp": _temporary,
    "tempfile.mkstemp": _temporary,
    "tempfile.mktemp": _temporary,
    "tempfile.TemporaryDirectory": _temporary,
}
