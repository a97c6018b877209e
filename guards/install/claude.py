"""Claude Code: an entry in `hooks.PreToolUse` of settings.json (facts: measured with 2.1.332).

`onFailure: "block"` (2.1.295 and newer) makes a killed, hanging or missing hook block. The exec form (`args`) starts the program without a
shell, so neither quoting nor a noisy profile can break it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from guards.hook.hosts.claude import FILE_TOOLS, SHELL_TOOLS
from guards.install import json_text
from guards.install.change import Conflict, read
from guards.install.doctor import Check
from guards.install.place import place
from guards.install.registration import PROGRAM, TIMEOUT, JsonEntry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from guards.install.doctor import Patient
    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {
    "user": "${CLAUDE_CONFIG_DIR:-~/.claude}/settings.json",
    "project": ".claude/settings.json",
    "managed": "/etc/claude-code/managed-settings.json",
}
PROGRAMS = ("claude",)
NEEDS = (2, 1, 295)
"""The first version that honours `onFailure`."""
REWRITTEN = ("Bash(uv ", "Bash(uv:", "Bash(uvx")
"""How permission rules begin whose commands are rewritten by default."""
NOTES = (
    "Claude Code older than 2.1.295 ignores `onFailure`: there a killed hook lets the command run.",
    "Versions before 2.1.233 did not ask in bypass mode; what cannot be undone is denied, not asked, and holds there too.",
    "An allow of ours cannot lift an ask in managed settings.",
    "A session started with --bare or disableAllHooks, or before this change, does not call the hook.",
)


def registration(layout: Layout, path: str) -> Registration:
    """The entry in the settings of a scope: user, project (the current directory) or managed."""
    return JsonEntry(path, ("hooks", "PreToolUse"), entry(layout), check=check)


def entry(layout: Layout) -> dict[str, Any]:
    """One matcher group over every tool that the hook judges."""
    hook = {
        "type": "command",
        "command": f"{layout.bin}/{PROGRAM}",
        "args": ["claude"],
        "timeout": TIMEOUT,
        "onFailure": "block",
    }
    return {"matcher": "|".join([*SHELL_TOOLS, *FILE_TOOLS]), "hooks": [hook]}


def check(settings: dict[str, Any]) -> None:
    """Conflict for a `hooks` that Claude Code would not accept: it ignores a settings file with an invalid entry, ours along with it."""
    if settings.get("disableAllHooks") is True:
        raise Conflict("`disableAllHooks` is true, so no hook would run; remove it first")
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict):
        raise Conflict("`hooks` is no object")
    for event, groups in hooks.items():
        if not isinstance(groups, list):
            raise Conflict(f"`hooks.{event}` is no list")
        for at, group in enumerate(groups):
            handlers = group.get("hooks") if isinstance(group, dict) else None
            if not isinstance(handlers, list) or not all(isinstance(one, dict) and "type" in one for one in handlers):
                raise Conflict(
                    f"`hooks.{event}[{at}]` is no valid entry: it needs a list `hooks` of objects with a `type`"
                )


def headless(program: str, url: str) -> tuple[list[str], dict[str, str]]:
    """The client run once without a person against a model server at `url`: its words, and variables besides the user's own."""
    words = [program, "-p", "run it", "--model", "fake-model", "--allowedTools", "Bash"]
    return words, {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "x",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }


def inspect(patient: Patient) -> Iterator[Check]:
    """Permission rules of the person's own that name what we rewrite: Claude Code matches them against the rewritten text."""
    path = place(SCOPES["user"], patient.home, patient.environment)
    settings = json_text.load(read(path) or "{}")
    permissions = settings.get("permissions") if isinstance(settings, dict) else None
    for kind in ("deny", "ask", "allow"):
        rules = permissions.get(kind) if isinstance(permissions, dict) else None
        for rule in rules if isinstance(rules, list) else ():
            if isinstance(rule, str) and rule.startswith(REWRITTEN):
                text = f"your {kind} rule {rule} is matched against the rewritten text, which begins with with-limits"
                yield Check("warn", "claude", text, f"add the same rule for {patient.layout.bin}/with-limits")
