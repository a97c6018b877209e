"""What Python's own library does when it is called: processes, files, code in text."""

from __future__ import annotations

from policy.flow.languages.python_values import text
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy.flow.languages.python import Known, Reader

UNKNOWN = Value(None, quoted=True)
SHELL = frozenset({"os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput", "asyncio.create_subprocess_shell", "commands.getoutput", "pexpect.run", "pexpect.spawn"})  # fmt: skip
PROCESS = frozenset(
    {
        "subprocess.run",
        "subprocess.call",
        "subprocess.check_call",
        "subprocess.check_output",
        "subprocess.Popen",
        "pty.spawn",
    }
)
SPREAD = frozenset(
    {
        "asyncio.create_subprocess_exec",
        "os.execl",
        "os.execlp",
        "os.execle",
        "os.execlpe",
        "os.spawnl",
        "os.spawnlp",
        "sh.Command",
        "nox.Session.run",
        "nox.Session.run_always",
        "nox.Session.run_install",
    }
)
LISTED = frozenset(
    {"os.execv", "os.execvp", "os.execve", "os.execvpe", "os.spawnv", "os.spawnvp", "os.posix_spawn", "os.posix_spawnp"}
)
PATHS = {
    "os.remove": ("delete", False),
    "os.unlink": ("delete", False),
    "os.rmdir": ("delete", False),
    "os.removedirs": ("delete", False),
    "shutil.rmtree": ("delete", True),
    "os.truncate": ("write", False),
    "os.chmod": ("mode", False),
    "os.chown": ("mode", False),
    "os.mkdir": ("create", False),
    "os.makedirs": ("create", False),
    "send2trash.send2trash": ("delete", True),
}
PAIRS = {
    "os.rename": ("move-from", "move-to"),
    "os.replace": ("move-from", "move-to"),
    "shutil.move": ("move-from", "move-to"),
    "os.renames": ("move-from", "move-to"),
    "shutil.copy": ("read", "write"),
    "shutil.copy2": ("read", "write"),
    "shutil.copyfile": ("read", "write"),
    "shutil.copytree": ("read", "write"),
    "os.symlink": ("read", "link"),
    "os.link": ("read", "link"),
}
NAMES = (*SHELL, *PROCESS, *SPREAD, *LISTED, *PATHS, *PAIRS)
METHODS = {
    "unlink": "delete",
    "rmdir": "delete",
    "write_text": "write",
    "write_bytes": "write",
    "touch": "append",
    "mkdir": "create",
    "read_text": "read",
    "read_bytes": "read",
    "chmod": "mode",
}
STATEMENTS = frozenset(
    {"execute", "executescript", "executemany", "exec_driver_sql", "execute_sql", "read_sql", "raw_sql"}
)
"""Methods whose first argument is SQL."""
DATABASES = ("database", "dbname", "db", "dsn", "url")
MOVES = frozenset({"rename", "replace"})


def call(reader: Reader, node: Any) -> None:
    """Do what a call does."""
    name = reader.dotted(node.func)
    actions = reader.actions
    arguments = [reader.value(argument) for argument in node.args]
    named = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
    first: Known = arguments[0] if arguments else (reader.value(named["args"]) if "args" in named else UNKNOWN)
    if name in SHELL:
        actions.shell(text(first))
    elif name in PROCESS:
        _process(reader, first, named)
    elif name in SPREAD or name in LISTED:
        _replaced(reader, name, arguments)
    elif name in PATHS:
        kind, recursive = PATHS[name]
        path = first if arguments else (reader.value(named["path"]) if "path" in named else UNKNOWN)
        actions.touch(kind, text(path), recursive=recursive)
    elif name in PAIRS and len(arguments) > 1:
        for kind, known in zip(PAIRS[name], arguments, strict=False):
            actions.touch(kind, text(known), recursive=True)
    else:
        _other(reader, node, name, arguments, named)


def _process(reader: Reader, first: Known, named: dict[str, Any]) -> None:
    cwd = text(reader.value(named["cwd"])) if "cwd" in named else None
    shell = "shell" in named and text(reader.value(named["shell"])).text not in {"False", "0"}
    if shell:
        reader.actions.shell(text(first[0] if isinstance(first, list) and first else first), cwd=cwd)
    elif isinstance(first, list):
        reader.actions.argv([text(item) for item in first], cwd=cwd)
    elif first.text is not None:
        reader.actions.argv([first], cwd=cwd)


def _replaced(reader: Reader, name: str, arguments: list[Known]) -> None:
    """Exec and spawn: the program, then argv[0] and its arguments, in a list or one by one."""
    rest = arguments[1:] if ".spawn" in name and "posix" not in name else arguments
    if not rest:
        return
    if name in LISTED:
        words = rest[1] if len(rest) > 1 and isinstance(rest[1], list) else [rest[0]]
        reader.actions.argv([text(rest[0]), *(text(item) for item in words[1:])])
    elif name.startswith("os."):
        reader.actions.argv([text(rest[0]), *(text(item) for item in rest[2:])])
    else:
        reader.actions.argv([text(item) for item in rest])


