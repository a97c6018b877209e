"""What to run in a jj repository instead of a git command that is refused there. Measured with jj 0.46; a test runs each of them."""

from __future__ import annotations

from policy.rules.predicates.jj_revision import revision
from policy.rules.predicates.jj_wish import ALL, commit_of, line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy.rules.predicates.jj_wish import Wish

CONTROLS = ("--continue", "--abort", "--skip", "--quit", "--edit-todo", "--show-current-patch")


def instead(asked: Wish) -> tuple[str, ...]:
    """Jj commands that do what the git command would have done; () where jj has nothing like it."""
    found = WORDS.get(asked.one.subcommand, ())
    commands = found if isinstance(found, tuple) else found(asked)
    return tuple(command for command in commands if command.isprintable())


def branch(asked: Wish) -> tuple[str, ...]:
    names = asked.names
    if asked.has("--delete", "-D") and not asked.has("--remotes"):
        return (line("jj bookmark delete", *names),)
    if asked.has("--move", "-M") and len(names) == 2:
        return (line("jj bookmark rename", *names),)
    if asked.has("--copy", "-C") and len(names) == 2:
        return (line("jj bookmark create", names[1], "-r", names[0]),)
    remote, slash, name = (asked.value("--set-upstream-to") or "").partition("/")
    if slash:
        return (line("jj bookmark track", name, f"--remote={remote}"),)
    if not names or asked.has("--delete", "-D", "--move", "-M", "--copy", "-C"):
        return ("jj bookmark list --all-remotes",)
    start = commit_of(names[1] if len(names) > 1 else None)
    how = ("set", "--allow-backwards") if asked.has("--force") else ("create",)
    return (line(f"jj bookmark {how[0]}", names[0], "-r", start, *how[1:]),)


def tag(asked: Wish) -> tuple[str, ...]:
    if asked.has("--delete"):
        return (line("jj tag delete", *asked.names),)
    if not asked.names:
        return ("jj tag list",)
    start = commit_of(asked.names[1] if len(asked.names) > 1 else None)
    moved = ("--allow-move",) if asked.has("--force") else ()
    return (line("jj tag set", asked.names[0], "-r", start, *moved),)


def switch(asked: Wish) -> tuple[str, ...]:
    """`checkout` and `switch`."""
    if asked.has("--patch"):
        return ("jj diff",)
    if asked.has("--orphan"):
        return ("jj new 'root()'",)
    made, moved = asked.value("-b", "--create"), asked.value("-B", "--force-create")
    if made or moved:
        start = f"{line('jj new', commit_of(asked.names[0]))} && " if asked.names else ""
        if made:
            return (start + line("jj bookmark create", made, "-r", "@"),)
        return (start + line("jj bookmark set", moved or "", "-r", "@", "--allow-backwards"),)
    if asked.one.subcommand == "checkout":
        commit, paths = asked.divided()
        if paths:
            return _restored(None if commit is None else commit_of(commit), paths)
    return (line("jj new", commit_of(asked.names[0])),) if asked.names else ("jj status",)


def _restored(commit: str | None, paths: tuple[str, ...]) -> tuple[str, ...]:
    return (line("jj restore", *(("--from", commit) if commit else ()), *paths),)


def reset(asked: Wish) -> tuple[str, ...]:
    commit, paths = asked.divided()
    target = commit_of(commit)
    if paths or asked.has("--patch") or (target == "@-" and not asked.has("--hard", "--merge", "--keep")):
        return ("jj status",)
    if asked.has("--hard", "--merge", "--keep"):
        return ("jj restore",) if target == "@-" else (line("jj new", target),)
    return (line("jj abandon --restore-descendants", f"{target}..@-"),)


def restore(asked: Wish) -> tuple[str, ...]:
    if asked.has("--patch") or (asked.has("--staged") and not asked.has("--worktree")):
        return ("jj status",)
    source = asked.value("--source")
    return _restored(commit_of(source) if source else None, (*asked.names, *asked.paths) or ("FILES",))


def remove(asked: Wish) -> tuple[str, ...]:
    paths = (*asked.names, *asked.paths)
    if asked.has("--cached"):
        return (line("jj file untrack", *paths),)
    return (line("rm", *(("-r",) if asked.has("-r") else ()), *paths),)


