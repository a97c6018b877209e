"""git reads in a jj repository: true, and without a byte written to it.

Colocated, git's HEAD is jj's `@-` at any time, so git itself answers, told to take no optional locks. In a pure repository it answers from
a git directory of our own, STATE/git/KEY/OPERATION: objects by an alternates file from jj's store, refs from jj's bookmarks and tags, HEAD
at `@-`, an index of its own. It is made once for each jj operation, beside the others, and put into place by one rename.
"""

from __future__ import annotations

import posix
import time

from guards.digest import sha256
from guards.shim import ask, files
from guards.shim.call import Call, Refused
from guards.shim.jjrepo import Repo, asked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shim.gitline import Line

KEPT_SECONDS = 3600
QUIET = (
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "gc.auto=0",
    "-c",
    "maintenance.auto=false",
)
COMPARES = ("diff", "diff-files", "diff-index", "describe")
"""Commands that compare with the working tree: the first refreshes the index by itself, the others want it refreshed or do it for --dirty."""

MAKES_OBJECTS = ("merge-tree",)
"""Commands that answer with the name of an object which they put into the store first."""

REFS = (
    (
        ("bookmark", "list", "--all-remotes"),
        'if(remote, "refs/remotes/" ++ remote ++ "/" ++ name, "refs/heads/" ++ name)',
    ),
    (("tag", "list"), '"refs/tags/" ++ name'),
)


def variables(call: Call, repo: Repo, line: Line) -> dict[str, str]:
    """What to set in git's environment so that it tells the truth about `repo` and leaves no trace. Raises Refused."""
    quiet = {"GIT_OPTIONAL_LOCKS": "0"}
    if line.explicit:
        return quiet
    if not repo.colocated:
        return {**quiet, "GIT_DIR": private(call, repo), "GIT_WORK_TREE": repo.root}
    if line.subcommand in MAKES_OBJECTS:
        return {**quiet, **_objects_apart(call, repo)}
    if line.subcommand in COMPARES:
        return {**quiet, "GIT_INDEX_FILE": _index_copy(call, repo, refresh=line.subcommand != "diff")}
    return quiet


def _objects_apart(call: Call, repo: Repo) -> dict[str, str]:
    """A place of ours for new objects, with the repository's own to read from."""
    where = f"{call.layout.state}/git/{_key(repo)}/objects"
    files.folder(where)
    given = call.environment.get("GIT_ALTERNATE_OBJECT_DIRECTORIES")
    others = [f"{asked_root(call, repo)}/objects", *([given] if given else [])]
    return {"GIT_OBJECT_DIRECTORY": where, "GIT_ALTERNATE_OBJECT_DIRECTORIES": ":".join(others)}


def _key(repo: Repo) -> str:
    found = posix.stat(repo.root + "/.jj")
    text = f"{repo.root}\0{found.st_dev}:{found.st_ino}".encode("utf-8", "surrogateescape")
    key: str = sha256(text).hexdigest()[:24]
    return key


def _index_copy(call: Call, repo: Repo, *, refresh: bool) -> str:
    """A copy of the index as it is now, for commands that write one whatever they are told; jj leaves no file times in it."""
    path = repo.root + "/.git/index"
    if files.get(repo.root + "/.git", 4096) is not None:
        answer = ask.run(
            (call.real, "-C", repo.root, "rev-parse", "--path-format=absolute", "--git-path", "index"), call.environment
        )
        path = answer.output.rstrip("\n")
    where = f"{call.layout.state}/git/{_key(repo)}"
    copy = f"{where}/index-{_stat_mark(path)}"
    if not _exists(copy):
        files.folder(where)
        _sweep(where)
        held = files.get(path, 1 << 30)
        if held is None:  # a fresh repository has none, and an empty file is no index
            return f"{where}/index-none"
        files.put(copy, held)
    if refresh:
        ask.run(
            (call.real, *QUIET, "-C", repo.root, "update-index", "-q", "--refresh"),
            call.environment,
            {"GIT_INDEX_FILE": copy},
        )
    return copy


