"""tar: old-style first words, modes that read, write or delete, programs that it starts."""

from __future__ import annotations

from policy.model import Value
from policy.programs.read import Launch, Parsed, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def tar(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """Tar with its operands' roles by mode: extract writes below its directory, create reads, --remove-files deletes what it packed."""
    if len(words) > 1 and words[1].text and words[1].text[0] != "-":
        words = old_style(words, grammar)
    parsed = plain(words, grammar)
    folders, parsed.cwd = parsed.cwd, []
    names = {option.name for option in parsed.options}
    archive = next((option.value for option in parsed.options if option.name == "--file"), None)
    writing = bool(names & {"--create", "--append", "--update", "--concatenate", "--delete"})
    if archive is not None and ":" not in (archive.text or "/").partition("/")[0]:
        parsed.roles.append(("write" if writing else "read", archive, "--file"))
    if names & {"--create", "--append", "--update"}:
        kind = "delete" if "--remove-files" in names else "read"
        parsed.roles.extend((kind, _below(folders, value), "operand") for value in parsed.operands)
        parsed.recursive = True
    elif "--extract" in names and not names & {"--to-stdout", "--to-command"}:
        parsed.roles.append(("create", folders[-1] if folders else Value(".", "."), "--extract"))
    for option in parsed.options:
        text = (option.value.text or option.value.known) if option.value is not None else ""
        if option.name == "--checkpoint-action" and text.startswith("exec="):
            parsed.launches.append(Launch("shell", [Value(text[5:], text[5:])]))
    return parsed


def _below(folders: Sequence[Value], value: Value) -> Value:
    """A member as seen from the directory of the last -C before it (the last of all, which is where agents put it)."""
    if not folders or value.text is None or value.text[:1] == "/":
        return value
    folder = folders[-1]
    if folder.text is None:
        return Value(None, folder.known)
    return Value(f"{folder.text}/{value.text}", f"{folder.text}/{value.text}", value.glob or folder.glob)


def old_style(words: Sequence[Value], grammar: dict[str, Any]) -> list[Value]:
    """Tar cIf CMD out …: the letters of the first word take their values from the next words, in order."""
    letters, rest = words[1].text or "", list(words[2:])
    spelled: list[Value] = []
    for letter in letters:
        entry = grammar["opts"].get("-" + letter)
        spelled.append(Value("-" + letter, "-" + letter))
        if entry is not None and entry[1] == 1 and rest:
            spelled.append(rest.pop(0))
    return [words[0], *spelled, *rest]
