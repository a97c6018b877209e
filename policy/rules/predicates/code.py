"""What interpreters are given to run: downloaded files, standard input, code on the command line."""

from __future__ import annotations

from policy.programs.paths import absolute
from policy.rules.fact import NO, FactResult
from policy.rules.glob import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading, Value
    from policy.rules.fact import Question
    from policy.world import World

LOADERS = ("curl", "wget", "aria2c", "http", "xh", "fetch", "lwp-request", "axel")
CODE = ("-c", "--command", "-e", "--eval", "-m", "-p", "--print", "-n", "-E", "-r", "--run")
WRITES = (
    "open(", "write_text", "write_bytes", "dump(", "writefile", "appendfile", "unlink", "remove(", "rename", "rmtree", "rmsync", "replace(", "chmod",
    "truncate", "move(", "copy", "file.write", "print {", "> ",
)  # fmt: skip


def program_text(invocation: Invocation) -> tuple[Value, ...]:
    """The words that may be or name what runs: what follows a script's name is only data to it."""
    if invocation.operands and not invocation.has(*CODE):
        script = invocation.operands[0]
        if script in invocation.words:
            return invocation.words[1 : invocation.words.index(script) + 1]
    fed = tuple(e.value for e in invocation.redirects if e.kind == "read" and e.value is not None)
    return invocation.words[1:] if invocation.has(*CODE) else (*invocation.words[1:], *fed)


def downloaded(invocation: Invocation, _world: World, question: Question, reading: Reading) -> FactResult:
    """It runs text that curl or wget prints in a substitution, or a file that one of them wrote earlier in this request."""
    for value in program_text(invocation):
        for loader in LOADERS:
            if (value.text is None or value.text.startswith("/dev/fd/")) and any(
                f"{opening}{loader} " in value.raw for opening in ("$(", "<(", "`", "$( ", "<( ")
            ):
                return FactResult(True, (loader,), 1)
    started = {e.path for e in invocation.effects if e.path} | ({invocation.path} if invocation.path else set())
    started |= {path for v in invocation.operands[:1] if (path := absolute(v.text or "", invocation.cwd))}
    for earlier in reading.invocations[: question.position]:
        if earlier.program in LOADERS and (both := _saved(earlier) & started):
            return FactResult(True, tuple(both), len(both))
    return NO


def _saved(loader: Invocation) -> set[str]:
    """The files that a download is written to: those that are named, and those that take their names from the addresses."""
    named = {e.path for e in (*loader.effects, *loader.redirects) if e.kind in ("write", "append", "create") and e.path}
    by_address = loader.has("--remote-name", "--remote-name-all") if loader.program == "curl" else not named
    if not by_address or loader.program not in ("curl", "wget", "aria2c", "axel"):
        return named
    given = loader.option("--output-dir", "--directory-prefix", "--dir", "-d")
    folder = absolute(given.value.text or "", loader.cwd) if given is not None and given.value else loader.cwd
    names = {(v.text or "").partition("?")[0].partition("#")[0].rpartition("/")[2] for v in loader.operands}
    return named | {path for name in names if (path := absolute(name, folder))}


def reads_only_stdin(invocation: Invocation, _world: World, _question: Question, _reading: Reading) -> FactResult:
    """Its program stands on the command line, so that standard input is only data to it."""
    if invocation.program in ("sudo", "env", "doas"):
        return FactResult(True)
    first = invocation.operands[0].text if invocation.operands else None
    script = first is not None and first not in ("-", "/dev/stdin") and not invocation.has("-s")
    return FactResult(invocation.has(*CODE) or script)


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
