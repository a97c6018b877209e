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
    if asked.backend:
        made = create(asked.backend, wish)
        again = create("cgroup2", wish) if asked.backend == "scope" and INSIDE in _place() else made
        if not isinstance(again, str):
            return again
        raise Unfit(f"{asked.backend}: {again}")
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
