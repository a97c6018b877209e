"""Texts in which a command is only words: no rule has anything to say of them."""

from __future__ import annotations

from policy.wording import shell_quote as quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def data(text: str) -> Iterator[str]:
    """Arguments, messages, patterns, quoted here-documents, comments."""
    yield f"echo {quote(text)}"
    yield f"printf '%s\\n' {quote(text)}"
    yield f"grep -rn {quote(text)} docs"
    yield f"rg -n -F {quote(text)}"
    yield f"gh issue create --title x --body {quote('docs: ' + text)}"
    yield f"gh pr edit 12 --title {quote(text)}"
    yield f"gh pr comment 12 --body {quote(text)}"
    yield f"cat > /tmp/notes.md <<'GATEPOST'\n{text}\nGATEPOST"
    yield f"true # {text.splitlines()[0] if text else ''}"
    yield f"note={quote(text)}"
    yield f"[[ $note == {quote(text)} ]] && echo same"
    yield f"case $note in {quote(text)}) echo same;; esac"
    yield f": {quote(text)}"
    yield f"jq -n --arg note {quote(text)} '$note'"
    yield f"node probe.js {quote(text)}"
    yield f"python3 -c {quote(f'print({text!r})')}"
    yield f": <<'GATEPOST'\n{text}\nGATEPOST"
