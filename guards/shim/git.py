"""git: judged by the rules; in a jj repository reads are answered truly, some writes are translated, all others refused with the jj command."""

from __future__ import annotations

import posix

from guards.shim import gitline, jjrepo
from guards.shim.call import Call, Refused, become, hand_over, say
from guards.shim.judge import settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shim.gitline import Line
    from guards.shim.jjrepo import Repo
    from policy.model import Finding

RULE = "jj/git-write"
ELSEWHERE = ("clone", "init")
"""Commands that make a repository: plain git's business when they make it outside of this one."""


def act(call: Call) -> None:
    """Return when the real git may run as it was called; else refuse, or become what does the same in jj."""
    line = gitline.read(call.words, call.cwd, call.environment)
    repo = jjrepo.concerned(line)
    if repo is None:
        settle(call)
        return
    from guards.shim.jjparent import started_by_jj

    if started_by_jj(call):
        return
    settle(call, counts=_not_about_jj)
    _in_jj(call, repo, _expanded(call, repo, line))


def _not_about_jj(finding: Finding) -> bool:
    """What the rules say of git in a jj repository is settled here, by translation or refusal."""
    return not finding.translate and not finding.rule.startswith("jj/git")


def _in_jj(call: Call, repo: Repo, line: Line) -> None:
    from guards.shim.gitcommands import reads

    if reads(line.subcommand, line.rest):
        from guards.shim.jjread import variables

        hand_over(call, changes=variables(call, repo, line))
    if line.subcommand in ELSEWHERE and _target_is_outside(repo, line):
        return
    if line.explicit:
        raise refused(repo, line)
    if line.subcommand in ("add", "stage"):
        add(line)
    if line.subcommand == "commit":
        from guards.shim.jjcommit import act as commit

        _become_jj(call, repo, line, commit(call, repo, line))
    if line.subcommand == "worktree":
        from guards.shim.jjworkspace import act as worktree

        _become_jj(call, repo, line, worktree(call, repo, line))
    raise refused(repo, line)


def add(line: Line) -> None:
    """Nothing to do, and said so: jj takes files in by itself. Forcing an ignored file in is another matter."""
    if any(word in ("-f", "--force") for word in line.rest):
        raise Refused(
            f"gatepost: refused: git add --force in a jj repository: jj keeps ignored files out. Run instead: `jj file track FILES`. [{RULE}]"
        )
    say("gatepost: this is a jj repository: jj tracks files by itself, git add did nothing and is not needed.")
    posix._exit(0)  # noqa: SLF001


def _become_jj(call: Call, repo: Repo, line: Line, words: tuple[str, ...]) -> None:
    """Run a translated command, judged like any other, from the directory that git would have worked in."""
    program = jjrepo.jj(call)
    if line.place != call.cwd:
        posix.chdir(line.place)
    settle(call.replace(cwd=jjrepo.physical(line.place) or repo.root), ("jj", *words))
    become(call, program, ("jj", *words))


def _expanded(call: Call, repo: Repo, line: Line) -> Line:
    """The line with an alias of the user's configuration taken apart. Raises Refused for one that runs a shell."""
    from guards.shim import ask
    from guards.shim.gitcommands import EQUIVALENTS, reads

    if (
        reads(line.subcommand, line.rest)
        or line.subcommand in EQUIVALENTS
        or line.subcommand in ("add", "commit", "worktree")
    ):
        return line
    answer = ask.run(
        (call.real, *line.ahead, "config", "--get", f"alias.{line.subcommand}"),
        call.environment,
        {"GIT_OPTIONAL_LOCKS": "0"},
    )
    text = answer.output.rstrip("\n")
    if answer.status != 0 or not text or text.startswith("!") or any(sign in text for sign in "'\"\\"):
        raise refused(repo, line)
    words = text.split()
    return line.replace(subcommand=words[0], rest=(*words[1:], *line.rest))


def _target_is_outside(repo: Repo, line: Line) -> bool:
    """Whether a new repository would be made outside of this one."""
    operands = [word for word in line.rest if not word.startswith("-")]
    if not operands or (line.subcommand == "clone" and len(operands) < 2):
        return False
    target = jjrepo.above(gitline.below(line.place, operands[-1]))
    return target is None or target.root != repo.root


def refused(repo: Repo, line: Line) -> Refused:
    """The refusal of a command that has no place in a jj repository, with the jj command that has."""
    from guards.shim.gitcommands import EQUIVALENTS

    instead = EQUIVALENTS.get(line.subcommand)
    text = f"Run instead: `{instead}`." if instead else "`jj help` lists what jj has for it."
    name = (
        f"git {line.subcommand[:40]!r}" if not line.subcommand.replace("-", "").isalnum() else f"git {line.subcommand}"
    )
    return Refused(
        f"gatepost: refused: {name} in the jj repository {repo.root!r}: git would change what jj keeps (HEAD, index, refs or files) behind its back. "
        f"{text} [{RULE}]"
    )
