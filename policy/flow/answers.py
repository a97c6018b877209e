"""What programs say about paths, as far as it is known without running them: pwd, mktemp, dirname, realpath, find, ls, which."""

from __future__ import annotations

from policy.flow import outside
from policy.model import Value
from policy.programs.paths import absolute, base

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.programs.read import Parsed

UNKNOWN = Value(None)


def pwd(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    del walk, words, parsed, where
    path = state.cwd[0] if len(state.cwd) == 1 else None
    return UNKNOWN if path is None else Value(path + "\n", path + "\n")


def mktemp(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    """A name that nobody has yet: one for each call where the directory is seen to be there, so that nothing can stand under it; a pattern else."""
    del words, where
    folder, template, suffix = None, None, ""
    for option in parsed.options:
        if option.name == "--tmpdir" and option.value is not None:
            folder = option.value.text
        if option.name == "--suffix" and option.value is not None:
            suffix = option.value.text or "*"
    if parsed.operands:
        template = parsed.operands[0].text
        if template is None:
            return UNKNOWN
    temporary = walk.environment.get("TMPDIR") or "/tmp"  # noqa: S108
    short = any(option.name in {"-t", "--tmpdir"} for option in parsed.options)
    if template is None:
        template = "tmp.XXXXXXXXXX"
        folder = folder or temporary
    elif short:
        folder = folder or temporary
    head, marks, tail = _template(template)
    here = state.cwd[0] if len(state.cwd) == 1 else None
    path = absolute(head + "*" * bool(marks) + tail + suffix, absolute(folder, here) if folder else here)
    if path is None:
        return UNKNOWN
    parent, _, last = path.rpartition("/")
    if marks and path.count("*") == 1 and "*" in last and outside.is_directory(walk, parent or "/"):
        walk.made += 1
        path = path.replace("*", marks[: -len(str(walk.made))] + str(walk.made))
        return Value(path + "\n", path + "\n")
    return Value(path + "\n", path.partition("*")[0], glob=True)


def _template(text: str) -> tuple[str, str, str]:
    """What mktemp replaces in a template, the last three or more X of its last part, and what stands before and behind."""
    end = text.rfind("XXX") + 3
    if end < 3 or "/" in text[end:]:
        return text, "", ""
    start = len(text[:end].rstrip("X"))
    return text[:start], text[start:end], text[end:]


def dirname(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    del walk, parsed, state, where
    given = _behind_dashes(words)
    text = given[0].text if len(given) == 1 else None
    if text is None or not text.strip("/"):
        return UNKNOWN
    head = text.rstrip("/").rpartition("/")[0]
    result = head or ("/" if text.startswith("/") else ".")
    return Value(result + "\n", result + "\n", given[0].glob)


def _behind_dashes(words: Sequence[Value]) -> Sequence[Value]:
    """What a program is given, without the `--` that ends its options."""
    return words[2:] if len(words) > 1 and words[1].text == "--" else words[1:]


def basename(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    del walk, parsed, state, where
    given = _behind_dashes(words)
    text = given[0].text if len(given) in {1, 2} else None
    suffix = given[1].text if len(given) == 2 else ""
    if text is None or suffix is None or text[:1] == "-":
        return UNKNOWN
    name = base(text.rstrip("/")).removesuffix(suffix) if suffix else base(text.rstrip("/"))
    return Value(name + "\n", name + "\n", given[0].glob)


def realpath(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    del walk, words, where
    if len(parsed.operands) != 1 or parsed.operands[0].text is None or len(state.cwd) != 1:
        return UNKNOWN
    path = absolute(parsed.operands[0].text, state.cwd[0])
    return UNKNOWN if path is None else Value(path + "\n", path + "\n", parsed.operands[0].glob)


def git(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    """The top of the working tree, which agents ask for to go there; the branch, which they push; a commit's id."""
    del words, where
    path = state.cwd[0] if len(state.cwd) == 1 else None
    names = {option.name for option in parsed.options}
    given = tuple(operand.text for operand in parsed.operands)
    if parsed.subcommand == "rev-parse" and "--show-toplevel" in names:
        root = "" if path is None else outside.root(walk, path)
        return Value(root + "\n", root + "\n") if root else UNKNOWN
    if (parsed.subcommand, tuple(sorted(names)), given) in BRANCH:
        switched = any(made.program == "git" and made.subcommand not in STAYING for made in walk.out if not made.inert)
        branch = "" if path is None or switched else outside.branch(walk, path)
        return Value(branch + "\n", branch + "\n") if branch else UNKNOWN
    if parsed.subcommand == "rev-parse" and names <= {"--short", "--verify"} and len(given) == 1:
        moved = any(
            made.program in {"git", "jj"} and made.subcommand not in KEEPING for made in walk.out if not made.inert
        )
        commit = "" if path is None or moved or given[0] is None else outside.commit(walk, path, given[0])
        commit = commit[:SHORT] if "--short" in names else commit
        return Value(commit + "\n", commit + "\n") if commit else UNKNOWN
    return UNKNOWN


BRANCH = (
    ("branch", ("--show-current",), ()),
    ("rev-parse", ("--abbrev-ref",), ("HEAD",)),
    ("symbolic-ref", ("--short",), ("HEAD",)),
    ("symbolic-ref", ("--quiet", "--short"), ("HEAD",)),
)
"""How the present branch is asked for: subcommand, options, operands."""
STAYING = frozenset(
    {
        "add",
        "commit",
        "fetch",
        "push",
        "pull",
        "stash",
        "stash push",
        "stash pop",
        "status",
        "diff",
        "log",
        "show",
        "rev-parse",
        "branch",
        "symbolic-ref",
        "remote",
    }
)
"""What leaves the present branch as it is; a rebase that stops does not."""
KEEPING = frozenset({"add", "push", "status", "diff", "log", "show", "rev-parse", "remote", "branch", "symbolic-ref"})
"""What moves no name that a commit is asked for by."""
SHORT = 7
ONE_WORD = Value("*\n", "", glob=True)


def one_word(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    """A word that is part of a name and leads nowhere else: no slash and no blank is in it."""
    del walk, parsed, state, where
    texts = [word.text or "?/" for word in words[1:]]
    if words[0].text == "date":
        formats = [text for text in texts if text[:1] == "+"]
        plain = len(formats) == 1 and not any(
            mark in formats[0] for mark in ("/", " ", "%D", "%c", "%x", "%t", "%n", "%r", "%+")
        )
        return ONE_WORD if plain and not any("/" in text for text in texts) else UNKNOWN
    if words[0].text == "id" and not any(text in {"-u", "-un", "-g", "-gn"} for text in texts):
        return UNKNOWN
    return (
        ONE_WORD
        if len(texts) <= 1 and all(text in {"-s", "-m", "-u", "-un", "-g", "-gn"} for text in texts)
        else UNKNOWN
    )


def found(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    """Paths below where it starts: a pattern."""
    del walk, words, where
    if any(option.name in {"-printf", "-exec", "-ls", "-delete"} for option in parsed.options):
        return UNKNOWN
    starts = parsed.operands or (Value(".", "."),)
    if len(starts) != 1 or starts[0].text is None or len(state.cwd) != 1:
        return UNKNOWN
    names = [option.value.text for option in parsed.options if option.name == "-name" and option.value is not None]
    last = names[0] if len(names) == 1 and names[0] else "*"
    text = f"{starts[0].text.rstrip('/')}/**/{last}" if last != "*" else f"{starts[0].text.rstrip('/')}/**"
    return Value(text + "\n", starts[0].text, glob=True)


def listed(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    """Names in a directory: a pattern, when it is listed bare."""
    del walk, words, where
    flags = {option.name for option in parsed.options}
    if flags - {"-1", "--all", "--almost-all", "-t", "--reverse", "-r", "-d", "--directory"} or len(state.cwd) != 1:
        return UNKNOWN
    texts = [operand.text for operand in parsed.operands]
    if flags & {"-d", "--directory"} and texts and None not in texts:
        text = "".join(f"{text}\n" for text in texts)
        return Value(text, text, glob=any(operand.glob for operand in parsed.operands))
    if not parsed.operands:
        return Value("*\n", "", glob=True)
    if len(parsed.operands) == 1 and parsed.operands[0].glob and parsed.operands[0].text:
        return Value(parsed.operands[0].text + "\n", parsed.operands[0].known, glob=True)
    return UNKNOWN


def which(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    """The name itself will do: what matters of the path is its last part."""
    del walk, parsed, state, where
    names = [word.text for word in words[1:] if (word.text or "-")[:1] != "-"]
    return Value(names[0] + "\n", names[0] + "\n") if len(names) == 1 and names[0] else UNKNOWN
