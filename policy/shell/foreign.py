"""Texts for fish, PowerShell and cmd: recognised, and never read as bash, but for plain words that mean the same."""

from __future__ import annotations

from policy.shell import plain
from policy.shell.budget import Unparsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Command, Script

NAMES = {"fish": "fish", "powershell": "PowerShell", "cmd": "cmd"}
_FISH_KEYWORDS = frozenset(
    "and or not begin end if else for while function switch case set alias abbr eval exec builtin command time".split()  # noqa: SIM905
)
_VERBS = frozenset(
    "Add Clear Copy Disable Enable Export ForEach Format Get Import Invoke Join Measure Move New Out Pop Push Read Remove"  # noqa: SIM905
    " Rename Resolve Restart Select Set Sort Split Start Stop Test Update Wait Where Write".split()
)
_CMD_PROGRAMS = frozenset(
    ("del", "erase", "rd", "rmdir", "copy", "move", "dir", "xcopy", "format", "attrib", "takeown", "icacls")
)


def script(text: str, dialect: str) -> Script:
    """Plain words for fish; every other text raises Unparsed."""
    if dialect == "fish":
        read = plain.script(text, dialect)
        if read is not None and not any(_is_fish_syntax(command) for command in read.commands):
            return read
    raise Unparsed(f"a text for {NAMES[dialect]} is not read")


def _is_fish_syntax(command: Command) -> bool:
    return command.words[0].value in _FISH_KEYWORDS or any(word.raw[:1] == "%" for word in command.words)


def recognised(commands: tuple[Command, ...]) -> str:
    """The dialect that the commands of a text for an unknown shell give away: "powershell", "cmd" or nothing."""
    for command in commands:
        name = command.words[0].value if command.words else None
        if name is None:
            continue
        verb, dash, noun = name.partition("-")
        if dash and verb in _VERBS and noun[:1].isupper():
            return "powershell"
        if name.lower() in _CMD_PROGRAMS and any(_is_switch(word.value) for word in command.words[1:]):
            return "cmd"
    return ""


def _is_switch(value: str | None) -> bool:
    """/s or /q: an option of cmd's programs, and no path that exists on other systems."""
    return value is not None and len(value) == 2 and value[0] == "/" and value[1].isalpha()
