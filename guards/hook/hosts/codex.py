"""Codex CLI (measured with 0.171): PreToolUse in Claude's envelope, but no unknown key, no ask, no bare allow: each makes the command run.

A rewrite would need an approval with it, so none is given. Advice goes alone as `additionalContext`.
"""

from __future__ import annotations

from guards.hook import message
from guards.hook.call import Call, Unreadable, command_at, name_at, object_at, placed, text_at
from guards.hook.envelope import nested

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from guards.hook.call import Reply
    from guards.hook.caller import Caller
    from policy.model import Decision, Request

ASKS = False
SHELL_TOOLS = ("Bash", "exec_command", "shell_command", "shell", "local_shell")
PATCH_TOOLS = ("apply_patch", "Edit", "Write")
_FILE_LINES = {
    "*** Add File: ": "write",
    "*** Update File: ": "edit",
    "*** Delete File: ": "edit",
    "*** Move to: ": "write",
}


def read(payload: Mapping[str, Any], caller: Caller) -> Call | None:
    """A shell command, or each file that a patch touches."""
    event = name_at(payload, "hook_event_name", default="PreToolUse")
    if event != "PreToolUse":
        return None
    tool = name_at(payload, "tool_name")
    if tool not in SHELL_TOOLS and tool not in PATCH_TOOLS:
        return None
    arguments = object_at(payload, "tool_input")
    about = caller.about(payload)
    if tool in PATCH_TOOLS:
        return Call(_patched(arguments, about), event, arguments)
    text, _ = command_at(arguments)
    shell = text_at(arguments, "shell", default="").rpartition("/")[2]
    dialect = shell if shell in ("bash", "zsh", "fish", "sh") else caller.shell("bash", "zsh", "fish")
    return Call((placed(about, arguments).replace(text=text, dialect=dialect),), event, arguments)


def _patched(arguments: Mapping[str, Any], about: Request) -> tuple[Request, ...]:
    """One request for each file named in a patch, with the lines that are added to it."""
    key = next((key for key in ("command", "input", "patch") if key in arguments), "command")
    patch = arguments.get(key)
    text = patch[-1] if isinstance(patch, list) and patch and isinstance(patch[-1], str) else text_at(arguments, key)
    requests: list[Request] = []
    added: list[str] = []
    for line in [*text.splitlines(), "*** End Patch"]:
        if line.startswith("*** "):
            if requests and added:
                requests[-1] = requests[-1].replace(content="\n".join(added))
                added = []
            head = next((head for head in _FILE_LINES if line.startswith(head)), None)
            if head:
                requests.append(about.replace(tool=_FILE_LINES[head], path=line[len(head) :].strip(), content=""))
        elif line.startswith("+"):
            added.append(line[1:])
    if not requests:
        raise Unreadable("the patch names no file")
    return tuple(requests)


def render(decision: Decision, call: Call | None) -> Reply:
    """A deny with its reason, or advice, or silence."""
    del call
    if decision.action in ("deny", "ask"):
        return nested("PreToolUse", _deny(decision), decision.note)
    output = {"additionalContext": message.advice(decision)} if decision.advice else {}
    return nested("PreToolUse", output, decision.note)


def _deny(decision: Decision) -> dict[str, str]:
    return {"permissionDecision": "deny", "permissionDecisionReason": message.refusal(decision)}
