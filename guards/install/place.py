"""Where a host reads its settings: the paths of an installer's SCOPES, made absolute."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_VARIABLE = re.compile(r"\$\{(\w+):-([^}]*)\}")


def place(path: str, home: str, environment: Mapping[str, str]) -> str:
    """`~/x` below the home, `x` below the current directory; in `${NAME:-~/x}/y` the folder that the host's own variable names, if any."""
    path = _VARIABLE.sub(lambda found: environment.get(found[1]) or found[2], path)
    return f"{home}{path[1:]}" if path.startswith("~/") else os.path.abspath(path)
