"""The fixture states of the measurements: repositories in every condition in which a git command may find one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.git_loss import states_going as going
from tests.git_loss import states_history as history
from tests.git_loss import states_places as places
from tests.git_loss import states_tree as tree
from tests.git_loss.bench import Bench, base

if TYPE_CHECKING:
    from pathlib import Path

STATES = {
    make.__name__ if make is not tree.filtered else "filter": make
    for make in (
        tree.clean, tree.modified, tree.staged, tree.both, tree.newstaged, tree.newstagedmod, tree.intent, tree.untracked,
        tree.ignored, tree.inway, tree.deleted, tree.stageddel, tree.dirasfile, going.merge, going.mergeadd, going.mergedirty,
        going.rebase, going.rebaseauto, going.pick, going.pickseq, going.am, going.revert, history.unpushed, history.unmerged,
        history.detached, history.stash, history.stashdirty, places.linked, places.linkedcommit, places.sub, places.nested,
        tree.case, places.symlink, tree.filtered, tree.assume, tree.skipwt, going.unborn, going.bisect, tree.everything,
        history.dangling, history.reflogonly, history.amended, history.behind, history.behindfetched, history.diverged,
        history.divergedfetched, history.divergeddirty,
    )
}  # fmt: skip


def build(root: Path, program: str, state: str) -> Bench:
    """A state made from nothing."""
    bench = base(root, program)
    STATES[state](bench)
    return bench
