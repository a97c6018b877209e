"""What a git command sets in the configuration, for good (`git config`) or for itself (`-c`, GIT_CONFIG_*)."""

from __future__ import annotations

from policy.rules.fact import FactResult
from policy.rules.glob import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading, Value
    from policy.rules.fact import Question
    from policy.world import World

READING = (
    "--get",
    "--get-all",
    "--get-regexp",
    "--get-urlmatch",
    "--get-color",
    "--get-colorbool",
    "--list",
    "-l",
    "--edit",
    "-e",
)
UNSETTING = ("--unset", "--unset-all", "--remove-section", "--rename-section")
WITH_VALUE = ("--file", "-f", "--blob", "--type", "-t", "--default", "--comment", "--value")
PROGRAMS = (
    "core.fsmonitor", "core.pager", "core.editor", "core.sshcommand", "core.askpass", "core.gitproxy", "core.alternaterefscommand",
    "sequence.editor", "diff.external", "diff.*.command", "diff.*.textconv", "filter.*.clean", "filter.*.smudge", "filter.*.process",
    "merge.*.driver", "credential.helper", "credential.*.helper", "gpg.program", "gpg.*.program", "gpg.ssh.defaultkeycommand",
    "interactive.difffilter", "pager.*", "difftool.*.cmd", "mergetool.*.cmd", "browser.*.cmd", "man.*.cmd", "remote.*.uploadpack",
    "remote.*.receivepack", "remote.*.vcs", "uploadpack.packobjectshook", "trailer.*.command", "trailer.*.cmd", "instaweb.*",
    "sendemail.smtpserver", "sendemail.*cmd", "imap.tunnel", "protocol.ext.allow", "submodule.*.update", "include.path", "includeif.*.path",
)  # fmt: skip
"""Keys whose value git runs, or reads more such keys from. Source: git-config(1)."""


def pairs(invocation: Invocation) -> list[tuple[str, str | None]]:
    """(key in lower case, value or None when it is not known or taken away) that the command sets."""
    found = [
        written(option.value) for option in invocation.options if option.name in ("-c", "--config", "--config-env")
    ]
    environment = {name: value.text for name, value in invocation.environment}
    found += [
        ((environment[name] or "").lower(), environment.get(f"GIT_CONFIG_VALUE_{name[15:]}"))
        for name in environment
        if name.startswith("GIT_CONFIG_KEY_")
    ]
    if invocation.subcommand in ("config", "config set", "config unset", "config remove-section"):
        found += persistent(invocation)
    return [pair for pair in found if pair[0]]


def written(value: Value | None) -> tuple[str, str | None]:
    if value is None:
        return "", None
    key, equals, rest = value.known.partition("=")
    if value.text is None:
        return key.lower(), None
    return key.lower(), rest if equals else "true"


def persistent(invocation: Invocation) -> list[tuple[str, str | None]]:
    """Key and value of `git config`, old and new spelling; [] when it reads."""
    words = [word.text for word in invocation.words]
    place = next((at for at, word in enumerate(words) if word == "config"), None)
    rest = words[place + 1 :] if place is not None else []
    if any(word is not None and word.split("=")[0] in READING for word in rest):
        return []
    operands = operands_of(rest)
    if operands[:1] in (["set"], ["unset"], ["remove-section"]):
        taken = operands[0] != "set"
        operands = operands[1:]
    else:
        taken = any(word in UNSETTING for word in rest)
    if not operands or operands[0] is None:
        return []
    if taken:
        return [(operands[0].lower(), None)]
    return [(operands[0].lower(), operands[1])] if len(operands) > 1 else []


def operands_of(words: list[str | None]) -> list[str | None]:
    found: list[str | None] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word is not None and word.startswith("-") and len(word) > 1:
            skip = word in WITH_VALUE
        else:
            found.append(word)
    return found


def sets_config(invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """Whether one of the keys that the rule names is set; `alias.* = !*` names keys and a pattern for the value."""
    del world, reading
    wanted = (question.value,) if isinstance(question.value, str) else tuple(question.value)
    hits = []
    for key, value in pairs(invocation):
        for pattern in wanted:
            name, equals, kind = pattern.partition(" = ")
            if matches(key, name) and (not equals or value is None or matches(value.lower(), kind)):
                hits.append(key)
                break
    return FactResult(bool(hits), tuple(hits), len(hits))


def sets_program(invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """Whether a program is put into the configuration for good that is not one of the well-known ones."""
    del world, question, reading
    if not invocation.subcommand.startswith("config") and invocation.subcommand != "clone":
        return FactResult(False)
    hits = [key for key, value in pairs(invocation) if value != "" and runs(key, value)]
    return FactResult(bool(hits), tuple(hits), len(hits))


def runs(key: str, value: str | None) -> bool:
    if key.startswith("alias."):
        return value is None or value.startswith("!")
    if not any(matches(key, pattern) for pattern in PROGRAMS):
        return False
    if value is None or key.startswith(("include", "protocol")):
        return value != "never"
    if value.lower() in ("true", "false", "0", "1", "always", "user", "never", "checkout", "rebase", "merge", "none"):
        return False
    from policy.rules.predicates.git_programs import familiar

    return not familiar(value.removeprefix("!"))


HOOKS = ("pre-commit", "pre-push", "commit-msg", "prepare-commit-msg", "post-merge", "post-checkout")


def _filled(folder: str, question: Question, reading: Reading) -> bool:
    """Whether an earlier command of the request writes a hook into the folder."""
    folder = folder.rstrip("/").replace("/./", "/")
    return any(
        effect.path is not None
        and effect.kind in ("write", "move-to")
        and effect.path in {f"{folder}/{hook}" for hook in HOOKS}
        and made.program not in ("", ":", "true", "touch", "truncate")
        for made in reading.invocations[: question.position]
        for effect in (*made.effects, *made.redirects)
    )


def outside_hooks(invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """Whether core.hooksPath is put on something that is no folder of the working tree, so that its hooks do not run."""
    for key, value in pairs(invocation):
        if key == "core.hookspath":
            folder = value if value is not None and not value.startswith(("/", "~", "..")) else None
            there = (
                folder and invocation.cwd is not None and world.path(f"{invocation.cwd}/{folder}").kind == "directory"
            )
            if not there and not (folder and _filled(f"{invocation.cwd}/{folder}", question, reading)):
                return FactResult(True, (value,) if value else (), 1 if value else 0)
    return FactResult(False)
