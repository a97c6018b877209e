"""Where a git command works: its repository, its settings and its place below the top, options and variables respected."""

from __future__ import annotations

from policy.record import Record
from policy.world import Repository, Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Value
    from policy.world import World

TRUE = ("true", "yes", "on", "1", "")


class Place(Record):
    """`prefix` is the command's directory relative to the top, "" or with a `/` at its end."""

    repository: Repository
    cwd: str
    prefix: str = ""

    def absolute(self, path: str) -> str:
        """A path relative to the top, made absolute."""
        return f"{self.repository.root.rstrip('/')}/{path}"


def known(value: Value | None, what: str) -> str:
    """The text of a value that must be known; Unanswered otherwise."""
    if value is None or value.text is None:
        raise Unanswered(f"{what} is not known before it runs")
    return value.text


def variables(invocation: Invocation) -> dict[str, str]:
    """What the request sets for the command, and what its options say in the place of GIT_DIR and GIT_WORK_TREE."""
    found: dict[str, str] = {}
    for name, value in invocation.environment:
        if name.startswith("GIT_") or name in ("HOME", "XDG_CONFIG_HOME"):
            found[name] = known(value, name)
    for option, name in (("--git-dir", "GIT_DIR"), ("--work-tree", "GIT_WORK_TREE")):
        given = invocation.option(option)
        if given is not None:
            found[name] = known(given.value, option)
    return found


def place(invocation: Invocation, world: World) -> Place:
    """Raises Unanswered when the directory is not known."""
    if invocation.cwd is None:
        raise Unanswered("the directory of the command is not known before it runs")
    repository = world.repository(invocation.cwd, variables(invocation))
    cwd = world.path(invocation.cwd).real or invocation.cwd
    root = repository.root
    below = cwd[len(root) :].strip("/") if root and (cwd == root or cwd.startswith(root.rstrip("/") + "/")) else ""
    return Place(repository, cwd, f"{below}/" if below else "")


def setting(invocation: Invocation, world: World, repository: Repository, key: str) -> str | None:
    """A configuration value as this command sees it: `-c` first, then the request's variables, then the files."""
    section, _, name = key.rpartition(".")
    for option in reversed(invocation.options):
        if option.name == "-c" and option.value is not None:
            given, equals, _value = option.value.known.partition("=")
            if same(given, section, name):
                return known(option.value, given).partition("=")[2] if equals else "true"
    found = None
    environment = {name: value.text or "" for name, value in invocation.environment}
    for number in range(64):
        if f"GIT_CONFIG_KEY_{number}" not in environment:
            break
        if same(environment[f"GIT_CONFIG_KEY_{number}"], section, name):
            found = environment.get(f"GIT_CONFIG_VALUE_{number}", "")
    return found if found is not None else world.config(repository, key)


def same(given: str, section: str, name: str) -> bool:
    """Whether two keys are one: section and name fold case, the subsection between them does not."""
    mine, _, last = given.rpartition(".")
    head, dot, rest = mine.partition(".")
    other, other_dot, other_rest = section.partition(".")
    return last.lower() == name.lower() and head.lower() == other.lower() and (dot, rest) == (other_dot, other_rest)


def is_set(invocation: Invocation, world: World, repository: Repository, key: str, *, default: bool = False) -> bool:
    value = setting(invocation, world, repository, key)
    return default if value is None else value.lower() in TRUE


def parts(invocation: Invocation) -> tuple[tuple[Value, ...], tuple[Value, ...] | None]:
    """The operands before `--`, and those behind it or None when there is no `--`."""
    words = [word.text for word in invocation.words]
    if "--" not in words:
        return invocation.operands, None
    behind = len(words) - words.index("--") - 1
    operands = tuple(operand for operand in invocation.operands if operand.raw != "--")
    return operands[: len(operands) - behind], operands[len(operands) - behind :] if behind else ()
