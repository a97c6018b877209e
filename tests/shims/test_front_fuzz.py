"""The front against the engine: wherever the front is silent, the hook in Python must have nothing to say either.

Requests come from the examples of every rule, from the words of every grammar, from the shared corpora where they lie beside the
repository, and from mutations of all of these; payloads in every form that a host sends, whole and damaged.
"""

import json
import os
import random
import subprocess
import tomllib
from pathlib import Path

import pytest

from guards.hook.main import answer
from guards.install import deploy
from policy.compiled import Compiled
from shims import front, generate, hook_program
from shims.front import SHAPES
from shims.generate import hook_path
from shims.reading import part_of

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
REQUESTS = 21_000
DAMAGED = 3_000
ODD = [
    "--",
    "-",
    "+x",
    "a:b",
    "x@y",
    "..",
    "/",
    ".env",
    "../.env",
    "-rf",
    "HEAD",
    "main",
    "origin",
    "-n",
    "12",
    "prod",
    "@{u}",
    "a,b",
    "100%",
]


def examples():
    for path in sorted((ROOT / "rules").rglob("*.toml")):
        for example in tomllib.loads(path.read_text()).get("example", []):
            yield example.get("run", "")


def corpora():
    for name, key in (("corpora/requests.jsonl", "text"), ("cases/requests.jsonl", "request")):
        if (SHARED / name).exists():
            yield from (json.loads(line)[key] for line in (SHARED / name).read_text().splitlines())


class Words:
    """Draws requests from grammars and from rules: programs, subcommands, options as written or cut short, words of the rules' patterns."""

    def __init__(self, compiled, draw):
        self.grammars = compiled.grammars
        self.names = sorted(compiled.grammars.names)
        self.draw = draw
        self.rules = sorted({key.partition(" ")[0] for key in compiled.keys() if ":" not in key})  # noqa: SIM118
        self.patterns = sorted({word for key in compiled.keys() for word in self._of(compiled.bucket(key))})  # noqa: SIM118

    def _of(self, rules):
        for rule in rules:
            for alternative in rule.alternatives:
                for name, value in alternative[0]:
                    if name in ("operand", "word", "says", "subcommand"):
                        yield from (
                            pattern.replace("*", "x").replace("?", "y") for text in value for pattern in text.split()
                        )
                for name, value, _ in alternative[1]:
                    if name in ("verb", "first_words"):
                        yield from (word for text in value for word in text.split())

    def request(self):
        name = self.draw.choice(self.names if self.draw.random() < 0.7 else self.rules)
        grammar = self.grammars.get(name)
        words = [name]
        part = grammar
        if grammar and grammar["subs"]:
            sub = self.draw.choice(sorted(grammar["subs"]))
            words += sub.split()
            part = part_of(grammar, sub)
        options = sorted(part["opts"]) if part else ["-f", "--force", "-a"]
        for _ in range(self.draw.randrange(4)):
            option = (
                self.draw.choice(options) if options and self.draw.random() < 0.6 else self.draw.choice(self.patterns)
            )
            if option.startswith("--") and self.draw.random() < 0.3:
                option = option[: self.draw.randrange(3, len(option) + 1)]
            words.append(option)
            if self.draw.random() < 0.4:
                words.append(self.draw.choice(ODD))
        return " ".join(words)


def mutated(text, others, draw):
    """The request with a word dropped, doubled, moved, taken from another one, or something put in front."""
    words = text.split(" ")
    for _ in range(draw.randrange(1, 4)):
        at = draw.randrange(len(words) + 1)
        kind = draw.randrange(6)
        if kind == 0 and len(words) > 1:
            words.pop(at % len(words))
        elif kind == 1:
            words.insert(at, draw.choice(draw.choice(others).split(" ")))
        elif kind == 2:
            words.insert(at, draw.choice(ODD))
        elif kind == 3:
            words[at % len(words)] = words[at % len(words)].strip("'\"$(){}")
        elif kind == 4:
            words.insert(
                0, draw.choice(["sudo", "env", "time", "nice", "command", "xargs", "make", "ls", "cat", "echo"])
            )
        else:
            draw.shuffle(words)
    return " ".join(words)


def payload(host, text, cwd, draw):
    event, tool = SHAPES[host]
    body = {
        "session_id": "s1",
        "cwd": cwd,
        "hook_event_name": event,
        "tool_name": tool,
        "tool_input": {"command": text},
    }
    if draw.random() < 0.5:
        body["tool_input"]["description"] = "does it"
    if draw.random() < 0.5:
        body |= {
            "transcript_path": "/home/dev/t.jsonl",
            "permission_mode": "default",
            "effort": {"level": "high"},
            "turn": 12,
        }
    items = list(body.items())
    draw.shuffle(items)
    return json.dumps(dict(items), separators=(",", ":"))


