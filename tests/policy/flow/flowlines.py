"""Invocations as short lines, so that a table can say what a request comes to."""

from pathlib import Path

from policy.flow import read
from policy.model import Request
from policy.programs import Grammars
from policy.programs.compile import grammars
from policy.world import PathFacts, Repository

ROOT = Path(__file__).parents[3]
CWD = "/home/dev/app"


class Files:
    """A world of texts by path; everything else is there, and neither file nor directory."""

    def __init__(self, texts=None):
        self.texts = texts or {}

    def read_text(self, path, limit):
        text = self.texts.get(path)
        return text if text is not None and len(text) <= limit else None

    def path(self, path):
        return PathFacts("file" if path in self.texts else "other")

    def listdir(self, path, limit):
        names = {
            name[len(path.rstrip("/")) + 1 :].partition("/")[0]
            for name in self.texts
            if name.startswith(path.rstrip("/") + "/")
        }
        return tuple(sorted(names))[:limit]

    def repository(self, cwd, environment):
        return Repository("git", root=CWD)

    def config(self, repository, key):
        return None

    def branch(self, repository):
        return None

    def resolve(self, repository, revision):
        return None


def load():
    return Grammars(grammars(str(ROOT / "rules" / "programs")))


def value(held):
    text = held.text if held.text is not None else held.known + "?"
    return text + ("*" if held.glob else "")


def line(invocation):
    parts = [invocation.program or "<unknown>", *([invocation.subcommand] if invocation.subcommand else [])]
    for option in invocation.options:
        sign = "" if not option.negated else "!"
        parts.append(
            sign
            + option.name
            + ("=" + value(option.value) if option.value is not None else "")
            + ("" if option.sure else "?")
        )
    parts += [value(operand) for operand in invocation.operands]
    parts += [
        f"{effect.kind}({effect.path}{'/' if effect.recursive else ''})"
        for effect in invocation.effects
        if effect.source == "code"
    ]
    parts += [f"{effect.source}{effect.path}" for effect in invocation.redirects]
    parts += [f"{name}={value(held)}" for name, held in invocation.environment]
    if invocation.cwd != CWD:
        parts.append(f"@{invocation.cwd}")
    if invocation.launched_by:
        parts.append("by " + " ".join(invocation.launched_by))
    if invocation.place != "local":
        parts.append(invocation.place)
    if invocation.piped_from:
        parts.append("from " + " ".join(invocation.piped_from))
    parts += [f"[{mark}]" for mark in invocation.marks]
    return " ".join(parts)


def lines(text, grammars_, texts=None, *, cwd=CWD, environment=None, dialect="bash"):
    request = Request(text=text, cwd=cwd, home="/home/dev", dialect=dialect, environment=environment or {})
    reading = read(request, Files(texts), grammars_)
    return [line(made) for made in reading.invocations if not made.inert or made.redirects] + [
        f"! {issue.rule}" for issue in reading.issues
    ]
