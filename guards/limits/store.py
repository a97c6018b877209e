"""The folder of running and waiting jobs: private, locked, whole files only, no link followed."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import posix
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

_READ = posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW
_NEW = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC | posix.O_NOFOLLOW
OTHERS_WRITE = 0o022
LARGEST = 65536
HALF = 60.0
"""Seconds after which a half-written file is nobody's."""
PATIENCE = 2.0
"""Seconds that a lock is waited for: a look takes milliseconds, so whoever holds it longer is stopped, or ends what a killed run left."""
STOPS = (_signal.SIGTSTP, _signal.SIGTTIN, _signal.SIGTTOU)
"""What Ctrl-Z and a background terminal send: they wait until the lock is given back, or everybody's runs would wait for `fg`."""


class StoreError(Exception):
    """The folder cannot be used; the message says why."""


class Busy(StoreError):  # noqa: N818
    """Somebody holds the lock for longer than is waited for; the message names the process."""


class Store:
    """Files of one folder, by its descriptor: a folder exchanged underneath us is not the one we checked.

    Use `with store:` for the exclusive lock (raises Busy after PATIENCE), `with store.within(seconds):` to wait for it as long as that; it is
    released by the kernel however we end, and no terminal can stop us while we hold it.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        make_folder(path)
        try:
            self.folder = posix.open(path, _READ | posix.O_DIRECTORY)
        except OSError as error:
            link = error.errno in {20, 40}  # ENOTDIR, ELOOP: it is a file or a link
            raise StoreError(f"{path}: {'it is no folder; remove it' if link else error.strerror}") from None
        found = posix.fstat(self.folder)
        if found.st_uid != posix.geteuid() or found.st_mode & OTHERS_WRITE:
            posix.close(self.folder)
            raise StoreError(
                f"{path} must belong to this user and be writable by nobody else (it belongs to user {found.st_uid}, "
                f"mode {found.st_mode & 0o777:o}; chmod 700 it, or remove it)"
            )
        self._lock = -1
        self._mask: set[int] = set()
        self._patience = PATIENCE

    def within(self, seconds: float) -> Self:
        """The store, its lock to be waited for no longer than so many seconds from now on."""
        self._patience = seconds
        return self

    def __enter__(self) -> Self:
        flags = posix.O_RDWR | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW
        self._mask = _signal.pthread_sigmask(_signal.SIG_BLOCK, STOPS)
        try:
            self._lock = posix.open(".lock", flags, 0o600, dir_fd=self.folder)
            self._take()
        except OSError as error:
            self._release()
            raise StoreError(f"{self.path}/.lock: {error.strerror}") from None
        except BaseException:
            self._release()
            raise
        return self

    def __exit__(self, *_failure: object) -> None:
        self._release()

    def _take(self) -> None:
        """Raises Busy, OSError."""
        end = time.monotonic() + self._patience
        while True:
            try:
                posix.lockf(
                    self._lock, posix.F_TLOCK, 0
                )  # as good as flock for one thread, and builtin: fcntl costs 0.2 ms
            except (BlockingIOError, PermissionError):
                if time.monotonic() >= end:
                    raise Busy(f"{self.path}/.lock is held by {holder(posix.fstat(self._lock).st_ino)}") from None
                time.sleep(0.005)
            else:
                return

    def _release(self) -> None:
        if self._lock >= 0:
            posix.close(self._lock)
            self._lock = -1
        _signal.pthread_sigmask(_signal.SIG_SETMASK, self._mask)

    def close(self) -> None:
        posix.close(self.folder)

    def names(self) -> list[str]:
        """Files of jobs; those that begin with a dot are ours for other uses."""
        return [name for name in posix.listdir(self.folder) if not name.startswith(".")]

    def forget_halves(self) -> None:
        """Take away what writers who were killed had half written: no write takes a minute."""
        for name in posix.listdir(self.folder):
            if name.startswith(".") and name.count(".") > 1 and name.rpartition(".")[2].isdigit():
                try:
                    left = time.time() - posix.stat(name, dir_fd=self.folder, follow_symlinks=False).st_mtime
                except OSError:
                    continue
                if left > HALF:
                    self.remove(name)

    def pulse(self) -> None:
        """Tell those who wait that something was freed: they look at once instead of at their next turn."""
        flags = posix.O_WRONLY | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW
        try:
            descriptor = posix.open(".pulse", flags, 0o600, dir_fd=self.folder)
        except OSError:
            return
        try:
            posix.write(descriptor, b".")
        except OSError:
            return  # they look by themselves soon
        finally:
            posix.close(descriptor)

    def pulsed(self) -> int:
        """A number that changes with each pulse."""
        try:
            return posix.stat(".pulse", dir_fd=self.folder).st_mtime_ns
        except OSError:
            return 0

    def read(self, name: str) -> str:
        """The whole file, "" when there is none that may be read."""
        try:
            descriptor = posix.open(name, _READ | posix.O_NONBLOCK, dir_fd=self.folder)
        except OSError:
            return ""
        try:
            return posix.read(descriptor, LARGEST).decode("utf-8", "replace")
        except OSError:
            return ""
        finally:
            posix.close(descriptor)

    def write(self, name: str, text: str) -> None:
        """Replace the whole file at once. Raises StoreError."""
        beside = f".{name}.{posix.getpid()}"
        try:
            put(beside, text, self.folder)
            posix.rename(beside, name, src_dir_fd=self.folder, dst_dir_fd=self.folder)
        except OSError as error:
            self.remove(beside)
            raise StoreError(f"{self.path}/{name}: {error.strerror}") from None

    def remove(self, name: str) -> None:
        try:
            posix.unlink(name, dir_fd=self.folder)
        except OSError:
            return


def holder(inode: int) -> str:
    """Who locks a file, for a message: `process 4711, which is stopped`."""
    from guards.limits.procfs import read, stat

    for line in read("/proc/locks").splitlines():
        words = line.split()
        if len(words) > 5 and words[1] == b"POSIX" and words[5].endswith(b":%d" % inode):
            found = stat(int(words[4]))
            return f"process {int(words[4])}" + (
                ", which is stopped" if found is not None and found.state == "T" else ""
            )
    return "another process"


def make_folder(path: str) -> None:
    """The folder and what is missing above it, private."""
    try:
        posix.mkdir(path, 0o700)
    except FileExistsError:
        return
    except FileNotFoundError:
        above = path.rpartition("/")[0]
        if not above:
            raise StoreError(f"{path} cannot be made") from None
        make_folder(above)
        make_folder(path)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from None


def put(path: str, text: str, folder: int | None = None) -> None:
    """Write a new private file. Raises OSError."""
    descriptor = posix.open(path, _NEW, 0o600, dir_fd=folder)
    try:
        write_whole(descriptor, text)
    finally:
        posix.close(descriptor)


def write_whole(descriptor: int, text: str) -> None:
    """Raises OSError."""
    data = text.encode("utf-8", "surrogateescape")
    while data:
        data = data[posix.write(descriptor, data) :]