def fetch(asked: Wish) -> tuple[str, ...]:
    if asked.has("--all"):
        return ("jj git fetch --all-remotes",)
    remote = _remote(asked)
    branches = [name for name in asked.names[1:] if revision(name) == name] if remote else []
    return (line("jj git fetch", *remote, *(word for name in branches for word in ("--branch", name))),)


def _remote(asked: Wish) -> tuple[str, ...]:
    """The option that names a remote; () for an address."""
    name = asked.names[0] if asked.names else ""
    return ("--remote", name) if name.replace("-", "").replace("_", "").isalnum() else ()


def pull(asked: Wish) -> tuple[str, ...]:
    known = len(asked.names) == 2 and _remote(asked) and revision(asked.names[1]) == asked.names[1]
    onto = f"{asked.names[1]}@{asked.names[0]}" if known else "trunk()"
    return (f"{fetch(asked)[0]} && {line('jj rebase --onto', onto)}",)


def push(asked: Wish) -> tuple[str, ...]:
    remote, names = _remote(asked), asked.names[1:]
    if asked.has("--all", "--branches", "--mirror"):
        return (line("jj git push --all", *remote),)
    if not names:
        return (line("jj git push", *remote),)
    source, colon, target = names[0].lstrip("+").partition(":")
    target = (target if colon else source).removeprefix("refs/heads/")
    source = source.removeprefix("refs/heads/")
    if not source or asked.has("--delete"):
        return (f"{line('jj bookmark delete', target)} && {line('jj git push --bookmark', target, *remote)}",)
    if target == "HEAD":
        return (line("jj git push --change", "@-", *remote),)
    if source == target:
        return (line("jj git push --bookmark", target, *remote),)
    return (line("jj git push --named", f"{target}={commit_of(source)}", *remote),)


def rebase(asked: Wish) -> tuple[str, ...]:
    if asked.has(*CONTROLS):
        return ("jj status",)
    if asked.has("--interactive"):
        return (
            "jj rebase -r REVISION --insert-after REVISION",
            "jj squash --from REVISION --into REVISION --use-destination-message",
        )
    onto = asked.value("--onto")
    upstream = commit_of(asked.names[0] if asked.names else None, "trunk()")
    if onto:
        return (line("jj rebase --source", f"roots({upstream}..@)", "--onto", commit_of(onto)),)
    moved = ("--branch", commit_of(asked.names[1])) if len(asked.names) > 1 else ()
    return (line("jj rebase", *moved, "--onto", upstream),)


def merge(asked: Wish) -> tuple[str, ...]:
    if asked.has(*CONTROLS) or not asked.names:
        return ("jj status",)
    first = () if asked.has("--ff-only") else ("@-",)
    return (line("jj new", *first, *map(commit_of, asked.names)),)


def pick(asked: Wish) -> tuple[str, ...]:
    if asked.has(*CONTROLS) or not asked.names:
        return ("jj status",)
    return (line("jj duplicate", *map(commit_of, asked.names), "--insert-after", "@-"),)


def revert(asked: Wish) -> tuple[str, ...]:
    if asked.has(*CONTROLS) or not asked.names:
        return ("jj status",)
    return (line("jj revert", *(w for name in asked.names for w in ("-r", commit_of(name))), "--insert-after", "@-"),)


def commit(asked: Wish) -> tuple[str, ...]:
    given = [o.value.text for o in asked.one.options if o.name == "--message" and o.value and o.value.text]
    messages = given if given and all(text.isprintable() for text in given) else ["what and why"]
    said = [word for text in messages for word in ("-m", text)]
    paths = (*asked.names, *asked.paths)
    fixed = asked.value("--fixup", "--squash")
    if fixed:
        return (line("jj squash --into", commit_of(fixed), *paths),)
    if asked.has("--amend"):
        kept = asked.one.option("--edit") and not asked.has("--edit") and not given
        return (line("jj squash", *(["--use-destination-message"] if kept else said), *paths),)
    return (line("jj commit", *said, *paths),)


def track(asked: Wish) -> tuple[str, ...]:
    paths = (*asked.names, *asked.paths)
    return ("jj status", line("jj file track", *paths)) if paths else ("jj status",)


def workspace(asked: Wish) -> tuple[str, ...]:
    start = ("--revision", commit_of(asked.names[1])) if len(asked.names) > 1 else ()
    return (line("jj workspace add", asked.names[0], *start),) if asked.names else ("jj workspace list",)


