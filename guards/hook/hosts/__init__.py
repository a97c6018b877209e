"""The agent hosts that we answer: one module each, named here.

A host module has
    ASKS                   whether the host can put a question to a person
    read(payload, caller)  the decoded payload -> Call, or None when the event or tool is not ours to judge; raises Unreadable
    render(decision, call) -> Reply in the host's own shape. `call` is None when the payload could not be read; a decision that is no
                           deny or ask may then only be rendered as silence. The action is never "ask" where ASKS is False.
Facts about each protocol, measured or cited, stand in the modules.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from guards.hook.call import Call, Reply
    from guards.hook.caller import Caller
    from policy.model import Decision

    class Host(Protocol):
        """What every module below offers."""

        ASKS: bool

        def read(self, payload: Mapping[str, Any], caller: Caller) -> Call | None: ...
        def render(self, decision: Decision, call: Call | None) -> Reply: ...


HOSTS = {
    "antigravity": "guards.hook.hosts.antigravity",
    "claude": "guards.hook.hosts.claude",
    "cline": "guards.hook.hosts.cline",
    "codex": "guards.hook.hosts.codex",
    "copilot": "guards.hook.hosts.copilot",
    "crush": "guards.hook.hosts.crush",
    "cursor": "guards.hook.hosts.cursor",
    "droid": "guards.hook.hosts.droid",
    "gemini": "guards.hook.hosts.gemini",
    "goose": "guards.hook.hosts.goose",
    "grok": "guards.hook.hosts.grok",
    "kimi": "guards.hook.hosts.kimi",
    "omp": "guards.hook.hosts.plugin",
    "opencode": "guards.hook.hosts.plugin",
    "pi": "guards.hook.hosts.plugin",
    "qwen": "guards.hook.hosts.qwen",
    "vscode": "guards.hook.hosts.vscode",
    "windsurf": "guards.hook.hosts.windsurf",
}
"""Host name, as in `gatepost-hook HOST`, to its module."""


def find(name: str) -> Host:
    """The host's module. Raises KeyError for a name that is not in the table."""
    module: Any = __import__(HOSTS[name], fromlist=("render",))
    return module  # type: ignore[no-any-return]
