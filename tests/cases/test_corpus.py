"""1,000 requests of a corpus that only read or build, chosen by a seed: none is refused, asked about or rewritten, pack limits apart."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from policy.model import Request
from policy.rules.given import GivenWorld

CORPUS = Path(__file__).resolve().parents[2].parent / "shared" / "corpora" / "requests.jsonl"
SEED = 20261130
ANY = None
HARMLESS = {
    **dict.fromkeys(
        [
            "ls",
            "pwd",
            "cat",
            "head",
            "tail",
            "wc",
            "grep",
            "egrep",
            "fgrep",
            "rg",
            "ag",
            "find",
            "fd",
            "stat",
            "file",
            "du",
            "df",
            "which",
            "type",
            "whereis",
            "whoami",
            "id",
            "groups",
            "hostname",
            "uname",
            "date",
            "uptime",
            "echo",
            "printf",
            "true",
            "false",
            "test",
            "[",
            "basename",
            "dirname",
            "realpath",
            "readlink",
            "sort",
            "uniq",
            "cut",
            "tr",
            "nl",
            "tac",
            "rev",
            "column",
            "comm",
            "cmp",
            "diff",
            "jq",
            "yq",
            "less",
            "more",
            "sleep",
            "seq",
            "cal",
            "env",
            "printenv",
            "ps",
            "pgrep",
            "free",
            "nproc",
            "lscpu",
            "md5sum",
            "sha1sum",
            "sha256sum",
            "cksum",
            "od",
            "xxd",
            "strings",
            "tree",
            "cd",
            "export",
            "set",
            "mkdir",
            "touch",
            "make",
            "cmake",
            "ninja",
            "gcc",
            "g++",
            "clang",
            "rustc",
            "javac",
            "tsc",
            "eslint",
            "prettier",
            "ruff",
            "mypy",
            "black",
            "flake8",
            "pylint",
            "pytest",
            "jest",
            "tox",
            "mvn",
            "gradle",
            "bazel",
            "awk",
            "sed",
        ],
        ANY,
    ),
    "git": [
        "status",
        "log",
        "diff",
        "show",
        "branch",
        "remote",
        "rev-parse",
        "ls-files",
        "blame",
        "describe",
        "shortlog",
        "config",
        "fetch",
        "add",
        "commit",
        "tag",
    ],
    "npm": ["run", "test", "ci", "install", "ls", "outdated", "view", "audit", "version"],
    "yarn": ["install", "test", "build", "lint", "run", "why", "list"],
    "pnpm": ["install", "test", "build", "lint", "run", "list"],
    "pip": ["list", "show", "freeze", "check", "download"],
    "cargo": ["build", "test", "check", "clippy", "fmt", "doc", "tree", "metadata", "run", "bench"],
    "go": ["build", "test", "vet", "fmt", "list", "mod", "version", "env", "run"],
    "docker": ["ps", "images", "logs", "inspect", "build", "version", "info", "stats"],
    "kubectl": ["get", "describe", "logs", "version", "explain", "top"],
    "terraform": ["plan", "init", "validate", "fmt", "show", "version", "output"],
    "jj": ["log", "status", "st", "diff", "show", "root", "help"],
    "helm": ["list", "status", "history", "template", "lint", "version", "search"],
    "brew": ["list", "info", "search", "outdated", "doctor"],
    "systemctl": ["status", "list-units", "is-active", "is-enabled", "show"],
    "podman": ["ps", "images", "logs", "inspect", "version", "info"],
    "poetry": ["show", "check", "install", "build", "version"],
    "gh": ["pr", "issue", "run", "repo", "status", "search"],
    "python": ["--version", "-V", "-m"],
    "python3": ["--version", "-V", "-m"],
    "node": ["--version", "-v"],
    "aws": ["sts", "configure"],
    "uv": ["sync", "lock", "tree", "--version"],
}
"""Program to the first words after it that read or build; None for any."""
BEYOND = re.compile(
    r"-delete|-exec|-ok|-fprint|-fls|sed\b.*(-i|--in-place)|\b(rm|mv|dd|sudo|ssh|scp|rsync|curl|wget|xargs|eval|bash|sh|kill|chmod|chown|tee)\b"
    r"|-o\b|--output|--force|-f\b|--exec|-e\b|\b(edit|create|merge|close|delete|login|publish|push|reset|clean|prune|set|unset|start|dev|watch|serve)\b"
    r"|-X\b|/etc/|\b(transfer|archive|rename)\b|\.envrc|tfvars|hosts\.yml|config\.json|\.kube|\.npmrc|^env\b|^printenv$"
    r"|\.env\b|\.ssh|id_rsa|credential|secret|token|\.pem|\.aws|\.netrc|/dev/|/proc/|\bPATH=|LD_|PAGER|EDITOR|GIT_|alias|hook"
    r"|-i\b|--interactive|-p\b|--patch|--watch|-w\b|--amend|system\(|--upload-pack|--open|-O|ext::|core\.|[<`]|\$\(|\bW?e?\b(top|htop)\b"
)
"""Whatever hints at more than reading and building leaves a request out: this is a coarse net, made without our own parser."""
SEPARATORS = re.compile(r"\|\||&&|[;|&\n]")
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


def reads_or_builds(text: str) -> bool:
    """Whether every command of a text is one that reads or builds, as far as a look at its words tells."""
    bare = re.sub(r"2>&1|[12&]?>\s*/dev/null", "", text)
    if len(bare) > 400 or ">" in bare or BEYOND.search(bare):
        return False
    parts = [part.split() for part in SEPARATORS.split(QUOTED.sub("Q", bare))]
    return all(_harmless(words) for words in parts if words) and any(parts)


def _harmless(words: list[str]) -> bool:
    while words and re.fullmatch(r"[A-Za-z_]\w*=\S*", words[0]):
        words = words[1:]
    if not words or words[0] not in HARMLESS:
        return False
    allowed = HARMLESS[words[0]]
    if allowed is None:
        return len(words) > 1 or words[0] in {
            "ls",
            "pwd",
            "date",
            "make",
            "pytest",
            "git",
            "df",
            "ps",
            "id",
            "whoami",
            "uname",
            "true",
            "false",
        }
    if words[0] == "git" and words[1:2] in (["config"], ["commit"], ["tag"], ["branch"]):
        return words[2:3] in (["--get"], ["--list"], ["-l"], ["-m"], ["-a"], ["-v"], ["-r"]) and (
            "-m" in words or words[1] != "commit"
        )
    return words[1:2] != [] and words[1] in allowed


def chosen() -> list[str]:
    texts = sorted({json.loads(line)["text"] for line in CORPUS.read_text().splitlines()})
    fitting = [text for text in texts if reads_or_builds(text)]
    return random.Random(SEED).sample(fitting, min(1000, len(fitting)))


WAITING = ("awk '{print $1}'", "awk 'NR==1'", "aws configure sso", "aws configure sso-session")
"""They only read, but what a person types; of a pipe's parts the corpus keeps each alone."""


@pytest.mark.skipif(not CORPUS.exists(), reason="the corpus stands beside a working copy, not in it")
def test_nothing_is_disturbed(engine):
    texts = chosen()
    assert len(texts) == 1000
    disturbed = []
    for text in texts:
        world = GivenWorld({"modified": ["src/main.py"], "untracked": ["scratch.txt"], "tracked": ["README.md"]})
        request = Request(
            text=text,
            cwd=world.cwd,
            home=world.home,
            environment={"HOME": world.home, "PATH": "/usr/bin:/bin"},
            dialect="bash",
        )
        decision = engine.decide(request, world)
        if decision.action in {"deny", "ask", "rewrite"} and not decision.rule.startswith("limits/"):
            disturbed.append((text, decision.action, decision.rule))
    assert [found for found in disturbed if found[0] not in WAITING] == []
