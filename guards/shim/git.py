"""git: judged by the rules; in a jj repository reads are answered truly, some writes are translated, all others refused with the jj command.

Which is which is the engine's word (rules jj/git-*); here is only what follows from it. What a person or a comment lifted git does itself.
"""

from __future__ import annotations

import posix

from guards.shim import gitline, jjrepo
from guards.shim.call import Call, Refused, become, hand_over, say
from guards.shim.judge import STRICT, engine, lifted, message, request_of, settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from guards.shim.gitline import Line
    from guards.shim.jjrepo import Repo
    from policy.model import Decision, Finding

RULE = "jj/git-write"
TRANSLATED = ("add", "stage", "commit", "worktree")


def act(call: Call) -> None:
    """Return when the real git may run as it was called; else refuse, or become what does the same in jj."""
    line = gitline.read(call.words, call.cwd, call.environment)
    repo = jjrepo.concerned(line)
    if repo is None or engine(call).compiled.config.get("profile") == "observe":
        settle(call)
        return
    from guards.shim.jjparent import started_by_jj

    if started_by_jj(call):
        return
    decision = settle(call, counts=_not_about_jj)
    written = [finding for finding in decision.findings if finding.action in STRICT and not _not_about_jj(finding)]
    if written and lifted(call, request_of(call), written):
        return
    if written:
        _write(call, repo, line, decision, written)
    elif _lists_workspaces(line):
        _become_jj(call, repo, line)
    elif not _elsewhere(line):
        from guards.shim.jjread import variables

        hand_over(call, changes=variables(call, repo, line))


def _not_about_jj(finding: Finding) -> bool:
    """What the rules say of git in a jj repository is answered here; a workspace is removed with safeties of its own (jjremove)."""
    return not finding.rule.startswith("jj/git-") and finding.rule != "git/worktree-remove"


def _lists_workspaces(line: Line) -> bool:
    return line.subcommand == "worktree" and line.rest[:1] == ("list",) and not line.explicit


def _elsewhere(line: Line) -> bool:
    """Commands that make a repository: the rules let them pass where they make it outside of this one."""
    return line.subcommand in ("clone", "init")


def _write(call: Call, repo: Repo, line: Line, decision: Decision, written: Sequence[Finding]) -> None:
    """Carry a write out in jj where there is a way. Raises Refused."""
    wanted = line if line.subcommand in TRANSLATED else _expanded(call, line)
    if wanted.subcommand in TRANSLATED and not line.explicit:
        _become_jj(call, repo, wanted)
    from guards.shim.judge import log

    log(call, request_of(call), decision)
    raise Refused(message(decision, written))


def add(line: Line) -> NoReturn:
    """Nothing to do, and said so: jj takes files in by itself. Forcing an ignored file in is another matter."""
    if any(word in ("-f", "--force") for word in line.rest):
        raise Refused(
            "gatepost: refused: git add --force in a jj repository: jj keeps ignored files out. "
            f"Run instead: `jj file track FILES`. [{RULE}]"
        )
    say("gatepost: this is a jj repository: jj tracks files by itself, git add did nothing and is not needed.")
    posix._exit(0)  # noqa: SLF001


def _become_jj(call: Call, repo: Repo, line: Line) -> None:
    """Run the translated command, judged like any other, from the directory that git would have worked in. Raises Refused."""
    if line.subcommand == "commit":
        from guards.shim.jjcommit import act as translated
    elif line.subcommand == "worktree":
        from guards.shim.jjworkspace import act as translated
    else:
        add(line)
    words = translated(call, repo, line)
    program = jjrepo.jj(call)
    if line.place != call.cwd:
        posix.chdir(line.place)
    settle(call.replace(cwd=jjrepo.physical(line.place) or repo.root), ("jj", *words))
    become(call, program, ("jj", *words))


def _expanded(call: Call, line: Line) -> Line:
    """The line with an alias of the user's configuration taken apart; as it is for one that runs a shell or holds quotes."""
    from guards.shim import ask

    question = (call.real, *line.ahead, "config", "--get", f"alias.{line.subcommand}")
    text = ask.run(question, call.environment, {"GIT_OPTIONAL_LOCKS": "0"}).output.rstrip("\n")
    if not text or text.startswith("!") or any(sign in text for sign in "'\"\\"):
        return line
    words = text.split()
    return line.replace(subcommand=words[0], rest=(*words[1:], *line.rest))
