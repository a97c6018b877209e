"""Where package managers and compilers say that they keep what they fetched or built: the places that they have by themselves."""

from __future__ import annotations

from policy.model import Value
from policy.programs.paths import absolute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.programs.read import Parsed

UNKNOWN = Value(None)
FOLDERS = {
    "npm root": "node_modules",
    "pnpm root": "node_modules",
    "npm config get cache": "~/.npm/_cacache",
    "yarn cache dir": "~/.yarn/cache",
    "pnpm store path": "~/.local/share/pnpm/store",
    "pip cache dir": "~/.cache/pip",
    "uv cache dir": "~/.cache/uv",
    "poetry config cache-dir": "~/.cache/pypoetry",
    "go env gocache": "~/.cache/go-build",
    "go env gomodcache": "~/go/pkg/mod",
    "composer config cache-dir": "~/.composer/cache",
    "brew --cache": "~/Library/Caches/Homebrew",
}
"""Words of a request to the folder, seen from the home or the working directory. Another folder that is set has the same use."""
SETTING = frozenset({"set", "-w", "--write", "edit"})


def told(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    """The folder; unknown when this request could have named another one."""
    del parsed
    texts = [word.text or "?" for word in words[1:]]
    program = (words[0].text or "").rpartition("/")[2].rstrip("0123456789.")
    folder = FOLDERS.get(" ".join((program, *texts)).lower())
    if folder is None or where.environment or state.exported:
        return UNKNOWN
    if any(made.program == program and SETTING & {word.text for word in made.words} for made in walk.out):
        return UNKNOWN
    start = walk.home(state) if folder[:2] == "~/" else state.cwd[0] if len(state.cwd) == 1 else None
    path = absolute(folder.removeprefix("~/"), start)
    return UNKNOWN if path is None else Value(path + "\n", path + "\n")
