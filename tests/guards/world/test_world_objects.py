"""Objects, revisions, refs and reachability against the real git."""

from __future__ import annotations

import pytest

from guards.world import RealWorld
from guards.world.budget import Budget
from guards.world.objects import Objects
from policy.world import Unanswered


@pytest.fixture(params=["loose", "packed", "gc", "alternates", "sha256"])
def history(request, sandbox, write):
    """A repository with a merge, tags, deltas, in several forms of storage."""
    options = ("--object-format=sha256",) if request.param == "sha256" else ()
    repo = sandbox.init("repo", *options)
    text = "".join(f"line {number}\n" for number in range(300))
    for number in range(6):
        write(repo, {"long.txt": text + f"{number}\n", f"dir/{number}.txt": f"{number}\n"})
        sandbox.git("add", "-A", cwd=repo)
        sandbox.git("commit", "-qm", f"c{number}", cwd=repo)
    sandbox.git("checkout", "-qb", "side", "HEAD~2", cwd=repo)
    write(repo, {"side.txt": "side\n"})
    sandbox.git("add", "-A", cwd=repo)
    sandbox.git("commit", "-qm", "side", cwd=repo)
    sandbox.git("checkout", "-q", "main", cwd=repo)
    sandbox.git("merge", "-q", "--no-ff", "-m", "merge", "side", cwd=repo)
    sandbox.git("tag", "-a", "v1", "-m", "v1", cwd=repo)
    sandbox.git("tag", "light", "HEAD~1", cwd=repo)
    if request.param == "packed":
        sandbox.git("repack", "-adfq", cwd=repo)
    if request.param == "gc":
        sandbox.git("gc", "-q", cwd=repo)
    if request.param == "alternates":
        sandbox.git("clone", "-q", "--shared", "repo", "copy", cwd=sandbox.home)
        return sandbox.home / "copy"
    return repo


def test_every_object_is_read(sandbox, history):
    listed = sandbox.git("cat-file", "--batch-all-objects", "--batch-check", cwd=history).splitlines()
    folder = history / sandbox.git("rev-parse", "--git-path", "objects", cwd=history).strip()
    width = len(listed[0].split()[0]) // 2
    objects = Objects(str(folder), width, Budget(10**7))
    assert len(listed) > 20
    for line in listed:
        oid, kind, size = line.split()
        found, content = objects.get(bytes.fromhex(oid))
        assert (found, len(content)) == (kind, int(size))
        if kind == "blob":
            assert content.decode() == sandbox.git("cat-file", "blob", oid, cwd=history)


REVISIONS = [
    "HEAD", "@", "main", "side", "HEAD~1", "HEAD^", "HEAD^2", "HEAD^2~1", "HEAD~3^0", "main^{}", "v1", "v1^{commit}", "v1~2", "light", "refs/heads/main",
    "heads/side", "tags/v1", "HEAD@{0}", "HEAD@{2}", "main@{1}", "@{1}", "-", "@{-1}", "HEAD~40", "HEAD^3", "nothing", "origin/main", "@{u}", "main@{upstream}",
    "HEAD^{commit}~1",
]  # fmt: skip


def test_revisions_mean_what_git_says(sandbox, history):
    world = RealWorld(sandbox.environment, str(sandbox.home))
    place = world.repository(str(history), {})
    for revision in REVISIONS:
        asked = "@{-1}" if revision == "-" else revision
        told = sandbox.git("rev-parse", "--verify", "--quiet", asked, cwd=history, check=False).strip() or None
        assert world.resolve(place, revision) == told, revision


def test_short_names(sandbox, history):
    world = RealWorld(sandbox.environment, str(sandbox.home))
    place = world.repository(str(history), {})
    full = sandbox.git("rev-parse", "HEAD~1", cwd=history).strip()
    assert world.resolve(place, full[:10]) == full
    assert world.resolve(place, "0000000000") is None


def test_refs_and_branch(sandbox, history):
    world = RealWorld(sandbox.environment, str(sandbox.home))
    place = world.repository(str(history), {})
    listed = sandbox.git("for-each-ref", "--format=%(refname) %(objectname)", cwd=history)
    told = dict(line.split() for line in listed.splitlines())
    assert world.refs(place, "refs/") == told
    assert world.branch(place) == "main"
    sandbox.git("checkout", "-q", "--detach", cwd=history)
    assert RealWorld(sandbox.environment, str(sandbox.home)).branch(place) is None


def test_reachability_counts_as_rev_list(sandbox, history, write):
    sandbox.git("checkout", "-qb", "own", "HEAD~1", cwd=history)
    for number in range(3):
        write(history, {"own.txt": f"{number}\n"})
        sandbox.git("add", "-A", cwd=history)
        sandbox.git("commit", "-qm", f"own {number}", cwd=history)
    world = RealWorld(sandbox.environment, str(sandbox.home))
    place = world.repository(str(history), {})
    opened = world.open(place)
    ids = sandbox.git("rev-list", "--all", cwd=history).split()
    for removed in ids:
        for kept in (ids[0], ids[len(ids) // 2]):
            told = int(sandbox.git("rev-list", "--count", removed, f"^{kept}", cwd=history))
            assert opened.commits.only((removed,), frozenset((kept,))) == told
    own = sandbox.git("rev-parse", "own", cwd=history).strip()
    assert world.unreachable_after(place, (own,), ()) == 3


def test_tracked_and_difference(sandbox, history, write):
    world = RealWorld(sandbox.environment, str(sandbox.home))
    place = world.repository(str(history), {})
    told = set(sandbox.git("ls-tree", "-r", "--name-only", "HEAD~2", cwd=history).splitlines())
    assert world.tracked(place, "HEAD~2") == told
    assert world.tracked(place) == set(sandbox.git("ls-files", cwd=history).splitlines())
    found = world.against(place, "HEAD~2")
    listed = sandbox.git("diff", "--cached", "--no-renames", "--name-status", "HEAD~2", cwd=history).splitlines()
    status = {line.split("\t")[1]: line[0] for line in listed}
    assert set(found.added) == {name for name, letter in status.items() if letter == "A"}
    assert set(found.changed) == {name for name, letter in status.items() if letter == "M"}
    assert set(found.gone) == {name for name, letter in status.items() if letter == "D"}


def test_stash_entries(sandbox, history, write):
    for number in range(2):
        write(history, {"long.txt": f"stashed {number}\n"})
        sandbox.git("stash", "push", "-q", "-m", f"entry {number}", cwd=history)
    world = RealWorld(sandbox.environment, str(sandbox.home))
    assert world.stashes(world.repository(str(history), {})) == ("On main: entry 1", "On main: entry 0")


def test_what_cannot_be_read_is_unanswered(sandbox, write):
    repo = sandbox.init()
    write(repo, {"a.txt": "a\n"})
    sandbox.git("add", "-A", cwd=repo)
    sandbox.git("commit", "-qm", "one", cwd=repo)

    def status() -> object:
        world = RealWorld(sandbox.environment, str(sandbox.home))
        return world.status(world.repository(str(repo), {}))

    index = (repo / ".git" / "index").read_bytes()
    for broken in (index[:40], b"DIRC\0\0\0\7" + index[8:], b"junk", index[:12] + b"\xff" * 30):
        (repo / ".git" / "index").write_bytes(broken)
        with pytest.raises(Unanswered):
            status()
    (repo / ".git" / "index").write_bytes(index)
    (repo / ".git" / "reftable").mkdir()
    with pytest.raises(Unanswered):
        status()
