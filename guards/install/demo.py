"""The main job, before your eyes: payloads as Claude Code sends them, through the installed hook, in a throwaway repository.

install.sh ends with it, first in silence against the new release, then aloud against what was installed. A wrong answer fails it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile

from guards.install.payloads import payload
from guards.install.registration import PROGRAM
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from guards.layout import Layout


PATIENCE = 60
DEMO = "install.sh"
"""The session of these requests: tries of ours, nobody's commands."""


class Case(Record):
    """One request: the folder it is made in (a name in the throwaway folder), its text, the answer that is right and the rule in it."""

    folder: str
    text: str
    answer: str
    rule: str = ""


MESSAGE = "git commit -m \"$(cat <<'EOF'\nnever git reset --hard\nEOF\n)\""
CASES = (
    Case("edited", "git reset --hard", "deny", "git/reset-hard"),
    Case("edited", "cd src && env X=1 git reset --har", "deny", "git/reset-hard"),
    Case("edited", MESSAGE, "silence"),
    Case("edited", "ls -la", "silence"),
    Case("edited", "rm -rf ~/", "deny"),
    Case("edited", "git push --force origin main", "deny"),
    Case("edited", "echo $(", "ask", "shell/unparsed"),
    Case("clean", "git reset --hard", "silence"),
    Case("clean", "make test && git status", "silence"),
)
IN_JJ = Case("jj", "git commit -m x", "deny", "jj commit")
"""Asked where jj is found."""


class Start(Record):
    """A command that is run for real at another door: words of its argv (the first one in BIN), its exit status, what it says on stderr."""

    door: str
    argv: tuple[str, ...]
    status: int
    says: str


STARTS = (
    Start("shim", ("gatepost", "run", "--", "sh", "-c", "git reset --hard"), 126, "[git/reset-hard]"),
    Start("limits", ("with-limits", "--time", "300ms", "--", "sleep", "30"), 124, "time limit"),
)
WORDS = {"deny": "refused", "ask": "asks you", "silence": "lets it pass"}


class Answered(Record):
    """What the hook said to a case: deny, ask, allow, silence, or a description of something that is no answer."""

    case: Case
    answer: str
    reason: str = ""

    @property
    def right(self) -> bool:
        """Whether it is the expected answer, for the expected reason."""
        return self.answer == self.case.answer and self.case.rule in self.reason


def wrong(layout: Layout) -> list[str]:
    """One line for each case that the hook in `layout` answers wrongly; [] when all is well. Nothing but the hook is tried."""
    return [
        f"{shown(done.case.text)} in the {done.case.folder} repository: {done.answer} where {done.case.answer}"
        f"{' by ' + done.case.rule if done.case.rule else ''} was expected{': ' + done.reason if done.reason else ''}"
        for done in run(layout)
        if not done.right
    ]


def show(layout: Layout) -> None:
    """Print every case with its answer. Raises ValueError when one is wrong, unless the user's own configuration may be why."""
    print(
        "The installed hook, asked as Claude Code asks, in two throwaway repositories (one with uncommitted edits, one clean):\n"
    )
    failed = 0
    for done in run(layout):
        failed += not done.right
        print(f"  {'ok   ' if done.right else 'WRONG'} {done.case.folder:6}  {shown(done.case.text)}")
        print(f"                 {WORDS.get(done.answer, done.answer)}{': ' + done.reason if done.reason else ''}")
    print("\nThe other doors, in the edited repository:\n")
    for start, status, said in run_starts(layout):
        right = status == start.status and start.says in said
        failed += not right
        print(
            f"  {'ok   ' if right else 'WRONG'} {start.door:6}  {shown(' '.join(start.argv))}\n                 exit {status}: {said}"
        )
    if failed and configured(layout):
        print(
            f"\n{failed} differ from the shipped rules; your configuration in {layout.config} or {layout.managed} may want it so."
        )
    elif failed:
        raise ValueError(f"{failed} answers are wrong")


def configured(layout: Layout) -> bool:
    """Whether somebody configured this installation."""
    return any(
        os.path.exists(f"{folder}/{name}")
        for folder in (layout.config, layout.managed)
        for name in ("config.toml", "rules")
    )


def run(layout: Layout) -> Iterator[Answered]:
    """Put every case to the hook. Raises OSError when git or the hook cannot be started."""
    root = tempfile.mkdtemp(prefix="gatepost-demo-")
    try:
        kinds = make_repositories(root)
        for case in (*CASES, *((IN_JJ,) if "jj" in kinds else ())):
            yield ask(layout, case, f"{root}/{case.folder}")
    finally:
        shutil.rmtree(root)


def run_starts(layout: Layout) -> Iterator[tuple[Start, int, str]]:
    """Each start with its exit status and the end of what it said."""
    root = tempfile.mkdtemp(prefix="gatepost-demo-")
    try:
        make_repositories(root)
        for start in STARTS:
            argv = (f"{layout.bin}/{start.argv[0]}", *start.argv[1:])
            done = subprocess.run(
                argv, cwd=f"{root}/edited", stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
            )
            yield start, done.returncode, done.stderr.strip()
    finally:
        shutil.rmtree(root)


def make_repositories(root: str) -> tuple[str, ...]:
    """`clean` and `edited`, a commit each, and in `edited` a change that is in no commit; `jj` where jj is found. Returns their names."""
    if shutil.which("git") is None:
        raise ValueError("git was not found; Gatepost's main job is about git repositories (apt install git)")
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": root,
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_{what}": "demo@localhost" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    for name in ("clean", "edited"):
        folder = f"{root}/{name}"
        os.makedirs(folder + "/src")
        with open(folder + "/src/work.py", "w", encoding="utf-8") as file:
            file.write("committed = True\n")
        for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "first")):
            subprocess.run(
                ("git", *words),
                cwd=folder,
                env=environment,
                check=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
    with open(f"{root}/edited/src/work.py", "a", encoding="utf-8") as file:
        file.write("an_hour_of_work = True\n")
    if shutil.which("jj") is None:
        return ("clean", "edited")
    made = subprocess.run(("jj", "git", "init", f"{root}/jj"), env=environment, check=False, capture_output=True)
    return ("clean", "edited", "jj") if made.returncode == 0 else ("clean", "edited")


def ask(layout: Layout, case: Case, folder: str) -> Answered:
    """The hook's answer to one case."""
    request = {**payload("claude", case.text, folder), "session_id": DEMO}
    hook = (f"{layout.bin}/{PROGRAM}", "claude")
    try:
        done = subprocess.run(
            hook, input=json.dumps(request), capture_output=True, text=True, check=False, timeout=PATIENCE, cwd=folder
        )
    except subprocess.TimeoutExpired:
        return Answered(case, f"no answer within {PATIENCE} seconds")
    if done.returncode != 0:
        return Answered(case, f"exit status {done.returncode}", done.stderr.strip())
    if not done.stdout.strip():
        return Answered(case, "silence")
    try:
        output = json.loads(done.stdout).get("hookSpecificOutput", {})
    except ValueError:
        return Answered(case, "no JSON", done.stdout)
    return Answered(case, output.get("permissionDecision", "silence"), output.get("permissionDecisionReason", ""))


def shown(text: str) -> str:
    """A request on one line, cut where it is long."""
    line = text.replace("\n", "⏎")
    return line if len(line) <= 70 else line[:69] + "…"