def _other(reader: Reader, node: Any, name: str, arguments: list[Known], named: dict[str, Any]) -> None:
    if name in {"open", "io.open", "codecs.open"} and arguments:
        mode = (
            arguments[1]
            if len(arguments) > 1
            else (reader.value(named["mode"]) if "mode" in named else Value("r", "r"))
        )
        _opened(reader, text(arguments[0]), text(mode))
    elif name in {"eval", "exec"} and arguments and text(arguments[0]).text:
        _code(reader, text(arguments[0]).text or "")
    elif name == "os.chdir" and arguments:
        from policy.flow.start import moved

        reader.actions.finish()
        reader.actions.state.cwd = moved(reader.actions.state.cwd, text(arguments[0]))
    elif name in {"os.kill", "os.killpg"}:
        reader.actions.argv([Value("kill", "kill"), *(text(item) for item in arguments[:1])])
    elif name.rpartition(".")[2] in {"connect", "create_engine"}:
        _connected(reader, name, arguments, named)
    elif (command := _git_module(reader, node, name)) is not None:
        reader.actions.argv([*command, *(text(item) for item in arguments)])
    elif type(node.func).__name__ == "Attribute":
        _method(reader, node, arguments, named)


def _git_module(reader: Reader, node: Any, name: str) -> list[Value] | None:
    """The words that a method of `sh.git` or of GitPython's `repo.git` stands for."""
    del reader
    if name.startswith("sh.") and name.count(".") in {1, 2}:
        return [Value(word, word) for word in name.split(".")[1:]]
    owner: Any = getattr(node.func, "value", None)
    if getattr(owner, "attr", "") == "git" and name.partition(".")[0] != "os":
        verb = node.func.attr.replace("_", "-")
        return [Value("git", "git"), Value(verb, verb)]
    return None


def _connected(reader: Reader, name: str, arguments: list[Known], named: dict[str, Any]) -> None:
    """The database that what follows is about: a keyword, the name in `dbname=… host=…`, or the first argument whole."""
    given = [text(reader.value(named[name])) for name in DATABASES if name in named] + [
        text(one) for one in arguments[:1]
    ]
    held = given[0].text if given else (":memory:" if name == "duckdb.connect" else None)
    if held and "dbname=" in held:
        held = held.partition("dbname=")[2].split()[0] if held.partition("dbname=")[2].strip() else ""
    reader.actions.database = Value(held, held) if held else None


def _opened(reader: Reader, path: Value, mode: Value) -> None:
    letters = mode.text if mode.text is not None else "w"
    kind = "write" if "w" in letters or "x" in letters or "+" in letters else ("append" if "a" in letters else "read")
    reader.actions.touch(kind, path)


EMPTYING = frozenset({"drop_all", "drop_database", "drop_collection", "flushall", "flushdb"})
"""Methods that empty or drop a database, whatever they are given."""


def _sweeps(reader: Reader, node: Any) -> bool:
    """Whether a method takes all rows of a table, or the tables: `User.objects.all().delete()`, `db.users.delete_many({})`."""
    method, owner = node.func.attr, node.func.value
    if method in EMPTYING:
        return True
    if method in {"delete_many", "remove"}:
        return bool(node.args) and type(node.args[0]).__name__ == "Dict" and not node.args[0].keys
    if method == "drop":
        return not node.args and not node.keywords and reader.dotted(owner).startswith("db.")
    called, held = reader.dotted(getattr(owner, "func", None)), reader.dotted(owner)
    return method == "delete" and (called.endswith((".objects.all", ".query")) or held.endswith(".query"))


def _method(reader: Reader, node: Any, arguments: list[Known], named: dict[str, Any]) -> None:
    method = node.func.attr
    if method in STATEMENTS and node.args:
        inner = node.args[0]
        wrapped = type(inner).__name__ == "Call" and reader.dotted(inner.func).rpartition(".")[2] in {"text", "SQL"}
        reader.actions.statement(text(reader.value(inner.args[0])) if wrapped and inner.args else text(arguments[0]))
        return
    if _sweeps(reader, node):
        reader.actions.statement(Value(f"truncate ({method})", f"truncate ({method})"))
        return
    base = text(reader.value(node.func.value))
    if base.text is None and not base.known:
        return
    if method in METHODS:
        reader.actions.touch(METHODS[method], base)
    elif method in MOVES and len(arguments) == 1:
        reader.actions.touch("move-from", base)
        reader.actions.touch("move-to", text(arguments[0]))
    elif method == "open":
        mode = arguments[0] if arguments else (reader.value(named["mode"]) if "mode" in named else Value("r", "r"))
        _opened(reader, base, text(mode))


def _code(reader: Reader, source: str) -> None:
    from policy.flow.languages.python import parsed

    tree = parsed(source)
    if tree is not None:
        reader.block([tree])
