"""Where this installation's files live. Launchers bake the answer in: no environment variable and no $HOME decides it."""

from __future__ import annotations

import posix
import sys

from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

MANAGED = "/etc/gatepost"


class Layout(Record):
    """Absolute paths, no trailing slash.

    prefix    the private environment, releases and shims (PREFIX/shims)
    bin       the commands gatepost, gatepost-hook, with-limits
    config    config.toml and rules/ of the user
    state     log, trust, counters; survives an upgrade
    runtime   grants, running jobs, sessions; gone after a reboot
    compiled  rules, parser tables and entry files of this release
    python    the private interpreter
    modules   folders that hold policy, guards, shims and what they need, for an interpreter started with -S
    managed   configuration of the machine's owner, above the user's
    shared    one installation for every user (--system): `state` and `runtime` are then found out for each
    """

    prefix: str
    bin: str
    config: str
    state: str
    runtime: str
    compiled: str
    python: str
    modules: tuple[str, ...]
    managed: str = MANAGED
    shared: bool = False

    @classmethod
    def default(cls, home: str | None = None, uid: int | None = None) -> Self:
        """The layout of a plain `./install.sh` by this user; `home` is the password database's unless given."""
        uid = posix.getuid() if uid is None else uid
        home = home_of(uid) if home is None else home
        prefix = home + "/.local/share/gatepost"
        state = home + "/.local/state/gatepost"
        return cls(
            prefix=prefix,
            bin=home + "/.local/bin",
            config=home + "/.config/gatepost",
            state=state,
            runtime=runtime_of(uid, state),
            compiled=prefix + "/compiled",
            python=prefix + "/venv/bin/python",
            modules=own_modules(),
        )


def home_of(uid: int) -> str:
    """The home folder that the password database gives a user; "" for a user that it does not know."""
    import pwd

    try:
        return pwd.getpwuid(uid).pw_dir.rstrip("/")
    except KeyError:
        return ""


def runtime_of(uid: int, state: str) -> str:
    """/run/user/UID/gatepost when the login manager made that folder, else a folder in the state folder."""
    base = f"/run/user/{uid}"
    try:
        owner = posix.stat(base).st_uid
    except OSError:
        owner = -1
    return base + "/gatepost" if owner == uid else state + "/run"


def own_modules() -> tuple[str, ...]:
    """The folders on sys.path that hold our packages and their dependencies, as this interpreter found them."""
    source = __file__.rpartition("/")[0].rpartition("/")[0]
    found = [source]
    for folder in sys.path:
        if folder.endswith(("site-packages", "dist-packages")) and folder not in found:
            found.append(folder)
    return tuple(found)


_baked: list[Layout] = []


def bake(layout: Layout) -> Layout:
    """Say where this process's installation lives, and get it back with this user's own folders; entry files do it first of all."""
    if layout.shared:
        own = Layout.default()
        layout = layout.replace(state=own.state, runtime=own.runtime)
    _baked[:] = [layout]
    return layout


def current() -> Layout:
    """The baked layout, or the default one in a process that no launcher started."""
    return _baked[0] if _baked else Layout.default()
