"""Every host's registration: written where the host reads it, once, runnable whatever stands in its path, and taken out again."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from guards.hook.hosts import HOSTS
from guards.install import hosts, plugin
from guards.install.registration import JsonEntry, OwnFile, TomlBlock

FILES = {
    "antigravity": ".gemini/config/hooks.json",
    "claude": ".claude/settings.json",
    "cline": ".cline/hooks/PreToolUse.sh",
    "codex": ".codex/config.toml",
    "copilot": ".copilot/hooks/gatepost.json",
    "crush": ".config/crush/crush.json",
    "cursor": ".cursor/hooks.json",
    "droid": ".factory/hooks.json",
    "gemini": ".gemini/settings.json",
    "grok": ".grok/hooks/gatepost.json",
    "kimi": ".kimi-code/config.toml",
    "omp": ".omp/agent/hooks/gatepost.ts",
    "opencode": ".config/opencode/plugins/gatepost.js",
    "pi": ".pi/agent/extensions/gatepost.ts",
    "qwen": ".qwen/settings.json",
    "vscode": ".copilot/hooks/gatepost-vscode.json",
    "windsurf": ".codeium/windsurf/hooks.json",
}
FAIL_SAFE = {"claude": ("onFailure", "block"), "cursor": ("failClosed", True)}
"""The hosts with a switch for a hook that fails, and how it is set."""


@pytest.fixture
def odd(layout):
    """An installation below a folder that only good quoting survives, with a hook that tells its arguments."""
    odd = layout.replace(bin=f'{layout.bin} o\'clock $HOME "x"')
    os.makedirs(odd.bin)
    hook = Path(odd.bin, "gatepost-hook")
    hook.write_text('#!/bin/sh\nprintf "%s|" "$@"\n')
    hook.chmod(0o755)
    return odd


def register(name, layout, home, scope="user"):
    return hosts.registration(name, layout, str(home), scope, {})


def leaves(value):
    if isinstance(value, dict):
        yield from value.items()
        for below in value.values():
            yield from leaves(below)
    if isinstance(value, list):
        for below in value:
            yield from leaves(below)


def commands(path):
    """Every text in a settings file that would be run, with its arguments when they stand apart."""
    text = path.read_text()
    value = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    found = dict(leaves(value))
    yield from (
        (found[key], found.get("args")) for key in ("command", "bash") if "gatepost-hook" in str(found.get(key))
    )


def test_the_table_names_every_host_that_can_be_installed():
    assert set(FILES) == set(hosts.INSTALLERS)
    assert set(hosts.INSTALLERS) <= set(HOSTS)


@pytest.mark.parametrize("name", FILES)
def test_installed_once_where_the_host_reads_it_and_taken_out_again(name, layout, tmp_path):
    where = register(name, layout, tmp_path)
    assert not where.present()
    where.install().make()
    path = tmp_path / FILES[name]
    assert where.path == str(path)
    assert f"{layout.bin}/gatepost-hook" in path.read_text()
    assert where.present()
    again = where.install()
    assert again.before == again.after
    where.uninstall().make()
    assert not where.present()
    assert not path.exists() or "gatepost-hook" not in path.read_text()


@pytest.mark.parametrize("name", [name for name in FILES if name not in ("opencode", "pi", "omp", "cline")])
def test_the_registered_command_runs_whatever_stands_in_its_path(name, odd, tmp_path):
    register(name, odd, tmp_path).install().make()
    (command,) = commands(tmp_path / FILES[name])
    text, arguments = command
    words = [text, *arguments] if arguments else ["/bin/sh", "-c", text]
    made = subprocess.run(words, capture_output=True, text=True, env={}, check=True)
    assert made.stdout == f"{name}|"


def test_cline_s_program_runs_whatever_stands_in_its_path(odd, tmp_path):
    register("cline", odd, tmp_path).install().make()
    assert (
        subprocess.run([tmp_path / FILES["cline"]], capture_output=True, text=True, env={}, check=True).stdout
        == "cline|"
    )


@pytest.mark.parametrize("name", FAIL_SAFE)
def test_the_switch_for_a_failing_hook_is_set_where_there_is_one(name, layout, tmp_path):
    register(name, layout, tmp_path).install().make()
    key, value = FAIL_SAFE[name]
    assert dict(leaves(json.loads((tmp_path / FILES[name]).read_text())))[key] == value


def test_kimi_gets_its_four_keys_and_no_other(layout, tmp_path):
    register("kimi", layout, tmp_path).install().make()
    (hook,) = tomllib.loads((tmp_path / FILES["kimi"]).read_text())["hooks"]
    assert sorted(hook) == ["command", "event", "matcher", "timeout"]
    assert 1 <= hook["timeout"] <= 600


def test_matchers_are_valid_expressions_that_fit_the_host_s_tool(layout, tmp_path):
    tools = {"claude": "Bash", "codex": "Bash", "kimi": "Bash", "gemini": "run_shell_command", "qwen": "run_shell_command", "copilot": "bash", "droid": "Execute", "crush": "bash", "antigravity": "run_command"}  # fmt: skip
    for name, tool in tools.items():
        register(name, layout, tmp_path).install().make()
        text = (tmp_path / FILES[name]).read_text()
        value = tomllib.loads(text) if FILES[name].endswith(".toml") else json.loads(text)
        assert re.fullmatch(dict(leaves(value))["matcher"], tool), name


def test_gemini_counts_in_milliseconds_and_qwen_must_not(layout, tmp_path):
    register("gemini", layout, tmp_path).install().make()
    register("qwen", layout, tmp_path).install().make()
    assert dict(leaves(json.loads((tmp_path / FILES["gemini"]).read_text())))["timeout"] == 30_000
    assert dict(leaves(json.loads((tmp_path / FILES["qwen"]).read_text())))["timeout"] < 1000


def test_every_installer_says_what_it_is_and_every_scope_has_a_path(layout, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in hosts.names():
        installer = hosts.find(name)
        assert installer.NOTES
        for scope in installer.SCOPES:
            where = hosts.registration(name, layout, str(tmp_path), scope, {})
            assert isinstance(where, JsonEntry | TomlBlock | OwnFile)
            assert os.path.isabs(where.path)


DRIVER = """
const made = await import(process.argv[2])
const hooks = await made.Gatepost({ directory: "/r" })
const output = { args: { command: "git x", note: 1 } }
const args = output.args
try {
  await hooks["tool.execute.before"]({ tool: process.argv[3] ?? "bash", sessionID: "s", callID: "c" }, output)
  const after = { output: "done" }
  await hooks["tool.execute.after"]({ tool: "bash", sessionID: "s", callID: "c" }, after)
  const env = { env: { PATH: "/bin" } }
  await hooks["shell.env"]({}, env)
  console.log(JSON.stringify({ same: args === output.args, command: output.args.command, after: after.output, path: env.env.PATH }))
} catch (error) { console.log(JSON.stringify({ thrown: error.message })) }
"""


@pytest.fixture
def opencode(layout, tmp_path):
    """Runs the plugin as the host does, with a hook that answers what the test says."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    os.makedirs(layout.bin)

    def run(script, tool="bash"):
        hook = Path(layout.bin, "gatepost-hook")
        hook.unlink(missing_ok=True)
        if script is not None:
            hook.write_text(f"#!/bin/sh\n{script}\n")
            hook.chmod(0o755)
        source = tmp_path / "gatepost.mjs"
        source.write_text(plugin.filled("opencode.js", layout, "opencode"))
        driver = tmp_path / "driver.mjs"
        driver.write_text(DRIVER)
        made = subprocess.run([node, driver, source, tool], capture_output=True, text=True, check=True)
        return json.loads(made.stdout)

    return run


