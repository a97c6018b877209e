"""Facts behind the rules that a team configures for itself."""

from __future__ import annotations

from policy.programs.paths import absolute
from policy.rules.fact import NO, YES, FactResult
from policy.rules.glob import matches
from policy.rules.predicates.places import Place, at_or_below, below
from policy.rules.predicates.project import ancestors, nearest
from policy.rules.predicates.transfer import remote_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

SCRIPT_LIMIT = 1_048_576
RUNNERS = (
    ("just", ("justfile", "Justfile", ".justfile")),
    ("make", ("GNUmakefile", "makefile", "Makefile")),
    ("npm run", ("package.json",)),
    ("task", ("Taskfile.yml", "Taskfile.yaml", "taskfile.yml")),
)
MERGED = ("merge", ".", "dir-merge", ":", ":-", ".-")
READING = ("read",)
ENDLESS = ("--follow", "-f", "-F")


def words_fit(invocation: Invocation, _world: World, question: Question, _reading: Reading) -> FactResult:
    """One of the words fits one of the globs; "*" also fits a command without words."""
    if "*" in question.value:
        return YES
    return FactResult(
        any(v.text is not None and matches(v.text, p) for v in invocation.words[1:] for p in question.value)
    )


def project_has_any(invocation: Invocation, world: World, question: Question, _reading: Reading) -> FactResult:
    """One of the files or folders stands here or above, within the repository; holds when none is named."""
    if not question.value:
        return YES
    for folder in ancestors(invocation.cwd):
        for name in question.value:
            if world.path(f"{folder}/{name}").kind != "missing":
                return FactResult(True, (f"{folder}/{name}",), 1)
        if folder == question.request.home or world.path(f"{folder}/.git").kind != "missing":
            break
    return NO


def cwd_below(invocation: Invocation, _world: World, question: Question, reading: Reading) -> FactResult:
    """The request works at or below one of the folders, compared part by part; holds when none is named."""
    if not question.value:
        return YES
    cwds = {question.request.cwd, invocation.cwd, *(i.cwd for i in reading.invocations[: question.position])} - {None}
    return FactResult(any(at_or_below(cwd or "", _at_home(f, question)) for cwd in cwds for f in question.value))


def _at_home(path: str, question: Question) -> str:
    return ((question.request.home or "/~") + path[1:] if path.startswith("~") else path).rstrip("/") or "/"


def runner_target(invocation: Invocation, world: World, question: Question, _reading: Reading) -> FactResult:
    """The nearest task file has one of the targets; suggests it."""
    for runner, names in RUNNERS:
        path = nearest(world, invocation.cwd, names, question.request.home)
        text = world.read_text(path, SCRIPT_LIMIT) if path else None
        for target in question.value if text else ():
            if _has_target(text or "", target, runner):
                return FactResult(True, (f"{runner} {target}",), 1, instead=(f"{runner} {target}",))
    return NO


def _has_target(text: str, target: str, runner: str) -> bool:
    if runner == "npm run":
        return f'"{target}"' in text.partition('"scripts"')[2].partition("}")[0]
    for line in text.splitlines():
        head = line.strip() if runner == "task" else line.removeprefix("@")
        if head.startswith(target) and (
            head[len(target) :].lstrip(" ")[:1] in (":", "(") or _has_parameters(head[len(target) :], runner)
        ):
            return True
    return False


def _has_parameters(rest: str, runner: str) -> bool:
    return runner == "just" and rest.startswith(" ") and ":" in rest and ":=" not in rest


def option_value(invocation: Invocation, _world: World, question: Question, _reading: Reading) -> FactResult:
    """An option of a program without a grammar has one of the values: separate, attached or after "=".

    The globs of "values" are for the value as the program gets it or as it was written; those of "written" only for what was written, quotes and all.
    """
    known = [v.text if v.text is not None else v.known for v in invocation.words]
    raw = [v.raw or text for v, text in zip(invocation.words, known, strict=True)]
    for texts, globs in ((known, "values"), (raw, "values"), (raw, "written")):
        for position, text in enumerate(texts[1:], 1):
            for option in question.value["options"]:
                given = _given(text, option)
                if given == "" and position + 1 < len(texts):
                    given = texts[position + 1]
                if given and any(matches(given, p) for p in question.value[globs]):
                    return FactResult(True, (f"{option} {given}",), 1)
    return NO