def patch(asked: Wish) -> tuple[str, ...]:
    """`apply` and `am`."""
    paths = (*asked.names, *asked.paths)
    one = line("patch -p1", *(("-R",) if asked.has("--reverse") else ()), *(("-i", paths[0]) if paths else ()))
    return (f"{one} && jj commit -m 'what and why'" if asked.one.subcommand == "am" else one,)


def configure(asked: Wish) -> tuple[str, ...]:
    name, *values = asked.names or ("NAME",)
    return (line("jj config set --repo", name, *values),) if len(values) == 1 and name.startswith("user.") else ()


def reference(asked: Wish) -> tuple[str, ...]:
    """`update-ref`."""
    name = asked.names[0].removeprefix("refs/heads/") if asked.names else "NAME"
    if asked.has("-d"):
        return (line("jj bookmark delete", name),)
    return (
        line(
            "jj bookmark set",
            name,
            "-r",
            commit_of(asked.names[1] if len(asked.names) > 1 else None, ALL),
            "--allow-backwards",
        ),
    )


def named(words: str) -> Callable[[Wish], tuple[str, ...]]:
    """These words with the operands behind them."""
    return lambda asked: (line(words, *asked.names, *asked.paths),)


GONE = ("jj op log",)
PACKED = ("jj util gc",)
LEFT = ("jj log", "jj squash --from REVISION --use-destination-message")
SPACES = ("jj workspace list",)
DESCRIBED = ("jj describe -r REVISION -m MESSAGE",)

WORDS: dict[str, tuple[str, ...] | Callable[[Wish], tuple[str, ...]]] = {
    "add": track, "stage": track, "commit": commit, "branch": branch, "tag": tag, "checkout": switch, "switch": switch, "reset": reset,
    "restore": restore, "rm": remove, "mv": named("mv"), "clean": ("jj status",), "fetch": fetch, "remote update": ("jj git fetch --all-remotes",),
    "remote prune": ("jj git fetch",), "remote add": lambda asked: (line("jj git remote add", *asked.names),), "remote remove": named("jj git remote remove"),
    "remote rename": named("jj git remote rename"), "remote set-url": named("jj git remote set-url"), "pull": pull, "push": push, "rebase": rebase,
    "merge": merge, "cherry-pick": pick, "revert": revert, "stash": ("jj new @-",), "stash push": ("jj new @-",), "stash save": ("jj new @-",),
    "stash pop": LEFT, "stash apply": LEFT, "stash drop": ("jj abandon REVISION",), "stash clear": ("jj abandon REVISION",),
    "worktree add": workspace, "worktree remove": SPACES, "worktree prune": SPACES, "worktree move": SPACES, "worktree lock": SPACES,
    "worktree unlock": SPACES, "worktree repair": SPACES, "apply": patch, "am": patch, "config": configure, "config set": configure,
    "update-ref": reference, "symbolic-ref": ("jj new REVISION",), "sparse-checkout set": named("jj sparse set --clear --add"),
    "sparse-checkout add": named("jj sparse set --add"), "sparse-checkout disable": ("jj sparse reset",), "gc": PACKED, "maintenance": PACKED,
    "maintenance run": PACKED, "prune": PACKED, "repack": PACKED, "prune-packed": PACKED, "reflog expire": GONE, "reflog delete": GONE,
    "notes add": DESCRIBED, "notes append": DESCRIBED, "notes edit": DESCRIBED, "history": DESCRIBED, "history reword": DESCRIBED,
    "history split": ("jj split -r REVISION -m MESSAGE FILES",), "filter-branch": ("jj rebase -r REVISION --onto REVISION",),
    "bisect": ("jj bisect run --range GOOD..BAD -- COMMAND",), "bisect start": ("jj bisect run --range GOOD..BAD -- COMMAND",),
    "bisect run": ("jj bisect run --range GOOD..BAD -- COMMAND",), "commit-tree": ("jj commit -m MESSAGE",), "clone": ("jj git clone URL ../FOLDER",),
    "init": ("jj git init ../FOLDER",), "mergetool": ("jj resolve --list", "jj resolve --tool :ours"), "update-index": ("jj status",),
    "write-tree": ("jj status",), "read-tree": ("jj restore --from REVISION FILES",), "checkout-index": ("jj restore FILES",),
}  # fmt: skip
"""Subcommand to what stands for it in jj. Capital words stand for what the git command does not say."""
