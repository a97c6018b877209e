"""jj's configuration on a command line: aliases, and the programs that its settings name (`--config`, `jj config set`)."""

from __future__ import annotations

from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.programs.read import Parsed

PROGRAMS = frozenset(
    {"ui.editor", "ui.pager", "ui.diff-editor", "ui.diff-formatter", "ui.merge-editor", "git.executable-path"}
)
"""Settings whose value is a command line, or a list of its words."""
ENDS = ("program", "command")
"""Last parts of the keys below `fix.tools`, `merge-tools` and `signing` that name a program."""


def follow(walk: Walk, parsed: Parsed, grammar: dict[str, Any], state: State, where: Where) -> None:
    """Follow what the settings of one invocation would run; a setting that is stored is taken to be used."""
    settings = [_pair(value.text) for value in parsed.config if value.text]
    if parsed.subcommand == "config set" and len(parsed.operands) > 1 and parsed.operands[0].text:
        settings.append((parsed.operands[0].text, parsed.operands[1].text or ""))
    name = parsed.subcommand.partition(" ")[0]
    for key, text in settings:
        words = _words(text)
        if not words:
            continue
        inner = where.under(f"jj {key}")
        if key.startswith("aliases."):
            asked = key[8:].strip("'\"") == name and name not in grammar["subs"]
            if asked or parsed.subcommand == "config set":
                tail = list(parsed.tail) if asked else []
                walk.start([Value("jj", "jj"), *words, *tail], state.copy(), inner)
        elif len(words) > 1 and (key in PROGRAMS or (key.count(".") > 1 and key.endswith(ENDS))):
            walk.start(words, state.copy(), inner)


def _pair(text: str) -> tuple[str, str]:
    key, _, value = text.partition("=")
    return key.strip(), value.strip()


def _words(text: str) -> list[Value]:
    """The words of a TOML list of strings, of a string in quotes, or of bare text."""
    from policy.flow.splitting import split

    text = text.strip()
    if text[:1] == "[" and text[-1:] == "]":
        return [Value(word, word) for word in _strings(text[1:-1])]
    bare = text[1:-1] if text[:1] in {"'", '"'} and text[-1:] == text[:1] else text
    return list(split(Value(bare, bare)))


def _strings(text: str) -> list[str]:
    """The strings of a list, in either kind of quotes."""
    found: list[str] = []
    at = 0
    while at < len(text):
        quote = text[at]
        end = text.find(quote, at + 1) if quote in {"'", '"'} else -1
        if end > at:
            found.append(text[at + 1 : end])
            at = end
        at += 1
    return found
