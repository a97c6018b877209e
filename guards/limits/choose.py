"""Which backend keeps this run's limits: the first of the order that can. What was found is remembered for this boot and this place."""

from __future__ import annotations

import posix
import time

from guards.limits.backends import KERNEL, LOOKING, create
from guards.limits.cgroups import memberships
from guards.limits.procfs import boot_id
from guards.limits.store import StoreError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from guards.limits.backends import Backend, Wish
    from guards.limits.options import Asked
    from guards.limits.store import Store

MEMORY = ".backends"
INSIDE = "/gatepost-job-"
LARGEST = 4096
DOUBT = 600.0
"""Seconds for which a fall back to looking is believed: a person may have given us groups since (`loginctl enable-linger`, a mount)."""


class Unfit(Exception):  # noqa: N818
    """No backend can keep what was asked; the message says why for each."""


def choose(asked: Asked, wish: Wish, store: Store | None, say: Callable[[str], None]) -> Backend:
    """The backend, with its groups made and limits read back. Raises Unfit.

    The first run in a place tries them in order; later ones of the same boot start with the one that was found, but after DOUBT seconds
    not with one that only looks. Falling back to looking is said once a boot and place.
    """
    made = _named(asked.backend, wish) if asked.backend else _found(asked, wish, store, say)
    lacking = _lacking(made, wish, asked)
    if asked.require_kernel and (lacking or not made.kernel):
        made.close()
        kept = " and ".join(lacking) or "anything"
        raise Unfit(f"{made.name} does not keep {kept} in the kernel here")
    return made


def _named(name: str, wish: Wish) -> Backend:
    """The backend that was asked for. Raises Unfit."""
    made = create(name, wish)
    again = create("cgroup2", wish) if name == "scope" and INSIDE in _place() else made
    if isinstance(again, str):
        raise Unfit(f"{name}: {again}")
    return again


def _lacking(made: Backend, wish: Wish, asked: Asked) -> list[str]:
    """Limits that were asked for and that this backend only looks at, or not even that."""
    kept = made.applied if made.kernel else {}
    wanted = {"memory": wish.spec.memory, "cpu": wish.spec.cpu, "pids": asked.pids}
    return [name for name, value in wanted.items() if value is not None and name not in kept]


def _found(asked: Asked, wish: Wish, store: Store | None, say: Callable[[str], None]) -> Backend:
    """The first of the order that can; its limits of processes are said to be missing where the kernel counts none."""
    place = f"{boot_id()} {_place()} "
    known = store.read(MEMORY) if store is not None else ""
    found, since = _remembered(known, place)
    stale = found in LOOKING and not 0 <= time.monotonic() - since < DOUBT
    order: tuple[str, ...] = (*KERNEL, *LOOKING)
    if found in order and not asked.require_kernel and not stale:
        order = (found, *(name for name in order if name != found))
    wish = wish.replace(tried=found == "scope", remember=lambda name: _remember(store, known, place + name))
    reasons = []
    for name in order:
        if name in LOOKING and asked.require_kernel:
            continue
        made = create(name, wish)
        if isinstance(made, str):
            reasons.append(f"{name}: {made}")
            continue
        if made.kernel and wish.spec.pids is not None and "pids" not in made.applied:
            made.warnings.append("no pids controller here: the number of processes is not limited")
            if asked.pids is not None and not asked.quiet:
                say(f"with-limits: {made.warnings[-1]}")
        if (name != found or stale) and INSIDE not in place:
            _remember(store, known, place + name)
            if name in LOOKING and name != found and not asked.quiet:
                say("with-limits: no kernel limit here, the tree is sampled instead (" + "; ".join(reasons) + ")")
        return made
    raise Unfit(f"no {'kernel ' * asked.require_kernel}limit can be had here ({'; '.join(reasons)})")


def _place() -> str:
    """Our groups in all hierarchies and our view of the mounts, as one word: what can be had depends on them.

    A sandbox stands in the groups of who started it, and may see them read-only.
    """
    try:
        view = posix.readlink("/proc/self/ns/mnt")
    except OSError:
        view = ""
    return memberships().replace("\n", ",").replace(" ", "_") + view


def _remembered(known: str, place: str) -> tuple[str, float]:
    """(the backend that was found in this place, when), "" for none."""
    line = next((line.removeprefix(place) for line in known.splitlines() if line.startswith(place)), "")
    name, _, since = line.partition(" ")
    return name, float(since) if since.replace(".", "", 1).isdigit() else 0.0


def _remember(store: Store | None, known: str, line: str) -> None:
    if store is None:
        return
    boot = line.partition(" ")[0]
    place = line.rpartition(" ")[0]
    kept = [old for old in known.splitlines() if old.startswith(boot) and not old.startswith(place)]
    try:
        store.write(MEMORY, "\n".join([*kept, f"{line} {time.monotonic():.0f}"])[-LARGEST:] + "\n")
    except StoreError:
        return
