"""What interpreters are given to run: downloaded files, standard input, code on the command line."""

from __future__ import annotations

from policy.rules.fact import NO, FactResult
from policy.rules.glob import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading, Value
    from policy.rules.fact import Question
    from policy.world import World

SHELLS = ("bash", "sh", "zsh", "dash", "ksh", "fish")
CODE = {
    **dict.fromkeys(SHELLS, ("-c", "--command")),
    "python": ("-c", "-m"),
    "perl": ("-e", "-E"),
    "node": ("-e", "--eval", "-p", "--print"),
    "php": ("-r", "--run"),
}
"""The options by which a program is given its code in words; what else there is takes `-e`, and a shell's own `-e` is another thing."""
OTHERS = ("-e", "--eval", "-c", "-m", "-r")
WRITES = (
    "open(", "write_text", "write_bytes", "dump(", "writefile", "appendfile", "unlink", "remove(", "rename", "rmtree", "rmsync", "replace(", "chmod",
    "truncate", "move(", "copy", "file.write", "print {", "> ",
)  # fmt: skip


def _has_code(invocation: Invocation) -> bool:
    return invocation.has(*CODE.get(invocation.program, OTHERS))


def program_text(invocation: Invocation) -> tuple[Value, ...]:
    """The words that may be or name what runs: what follows a script's name is only data to it."""
    code = _has_code(invocation)
    if invocation.operands and not code:
        script = invocation.operands[0]
        if script in invocation.words:
            return invocation.words[1 : invocation.words.index(script) + 1]
    fed = tuple(e.value for e in invocation.redirects if e.kind == "read" and e.value is not None)
    return invocation.words[1:] if code else (*invocation.words[1:], *fed)


def reads_only_stdin(invocation: Invocation, _world: World, _question: Question, _reading: Reading) -> FactResult:
    """Its program stands on the command line, so that standard input is only data to it."""
    if invocation.program in ("sudo", "env", "doas"):
        return FactResult(True)
    first = invocation.operands[0].text if invocation.operands else None
    script = first is not None and first not in ("-", "/dev/stdin") and not invocation.has("-s")
    checks = invocation.program in SHELLS and invocation.has("-n") and not invocation.has("+n")
    return FactResult(_has_code(invocation) or script or checks)


def input_known(invocation: Invocation, _world: World, _question: Question, _reading: Reading) -> FactResult:
    """What is fed to it was followed and judged by itself."""
    return FactResult(invocation.stdin is not None)


def unquoted(text: str) -> str:
    """Code without what stands inside its quotes, which it only speaks of; text whose quotes do not match as it is."""
    kept, quote = [], ""
    for at, char in enumerate(text):
        if quote:
            if char == quote and text[at - 1] != "\\":
                quote = ""
            continue
        if char in "'\"":
            quote = char
        kept.append(char)
    return "".join(kept) if not quote else text


def code_writes(invocation: Invocation, _world: World, question: Question, _reading: Reading) -> FactResult:
    """Code on the command line or on standard input names a file of these patterns and does something that writes, moves or deletes."""
    texts = [o.value.text for o in invocation.options if o.value is not None and o.value.text]
    texts += [v.text for v in program_text(invocation) if v.text and " " in v.text]
    texts += [invocation.stdin] if invocation.stdin else []
    for text in texts:
        named = next((p for p in question.value if matches(text, p if p.startswith("*") else f"*{p}*")), None)
        if named and any(sign in unquoted(text).casefold() for sign in WRITES):
            return FactResult(True, (named.strip("*"),), 1)
    return NO
