"""What a revision means (gitrevisions(7)), as far as it can be told from refs, reflogs and commits: None for the rest."""

from __future__ import annotations

from guards.world.refs import is_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.world.commits import Commits
    from guards.world.objects import Objects
    from guards.world.refs import Refs

PLACES = ("{}", "refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}", "refs/remotes/{}/HEAD")
HEX = "0123456789abcdef"
STEPS = 10_000


class Revisions:
    """Resolves names in one repository. `upstreams` gives a branch's upstream ref name."""

    def __init__(self, refs: Refs, objects: Objects, commits: Commits, config: dict[str, list[str]]) -> None:
        self.refs = refs
        self.objects = objects
        self.commits = commits
        self.config = config

    def resolve(self, revision: str) -> str | None:
        """The object name, 40 or 64 hexadecimal digits. Tags stay tags unless a suffix asks for more."""
        cut = len(revision)
        for index, char in enumerate(revision):
            if char in "~^" or (char == ":" and index):
                cut = index
                break
        base, suffix = revision[:cut], revision[cut:]
        if not base or suffix.startswith(":") or ".." in base or (base.startswith((":", "-")) and base != "-"):
            return None
        found = self.base(base)
        return self.suffixes(found, suffix) if found is not None else None

    def base(self, name: str) -> str | None:
        if name == "-":
            return self.previous(1)
        head, at, tail = name.partition("@{")
        if at and tail.endswith("}"):
            return self.noted(head, tail[:-1])
        if name == "@":
            name = "HEAD"
        if is_name(name):
            return name
        full = self.full_name(name)
        if full is not None:
            return self.refs.read(full)
        if 4 <= len(name) < 64 and not name.strip(HEX):
            found = self.objects.starting(name)
            if len(found) == 1:
                return found.pop()
        return None

    def full_name(self, name: str) -> str | None:
        """The first ref that a short name may mean, in git's order."""
        for place in PLACES:
            full = place.format(name)
            if (place != "{}" or full.startswith("refs/") or full.isupper()) and self.refs.read(full) is not None:
                return full
        return None

    def noted(self, head: str, what: str) -> str | None:
        """`head@{what}`: upstream, push, or the reflog's n-th entry. Dates are not read."""
        if what.lower() in ("u", "upstream", "push"):
            return self.upstream(head)
        if what.startswith("-") and what[1:].isdigit() and not head:
            return self.previous(int(what[1:]))
        if not what.isdigit():
            return None
        full = self.branch() or "HEAD" if not head else "HEAD" if head == "@" else self.full_name(head)
        lines = self.refs.log(full) if full else []
        back = int(what)
        if back >= len(lines):
            first = lines[0].split(" ")[0] if lines and back == len(lines) else ""
            return first if is_name(first) and first.strip("0") else None
        return lines[-1 - back].split(" ")[1]

    def branch(self) -> str | None:
        """The full name of the branch that HEAD is on."""
        return self.refs.symbolic("HEAD")

    def upstream(self, head: str) -> str | None:
        full = self.upstream_name(head)
        return self.refs.read(full) if full else None

    def upstream_name(self, head: str = "") -> str | None:
        """The tracking ref of a branch ("" for the current one), None without a configured upstream."""
        full = self.branch() if head in ("", "@", "HEAD") else f"refs/heads/{head}"
        if not full:
            return None
        branch = full.removeprefix("refs/heads/")
        remote = self.config.get(f"branch.{branch}.remote", [""])[-1]
        merge = self.config.get(f"branch.{branch}.merge", [""])[-1]
        if not remote or not merge:
            return None
        return merge if remote == "." else self.tracking(remote, merge)

    def tracking(self, remote: str, ref: str) -> str | None:
        """Where a remote's ref is kept here, by the fetch refspecs."""
        for spec in self.config.get(f"remote.{remote}.fetch", []):
            source, _, target = spec.removeprefix("+").partition(":")
            if source == ref and target:
                return target
            before, star, after = source.partition("*")
            if star and target and ref.startswith(before) and ref.endswith(after):
                return target.replace("*", ref[len(before) : len(ref) - len(after)])
        return None

    def previous(self, back: int) -> str | None:
        """The branch or commit checked out `back` switches ago, from HEAD's reflog."""
        name = self.previous_name(back)
        return self.base(name) if name else None

    def previous_name(self, back: int) -> str | None:
        for line in reversed(self.refs.log("HEAD")):
            _, _, message = line.partition("\t")
            if message.startswith("checkout: moving from "):
                back -= 1
                if back == 0:
                    return message[len("checkout: moving from ") :].rpartition(" to ")[0]
        return None

    def suffixes(self, oid: str, suffix: str) -> str | None:
        pos = 0
        while pos < len(suffix):
            mark = suffix[pos]
            pos += 1
            if suffix[pos : pos + 1] == "{":
                end = suffix.find("}", pos)
                if end < 0 or suffix[pos + 1 : end] not in ("commit", ""):
                    return None
                oid = self.commits.peel(oid)
                pos = end + 1
                continue
            digits = ""
            while suffix[pos : pos + 1].isdigit():
                digits += suffix[pos]
                pos += 1
            step = int(digits or "1")
            if mark not in "~^" or step > STEPS:
                return None
            found = self.parent(oid, step) if mark == "^" else self.ancestor(oid, step)
            if found is None:
                return None
            oid = found
        return oid

    def parent(self, oid: str, which: int) -> str | None:
        commit = self.commits.peel(oid)
        if which == 0:
            return commit
        parents = self.commits.get(commit).parents
        return parents[which - 1] if which <= len(parents) else None

    def ancestor(self, oid: str, steps: int) -> str | None:
        commit = self.commits.peel(oid)
        for _ in range(steps):
            parents = self.commits.get(commit).parents
            if not parents:
                return None
            commit = parents[0]
        return commit
