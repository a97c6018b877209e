"""Whose volumes a container command would remove: those of a project that is there for tests are made anew by its next run."""

from __future__ import annotations

from policy.programs.paths import absolute, base
from policy.rules.fact import NO, FactResult
from policy.rules.predicates.databases import for_tests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

ORDINARY = ("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml")
"""What compose reads when it is told no file: the project whose volumes a test's file may share."""
LIMIT = 65_536


def volumes_for_tests(invocation: Invocation, world: World, _question: Question, _reading: Reading) -> FactResult:
    """Every volume named, or the compose project, by its own name or by all of its files, is called one for tests; on this machine's engine."""
    environment = {name: value for name, value in invocation.environment if value.text}
    if invocation.has("--host", "--context", "-H", "-c") or {"DOCKER_HOST", "DOCKER_CONTEXT"} & environment.keys():
        return NO
    if invocation.subcommand.startswith("volume"):
        names = [value.text for value in invocation.operands]
        return FactResult(bool(names) and all(name is not None and for_tests(name) for name in names))
    project = invocation.option("--project-name")
    named = project.value if project is not None else environment.get("COMPOSE_PROJECT_NAME")
    if named is not None:
        return FactResult(for_tests(named.text if named.text is not None else named.known))
    files = [option.value.text or "" for option in invocation.options if option.name == "--file" and option.value]
    if not files and "COMPOSE_FILE" in environment:
        files = (environment["COMPOSE_FILE"].text or "").split(":")
    if not files or not all(map(_file_for_tests, files)):
        return NO
    return FactResult(invocation.place != "local" or not any(_shares(file, invocation.cwd, world) for file in files))


ENGINES = ("docker", "podman", "nerdctl")
MOUNTING = ("--volume", "--mount", "--volumes-from", "--tmpfs", "--device")


def fresh_container(invocation: Invocation, _world: World, question: Question, reading: Reading) -> FactResult:
    """The command runs in a container that is made for it, out of an image alone: what it deletes is the image's copy."""
    for earlier in reversed(reading.invocations[: question.position]):
        if earlier.program in invocation.launched_by and earlier.program in ENGINES and earlier.place == "local":
            alone = earlier.subcommand in ("run", "container run") and not earlier.has(*MOUNTING)
            return FactResult(alone and not earlier.unknown)
    return NO


NARROWING = ("name=", "ancestor=", "label=", "network=", "status=exited", "status=created", "status=dead", "dangling=true", "reference=")  # fmt: skip


def filtered_listing(invocation: Invocation, _world: World, question: Question, reading: Reading) -> FactResult:
    """The list that is piped into this command holds only what a filter, or a text searched in it, lets through; of volumes, those for tests."""
    volumes = invocation.subcommand.startswith("volume")
    asked: list[str] = []
    if not {"xargs", "parallel"} & set(invocation.launched_by):
        return NO
    for earlier in reading.invocations[: question.position]:
        if not {"xargs", "parallel"} & set(earlier.piped_to):
            continue
        if earlier.program in ENGINES:
            given = [
                option.value.text or "" for option in earlier.options if option.name == "--filter" and option.value
            ]
            asked += [text.partition("=")[2] if volumes else text for text in given if text.startswith(NARROWING)]
        elif earlier.program in ("grep", "rg") and not earlier.has("--invert-match", "-v") and earlier.operands:
            asked.append(earlier.operands[0].text or "")
    wanted = [text for text in asked if text.strip(".*^$ ")]
    return FactResult(any(map(for_tests, wanted)) if volumes else bool(wanted))


def _file_for_tests(file: str) -> bool:
    """`docker-compose.test.yml`, `ci/compose.yml`: its name, or that of the folder, which then names the project."""
    *folders, name = file.split("/")
    return any(for_tests(part) or "integration" in part.split("-") for part in (*folders[-1:], *name.split(".")))


def _shares(file: str, cwd: str | None, world: World) -> bool:
    """Whether the file declares a volume that the ordinary project beside it has too: under no name of its own they are the same one.

    So does one that cannot be read; one that is not there has nothing to share.
    """
    path = absolute(file, cwd)
    if path is None:
        return True
    if world.path(path).kind == "missing":
        return False
    text = world.read_text(path, LIMIT)
    if text is None:
        return True
    lines = text.splitlines()
    if any(line.startswith("name:") for line in lines):
        return False
    mine = _volumes(lines)
    folder = path.rpartition("/")[0]
    return bool(mine) and any(
        mine & _volumes((world.read_text(f"{folder}/{name}", LIMIT) or "").splitlines())
        for name in ORDINARY
        if name != base(file)
    )


def _volumes(lines: list[str]) -> set[str]:
    """The keys directly below `volumes:` at the top of a compose file."""
    found: set[str] = set()
    inside, indent = False, 0
    for line in lines:
        text = line.partition(" #")[0].rstrip()
        if not text or text.lstrip()[:1] == "#":
            continue
        depth = len(text) - len(text.lstrip())
        if not depth:
            inside, indent = text.startswith("volumes:"), 0
        elif inside and depth == (indent := indent or depth):
            found.add(text.strip().partition(":")[0].strip("\"'"))
    return found


PROMPTING = frozenset({"sh", "bash", "zsh", "ash", "dash", "ksh", "fish", "python", "python3", "node", "irb", "psql", "mysql", "redis-cli", "mongosh", "top", "htop", "vi", "vim", "nano", "less"})  # fmt: skip
"""What waits for somebody to type when it is given nothing to do."""


def names_command(invocation: Invocation, _world: World, _question: Question, _reading: Reading) -> FactResult:
    """The words behind the container say what to run, and not only a program that then waits for input (kubectl goes on without a terminal)."""
    command = invocation.operands[1:]
    name = base(command[0].text or "") if command else ""
    return FactResult(bool(name) and (name not in PROMPTING or len(command) > 1))
