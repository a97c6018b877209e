"""How the cost grows: with the number of rules, the size of a request, the number of hooks at once. More than in proportion is over the limit."""

from __future__ import annotations

import os
import resource
import statistics
import time

from measure import Command, measure
from rows import PLAIN, payload

RULES = (50, 500, 5000)
COMMANDS = (1, 10, 100, 1000)
BYTES = (1, 1_000, 10_000, 100_000, 1_000_000)
AT_ONCE = (1, 8, 50)
PER_FILE = 0.0007
"""What one rule file of the user's may add, as a ratio to the bare interpreter: each is looked at once, so that an edit is seen."""
SLACK = 1.35
"""What noise may add to a cost in proportion."""
RULE = """\
summary  = "tool{number}x wipe"
why      = "it wipes"
decision = "deny"

[[match]]
program = "tool{number}x"
operand = "wipe"

[[example]]
run = "tool{number}x wipe"
expect = "deny"

[[example]]
run = "tool{number}x show"
expect = "pass"
"""


def _hook(layout, name, text, folder):
    return Command(name, [layout.bin + "/gatepost-hook", "claude"], payload(text, folder), folder)


def _medians(commands, layout, rounds):
    floor = Command(PLAIN, [layout.python, "-I", "-S", "-c", "pass"])
    samples = measure([floor, *commands], rounds)
    return [samples[command.name].spread("cpu")[1] / samples[PLAIN].spread("cpu")[1] for command in commands]


def rules(install, root, folder, rounds):
    """The number of rules beside the shipped ones: a request pays for a look at each of their files, and no more."""
    over, first = [], None
    for count in RULES:
        layout = install(f"{root}/rules{count}", count)
        commands = [
            _hook(layout, f"{count} rules more: {text}", text, folder)
            for text in ("ls -la src", "pytest -q tests", "git push origin topic", f"tool{count - 1}x wipe")
        ]
        found = _medians(commands, layout, rounds)
        first = first or found
        for command, value, least in zip(commands, found, first, strict=True):
            print(f"  {value:6.2f} × python  {command.name}", flush=True)
            over += [f"{command.name}: {value:.2f}"] if value > least * SLACK + count * PER_FILE else []
    return over


def write_rules(layout, count):
    """Rules of the user's, each for a program of its own."""
    where = layout.config + "/rules/many"
    os.makedirs(where)
    for number in range(count):
        with open(f"{where}/wipe{number}.toml", "w") as file:
            file.write(RULE.format(number=number))


def sizes(layout, folder, rounds):
    """Requests of more and more commands, and single words of more and more bytes."""
    over = []
    for what, steps, text in (
        ("commands", COMMANDS, lambda size: "\n".join(f"echo 'step {n}' > out{n}.txt" for n in range(size))),
        ("bytes in one word", BYTES, lambda size: "x" * size),
        ("bytes in quotes", BYTES, lambda size: "echo '" + "x y\n" * (size // 4) + "'"),
    ):
        commands = [_hook(layout, f"{size} {what}", text(size), folder) for size in steps]
        found = _medians(commands, layout, rounds)
        base = found[0]
        for size, command, value, before in zip(
            steps, commands, found, (None, *zip(steps, found, strict=True)), strict=False
        ):
            print(f"  {value:6.2f} × python  {command.name}", flush=True)
            if before is not None and value - base > max(before[1] - base, 0.3) * SLACK * size / before[0]:
                over.append(f"{command.name}: {value:.2f} after {before[1]:.2f}")
    return over


def together(layout, folder, rounds):
    """Hooks that start at the same time, as of a host that asks for several tools at once: each costs what one alone costs."""
    over, alone = [], None
    for count in AT_ONCE:
        hook = _hook(layout, "", "git push origin topic", folder)
        costs, walls = [], []
        for _ in range(max(2, rounds * 8 // count)):
            began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
            started = [hook.start() for _ in range(count)]
            for child, feeder in started:
                os.waitpid(child, 0)
                if feeder:
                    os.waitpid(feeder, 0)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            walls.append((time.perf_counter() - began) * 1000)
            used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            costs.append(used * 1000 / count)
        cost = statistics.median(costs)
        alone = alone or cost
        print(f"  {cost:6.1f} ms CPU each, {statistics.median(walls):.0f} ms in all: {count} at once", flush=True)
        over += [f"{count} at once: {cost:.1f} ms each, one alone {alone:.1f}"] if cost > alone * SLACK + 2 else []
    return over
