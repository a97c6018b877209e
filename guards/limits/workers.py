"""The environment of a limited command: how many workers test runners and builds should start, and what the configuration adds.

A worker cap is advice, which a program may not follow; the limit on the tree is the guarantee.
"""

from __future__ import annotations

from guards.limits.procfs import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from guards.limits.limits import LimitSpec
    from guards.limits.settings import Settings

EACH = 1 << 30
"""Bytes that one worker is reckoned to need."""
COERCED = (b"C.UTF-8", b"C.utf8", b"UTF-8")
"""What the interpreter sets LC_CTYPE to in the C locale (PEP 538); the command must not inherit our own."""
CAPPED = (
    "PYTEST_XDIST_AUTO_NUM_WORKERS",
    "VITEST_MAX_WORKERS",
    "VITEST_MAX_THREADS",
    "VITEST_MAX_FORKS",
    "RUST_TEST_THREADS",
    "NEXTEST_TEST_THREADS",
    "CARGO_BUILD_JOBS",
    "CMAKE_BUILD_PARALLEL_LEVEL",
)
"""Variables by which runners take a number of workers; Jest and Go have none that would not change more than that."""


def cap(spec: LimitSpec, cpus: int) -> int:
    """Workers that fit the limits, at least one."""
    cores = cpus if spec.cpu is None else min(cpus, max(1, round(spec.cpu)))
    return max(1, cores if spec.memory is None else min(cores, spec.memory // EACH))


def as_started(given: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
    """A copy without what the interpreter itself has put in since the start."""
    made = dict(given)
    if made.get(b"LC_CTYPE") in COERCED and b"LC_CTYPE=" not in b"\0" + read("/proc/self/environ"):
        del made[b"LC_CTYPE"]
    return made


def environment(given: Mapping[bytes, bytes], spec: LimitSpec, settings: Settings, cpus: int) -> dict[bytes, bytes]:
    """A copy with caps where the caller set none and the limits allow less than the machine has, then what the configuration adds."""
    made = as_started(given)
    most = cap(spec, cpus)
    names = {**dict.fromkeys(CAPPED, "auto" if most < cpus else "off"), **settings.workers}
    for name, value in names.items():
        key = name.encode()
        if value != "off" and key not in made:
            made[key] = str(most if value == "auto" else value).encode()
    made.update(
        {name.encode(): str(value).encode("utf-8", "surrogateescape") for name, value in settings.environment.items()}
    )
    return made
