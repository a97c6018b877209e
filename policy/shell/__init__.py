"""Shell text to Script: every command that the shell would run, and nothing that is only data."""

from __future__ import annotations

from policy.shell.budget import Limits, Unparsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Script, Word

__all__ = ["Limits", "Unparsed", "parse", "word"]

_DEFAULT = Limits()


def parse(text: str, dialect: str = "bash", limits: Limits = _DEFAULT) -> Script:
    """Read `text` whole or raise Unparsed, and nothing else.

    `dialect` is bash, sh, zsh or unknown; anything but bash also follows what those shells would read otherwise. Texts of PowerShell, cmd and
    fish are never read as bash. Spans in the Script are offsets into `text`.
    """
    if len(text) > limits.size:
        raise Unparsed("the text is too long to be read", limits.size, "shell/too-large")
    from policy.shell import reader  # the grammar is loaded only for texts that need it

    return reader.script(text, dialect, limits)


def word(text: str, limits: Limits = _DEFAULT) -> Word:
    """One word from text that was put together elsewhere (an alias, a variable's value); raises Unparsed if it is not exactly one word."""
    from policy.shell import reader

    return reader.single_word(text, limits)
