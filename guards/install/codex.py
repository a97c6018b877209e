"""Codex CLI: `[[hooks.PreToolUse]]` in config.toml, which Codex ignores in silence until it is trusted (measured with 0.171)."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

from guards.install import codex_trust
from guards.install.change import Conflict
from guards.install.doctor import Check
from guards.install.place import place
from guards.install.registration import TIMEOUT, TomlBlock, command_line, is_ours, toml_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from guards.install.doctor import Patient
    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "${CODEX_HOME:-~/.codex}/config.toml"}
PROGRAMS = ("codex",)
NOTES = (
    "Codex cannot ask: what would be a question elsewhere is refused here. It takes no rewrite without an approval; shims carry limits.",
    "Codex has no switch for a failing hook: a killed or slow hook lets the command run. The shims are the net behind it.",
    "Text typed into a running session (write_stdin) and code-mode exec are not shown to hooks.",
)
TRUST = "gatepost trust"
BY_HAND = "Codex does not trust the hook yet and would skip it in silence: start codex, open /hooks and trust it."


def registration(layout: Layout, path: str) -> Registration:
    """The table in Codex's config.toml; the block that says it is trusted falls with it."""
    group = toml_table("[[hooks.PreToolUse]]", {"matcher": "^(Bash|apply_patch)$"})
    command: dict[str, str | int] = {"type": "command", "command": command_line(layout, "codex"), "timeout": TIMEOUT}
    hook = toml_table("[[hooks.PreToolUse.hooks]]", command)
    return TomlBlock(path, group + hook, follows=(TRUST,))


def config(home: str, environment: Mapping[str, str]) -> str:
    """Codex's configuration file."""
    return place(SCOPES["user"], home, environment)


def inspect(patient: Patient) -> Iterator[Check]:
    """Whether Codex itself, where it is found, lists the hook and trusts it."""
    program = shutil.which("codex", path=patient.environment.get("PATH"))
    if program is None:
        yield Check("note", "codex", "codex is not on PATH, so it cannot be asked whether it trusts the hook")
        return
    ours = [hook for hook in codex_trust.hooks(program, patient.home, patient.environment) if is_ours(hook.command)]
    if not ours:
        yield Check("fail", "codex", "Codex does not list the hook", "gatepost install codex")
    elif not all(hook.trusted for hook in ours):
        yield Check("fail", "codex", "Codex does not trust the hook and skips it in silence", "gatepost install codex")
    else:
        yield Check("ok", "codex", "Codex trusts the hook")


def headless(program: str, url: str) -> tuple[list[str], dict[str, str]]:
    """The client run once without a person against a model server at `url`: its words, and variables besides the user's own."""
    settings = {
        "model": "fake-model",
        "model_provider": "gatepost",
        "model_providers.gatepost.name": "gatepost",
        "model_providers.gatepost.base_url": f"{url}/v1",
        "model_providers.gatepost.wire_api": "responses",
    }
    words = [program, "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]
    for name, value in settings.items():
        words += ["-c", f'{name}="{value}"']
    return [*words, "run it"], {}


def finish(home: str, environment: Mapping[str, str]) -> str:
    """Tell Codex that the person who installs the hook trusts it, by the hash that Codex itself names; how that went, in a sentence."""
    program = shutil.which("codex", path=environment.get("PATH"))
    found = codex_trust.hooks(program, home, environment) if program else []
    ours = [hook for hook in found if is_ours(hook.command)]
    if not ours:
        return BY_HAND
    if all(hook.trusted for hook in ours):
        return "Codex trusts the hook."
    states = (toml_table(f"[hooks.state.{json.dumps(hook.key)}]", {"trusted_hash": hook.digest}) for hook in ours)
    try:
        TomlBlock(config(home, environment), "".join(states), name=TRUST).install().make()
    except Conflict:
        return BY_HAND
    trusted = all(hook.trusted for hook in codex_trust.hooks(program or "", home, environment) if is_ours(hook.command))
    return "Codex trusts the hook from now on; any edit of its entry ends that." if trusted else BY_HAND
