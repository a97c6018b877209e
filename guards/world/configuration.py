"""git's configuration read as text: all files that git would read, include directives followed, nothing run.

Source: git-config(1), "CONFIGURATION FILE", "Includes", "Conditional includes" and "ENVIRONMENT".
"""

from __future__ import annotations

from guards.world import paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from guards.world.budget import Budget

    Values = dict[str, list[str]]

SYSTEM = ("/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig")
LIMIT = 1 << 20
DEPTH = 10
ESCAPES = {"n": "\n", "t": "\t", "b": "\b", '"': '"', "\\": "\\"}
BLANK = " \t\r"


def header(line: str) -> tuple[str, str]:
    """`[section]`, `[section.sub]` or `[section "sub"]` at the start of a line: the key prefix and what follows the bracket."""
    if '"' not in line.split("]", 1)[0]:
        name, _, rest = line[1:].partition("]")
        return name.strip().lower(), rest
    name, _, tail = line[1:].partition('"')
    sub: list[str] = []
    index = 0
    while index < len(tail) and tail[index] != '"':
        if tail[index] == "\\":
            index += 1
        sub.append(tail[index : index + 1])
        index += 1
    return f"{name.strip().lower()}.{''.join(sub)}", tail[index + 1 :].partition("]")[2]


def value(source: str) -> tuple[str, bool]:
    """A value after its `=`: quotes, escapes and comments resolved; True when the line goes on in the next one."""
    out: list[str] = []
    kept = 0
    quoted = False
    index = 0
    while index < len(source):
        char = source[index]
        if char == "\\":
            if index + 1 >= len(source):
                return "".join(out), True
            out.append(ESCAPES.get(source[index + 1], source[index + 1]))
            index += 1
            kept = len(out)
        elif char == '"':
            quoted = not quoted
            kept = len(out)
        elif char in "#;" and not quoted:
            break
        else:
            out.append(char)
            if quoted or char not in BLANK:
                kept = len(out)
        index += 1
    return "".join(out[:kept]), False


def parse(source: str) -> list[tuple[str, str]]:
    """(key, value) in order; section and name in lower case, a key without `=` is "true"."""
    found: list[tuple[str, str]] = []
    section = ""
    lines = iter(source.removeprefix("\ufeff").split("\n"))
    for raw in lines:
        line = raw.strip(BLANK)
        while line.startswith("["):
            section, line = header(line)
            line = line.strip(BLANK)
        if not line or line[0] in "#;":
            continue
        name, equals, rest = line.partition("=")
        if not equals:
            found.append((f"{section}.{name.split('#')[0].split(';')[0].strip().lower()}", "true"))
            continue
        rest = raw[raw.index("=", raw.index(name)) + 1 :].lstrip(BLANK)
        result, more = value(rest.rstrip("\r"))
        while more:
            tail, more = value(next(lines, "").rstrip("\r"))
            result += tail
        found.append((f"{section}.{name.strip().lower()}", result))
    return found


class Reader:
    """Collects the values of one repository's configuration. `holds` answers an includeIf condition."""

    __slots__ = ("budget", "holds", "home", "values")

    def __init__(self, home: str, budget: Budget, holds: Callable[[str, Reader, str], bool]) -> None:
        self.home = home
        self.budget = budget
        self.holds = holds
        self.values: Values = {}

    def add(self, key: str, item: str) -> None:
        self.values.setdefault(key, []).append(item)

    def file(self, path: str, depth: int = 0) -> None:
        """All values of a file and of those that it includes; a missing file has none."""
        content = paths.read(path, LIMIT)
        if content is None:
            return
        self.budget.spend(1 + len(content) // 2000, "git configuration")
        for key, item in parse(paths.text(content)):
            self.add(key, item)
            if key.startswith("include") and key.endswith(".path") and depth < DEPTH:
                condition = key[10:-5] if key.startswith("includeif.") else ""
                if key == "include.path" or (condition and self.holds(condition, self, path)):
                    self.file(self.included(item, path), depth + 1)

    def included(self, item: str, path: str) -> str:
        if item.startswith("~/"):
            return paths.join(self.home, item[2:])
        return paths.join(paths.parent(path), item)


def read(
    files: tuple[str, ...],
    environment: Mapping[str, str],
    home: str,
    budget: Budget,
    holds: Callable[[str, Reader, str], bool],
) -> Values:
    """Every key with its values, later ones win: system, global, `files` (local, worktree), then the environment's own."""
    reader = Reader(home, budget, holds)
    for path in (*shared(environment, home), *files):
        reader.file(path)
    for key, item in given(environment):
        reader.add(key, item)
    return reader.values


def shared(environment: Mapping[str, str], home: str) -> tuple[str, ...]:
    """The system's and the person's files."""
    found: tuple[str, ...] = ()
    if environment.get("GIT_CONFIG_NOSYSTEM", "").lower() not in ("1", "true", "yes", "on"):
        system = environment.get("GIT_CONFIG_SYSTEM")
        found = SYSTEM if system is None else (system,)
    if "GIT_CONFIG_GLOBAL" in environment:
        return (*found, environment["GIT_CONFIG_GLOBAL"])
    folder = environment.get("XDG_CONFIG_HOME") or f"{home}/.config"
    return (*found, f"{folder}/git/config", f"{home}/.gitconfig")


def canonical(key: str) -> str:
    """Section and name in lower case, the subsection as it is."""
    head, _, tail = key.partition(".")
    sub, dot, name = tail.rpartition(".")
    return f"{head.lower()}.{sub}{dot}{name.lower()}"


def given(environment: Mapping[str, str]) -> list[tuple[str, str]]:
    """GIT_CONFIG_PARAMETERS ('key'='value' or 'key=value', shell-quoted) and GIT_CONFIG_COUNT with KEY_n and VALUE_n."""
    found: list[tuple[str, str]] = []
    parameters = environment.get("GIT_CONFIG_PARAMETERS", "")
    for piece in parameters.replace("'='", "=").split("' '") if parameters else ():
        name, equals, item = piece.strip().strip("'").partition("=")
        found.append((canonical(name), item if equals else "true"))
    number = environment.get("GIT_CONFIG_COUNT", "")
    for index in range(min(int(number), 1000) if number.isascii() and number.isdigit() else 0):
        key = environment.get(f"GIT_CONFIG_KEY_{index}")
        if key:
            found.append((canonical(key), environment.get(f"GIT_CONFIG_VALUE_{index}", "")))
    return found