def private(call: Call, repo: Repo) -> str:
    """The path of our git directory for the repository as it stands now; made when it is not there yet. Raises Refused."""
    store = asked_root(call, repo)
    config = _stat_mark(store + "/config")
    where = f"{call.layout.state}/git/{_key(repo)}"
    operation = repo.operation()
    ready = f"{where}/{operation[:32]}-{config}"
    if not operation or not _exists(ready):
        files.folder(where)
        _sweep(where)
        made = f"{where}/new-{posix.getpid()}-{time.monotonic_ns()}"
        _make(call, repo, store, made)
        if not operation:
            return made
        try:
            posix.rename(made, ready)
        except OSError:
            files.remove(made)
            if not _exists(ready):
                raise
    return ready


def asked_root(call: Call, repo: Repo) -> str:
    """The git directory that jj keeps its commits in, read from its store; jj is asked only where it is laid out otherwise."""
    target = (files.get(repo.store + "/store/git_target", 4096) or b"").decode("utf-8", "surrogateescape").strip()
    path = target if target.startswith("/") else f"{repo.store}/store/{target}"
    if target and _exists(path + "/objects"):
        return path
    return asked(call, repo, "git", "root").rstrip("\n")


def _make(call: Call, repo: Repo, store: str, made: str) -> None:
    for folder in ("/objects/info", "/refs", "/info"):
        files.folder(made + folder)
    files.put(made + "/objects/info/alternates", f"{store}/objects\n".encode("utf-8", "surrogateescape"))
    files.put(
        made + "/config",
        (files.get(store + "/config") or b"") + b"\n[core]\n\tbare = false\n\tlogallrefupdates = false\n",
    )
    files.put(made + "/info/exclude", (files.get(store + "/info/exclude") or b"") + b"\n/.jj/\n")
    shallow = files.get(store + "/shallow")
    if shallow is not None:
        files.put(made + "/shallow", shallow)
    files.put(made + "/packed-refs", _refs(call, repo))
    head = asked(call, repo, "log", "-r", "@-", "--limit", "1", "--no-graph", "-T", 'commit_id ++ "\\n"').strip()
    if not head.strip("0"):
        files.put(made + "/HEAD", b"ref: refs/heads/main\n")
        return
    files.put(made + "/HEAD", head.encode() + b"\n")
    changes = {"GIT_DIR": made, "GIT_WORK_TREE": repo.root}
    filled = ask.run((call.real, *QUIET, "read-tree", "HEAD"), call.environment, changes)
    if filled.status != 0:
        raise Refused(
            f"gatepost: refused: git could not read the state that jj has ({filled.errors.strip()[:200]}). Ask jj itself. [jj/unanswered]"
        )
    ask.run((call.real, *QUIET, "update-index", "-q", "--refresh"), call.environment, changes)


def _refs(call: Call, repo: Repo) -> bytes:
    """Jj's bookmarks and tags as a packed-refs file; conflicted ones, which have no one commit, are left out."""
    lines = set()
    for words, name in REFS:
        template = f'if(normal_target, normal_target.commit_id() ++ " " ++ {name} ++ "\\n")'
        lines.update(asked(call, repo, *words, "-T", template).splitlines())
    wanted = [line for line in lines if '"' not in line and not line.split(" ")[1].startswith("refs/remotes/git/")]
    ordered = sorted(wanted, key=lambda line: line.split(" ")[1].encode("utf-8", "surrogateescape"))
    return "".join(f"{line}\n" for line in ("# pack-refs with: sorted ", *ordered)).encode("utf-8", "surrogateescape")


def _sweep(where: str) -> None:
    """Remove what belongs to operations that are past for an hour."""
    for name in posix.listdir(where):
        try:
            if time.time() - posix.stat(f"{where}/{name}").st_mtime > KEPT_SECONDS:
                files.remove(f"{where}/{name}")
        except OSError:
            continue


def _exists(path: str) -> bool:
    return posix.access(path, posix.F_OK)


def _stat_mark(path: str) -> str:
    try:
        found = posix.stat(path)
    except OSError:
        return "0"
    return f"{found.st_mtime_ns:x}"
