"""The doctor tries every door: health is quiet, each fault is named with its cure, and a fault of the doctor's own is no health."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from guards.audit import record
from guards.hook.settle import TRY
from guards.install import codex_trust, doctor, hosts, probe
from guards.install.checks import hosts as host_checks
from guards.install.checks import installation, live, shell, shims
from guards.install.payloads import SHAPES
from policy import compiled
from policy.model import Decision, Request


def program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


HOOK = """#!/bin/sh
case $(cat) in *'rm -rf /'*) echo refused >&2; exit 2 ;; esac
"""


@pytest.fixture
def patient(layout, tmp_path):
    """A home and a PATH of its own, and a hook that answers as it should."""
    program(Path(layout.bin, "gatepost-hook"), HOOK)
    home = tmp_path / "home"
    home.mkdir()
    return doctor.Patient(layout, str(home), (), {"PATH": str(tmp_path / "path"), "SHELL": "/bin/sh"})


def told(checks):
    return [(check.level, check.text) for check in checks]


def levels(checks):
    return [check.level for check in checks]


def put_claude(tmp_path, version="2.1.332"):
    return program(tmp_path / "path/claude", f"#!/bin/sh\necho '{version} (Claude Code)'\n")


def install(patient, name):
    hosts.registration(name, patient.layout, patient.home, "user", patient.environment).install().make()


def test_a_host_that_is_found_but_has_no_hook_is_told(patient, tmp_path):
    put_claude(tmp_path)
    (check,) = host_checks.examine(patient)
    assert (check.level, check.subject, check.cure) == ("warn", "claude", "gatepost install claude")


def test_no_host_at_all_is_told(patient):
    assert levels(host_checks.examine(patient)) == ["warn"]


def test_a_registered_hook_that_answers_is_health(patient, tmp_path):
    put_claude(tmp_path)
    install(patient, "claude")
    assert levels(host_checks.examine(patient)) == ["ok", "ok", "ok", "note", "ok"]


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("#!/bin/sh\ncat >/dev/null\n", "`rm -rf /` should be refused, and is passed"),
        ("#!/bin/sh\ncat >/dev/null\necho no >&2; exit 2\n", "`ls -la` should be passed, and is refused"),
        ("#!/bin/sh\necho hello; cat\n", "no single JSON document"),
        ("#!/bin/sh\nexit 1\n", "exit status 1"),
        (None, "cannot be started"),
    ],
)
def test_a_registered_hook_that_answers_wrongly_fails(patient, script, says):
    install(patient, "claude")
    hook = Path(patient.layout.bin, "gatepost-hook")
    hook.unlink()
    if script:
        program(hook, script)
    assert any(check.level == "fail" and says in check.text for check in host_checks.examine(patient))


def test_the_host_is_seen_by_its_log_entries_and_not_by_our_own_tries(patient):
    install(patient, "claude")
    record(patient.layout, Request(text="x", host="claude", session=TRY), Decision())
    assert any("has not been seen" in check.text for check in host_checks.examine(patient))
    record(patient.layout, Request(text="x", host="claude", session="s1"), Decision())
    assert any("last logged call" in check.text for check in host_checks.examine(patient))


def test_an_old_claude_and_disabled_hooks_and_rules_that_a_rewrite_slips_by(patient, tmp_path):
    put_claude(tmp_path, "2.1.197")
    install(patient, "claude")
    assert any(c.level == "fail" and "before 2.1.295" in c.text for c in host_checks.examine(patient))
    settings = Path(patient.home, ".claude/settings.json")
    whole = json.loads(settings.read_text())
    settings.write_text(json.dumps({**whole, "permissions": {"deny": ["Bash(uv run:*)", "Bash(ls)"]}}))
    assert [c.text for c in host_checks.examine(patient) if c.level == "warn"] == [
        "your deny rule Bash(uv run:*) is matched against the rewritten text, which begins with with-limits"
    ]
    settings.write_text(json.dumps({**whole, "disableAllHooks": True}))
    assert any(c.level == "fail" and "disableAllHooks" in c.text for c in host_checks.examine(patient))


SERVER = """#!/bin/sh
read -r a; read -r b; read -r c
echo '{"id":1,"result":{}}'
echo '{"method":"configWarning"}'
echo '{"id":2,"result":{"data":[{"hooks":[{"key":"K","command":"/x/gatepost-hook codex","currentHash":"sha256:1","trustStatus":"TRUST"}]}]}}'
sleep 5
"""


@pytest.mark.parametrize(
    ("trust", "level"), [("trusted", "ok"), ("managed", "ok"), ("untrusted", "fail"), ("modified", "fail")]
)
def test_codex_is_asked_whether_it_trusts_the_hook(patient, tmp_path, trust, level):
    program(tmp_path / "path/codex", SERVER.replace("TRUST", trust))
    environment = {**patient.environment, "PATH": f"{tmp_path}/path:/usr/bin:/bin"}
    (check,) = hosts.find("codex").inspect(patient.replace(environment=environment))
    assert check.level == level


@pytest.mark.parametrize(
    "script", ["#!/bin/sh\nexit 1\n", "#!/bin/sh\necho garbage\n", "#!/bin/sh\necho '{\"id\":2}'\n"]
)
def test_a_codex_that_does_not_answer_trusts_nothing(tmp_path, script):
    codex = program(tmp_path / "codex", script)
    assert codex_trust.hooks(str(codex), str(tmp_path), {"PATH": "/usr/bin:/bin"}) == []


def test_a_noisy_login_shell_is_told(patient, tmp_path):
    assert levels(shell.examine(patient)) == ["ok"]
    noisy = program(tmp_path / "noisy", "#!/bin/sh\necho welcome\n")
    (check,) = shell.examine(patient.replace(environment={**patient.environment, "SHELL": str(noisy)}))
    assert check.level == "fail"
    assert "welcome" in check.text


def test_shims_are_looked_for_as_a_shell_looks(patient, tmp_path):
    environment = {**patient.environment, "PATH": "/usr/bin:/bin"}
    patient = patient.replace(environment=environment)
    assert levels(shims.examine(patient)) == ["warn"]
    folder = Path(patient.layout.prefix, "shims")
    program(folder / "git", "#!/bin/sh\n")
    assert ("ok", f"1 in {folder}: git") in told(shims.examine(patient))
    Path(patient.home, ".profile").write_text("PATH=/usr/bin:/bin\n")
    behind = [check.text for check in shims.examine(patient) if check.level == "warn"]
    assert any("-lc finds other programs first: git" in text for text in behind)
    (folder / "git").chmod(0o644)
    assert any(check.level == "fail" for check in shims.examine(patient))


def test_a_broken_installation_is_told_part_by_part(patient):
    found = {check.subject: check for check in installation.examine(patient)}
    assert found["gatepost"].level == "fail"
    assert found["gatepost-hook"].level == "fail"
    assert "another installation" in found["gatepost-hook"].text
    assert found["interpreter"].level == "fail"
    assert found["rules"].cure == "gatepost compile"


def test_what_would_stop_the_limiter_is_told_before_it_does(patient):
    os.makedirs(patient.layout.config, exist_ok=True)
    with open(f"{patient.layout.config}/config.toml", "w") as file:
        file.write("[limits.profiles.tests]\ntimee = 3\n[limits.profiles.more]\ncpu = 'x'\n")
    found = [check for check in installation.examine(patient) if check.subject == "limits"]
    assert [check.level for check in found] == ["fail", "fail"]
    assert "[limits.profiles.tests] unknown option '--timee=3'" in found[0].text


def test_open_folders_and_an_unwritable_log_are_told(patient):
    for folder in (patient.layout.compiled, patient.layout.state):
        os.makedirs(folder)
        os.chmod(folder, 0o777)  # noqa: S103
    os.symlink("/nowhere", f"{patient.layout.state}/log.jsonl")
    failed = {check.text for check in installation.examine(patient) if check.level == "fail"}
    assert f"{patient.layout.compiled} is no folder that only its owner can write" in failed
    assert any("every command becomes a question" in text for text in failed)


def test_a_working_installation_is_healthy(deployed):
    patient = doctor.Patient(deployed, "/nonexistent", (), {"PATH": deployed.bin})
    assert [check for check in installation.examine(patient) if check.level not in ("ok", "note")] == []


def test_rules_that_were_edited_since_are_no_fault(deployed, monkeypatch):
    """The next request compiles them."""

    def changed(_stamp):
        raise compiled.CompiledError("/r.toml changed since the policy was compiled; run: gatepost compile", stale=True)

    monkeypatch.setattr(compiled, "_fresh", changed)
    patient = doctor.Patient(deployed, "/nonexistent", (), {"PATH": deployed.bin})
    (told,) = (check for check in installation.examine(patient) if check.subject == "rules")
    assert (told.level, told.text) == (
        "note",
        "/r.toml changed since the policy was compiled; the next request compiles it anew",
    )


def test_what_was_wrong_before_an_edit_is_no_fault_of_now(deployed, monkeypatch):
    class Old:
        def __init__(self):
            self.config = {"problems": ("/c/config.toml:1: a fault that is mended by now",), "notes": ()}

    def load(_folder, *, check=True):
        if check:
            raise compiled.CompiledError("/c/config.toml changed", stale=True)
        return Old()

    monkeypatch.setattr(compiled.Compiled, "load", load)
    found = [check for check in installation._own_files(deployed) if check.subject == "configuration"]
    assert [(check.level, check.cure) for check in found] == [("note", "gatepost compile, then gatepost doctor")]


@pytest.mark.parametrize("name", SHAPES)
def test_a_working_installation_answers_every_host(deployed, name):
    assert probe.ask(deployed, name, probe.REFUSED).word == "refused"
    assert probe.ask(deployed, name, probe.PASSED).word == "passed"


CALLING = """#!/bin/sh
mkdir -p '{state}'
printf '{{"time":%s,"host":"claude","action":"ask","command":"{canary}"}}\\n' "$(( $(date +%s) + 1 ))" >> '{state}/log.jsonl'
"""


@pytest.mark.parametrize(
    ("script", "level", "says"),
    [
        (CALLING, "ok", "the real client called the hook"),
        ("#!/bin/sh\necho broken >&2; exit 3\n", "fail", "ran no command, status 3: broken"),
    ],
)
def test_a_client_is_run_and_must_have_called_the_hook(patient, tmp_path, script, level, says):
    text = script.format(state=patient.layout.state, canary=host_checks.CANARY) if script is CALLING else script
    program(tmp_path / "path/claude", text)
    environment = {**patient.environment, "PATH": f"{tmp_path}/path:/usr/bin:/bin"}
    (check,) = live.examine(patient.replace(environment=environment, hosts=("claude",)))
    assert (check.level, says in check.text) == (level, True), check


def test_a_client_that_cannot_be_run_alone_is_only_noted(patient):
    assert levels(live.examine(patient.replace(hosts=("cursor", "claude")))) == ["note", "note"]


def test_a_doctor_that_falls_over_is_no_health(patient, monkeypatch):
    def fall(_patient):
        raise ZeroDivisionError("x")

    monkeypatch.setattr(shell, "examine", fall)
    (check,) = doctor.examine(patient, ["guards.install.checks.shell"])
    assert (check.level, check.subject) == ("fail", "shell")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", None),
        ('[packs.hang]\ndecision = "deny"', None),
        ("[packs.hang\n", "all of it"),
        (b"\xff", "all of it"),
        ('[packs.hang]\ndecison = "deny"', "decison"),
        ("[limits]\n", "limits"),
    ],
)
def test_what_has_no_effect_in_a_project_s_file_is_told(tmp_path, text, said):
    (tmp_path / ".gatepost.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    checks = list(installation._project(str(tmp_path)))
    assert levels(checks) == ([] if said is None else ["note"])
    assert said is None or said in checks[0].text


@pytest.mark.parametrize("path", ["", "config.toml", "rules", "rules/team"])
@pytest.mark.parametrize(("mode", "warned"), [(0o700, []), (0o755, []), (0o702, ["warn"]), (0o757, ["warn"])])
def test_configuration_that_others_could_rewrite_is_told(layout, path, mode, warned):
    folder = Path(layout.config)
    (folder / "rules/team").mkdir(parents=True)
    (folder / "config.toml").touch()
    for one in (folder, *folder.rglob("*")):
        one.chmod(0o700)
    (folder / path).chmod(mode)
    checks = list(installation._open_to_others(layout))
    assert levels(checks) == warned
    assert all(
        f"chmod go-w {folder / path}".rstrip("/") == check.cure.rpartition(": ")[2].rstrip("/") for check in checks
    )
