"""Asks the command that the person's configuration names whether a version of a script was looked at. The one program that a judgement starts.

It is never one of what is judged: its path is absolute and comes from the managed or the user's config.toml. It gets the script's path and
SHA-256 as its last arguments, nothing on stdin, a plain environment, ten seconds; status 0 says yes, whatever else happens says no.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess

PATIENCE = 10
"""Seconds; under the hook's own."""


def attested(command: tuple[str, ...], path: str, digest: str) -> bool:
    """Whether the command says yes. Its whole process group ends with the answer."""
    import os
    import pwd
    import subprocess

    from guards.children import Told

    if not command[0].startswith("/"):
        return False
    home = pwd.getpwuid(os.getuid()).pw_dir
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": home, "LANG": "C.UTF-8"}
    with Told():
        try:
            child = subprocess.Popen(
                [*command, path, digest],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment,
                cwd="/",
                start_new_session=True,
            )
        except OSError:
            return False
        return _says_yes(child)


def _says_yes(child: subprocess.Popen[bytes]) -> bool:
    import contextlib
    import os
    import signal
    import subprocess

    try:
        return child.wait(PATIENCE) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        with contextlib.suppress(OSError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
