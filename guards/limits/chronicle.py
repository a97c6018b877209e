"""`with-limits history [--json]`: what each command needed, run by run."""

from __future__ import annotations

from guards.limits import history
from guards.limits.codes import OURS
from guards.limits.say import say
from guards.limits.show import show_count, show_duration, show_name, show_size
from guards.wire import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.layout import Layout
    from guards.limits.history import Entry

BARS = "▁▂▃▄▅▆▇█"
USAGE = """\
with-limits history [--json]     a line a command: a bar a run, the most memory, the last run's time, how many runs
example: with-limits history --json"""


def sparkline(values: list[int]) -> str:
    """One bar a value, the tallest for the largest."""
    top = max(values, default=0)
    return "".join(BARS[min(7, value * 8 // (top + 1))] for value in values)


def main(argv: list[str], layout: Layout) -> int:
    """`with-limits history [--json]`: a line a command, newest last."""
    if argv in (["--help"], ["-h"]):
        print(USAGE)
        return 0
    if argv not in ([], ["--json"]):
        say(f"with-limits history: {' '.join(argv)!r} is not known\n{USAGE}")
        return OURS
    entries = [entry for line in history.lines(layout) if (entry := history.entry_of(line)) is not None]
    if argv:
        print(encode([entry.as_dict() for entry in entries]))
        return 0
    grouped: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        grouped.setdefault((entry.command, entry.cwd), []).append(entry)
    for (command, cwd), runs in sorted(grouped.items(), key=lambda item: item[1][-1].at):
        last = runs[-20:]
        bad = sum(run.reason not in {"exit", "signal"} for run in runs)
        print(
            f"{sparkline([run.peak for run in last]):20}  {show_size(max(run.peak for run in last)):>9}"
            f"  {show_duration(last[-1].wall):>9}  {show_count(len(runs), 'run', 'runs'):>8}"
            + (f", {bad} ended by a limit" if bad else "")
            + f"  {show_name(command)}  ({show_name(cwd)})"
        )
    if not grouped:
        print("no run yet")
    return 0
