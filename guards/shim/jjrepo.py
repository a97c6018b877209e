"""The jj repository that a git command would touch, and questions to jj that write nothing."""

from __future__ import annotations

import posix

from guards.shim.call import Call, Refused
from policy.record import Record
from shims import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shim.gitline import Line

HIGHEST = 128


class Repo(Record):
    """`root` is the workspace, `store` its .jj/repo folder (another workspace's for a secondary one); `colocated` with a .git beside .jj."""

    root: str
    store: str
    colocated: bool
    primary: bool

    def operation(self) -> str:
        """The id of the newest operation, without asking jj; "" when the folder is not laid out as we know it."""
        folder = self.store + "/op_heads/heads"
        try:
            heads = posix.listdir(folder)
            return max(heads, key=lambda name: (posix.stat(f"{folder}/{name}").st_mtime_ns, name))
        except (OSError, ValueError):
            return ""


def concerned(line: Line) -> Repo | None:
    """The jj repository around what the command line works on, None for plain git and for a repository that is wholly elsewhere."""
    if not line.explicit:
        return around(line.place)
    places = [line.git_dir or line.place]
    if not line.bare:
        places.append(line.work_tree or line.place)
    return next((repo for repo in (above(place) for place in places) if repo), None)


def around(place: str) -> Repo | None:
    """The jj repository that a directory is in; a git repository that is nearer hides it."""
    for folder in _upwards(place):
        if resolve.identity(folder + "/.jj/repo") is not None:
            return _repo(folder)
        if _is_git(folder):
            return None
    return None


def above(place: str) -> Repo | None:
    """The jj repository that a path lies in, nested git repositories or not."""
    return next(
        (_repo(folder) for folder in _upwards(place) if resolve.identity(folder + "/.jj/repo") is not None), None
    )


def _is_git(folder: str) -> bool:
    """Whether git would take the folder for a working tree or a bare repository."""
    return resolve.identity(folder + "/.git") is not None or all(
        resolve.identity(f"{folder}/{name}") for name in ("HEAD", "objects", "refs")
    )


def _upwards(place: str) -> list[str]:
    """A folder and those above it, physical; a path that does not exist counts from what exists of it."""
    while resolve.identity(place) is None and "/" in place.rstrip("/")[1:]:
        place = place.rstrip("/").rpartition("/")[0]
    real = physical(place)
    found: list[str] = []
    while real and len(found) < HIGHEST:
        found.append(real)
        real = real.rpartition("/")[0]
    return found


def physical(place: str) -> str:
    """The path of a folder (or of the folder that a file is in) without symbolic links; "" when it cannot be entered."""
    for path in (place, place.rpartition("/")[0] or "/"):
        try:
            opened = posix.open(path, posix.O_RDONLY | posix.O_DIRECTORY | posix.O_CLOEXEC)
        except OSError:
            continue
        try:
            return _path_of(opened)
        finally:
            posix.close(opened)
    return ""


def _path_of(opened: int) -> str:
    try:
        return posix.readlink(f"/proc/self/fd/{opened}")
    except OSError:  # no /proc
        here = posix.open(".", posix.O_RDONLY | posix.O_DIRECTORY | posix.O_CLOEXEC)
        try:
            posix.fchdir(opened)
            return posix.getcwd()
        finally:
            posix.fchdir(here)
            posix.close(here)


def _repo(root: str) -> Repo:
    path = root + "/.jj/repo"
    primary = posix.stat(path).st_mode & 0o170000 == 0o040000
    if not primary:
        opened = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
        text = posix.read(opened, 4096).decode("utf-8", "surrogateescape")
        posix.close(opened)
        path = physical(text if text.startswith("/") else f"{root}/.jj/{text}")
    return Repo(root, path, resolve.identity(root + "/.git") is not None, primary)


def jj(call: Call) -> str:
    """The real jj. Raises Refused where there is none."""
    found = resolve.find("jj", call.environment.get("PATH", ""), call.layout.prefix + "/shims")
    if found is None:
        raise Refused(
            f"gatepost: refused: {call.cwd} is a jj repository, but no jj is on PATH to answer with; install jj. [jj/no-jj]"
        )
    return found


def asked(call: Call, repo: Repo, *words: str) -> str:
    """What jj prints for a question at the newest operation; neither the working copy nor the operation log is touched. Raises Refused."""
    from guards.shim import ask

    program = jj(call)
    operation = repo.operation()
    at = ("--at-operation", operation) if operation else ("--at-operation", "@")
    answer = ask.run(
        (program, "--ignore-working-copy", *at, "--no-pager", "--color", "never", "--quiet", "-R", repo.root, *words),
        call.environment,
    )
    if answer.status != 0:
        raise Refused(
            f"gatepost: refused: jj could not say what git would need to know ({clause(answer.errors)}). Ask jj itself. [jj/unanswered]"
        )
    return answer.output


def clause(text: str) -> str:
    """What a program complained of, as a part of our sentence: its first line, what cannot be printed left out, cut."""
    line = next((line for line in text.splitlines() if line.strip()), "no reason given").removeprefix("Error: ")
    return "".join(letter if letter.isprintable() else "?" for letter in line)[:120]