def test_the_opencode_plugin_passes_rewrites_in_place_and_advises(opencode, layout, tmp_path):
    quiet = opencode(f"cat > '{tmp_path}/asked'")
    assert quiet == {"same": True, "command": "git x", "after": "done", "path": f"{layout.prefix}/shims:/bin"}
    asked = json.loads((tmp_path / "asked").read_text())
    assert asked == {"tool": "bash", "arguments": {"command": "git x", "note": 1}, "cwd": "/r", "session": "s"}
    said = opencode("""cat > /dev/null; echo '{"command":"W","advice":"Prefer rg"}'""")
    assert (said["same"], said["command"], said["after"]) == (True, "W", "done\n\nPrefer rg")
    assert opencode("exit 9", tool="webfetch")["command"] == "git x"


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("""cat > /dev/null; echo '{"deny":"no [git/x]"}'""", "no [git/x]"),
        ("cat > /dev/null; echo told >&2; exit 2", "told"),
        ("cat > /dev/null; kill -9 $$", "SIGKILL"),
        ("cat > /dev/null; echo garbage", "could not be read"),
        (None, "could not answer"),
    ],
)
def test_the_opencode_plugin_blocks_what_is_refused_and_when_the_hook_fails(opencode, script, says):
    assert says in opencode(script)["thrown"]