def _given(text: str, option: str) -> str | None:
    """The attached value, "" when it is the next word, None for another word."""
    if text == option:
        return ""
    if text.startswith(f"{option}="):
        return text[len(option) + 1 :]
    return text[2:] if len(option) == 2 and text.startswith(option) else None


def _scripts(invocation: Invocation, value: dict[str, tuple[str, ...]], world: World) -> Iterator[tuple[str, str]]:
    """(path, text) of the files that a word, or a word inside a word, names and that fit one of the globs, here or in an option's directory."""
    texts = [v.text or "" for v in invocation.words]
    given = [_given(text, option) or following for text, following in zip(texts, [*texts[1:], ""], strict=True)
             for option in value["directory"] if _given(text, option) is not None]  # fmt: skip
    folders = [absolute(folder, invocation.cwd) for folder in (".", *given)]
    for part in (part for text in texts[1:] for part in text.split()):
        for path in dict.fromkeys(absolute(part, folder) for folder in folders if folder):
            if path and any(matches(part, g) or matches(path, g) for g in value["scripts"]):
                text = world.read_text(path, SCRIPT_LIMIT)
                if text is not None:
                    yield path, text


def script_lacks(invocation: Invocation, world: World, question: Question, _reading: Reading) -> FactResult:
    """A script that it starts holds none of the alternatives of a needed text."""
    for _path, text in _scripts(invocation, question.value, world):
        command = " ".join(v.text or "" for v in invocation.words)
        lacking = tuple(
            n for n in question.value["needs"] if not any(part in text or part in command for part in n.split("|"))
        )
        if lacking:
            return FactResult(True, lacking, len(lacking), "not found in the script")
    return NO


def unattested(invocation: Invocation, world: World, question: Question, _reading: Reading) -> FactResult:
    """Neither the store has a line that begins with the SHA-256 of the script as it is now, nor the person's own command attests it."""
    found = list(_scripts(invocation, question.value, world))
    if not found:
        return NO
    from hashlib import sha256

    store = world.read_text(_at_home(question.value["store"], question), SCRIPT_LIMIT) or ""
    known = {line.split(" ")[0] for line in store.splitlines()}
    command = tuple(question.settings.get("attestation", ()))
    hashed = ((path, sha256(text.encode("utf-8", "surrogateescape")).hexdigest()) for path, text in found)
    new = tuple(
        path
        for path, digest in hashed
        if digest not in known and not (command and world.attested(command, path, digest))
    )
    return FactResult(bool(new), new, len(new))


def project_script(invocation: Invocation, world: World, question: Question, _reading: Reading) -> FactResult:
    """The project has one of these scripts; suggests it, as seen from here."""
    for name in question.value:
        path = nearest(world, invocation.cwd, (name,), question.request.home)
        if path and path != invocation.path and invocation.cwd:
            short = path[len(invocation.cwd) + 1 :] if below(path, invocation.cwd) else path
            return FactResult(True, (path,), 1, instead=(short if "/" in short else f"./{short}",))
    return NO


def lacks_excludes(invocation: Invocation, world: World, question: Question, _reading: Reading) -> FactResult:
    """A source below one of the folders directly holds something to keep that no --exclude covers, and the target is another machine."""
    operands = [v.text or "" for v in invocation.operands]
    if len(operands) < 2 or remote_part(operands[-1]) is None:
        return NO
    excluded = set(_excluded(invocation, world))
    missing: dict[str, None] = {}
    for source in operands[:-1]:
        path = _local(source, invocation, question)
        if path and any(at_or_below(path, _at_home(f, question)) for f in question.value["folders"]):
            present = world.listdir(path, 4000)
            missing.update(
                dict.fromkeys(name for name in question.value["keep"] if name in present and name not in excluded)
            )
    return FactResult(bool(missing), tuple(f"--exclude={name}" for name in missing), len(missing), "missing")


