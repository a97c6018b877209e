"""Programs that are many programs: busybox, cargo with its plug-ins, cmake -E, gh with its extensions."""

from __future__ import annotations

from policy.model import Value
from policy.programs.read import Launch, Parsed, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def busybox(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """Busybox APPLET …: the applet by its own name."""
    parsed = plain(words, grammar)
    if parsed.operands and (parsed.operands[0].text or "")[:1] == "-":
        parsed.launches = []
    return parsed


def cargo(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """Cargo +TOOLCHAIN …; --config may name a wrapper or runner."""
    rest = list(words)
    if len(rest) > 1 and (rest[1].text or "")[:1] == "+":
        del rest[1]
    parsed = plain(rest, grammar)
    for option in parsed.options:
        text = (option.value.text or "") if option.value is not None else ""
        if option.name == "--config" and any(key in text for key in ("wrapper", "runner", "rustc", "linker")):
            value = text.partition("=")[2].strip().strip("\"'[]").replace('","', " ").replace('", "', " ")
            parsed.launches.append(Launch("words", [Value(value, value)]))
        if parsed.subcommand == "watch" and option.name == "--exec" and text:
            parsed.launches.append(Launch("words", [Value("cargo " + text, "cargo " + text)]))
    return parsed


TOOLS = {
    "remove": ("rm",), "remove_directory": ("rm", "-rf"), "rename": ("mv",), "copy": ("cp",), "copy_if_different": ("cp",),
    "copy_directory": ("cp", "-r"), "copy_directory_if_different": ("cp", "-r"), "create_symlink": ("ln", "-s"),
    "create_hardlink": ("ln",), "make_directory": ("mkdir", "-p"), "chdir": ("env", "-C"),
}  # fmt: skip
"""Tools of `cmake -E` by the programs that do the same; the others (rm, env, tar, touch, time, cat, echo) have their own names."""


def cmake(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """CMake; behind -E stands one of its tools with its words."""
    parsed = plain(words, grammar)
    for launch in parsed.launches:
        tool = launch.words[0].text or "" if launch.words else ""
        launch.words = (*(Value(word, word) for word in TOOLS.get(tool, (tool,))), *launch.words[1:])
    return parsed


def gh(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """gh; `alias set NAME !TEXT` (or --shell) names shell text that a later `gh NAME` runs."""
    parsed = plain(words, grammar)
    if parsed.subcommand == "alias set" and len(parsed.operands) > 1:
        value = parsed.operands[1]
        text = value.text if value.text is not None else value.known
        shell = any(option.name == "--shell" for option in parsed.options)
        if text[:1] == "!" or shell:
            text = text.removeprefix("!")
            parsed.launches.append(Launch("shell", [Value(text if value.text is not None else None, text)]))
        else:
            parsed.launches.append(
                Launch("words", [Value("gh " + text if value.text is not None else None, "gh " + text)])
            )
    return parsed
