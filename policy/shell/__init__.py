"""Shell text to Script: every command that the shell would run, and nothing that is only data."""

from __future__ import annotations

from policy.shell.budget import Limits, Unparsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Command, Script, Word

__all__ = ["Limits", "Unparsed", "parse", "use_tables", "word"]

_DEFAULT = Limits()
_SHORT = 4096
"""The quick branch has no budget of its own; longer texts go to the grammar, which counts."""

tables_file: str | None = None
"""Where `policy.shell.tables` may find the grammar's tables ready-made."""

_FOREIGN = ("fish", "powershell", "cmd")


def use_tables(path: str) -> None:
    """Name the file that `tables.build` has written; a text that is not plain is then read without building tables first."""
    global tables_file  # noqa: PLW0603
    tables_file = path


def parse(text: str, dialect: str = "bash", limits: Limits = _DEFAULT, spent: list[int] | None = None) -> Script:
    """Read `text` whole or raise Unparsed, and nothing else. The steps that it took are added to `spent`.

    `dialect` is bash, sh, zsh or unknown; anything but bash also follows what those shells would read otherwise. Texts of PowerShell, cmd and
    fish are never read as bash. Spans in the Script are offsets into `text`.
    """
    if len(text) > limits.size:
        raise Unparsed("the text is too long to be read", limits.size, "shell/too-large")
    if dialect in _FOREIGN:
        from policy.shell import foreign  # each reading is loaded only for the texts that need it

        return foreign.script(text, dialect)
    script = _plain(text, dialect) if len(text) <= _SHORT else None
    if script is None:
        from policy.shell import reader

        script = reader.script(text, dialect, limits, spent)
    elif spent is not None:
        spent.append(len(text) // 3)
    if dialect == "unknown" and any(_gives_away(command) for command in script.commands):
        from policy.shell import foreign

        found = foreign.recognised(script.commands)
        if found:
            raise Unparsed(f"the text is for {foreign.NAMES[found]}")
    return script


def _plain(text: str, dialect: str) -> Script | None:
    from policy.shell import plain

    return plain.script(text, dialect)


def _gives_away(command: Command) -> bool:
    """A first, cheap look at whether a command may be PowerShell's or cmd's."""
    words = command.words
    name = (words[0].value if words else None) or "?"
    return (name[0].isupper() and "-" in name) or any(word.raw[:1] == "/" and len(word.raw) == 2 for word in words)


def word(text: str, limits: Limits = _DEFAULT) -> Word:
    """One word from text that was put together elsewhere (an alias, a variable's value); raises Unparsed if it is not exactly one word."""
    from policy.shell import reader

    return reader.single_word(text, limits)
