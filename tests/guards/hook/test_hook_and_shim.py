"""A question that the hook puts is not put twice: the shim behind it passes exactly that command once."""

from __future__ import annotations

import subprocess

import pytest

from tests.guards.hook.payloads import raw

ASKED = "git prune --expire=now"


@pytest.fixture
def agent(deployed, git_env, dirty_repo):
    """What an agent does with a command: the hook first, then a shell with the shims in front. Both are children of this process."""
    shims = {**git_env, "PATH": f"{deployed.prefix}/shims:{git_env['PATH']}"}

    class Agent:
        def hook(self, text, host="claude"):
            made = subprocess.run(
                [f"{deployed.bin}/gatepost-hook", host],
                input=raw(host, text, str(dirty_repo)),
                capture_output=True,
                env=git_env,
                timeout=60,
            )
            return made.stdout.decode()

        def shell(self, text):
            return subprocess.run(
                ["/bin/sh", "-c", text], cwd=dirty_repo, env=shims, capture_output=True, text=True, timeout=60
            )

    return Agent()


def test_the_hook_asks_the_shim_passes_once_and_refuses_the_second_time(agent):
    assert '"ask"' in agent.hook(ASKED)
    assert agent.shell(ASKED).returncode == 0
    again = agent.shell(ASKED)
    assert again.returncode == 126
    assert again.stderr.rstrip().endswith("[git/prune-now]")


def test_a_grant_is_for_that_command_alone(agent):
    assert '"ask"' in agent.hook(ASKED)
    assert agent.shell("git prune --expire=all").returncode == 126
    assert agent.shell(ASKED).returncode == 0


def test_a_host_that_cannot_ask_leaves_nothing_for_the_shim(agent):
    assert '"deny"' in agent.hook(ASKED, "codex")
    assert agent.shell(ASKED).returncode == 126


def test_both_doors_give_the_same_rule(agent, dirty_repo):
    assert "[git/reset-hard]" in agent.hook("git reset --hard")
    refused = agent.shell("git reset --hard")
    assert refused.returncode == 126
    assert refused.stderr.rstrip().endswith("[git/reset-hard]")
    assert (dirty_repo / "src/a.py").read_text() == "one = 11\n"


def test_what_a_comment_lifts_at_the_hook_the_shim_lets_git_do_itself(agent, dirty_repo):
    (dirty_repo / ".jj" / "repo").mkdir(parents=True)
    commit = "git commit --allow-empty -qm 'kept by hand'"
    assert "[jj/git-commit]" in agent.hook(commit)
    assert agent.hook(f"{commit} # gatepost: allow jj/git-commit because the release script reads it") == ""
    assert agent.shell(commit).returncode == 0
    assert agent.shell("git log -1 --format=%s").stdout == "kept by hand\n"
