"""Other spellings of an example that mean the same, and forms in which it is only data: a rule must keep its word on both."""

from __future__ import annotations

from policy.rules import given
from policy.wording import shell_quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy.compiled import Compiled
    from policy.rules.catalog import Found
    from policy.rules.schema import Example


def same(text: str) -> Iterator[str]:
    """Texts that run the same commands."""
    yield f"true && {text}"
    yield f"( {text} )"
    yield f"if true; then {text}\nfi"
    yield f"bash -c {shell_quote(text)}"
    yield f"eval {shell_quote(text)}"
    yield f"bash <<'GATEPOST'\n{text}\nGATEPOST"
    yield f"{{ {text}\n}}"
    if _is_simple(text):
        yield f"env A=1 {text}"
        yield f"command {text}"
        yield f"timeout 5 {text}"
        yield f"nohup {text}"
        yield "\\" + text
        yield text[0] + "''" + text[1:]


def data(text: str) -> Iterator[str]:
    """Texts in which it is only words."""
    yield f"echo {shell_quote(text)}"
    yield f"git commit -m {shell_quote('docs: ' + text)}"
    yield f"cat > /tmp/notes.md <<'GATEPOST'\n{text}\nGATEPOST"
    yield f"true # {text.splitlines()[0] if text else ''}"


def _is_simple(text: str) -> bool:
    first = text.split(" ", 1)[0]
    return (
        first.isidentifier()
        and not any(sign in text for sign in ";&|<>(){}\n`$")
        and first not in ("for", "while", "if", "case", "cd", "export", "hash")
    )


def faults(found: Found, everything: Compiled) -> list[str]:
    """Respellings of a rule's examples on which it says something else."""
    told = []
    for example in found.rule.example:
        if example.run is None:
            continue
        alone = everything.only(given.own_buckets(found, example))
        if example.expect in ("deny", "ask"):
            told += _differing(found, example, alone, same(example.run), example.expect)
        told += _differing(found, example, alone, data(example.run), "pass")
    return told


def _differing(found: Found, example: Example, alone: Compiled, texts: Iterator[str], wanted: str) -> list[str]:
    told = []
    for text in texts:
        said, _, _ = given.judge(example.model_copy(update={"run": text}), found.id, alone)
        if said != wanted:
            told.append(f"{found.path}: respelled as {text!r}: expected {wanted}, got {said}")
    return told
