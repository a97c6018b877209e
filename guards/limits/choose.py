"""Which backend keeps this run's limits: the first of the order that can. What was found is remembered for this boot and this place."""

from __future__ import annotations

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


class Unfit(Exception):  # noqa: N818
    """No backend can keep what was asked; the message says why for each."""


def choose(asked: Asked, wish: Wish, store: Store | None, say: Callable[[str], None]) -> Backend:
    """The backend, with its groups made and limits read back. Raises Unfit.

    The first run in a place tries them in order; later ones of the same boot start with the one that was found. Falling back to
    sampling is said once a boot and place.
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
    found = next((line.removeprefix(place) for line in known.splitlines() if line.startswith(place)), "")
    order: tuple[str, ...] = (*KERNEL, *LOOKING)
    if found in order and not asked.require_kernel:
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
        if name != found and INSIDE not in place:
            _remember(store, known, place + name)
            if name in LOOKING and not asked.quiet:
                say("with-limits: no kernel limit here, the tree is sampled instead (" + "; ".join(reasons) + ")")
        return made
    raise Unfit("no kernel limit can be had here (" + "; ".join(reasons) + ")")


def _place() -> str:
    """Our groups in all hierarchies, as one word: what can be had depends on them."""
    return memberships().replace("\n", ",").replace(" ", "_")


def _remember(store: Store | None, known: str, line: str) -> None:
    if store is None:
        return
    boot = line.partition(" ")[0]
    place = line.rpartition(" ")[0]
    kept = [old for old in known.splitlines() if old.startswith(boot) and not old.startswith(place)]
    try:
        store.write(MEMORY, "\n".join([*kept, line])[-LARGEST:] + "\n")
    except StoreError:
        return
