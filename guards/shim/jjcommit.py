"""`git commit` in a jj repository: `jj commit`, `jj squash` for --amend; an editor never opens."""

from __future__ import annotations

import posix

from guards.shim import ask, files
from guards.shim.call import Call, Refused, say
from guards.shim.gitline import below
from guards.shim.jjrepo import Repo, asked, jj
from policy.record import Record
from policy.rules.predicates import jj_revision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from guards.shim.gitline import Line

MESSAGE, FILE, REUSE, AMEND, NO_EDIT, EMPTY, QUIET, NOTHING = (
    "message",
    "file",
    "reuse",
    "amend",
    "no-edit",
    "empty",
    "quiet",
    "nothing",
)

LONG = {
    "--message": MESSAGE, "--file": FILE, "--reuse-message": REUSE, "--amend": AMEND, "--no-edit": NO_EDIT, "--allow-empty": EMPTY, "--quiet": QUIET,
    "--all": NOTHING, "--verbose": NOTHING, "--no-verify": NOTHING, "--verify": NOTHING, "--allow-empty-message": NOTHING, "--status": NOTHING,
    "--no-status": NOTHING, "--no-gpg-sign": NOTHING, "--no-signoff": NOTHING, "--only": NOTHING, "--no-post-rewrite": NOTHING, "--no-verbose": NOTHING,
    "--author": "jj metaedit --author 'NAME <EMAIL>'", "--date": "jj metaedit --author-timestamp TIME", "--edit": "git commit -m MESSAGE",
    "--reedit-message": "git commit -m MESSAGE", "--template": "git commit -m MESSAGE", "--fixup": "jj squash --into REVISION FILES",
    "--squash": "jj squash --into REVISION FILES", "--signoff": "git commit -m MESSAGE -m 'Signed-off-by: NAME <EMAIL>'",
    "--trailer": "git commit -m MESSAGE -m 'NAME: VALUE'", "--gpg-sign": "jj sign -r @-", "--reset-author": "jj metaedit --update-author",
    "--patch": "git commit -m MESSAGE -- FILES", "--interactive": "git commit -m MESSAGE -- FILES", "--include": "git commit -m MESSAGE -- FILES",
    "--dry-run": "jj status", "--short": "jj status", "--porcelain": "jj status", "--long": "jj status", "--branch": "jj status", "--null": "jj status",
    "--cleanup": "git commit -m MESSAGE", "--untracked-files": "jj status", "--pathspec-from-file": "git commit -m MESSAGE -- FILES",
    "--pathspec-file-nul": "git commit -m MESSAGE -- FILES", "--no-amend": NOTHING,
}  # fmt: skip
"""What each option means to us; a text in words is what to run instead of what jj has no form for."""

SHORT = {
    "m": "--message", "F": "--file", "C": "--reuse-message", "a": "--all", "v": "--verbose", "q": "--quiet", "n": "--no-verify", "o": "--only",
    "e": "--edit", "c": "--reedit-message", "t": "--template", "s": "--signoff", "S": "--gpg-sign", "p": "--patch", "i": "--include", "z": "--null",
    "u": "--untracked-files",
}  # fmt: skip
VALUED = (
    "--message",
    "--file",
    "--reuse-message",
    "--author",
    "--date",
    "--reedit-message",
    "--template",
    "--fixup",
    "--squash",
    "--trailer",
    "--cleanup",
)
MAGIC = "*?[\\"


class Commit(Record):
    """A git commit as far as jj has a form for it. `message` None: none was given."""

    message: str | None
    paths: tuple[str, ...]
    marks: tuple[str, ...]


def act(call: Call, repo: Repo, line: Line) -> tuple[str, ...]:
    """The jj command that does what was asked; the words after `jj`. Raises Refused. Reads stdin only for `-F -`."""
    commit = read(call, repo, line)
    filesets = tuple(fileset(path) for path in commit.paths)
    if AMEND in commit.marks:
        kept = NO_EDIT in commit.marks and commit.message is None
        if commit.message is None and not kept:
            raise refused("an editor would open", "git commit --amend -m MESSAGE", "git commit --amend --no-edit")
        return (
            "squash",
            *(("--use-destination-message",) if kept else (f"--message={commit.message}",)),
            *_after(filesets),
        )
    if commit.message is None:
        raise refused("an editor would open", "git commit -m MESSAGE")
    if EMPTY not in commit.marks and not commit.paths and unchanged(call, repo):
        say("nothing to commit, working tree clean")
        posix._exit(1)  # noqa: SLF001
    if QUIET not in commit.marks:
        say(
            "gatepost: this is a jj repository: git commit runs jj commit, which takes "
            + ("the named files" if filesets else "every change")
            + "."
        )
    return ("commit", f"--message={commit.message}", *_after(filesets))


