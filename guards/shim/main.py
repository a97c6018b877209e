"""What a shim does when its form needs judgement: argv in; the real program, another command, or a refusal (exit 126) out.

Everything that fails in here ends in a refusal that says so. Nothing is read from stdin and nothing printed on stdout.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import posix

from guards.shim.call import DEPTH, MISSING, REFUSED, Call, Refused, decoded, deeper, hand_over, say
from shims import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from guards.layout import Layout

ACTORS = {
    "git": "guards.shim.git",
    "jj": "guards.shim.jj",
    "ssh": "guards.shim.ssh",
    "scp": "guards.shim.ssh",
    "sftp": "guards.shim.ssh",
    "rsync": "guards.shim.ssh",
    "uv": "guards.shim.uv",
    "uvx": "guards.shim.uv",
}
"""Program to the module whose `act(call)` knows more about it than the rules; the others are judged and handed over."""


def main(front: Sequence[str], layout: Layout) -> NoReturn:
    """`front` is what a shim passes: program, its baked path, notes on signals, the caller's argv. Does not return."""
    if _signal.getsignal(_signal.SIGINT) not in (_signal.SIG_IGN, _signal.SIG_DFL):
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    program, baked, kept, *argv = front
    try:
        environment = decoded(posix.environ, kept)
        real = resolve.find(program, environment.get("PATH", ""), layout.prefix + "/shims") or (
            baked if resolve.executable(baked) else None
        )
        if real is None:
            say(
                f"gatepost: {program}: not found on PATH, and {baked} is gone; install it, then run `gatepost compile` [self/missing]"
            )
            posix._exit(MISSING)  # noqa: SLF001
        run(Call(program, real, tuple(argv), where(), environment, layout, kept))
    except Refused as refusal:
        say(str(refusal))
    except Exception as error:  # noqa: BLE001
        say(f"gatepost: {program} was not run: {type(error).__name__}: {error}. Run `gatepost doctor`. [self/broken]")
    posix._exit(REFUSED)  # noqa: SLF001


def run(call: Call) -> NoReturn:
    """Judge and act. Raises Refused."""
    changes = (
        deeper(call.environment, call.program) if DEPTH in call.environment or resolve.is_script(call.real) else None
    )
    if call.program in ACTORS:
        actor: Callable[[Call], None] = __import__(ACTORS[call.program], None, None, ("act",)).act
        actor(call)
    else:
        from guards.shim.judge import settle

        settle(call)
    hand_over(call, changes=changes)


def where() -> str:
    """The working directory, physical; "/" when it is gone, so that what is asked about it is not answered by chance."""
    try:
        return posix.getcwd()
    except OSError:
        return "/"
