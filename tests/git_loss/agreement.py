"""When a rule's answer agrees with what git really destroyed, and where it is meant to differ.

missed   something was lost, and the rules say less than they should: deny for bytes and commits that nothing names any more, at least ask
         for what goes on the remote, at least advice for what a dangling blob or a reflog still holds
over     nothing was lost, git did not refuse, and the rules ask or deny
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.git_loss.matrix import Result

GONE = frozenset(("worktree", "other-worktree", "stash", "commits"))
FAINT = frozenset(("index", "reflog"))

MEANT = (
    # --- said less than was lost
    ("missed", "git add *|git commit *|git merge --autostash *|git rebase --autostash *", "*", "the older staged version of a file that was edited since: every ordinary add and commit drops it"),
    ("missed", "git stash*&& git stash pop", "both newstagedmod stageddel", "pop without --index gives the edited version back, not the staged one"),
    ("missed", "*stash*|git merge --autostash *|git rebase --autostash *|git checkout -m *|git switch -m *", "filter", "what a clean filter strips is stripped by the stash too; filters are not run to find out (docs/threat-model)"),
    ("missed", "git rebase *|git pull --rebase*|git fetch && git rebase|*rebase -i*|git commit *--amend*", "*", "rewriting one's own commits is ordinary work; the reflog keeps the old ones"),
    ("missed", "git bisect start *", "detached", "bisect keeps the commit in BISECT_START and goes back to it"),
    ("missed", "git replace HEAD HEAD~1", "unpushed", "a replacement hides the commit, git replace -d shows it again"),
    ("missed", "git replace -f HEAD topic", "*", "asked about, not refused: a replacement hides the commit, git replace -d shows it again"),
    ("missed", "git sparse-checkout init --cone|git clean -fdx -e ignored.log", "ignored", "only build output (build/) goes, which its tools make again"),
    ("missed", "rm .git/index", "*", "files/delete-lock asks about it, whatever is staged; it is not among the rules that are looked at here"),
    ("missed", "git archive --output=untracked.txt *|git bundle create untracked.txt *|git log -p -1 --output=untracked.txt", "*", "an untracked target is the output of an earlier run as a rule"),
    # --- said more than was lost
    ("over", "*push*|*send-pack*", "*", "what the remote holds now is not known here: a forced push is refused whether or not it would overwrite something"),
    ("over", "*", "mergedirty", "a merge in a dirty tree leaves an unreferenced WIP commit, so the bytes can be found by fsck"),
    ("over", "git stash && git stash drop|git stash create && git reset --hard", "*", "the bytes are in a dangling commit without a name"),
    ("over", "git stash drop*|git stash clear|git reflog delete stash*", "*", "the list is shared: what another session stashes meanwhile would go too"),
    ("over", "*reflog expire*|*gc --prune=now|git prune*", "*", "whether anything is still needed from the reflog is not searched for: it takes the way back from every later mistake"),
    ("over", "rm -rf ../linked*", "clean modified", "a folder outside the repository is asked about by its name, whether or not it is there yet"),
    ("over", "*filter-branch*|git replace -f *", "*", "the whole history is rewritten"),
    ("over", "git stash*", "linked", "the stash is shared with the other working tree"),
)  # fmt: skip


def fault(result: Result) -> str:
    """What is wrong with the answer: "" when it agrees, or differs where it is meant to."""
    kind = difference(result)
    return "" if not kind or meant(kind, result) else kind


def difference(result: Result) -> str:
    lost = set(result.real)
    gone = lost & GONE
    if "remote" in lost:  # the tracking ref goes with the remote's own
        gone -= {"commits"}
    if gone and result.said != "deny":
        return "missed"
    if "remote" in lost and result.said not in ("ask", "deny"):
        return "missed"
    if lost & FAINT and result.said == "pass":
        return "missed"
    if not lost and result.status == 0 and result.said in ("ask", "deny"):
        return "over"
    return ""


def meant(kind: str, result: Result) -> bool:
    return any(
        kind == which
        and any(fnmatchcase(result.form, one.replace("[", "[[]")) for one in forms.split("|"))
        and any(fnmatchcase(result.state, one) for one in states.split())
        for which, forms, states, _ in MEANT
    )