def _after(filesets: tuple[str, ...]) -> tuple[str, ...]:
    return ("--", *filesets) if filesets else ()


def read(call: Call, repo: Repo, line: Line) -> Commit:
    """Take `git commit`'s words apart. Raises Refused for what jj has no form for."""
    messages: list[str] = []
    marks: list[str] = []
    paths: list[str] = []
    words = list(line.rest)
    while words:
        word = words.pop(0)
        if word == "--":
            paths += words
            break
        if not word.startswith("-") or word == "-":
            paths.append(word)
            continue
        for name, value in options(word, words):
            meaning = LONG[name]
            if " " in meaning:
                raise refused(f"jj commit has no form of {name}", meaning)
            if meaning in (MESSAGE, FILE, REUSE):
                messages.append(_text(call, repo, line, meaning, value or ""))
            else:
                marks.append(meaning)
    if REUSE in marks or not messages:
        return Commit(None, tuple(paths), tuple(marks))
    return Commit("\n\n".join(text.strip("\n") for text in messages), tuple(paths), tuple(marks))


def options(word: str, words: list[str]) -> list[tuple[str, str | None]]:
    """The options that one word holds, under their long names; a value that stands apart is taken off `words`. Raises Refused."""
    if word.startswith("--"):
        written, attached, value = word.partition("=")
        fits = [written] if written in LONG else [name for name in LONG if name.startswith(written)]
        if len(fits) != 1:
            raise refused(f"{written} is no option of git commit that can be told for sure", "git commit -m MESSAGE")
        if fits[0] in VALUED and not attached:
            return [(fits[0], words.pop(0) if words else "")]
        return [(fits[0], value if attached else None)]
    found: list[tuple[str, str | None]] = []
    letters = word[1:]
    while letters:
        letter, letters = letters[0], letters[1:]
        if letter not in SHORT:
            raise refused(f"-{letter} is no option of git commit", "git commit -m MESSAGE")
        name = SHORT[letter]
        if name in VALUED or letter in "Su":
            apart = not letters and name in VALUED and bool(words)
            found.append((name, words.pop(0) if apart else letters))
            break
        found.append((name, None))
    return found


def _text(call: Call, repo: Repo, line: Line, kind: str, value: str) -> str:
    """The message that an option means."""
    if kind == MESSAGE:
        return value
    if kind == REUSE:
        return asked(call, repo, "log", "-r", revision(value), "--limit", "1", "--no-graph", "-T", "description")
    if value == "-":
        data = b""
        while part := posix.read(0, 65536):
            data += part
        return data.decode("utf-8", "surrogateescape")
    found = files.get(below(line.place, value))
    if found is None:
        raise refused(f"the message file {value!r} cannot be read", "git commit -m MESSAGE")
    return found.decode("utf-8", "surrogateescape")


def revision(name: str) -> str:
    """Git's name for a commit as jj's. Raises Refused for what is not plainly the same."""
    found = jj_revision.revision(name)
    if found is None:
        raise refused(
            f"{name!r} is written in git's way and has no sure form in jj",
            "jj log",
        )
    return found


def fileset(path: str) -> str:
    """A git path as a jj fileset: the path itself, seen from the working directory. Raises Refused for patterns and pathspec magic."""
    if path.startswith(":") or any(sign in path for sign in MAGIC):
        raise refused(f"{path!r} is a pathspec pattern", "git commit -m MESSAGE -- FILES")
    escaped = path.replace('"', '\\"')
    return f'cwd:"{escaped}"'


def unchanged(call: Call, repo: Repo) -> bool:
    """Whether the working copy, taken in by jj now, holds no change."""
    template = 'if(empty, "nothing", "something")'
    answer = ask.run(
        (
            jj(call),
            "--no-pager",
            "--color",
            "never",
            "--quiet",
            "-R",
            repo.root,
            "log",
            "-r",
            "@",
            "--no-graph",
            "-T",
            template,
        ),
        call.environment,
    )
    return answer.status == 0 and answer.output.strip() == "nothing"


def refused(why: str, *instead: str) -> Refused:
    """The refusal of a commit form."""
    return refusal(f"git commit in a jj repository: {why}", instead)


def refusal(why: str, instead: Sequence[str]) -> Refused:
    """The refusal of a translated command in a form that jj does not have."""
    offered = ", or ".join(f"`{command}`" for command in instead)
    return Refused(f"gatepost: refused: {why}. Run instead: {offered}. [jj/git-write]")
