"""Work in a folder, repository or working tree that the request itself makes loses nothing; the same words elsewhere still do."""

import pytest

DIRTY = {
    "modified": ["src/a.py"],
    "tracked": ["src/a.py"],
    "untracked": ["new.txt"],
    "files": {"full/x": "1", "tmp/f": "1"},
}
HARMS = (
    "git reset --hard",
    "git checkout -f",
    "git checkout -- .",
    "git restore .",
    "git clean -fdx",
)
MADE = (
    "cd $(mktemp -d) && git init -q && {}",
    'd=$(mktemp -d); cd "$d"; git clone -q /home/dev/work/app . && {}',
    'd=$(mktemp -d) && git clone -q . "$d/x" && cd "$d/x" && {}',
    'd=$(mktemp -d -t build.XXXXXX) && cp -r . "$d" && cd "$d" && {}',
    'git clone . $(mktemp -d)/x && cd "$_" && {}',
    'mkdir -p /tmp/scratch && cd "$_" && git init && {}',
    "mktemp -d | xargs -I% sh -c 'cd % && git init && {}'",
    "git clone https://example.com/o/r.git && cd r && {}",
    "git clone https://example.com/o/r.git tmp/r && cd tmp/r && {}",
    "git clone git@example.com:r && cd r && {}",
    "git init -q tmp/t && cd tmp/t && {}",
    "mkdir -p tmp/t && cd tmp/t && git init && {}",
    "git worktree add .worktrees/n -b n && cd .worktrees/n && {}",
    "(git worktree add ../n -b n && cd ../n && {})",
)
ELSEWHERE = (
    "git clone https://example.com/o/r.git; cd r; {}",
    "git clone https://example.com/o/r.git r || true; cd r && {}",
    "git clone https://example.com/o/r.git full && cd full && {}",
    "git clone --bare https://example.com/o/r.git r && cd r && {}",
    "git clone https://example.com/o/r.git r && {}",
    "git init && {}",
    "git init full && cd full && {}",
    "cd $(mktemp -d -p .) && cd .. && {}",
    "d=$(mktemp -d) && cd $d && cd - && {}",
    "(cd $(mktemp -d) && git init) && {}",
    'd=$(mktemp -d) && ln -s "$PWD" "$d/app" && cd "$d/app" && {}',
    'd=$(mktemp -d) && ln -s "$PWD" "$d/app" && cd "$d/app/src" && cd .. && {}',
    'cd "$(mktemp -d /none/XXXX)" && {}',
    'ls "$PWD" && cd "$_" && {}',
    "ssh build1 'git clone x r' && cd r && {}",
    "git worktree move . ../moved && cd ../moved && {}",
    "git worktree move /home/dev/work/app ../moved && cd ../moved/src && cd .. && {}",
)


@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("text", MADE)
def test_nothing_is_lost_in_what_the_request_makes(decide, text, harm):
    decision = decide(text.format(harm), world=DIRTY, environment={"HOME": "/home/dev", "PWD": "/home/dev/work/app"})
    assert decision.action not in {"ask", "deny"}, decision.reason


@pytest.mark.parametrize("text", ELSEWHERE)
def test_work_elsewhere_is_still_guarded(decide, text):
    harm = "git reset --hard"
    decision = decide(text.format(harm), world=DIRTY, environment={"HOME": "/home/dev", "PWD": "/home/dev/work/app"})
    assert decision.action in {"ask", "deny"}, text


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("cd $(mktemp -d) && git init -q && git stash && git stash drop", False),
        ("git clone https://example.com/o/r && cd r && git stash clear", False),
        ("cd $(mktemp -d) && git stash drop", True),
        ("git worktree add ../n -b n && cd ../n && git stash clear", True),
    ],
)
def test_only_a_repository_of_its_own_has_stash_entries_of_its_own(decide, text, asks):
    assert (decide(text, world=DIRTY).action in {"ask", "deny"}) is asks


def test_a_working_tree_shares_the_branches(decide):
    world = {"refs": {"refs/heads/old": "1" * 40}, "unreachable": 2}
    assert decide("git branch -D old", world=world).action == "deny"
    assert decide("git worktree add /tmp/n -b n && cd /tmp/n && git branch -D old", world=world).action == "deny"


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("git init tmp/t && cd tmp/t && git add a && git commit -m a", False),
        ("git clone https://example.com/o/r tmp/r && git -C tmp/r checkout v1", False),
        ("git clone https://example.com/o/r tmp/r && git checkout v1", True),
        ("git init && git add a", True),
    ],
)
def test_a_repository_made_inside_one_of_jj_is_git_s(decide, text, asks):
    assert (decide(text, world={"repository": "jj-colocated"}).action in {"ask", "deny"}) is asks


@pytest.mark.parametrize("paths", ["..", "../new.txt", ":/", "-- ../"], ids=["parent", "file", "top", "after dashes"])
def test_clean_reaches_out_of_its_directory_by_a_path(decide, paths):
    assert decide(f"cd src && git clean -fd {paths}", world=DIRTY).action == "deny"
    assert decide("cd src && git clean -fd", world=DIRTY).action == "pass"


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("a=$(mktemp); b=$(mktemp); echo 'rm -rf ~' > $a; echo true > $b; sh $a", True),
        ("a=$(mktemp); b=$(mktemp); echo true > $a; echo true > $b; sh $a; sh $b", False),
        ("mkdir -p /tmp/q && cd $_ && rm -rf *", False),
        ("mkdir -p /tmp/q; ls ~ && cd $_ && rm -rf *", True),
        ("ls /tmp/q && rm -rf $_/..", True),
        ("x=/tmp/q; rm -rf ~/$_", True),
    ],
)
def test_names_that_the_shell_makes(decide, text, asks):
    assert (decide(text).action in {"ask", "deny"}) is asks


@pytest.mark.parametrize("move", ["mv new.txt q/", "mkdir -p q && mv new.txt q", "mkdir q && cp src/a.py q/b.py"])
def test_what_the_request_puts_into_a_folder_is_lost_there(decide, move):
    """A file that it moves into a folder is as untracked there as it was before."""
    world = {**DIRTY, "files": {"q": "directory", "new.txt": "1"}} if "mkdir" not in move else DIRTY
    said = decide(f"{move} && cd q && git clean -fdx", world=world)
    assert said.action in {"ask", "deny"}, said.reason
