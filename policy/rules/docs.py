"""The pages beside the rules: one for each pack and an index, written from the rule files alone, so that they cannot say anything else."""

from __future__ import annotations

import os

from policy.rules import catalog, layers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from policy.rules.schema import Example, Rule

PACKS = {
    "conventions": "How this team works: rule kinds to configure, off until something is named.",
    "data": "Databases and stores: statements and commands that drop, empty or reset.",
    "exec": "Code that nobody has seen: downloaded, decoded, preloaded, named in a variable.",
    "files": "Files and folders, judged by where they are and what would be lost.",
    "git": "Work and history that git forms destroy, hooks that they skip, programs hidden in configuration.",
    "hang": "What an agent cannot finish: editors, prompts, followers, interpreters. Each names the form that ends.",
    "infra": "Clouds, clusters, containers, code hosts.",
    "jj": "Repositories that jj looks after: git writes in them, editors, the operation log.",
    "limits": "What runs under limits of memory and time.",
    "packages": "Installing for the whole machine, publishing, how a project installs.",
    "processes": "Ending processes, services, the machine.",
    "remote": "What happens on other machines, and what is copied there.",
    "secrets": "Keys and files of secrets: printed, copied, sent.",
    "self": "This guard and the hook settings of agents. Final: no layer loosens them.",
    "tests-environment": "Test runs that would reach something that is not for tests.",
}
"""What a pack is about, for its page; a pack of one's own needs no line here."""
WORDS = {
    "deny": "refused", "ask": "a person is asked", "rewrite": "run in another form", "advice": "a word of advice", "allow": "allowed", "pass": "undisturbed",
}  # fmt: skip
MARK = "<!-- written by `gatepost rules docs` from the rule files; do not edit -->"


def pages(folder: str) -> dict[str, str]:
    """Path to text of every page of a rules folder. Raises RuleError."""
    packs: dict[str, dict[str, Rule]] = {}
    for name, path in catalog.rule_files(folder):
        packs.setdefault(name.partition("/")[0], {})[name] = catalog.read_rule(path)
    written = {os.path.join(folder, pack, "README.md"): "\n".join(_page(pack, rules)) for pack, rules in packs.items()}
    written[os.path.join(folder, "README.md")] = "\n".join(_index(packs))
    return written


def write(folder: str) -> tuple[str, ...]:
    """Writes the pages that differ; returns their paths."""
    changed = drift(folder)
    texts = pages(folder)
    for path in changed:
        with open(path, "w", encoding="utf-8") as file:
            file.write(texts[path])
    return changed


def drift(folder: str) -> tuple[str, ...]:
    """Paths of the pages that do not say what the rules say."""
    return tuple(path for path, text in sorted(pages(folder).items()) if _present(path) != text)


def _present(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return None


def _index(packs: Mapping[str, Mapping[str, Rule]]) -> Iterator[str]:
    yield MARK
    yield "# Rules"
    yield ""
    yield "One harm, one file: `PACK/RULE.toml`. Its examples are its tests. `gatepost rules show PACK/RULE` tells where a decision comes from,"
    yield '`[rules."PACK/RULE"]` and `[packs.PACK]` in `config.toml` change it.'
    yield ""
    yield "| pack | rules | about |"
    yield "|---|---|---|"
    for pack, rules in packs.items():
        yield f"| [{pack}]({pack}/README.md) | {len(rules)} | {PACKS.get(pack, '')} |"
    yield ""
    yield "Without a file of their own, what could not be read or decided; each asks unless configured like a rule:"
    yield ""
    yield "| id | what |"
    yield "|---|---|"
    for name, meaning in layers.ISSUES.items():
        yield f"| {name} | {meaning} |"
    yield ""


def _page(pack: str, rules: Mapping[str, Rule]) -> Iterator[str]:
    yield MARK
    yield f"# {pack}"
    yield ""
    if pack in PACKS:
        yield PACKS[pack]
        yield ""
    yield "| rule | answer | what |"
    yield "|---|---|---|"
    for name, rule in rules.items():
        yield f"| [{name}](#{_anchor(name)}) | {rule.decision} | {_cell(rule.summary)} |"
    yield ""
    for name, rule in rules.items():
        yield from _section(name, rule)


def _anchor(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum() or c in "-_ ").replace(" ", "-")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _section(name: str, rule: Rule) -> Iterator[str]:
    yield f"## {name}"
    yield ""
    yield f"{rule.summary[:1].upper()}{rule.summary[1:]}: **{WORDS[rule.decision]}**, because {rule.why}."
    yield ""
    notes = {
        "Instead": ", ".join(f"`{text}`" for text in rule.instead),
        "Advice": rule.advice,
        "Carried out by the shim as": f"`{rule.translate}`" if rule.translate else "",
        "In profile strict": rule.strict or "",
        "Only in profiles": ", ".join(rule.profiles),
        "Parameters": ", ".join(f"`{key}`" for key in rule.parameters),
        "Lifted by": f"a trailing comment `# gatepost: allow {name} because …`" if rule.escape else "",
        "Not on other machines": rule.not_in.get("remote", ""),
        "Not in containers": rule.not_in.get("container", ""),
        "Maturity": rule.maturity if rule.maturity != "stable" else "",
        "Final": "no layer loosens it" if rule.final else "",
    }
    for label, text in notes.items():
        if text:
            yield f"- {label}: {text}"
    if any(notes.values()):
        yield ""
    yield "```sh"
    for example in rule.example:
        yield f"{_shown(example)}    # {example.expect}{_given(example)}"
    yield "```"
    yield ""


def _shown(example: Example) -> str:
    if example.tool:
        return f"{example.tool.upper()} {example.path}"
    text = example.run if example.run is not None else " ".join(example.argv or ())
    return text.replace("\n", "\\n")


def _given(example: Example) -> str:
    return f", given {', '.join(f'{key} = {value}' for key, value in example.given.items())}" if example.given else ""
