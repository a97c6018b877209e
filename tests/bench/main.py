"""Measures an installation made for the purpose; see tests/bench/run for the options."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

import peers  # noqa: E402
import rows  # noqa: E402
import scale  # noqa: E402
import verdict  # noqa: E402
from measure import measure, ratio  # noqa: E402

from tests.layouts import layout_at  # noqa: E402

CORPUS = ROOT.parent / "shared/corpora/requests.jsonl"


def installation(root, rules=0):
    """An installation as install.sh makes it, but for the environment: our packages lie where a wheel puts them. `rules` of the user's are added, their examples untried."""
    ours = f"{root}/lib/site-packages"
    for package in ("policy", "guards", "shims"):
        shutil.copytree(ROOT / package, f"{ours}/{package}", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "rules", f"{ours}/policy/rules/shipped")
    libraries = [folder for folder in sys.path if folder.endswith("site-packages")]
    layout = layout_at(root, (ours, *libraries))
    if rules:
        scale.write_rules(layout, rules)
    unchecked = (
        "import policy.rules.compile as c; w = c.write; c.write = lambda *a, **k: w(*a, **{**k, 'check': False}); "
    )
    made = (
        f"import sys; sys.path[:0] = {list(layout.modules)!r}; {unchecked if rules else ''}from guards.install.deploy import deploy; "
        f"from guards.layout import Layout; deploy(Layout(*{tuple(layout)!r}))"
    )
    subprocess.run([sys.executable, "-I", "-S", "-c", made], check=True, cwd=root)
    return layout


def machine():
    lines = Path("/proc/cpuinfo").read_text().splitlines() if os.path.exists("/proc/cpuinfo") else []
    model = next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine()
    )
    load = os.getloadavg()[0]
    when = datetime.now(UTC).strftime("%Y-%m-%d")
    return f"{when}, {os.cpu_count()} × {model}, {platform.system()} {platform.release()}, Python {platform.python_version()}, load {load:.1f}"


def table(made, samples):
    """Print every row."""
    print(f"{'CPU ms: min / median / max':>30}  {'CPU ratio':>18}  {'wall ratio':>10}  path")
    for row in made:
        low, middle, high = verdict.compared(row, samples)
        spread = " / ".join(f"{value:6.2f}" for value in samples[row.command.name].spread("cpu"))
        wall = verdict.compared(row, samples, "wall")[1]
        budget = (
            f"at most {row.budget:g} × {row.against}, fails beyond {row.limit:.2f}"
            if row.budget
            else f"× {row.against}"
        )
        note = f", {row.minus.split(',')[0]} itself taken off" if row.minus else ""
        print(f"{spread:>30}  {middle:6.2f} ({low:.2f}–{high:.2f})  {wall:10.2f}  {row.name}   [{budget}{note}]")


def compare(made, samples, hooks, asked):
    """Print ours beside the peers on the same requests."""
    print(f"\nCPU ms (median), ratio to the bare interpreter; {machine()}\n")
    floor = samples[rows.PLAIN]
    print(f"| request | Gatepost | {' | '.join(hooks)} |\n|---|---|{'---|' * len(hooks)}")
    for name, *_ in rows.REQUESTS:
        columns = (samples[name], *(samples[asked[peer, name].name] for peer in hooks))
        cells = " | ".join(f"{sample.spread('cpu')[1]:.1f} ({ratio(sample, floor)[1]:.2f}×)" for sample in columns)
        print(f"| {name} | {cells} |")


def share(layout, root, folder):
    """How many of the corpus's plain requests end in the front: (front, plain), or None without the corpus. No Python stands behind it."""
    if not CORPUS.exists():
        return None
    from guards import silent
    from guards.install import deploy
    from shims.reading import ALPHABET

    alone = layout.replace(bin=root + "/front", python="/none", state=root + "/counted")
    for place in (alone.bin, alone.state):
        os.mkdir(place)
    deploy.put_hook(alone)
    hook = rows.Command("", [alone.bin + "/gatepost-hook", "claude"])
    allowed = ALPHABET | {" "}
    texts = {json.loads(line)["text"] for line in CORPUS.open()}
    plain = sorted(text for text in texts if text.strip() and allowed.issuperset(text))
    for text in plain:
        hook.stdin = rows.payload(text, folder)
        hook.run()
    return silent.total(alone), len(plain)


def growth(layout, root, folder, rounds):
    """Print how the cost grows; what grows more than it may is returned, as lines."""
    print("\nhow the cost grows")
    over = scale.sizes(layout, folder, rounds)
    over += scale.together(layout, folder, rounds)
    return over + scale.rules(installation, root, folder, rounds)


def main():
    parser = argparse.ArgumentParser(prog="tests/bench/run")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--share", action="store_true", help="count the corpus's plain requests that end in the front")
    parser.add_argument("--scale", action="store_true", help="more rules, longer requests, many hooks at once")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--only", default="", metavar="WORD")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gatepost-bench-") as root:
        folder, home = root + "/repo", root + "/home"
        os.mkdir(home)
        os.mkdir(root + "/i")
        layout = installation(root + "/i")
        rows.make_repository(folder)
        every = rows.rows(layout, folder)
        made = [row for row in every if given.only in row.name]
        hooks = peers.install(str(ROOT / ".venv-peers")) if given.peers else {}
        asked = peers.commands(hooks, folder, home)
        print(machine())
        commands = verdict.wanted(made, [*rows.floors(layout), *(row.command for row in every)]) + list(asked.values())
        samples = measure(commands, given.rounds)
        table(made, samples)
        over = verdict.failing(made, commands, samples, given.rounds) if given.check else []
        if hooks:
            compare(made, samples, hooks, asked)
        if given.share and (counted := share(layout, root, folder)):
            print(
                f"\n{counted[0]} of {counted[1]} plain requests of the corpus end in the front: {100 * counted[0] / counted[1]:.0f} %"
            )
        if given.scale:
            over += growth(layout, root, folder, min(given.rounds, 10))
        os.chdir(ROOT)
    if over:
        print("\nover the limit at every measurement:\n" + "\n".join(f"  {line}" for line in over))
    return int(bool(over) and given.check)


if __name__ == "__main__":
    sys.exit(main())