def _excluded(invocation: Invocation, world: World) -> Iterator[str]:
    """The names that --exclude, --exclude-from and --filter leave out, those of filter files that can be read here among them."""
    for option in invocation.options:
        text = option.value.text if option.value is not None else None
        sign, _, pattern = (text or "").partition(" ")
        if option.name == "--exclude":
            yield _bare(text or "")
        elif option.name == "--exclude-from" or (option.name == "--filter" and sign.partition(",")[0] in MERGED):
            path = absolute((text if option.name == "--exclude-from" else pattern) or "", invocation.cwd)
            lines = (world.read_text(path, SCRIPT_LIMIT) or "").splitlines() if path else []
            yield from (_bare(line.removeprefix("- ").strip()) for line in lines if not line.startswith(("#", "+ ")))
        elif option.name == "--filter" and sign in ("-", "exclude"):
            yield _bare(pattern)


def _bare(pattern: str) -> str:
    for end in ("/**", "/*", "/"):
        pattern = pattern.removesuffix(end)
    return pattern.removeprefix("/").removeprefix("**/")


def _local(source: str, invocation: Invocation, question: Question) -> str | None:
    if remote_part(source) is not None or not source:
        return None
    if source.startswith("~"):
        return _at_home(source, question)
    return absolute(source, invocation.cwd)


def other_host(invocation: Invocation, _world: World, question: Question, _reading: Reading) -> FactResult:
    """An operand lies on a machine whose name fits none of the globs."""
    for operand in invocation.operands:
        there = remote_part(operand.text or "")
        if there is not None and not any(
            matches(there[0].casefold().rstrip("."), p.casefold()) for p in question.value
        ):
            return FactResult(True, (there[0],), 1)
    return NO


def copies_synced(invocation: Invocation, _world: World, question: Question, _reading: Reading) -> FactResult:
    """One side lies at or below a synchronised folder, the other on one of the hosts."""
    folders = [_at_home(f, question) for f in question.value["folders"]]
    operands = [v.text or "" for v in invocation.operands]
    there = [part for part in map(remote_part, operands) if part is not None]
    inside = [
        p for p in (_local(o, invocation, question) for o in operands) if p and any(at_or_below(p, f) for f in folders)
    ]
    held = bool(inside) and any(matches(host, p) for host, _ in there for p in question.value["hosts"])
    return FactResult(held, tuple(inside), len(inside))


def _starts_others(invocation: Invocation, world: World) -> bool:
    """A git that reads may start programs that its options or its configuration name."""
    if invocation.cwd is None or invocation.has("--ext-diff", "--textconv", "--show-signature"):
        return True
    repository = world.repository(invocation.cwd, {})
    named = [world.config(repository, key) for key in ("core.fsmonitor", "diff.external") if repository.root]
    return any((text or "false").casefold() not in ("false", "true") for text in named)


def only_reads(invocation: Invocation, world: World, question: Question, _reading: Reading) -> FactResult:
    """By its grammar (or, "vouched", by the person's word) it only reads or prints; it writes nowhere, ends by itself, and reads nothing that is secret."""
    if not (invocation.inert or question.value == "vouched") or invocation.unknown or invocation.launched_by:
        return NO
    if invocation.has(*ENDLESS) or (invocation.program == "git" and _starts_others(invocation, world)):
        return NO
    for effect in (*invocation.effects, *invocation.redirects):
        if effect.kind not in READING and effect.path != "/dev/null":
            return NO
        place = Place(effect, invocation, world, question)
        if place.path is None or place.belongs("credential") or place.belongs("secret"):
            return NO
    return YES


def lists_ignored(_invocation: Invocation, _world: World, question: Question, reading: Reading) -> FactResult:
    """What git lists into this pipeline is ignored or gone already: nothing that somebody wrote and has not committed."""
    lists = [one for one in reading.invocations[: question.position] if one.program == "git" and one.piped_to]
    return FactResult(bool(lists) and all(one.has("--ignored", "--deleted") or _of_deleted(one) for one in lists))


def _of_deleted(invocation: Invocation) -> bool:
    option = invocation.option("--diff-filter")
    return option is not None and option.value is not None and option.value.text == "D"
