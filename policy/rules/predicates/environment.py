"""Facts about variables that a request sets for a command."""

from __future__ import annotations

from policy.rules.fact import NO, FactResult
from policy.rules.glob import matches
from policy.rules.predicates.git_programs import familiar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

TEXT_TOOLS = ("head", "sed", "echo")
"""Programs that stand for an editor or a pager in scripts; what a sed script runs is read where it is launched."""
NAMES_A_PROGRAM = (
    "GIT_*", "PAGER", "MANPAGER", "EDITOR", "VISUAL", "SSH_ASKPASS", "LESSOPEN", "LD_*", "DYLD_*", "BASH_ENV", "ENV", "PROMPT_COMMAND", "PYTHONSTARTUP",
    "PERL5OPT", "RUBYOPT", "NODE_OPTIONS", "JAVA_TOOL_OPTIONS",
)  # fmt: skip
SYSTEM_LIBRARIES = (
    "/usr/lib*",
    "/lib*",
    "/usr/local/lib*",
    "/opt/homebrew/*",
    "libjemalloc*",
    "libtcmalloc*",
    "libfaketime*",
    "libasan*",
)
SHIMS = ("*/gatepost/shims", "*/guards/shims")


def harmless_environment(invocation: Invocation, _world: World, _question: Question, _reading: Reading) -> FactResult:
    """Every variable that can name a program or a library names a harmless one."""
    for name, value in invocation.environment:
        if any(matches(name, pattern) for pattern in NAMES_A_PROGRAM) and not _harmless(name, value.text):
            return NO
    return FactResult(True)


PLAIN_SETTINGS = (
    "GIT_TERMINAL_PROMPT", "GIT_PAGER_IN_USE", "GIT_AUTHOR*", "GIT_COMMITTER*", "GIT_TRACE*", "GIT_OPTIONAL*", "GIT_MERGE*", "GIT_CONFIG_NO*", "GIT_DIR",
    "GIT_WORK_TREE", "GIT_INDEX*", "GIT_DEFAULT*", "GIT_LFS*", "GIT_HTTP*", "GIT_SSL*", "GIT_CURL*", "LD_LIBRARY_PATH", "LD_DEBUG*", "LD_RUN_PATH",
    "LD_BIND_NOW", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK*",
)  # fmt: skip
RUNTIME_OPTIONS = ("NODE_OPTIONS", "PERL5OPT", "RUBYOPT", "JAVA_TOOL_OPTIONS")
LOADING = ("--require", "--import", "-r ", "-M", "javaagent", "--loader")


def _harmless(name: str, text: str | None) -> bool:
    if any(matches(name, pattern) for pattern in PLAIN_SETTINGS):
        return True
    if text is None:
        return False
    if name == "RUBYOPT":
        return "-r" not in text
    if name in RUNTIME_OPTIONS:
        return not any(sign in text for sign in LOADING)
    if name.startswith(("LD_", "DYLD_")):
        return all(any(matches(part, p) for p in SYSTEM_LIBRARIES) for part in text.replace(":", " ").split())
    words = text.split()
    return not words or words[0] in TEXT_TOOLS or familiar(text)


def drops_shims(invocation: Invocation, _world: World, question: Question, _reading: Reading) -> FactResult:
    """PATH has the folder of our shims now, and would not have it (or not first) afterwards."""
    before = question.request.environment.get("PATH", "").split(":")
    shims = [part for part in before if any(matches(part, p) for p in SHIMS)]
    if not shims:
        return NO
    given = [value.text for name, value in invocation.environment if name == "PATH"]
    given += [v.text[5:] for v in invocation.operands if v.text and v.text.startswith("PATH=")]
    return FactResult(any(text is not None and shims[0] not in text.split(":") for text in given), (shims[0],), 1)


LOCAL_HOSTS = frozenset(
    [
        "", "localhost", "127.0.0.1", "::1", "[::1]", "db", "database", "postgres", "postgresql", "mysql", "mariadb", "mongo", "mongodb", "redis",
        "cache", "host.docker.internal", "test-db", "test_db", "testdb", "sqlite",
    ]
)  # fmt: skip
TEST_SIGNS = ("test", "ci", "dev", "local", "tmp", "sandbox", "scratch", "memory")


ENDPOINTS = ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_*")


def local_endpoint(invocation: Invocation, _world: World, _question: Question, _reading: Reading) -> FactResult:
    """The cloud that the request names is an emulation on this machine (`--endpoint-url http://localhost:4566`)."""
    texts = [word.text or "" for word in invocation.words]
    given = [text.partition("=")[2] for text in texts if text.startswith("--endpoint-url=")]
    given += [texts[at + 1] for at, text in enumerate(texts[:-1]) if text == "--endpoint-url"]
    if not given:
        names = [(name, value) for name, value in invocation.environment if any(matches(name, p) for p in ENDPOINTS)]
        given = [value.text or "" for _, value in names]
    return FactResult(bool(given) and all(map(_is_here, given)), tuple(given), len(given))


def _is_here(address: str) -> bool:
    authority = address.partition("://")[2].partition("/")[0]
    host = authority.rpartition("]")[0] + "]" if authority[:1] == "[" else authority.partition(":")[0]
    return host.casefold() in ("localhost", "127.0.0.1", "[::1]", "localstack", "host.docker.internal", "minio")


def live_database(invocation: Invocation, _world: World, question: Question, _reading: Reading) -> FactResult:
    """A variable with one of these names holds the address of a database that is neither here nor called a test one."""
    given = {**question.request.environment, **{name: v.text or "" for name, v in invocation.environment}}
    for name, text in given.items():
        if any(matches(name, pattern) for pattern in question.value) and _is_live(text):
            return FactResult(True, (name,), 1, "it names another host")
    return NO


def _is_live(address: str) -> bool:
    scheme, found, rest = address.partition("://")
    if not found or scheme.startswith("sqlite") or scheme == "file":
        return False
    authority, _, path = rest.partition("/")
    host = authority.rpartition("@")[2].rpartition(":")[0] or authority.rpartition("@")[2]
    if host.casefold() in LOCAL_HOSTS or host.startswith(("127.", "0.0.0.", "$")):
        return False
    parts = "".join(c if c.isalnum() else " " for c in f"{host} {path.partition('?')[0]}".casefold()).split()
    return not any(part in TEST_SIGNS or part.startswith("test") or part.endswith("test") for part in parts)
