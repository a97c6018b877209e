"""Prints one line a figure: what was measured, the target of docs and issue, whether it holds. Ends only processes that it started."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

import limits_cost  # noqa: E402
import limits_hold  # noqa: E402
import limits_live  # noqa: E402
from limits_place import Place  # noqa: E402

SECTIONS = {
    "start": limits_cost.start,
    "spawn": limits_cost.spawn,
    "cpu": limits_cost.supervisor,
    "overshoot": limits_hold.overshoot,
    "shared": limits_hold.shared,
    "survivors": limits_hold.survivors,
    "reasons": limits_hold.reasons,
    "terminal": limits_live.terminal,
    "queue": limits_live.queue,
}


def main():
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTSTP):
        signal.signal(
            number, signal.SIG_DFL
        )  # nohup and a shell's `&` leave these ignored, and every program here would inherit that
    words = sys.argv[1:]
    quick = "--quick" in words
    chosen = [word for word in words if word != "--quick"] or list(SECTIONS)
    if unknown := set(chosen) - set(SECTIONS):
        sys.exit(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
    folder = tempfile.mkdtemp(prefix="gatepost-bench-")
    failed = []
    try:
        place = Place(folder, ROOT)
        print(
            f"backends here: {', '.join(place.backends)}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs; python {sys.version.split()[0]}"
        )
        for name in chosen:
            for text, holds in SECTIONS[name](place, quick):
                print(f"{'ok  ' if holds else '    ' if holds is None else 'MISS'}  {name:10} {text}", flush=True)
                failed += [] if holds in {True, None} else [name]
    finally:
        shutil.rmtree(folder)
    sys.exit(1 if failed else 0)


main()
