"""What could not be used of a person's configuration and rules is said to them once, with the next answer of the hook."""

from __future__ import annotations

import posix

from policy.compiled import file_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.layout import Layout

NAME = "told"
SHOWN = 3


def untold(layout: Layout, problems: tuple[str, ...]) -> str:
    """The note about `problems`; "" when it was given since the rules were last compiled. A mark that cannot be kept gives it again."""
    try:
        mark = str(posix.stat(f"{layout.compiled}/{file_name()}").st_mtime_ns).encode()
        flags = posix.O_RDWR | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW
        opened = posix.open(f"{layout.state}/{NAME}", flags, 0o600)
        try:
            if posix.pread(opened, 64, 0) == mark:
                return ""
            posix.ftruncate(opened, 0)
            posix.pwrite(opened, mark, 0)
        finally:
            posix.close(opened)
    except OSError:
        pass
    more = f" (and {len(problems) - SHOWN} more)" if len(problems) > SHOWN else ""
    return f"gatepost: not in force: {'; '.join(problems[:SHOWN])}{more}. `gatepost doctor` shows all."