def damaged(raw, draw):
    """The payload cut, or with a piece doubled, dropped or put where it does not belong."""
    for _ in range(draw.randrange(1, 3)):
        at = draw.randrange(len(raw) + 1)
        to = min(len(raw), at + draw.randrange(1, 30))
        piece = draw.choice(
            ['"', ",", ":", "{", "}", "[", "]", "\\", "1", "null", '"cwd":"/",', "\n", " ", "é", raw[at:to]]
        )
        raw = draw.choice([raw[:at] + piece + raw[at:], raw[:at] + raw[to:], raw[:at] + piece + raw[to:], raw[:at]])
    return raw


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Places where requests are made: an ordinary folder, a git repository with an edit, one of jj's own."""
    root = tmp_path_factory.mktemp("fuzz")
    for name in ("plain", "repo/src", "jj/.jj/repo"):
        (root / name).mkdir(parents=True)
    repo = root / "repo"
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    environment |= {
        f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    (repo / "src/a.py").write_text("one\n")
    for words in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-q", "-m", "first")):
        subprocess.run(["git", *words], cwd=repo, env=environment, check=True)
    (repo / "src/a.py").write_text("two\n")
    (repo / ".env").write_text("SECRET=1\n")
    (repo / "link").symlink_to("/etc")
    return [str(root / name) for name in ("plain", "repo", "repo/src", "jj")]


@pytest.fixture(scope="module")
def fronts(deployed, tmp_path_factory):
    """The front as a program and as a script, with no Python behind them: what they do not answer by silence, they answer as broken."""
    made = []
    for compiler in ("cc", None):
        layout = deployed.replace(bin=str(tmp_path_factory.mktemp("front")), python="/none")
        table, watched, _ = deploy._front(deployed)
        parts = (table, watched, f"{layout.bin}/silent")
        if compiler is None:
            text = front.front(front.write_table(table, layout.bin), watched, hook_path(layout), parts[2])
            generate.write_hook(layout, deploy.answers(), text)
        elif not hook_program.write(layout, deploy.answers(), parts):
            continue
        os.utime(hook_path(layout), (4e9, 4e9))
        made.append(hook_path(layout))
    return made


def spoken(deployed, asked, fronts):
    """(payloads that a front answered by silence though Python speaks, how many each front answered). Python itself is never started."""
    silent = {}
    counted = []
    for program in fronts:
        answered = [each for each in asked if _silent(program, *each)]
        counted.append(len(answered))
        silent |= dict.fromkeys(answered)
    wrong = []
    free = os.dup(0)
    for host, raw in silent:
        reply = answer(host, deployed, descriptor=None, head=raw.encode())
        os.closerange(free + 1, free + 64)  # a hook's process ends after one answer and closes nothing before
        if (reply.stdout, reply.stderr, reply.status) != ("", "", 0):
            wrong.append((host, raw, reply.stdout or reply.stderr))
    os.close(free)
    return wrong, counted


def _silent(program, host, raw):
    done = subprocess.run([program, host], input=raw.encode(), capture_output=True)
    return (done.stdout, done.stderr, done.returncode) == (b"", b"", 0)


def requests(deployed, count, seed):
    draw = random.Random(seed)
    words = Words(Compiled.load(deployed.compiled, check=False), draw)
    seeds = sorted({text for text in (*examples(), *corpora()) if text})
    made = list(seeds)
    while len(made) < count:
        made.append(mutated(draw.choice(seeds), seeds, draw) if draw.random() < 0.5 else words.request())
    draw.shuffle(made)
    return made[:count], draw


def test_silence_of_the_front_is_silence_of_the_engine(deployed, folders, fronts):
    texts, draw = requests(deployed, REQUESTS, 1)
    hosts = sorted(SHAPES)
    asked = [(host, payload(host, text, draw.choice(folders), draw)) for text in texts for host in [draw.choice(hosts)]]
    wrong, silent = spoken(deployed, asked, fronts)
    assert wrong == []
    assert min(silent) > REQUESTS // 20, "a front answers next to nothing, so the comparison says nothing"


def test_a_damaged_payload_is_never_answered_where_python_would_speak(deployed, folders, fronts):
    texts, draw = requests(deployed, DAMAGED, 2)
    asked = [
        ("claude", damaged(payload("claude", draw.choice(["ls", text]), draw.choice(folders), draw), draw))
        for text in texts
    ]
    wrong, _ = spoken(deployed, asked, fronts)
    assert wrong == []
