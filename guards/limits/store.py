"""The folder of running and waiting jobs: private, locked, whole files only, no link followed."""

from __future__ import annotations

import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

_READ = posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW
_NEW = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC | posix.O_NOFOLLOW
OTHERS_WRITE = 0o022
LARGEST = 65536


class StoreError(Exception):
    """The folder cannot be used; the message says why."""


class Store:
    """Files of one folder, by its descriptor: a folder exchanged underneath us is not the one we checked.

    Use `with store:` for the exclusive lock; it is released by the kernel however we end.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        make_folder(path)
        try:
            self.folder = posix.open(path, _READ | posix.O_DIRECTORY)
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}") from None
        found = posix.fstat(self.folder)
        if found.st_uid != posix.geteuid() or found.st_mode & OTHERS_WRITE:
            posix.close(self.folder)
            raise StoreError(f"{path} must belong to this user and be writable by nobody else")
        self._lock = -1

    def __enter__(self) -> Self:
        flags = posix.O_RDWR | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW
        try:
            self._lock = posix.open(".lock", flags, 0o600, dir_fd=self.folder)
            posix.lockf(self._lock, posix.F_LOCK, 0)  # as good as flock for one thread, and builtin: fcntl costs 0.2 ms
        except OSError as error:
            raise StoreError(f"{self.path}/.lock: {error.strerror}") from None
        return self

    def __exit__(self, *_failure: object) -> None:
        posix.close(self._lock)

    def close(self) -> None:
        posix.close(self.folder)

    def names(self) -> list[str]:
        """Files of jobs; those that begin with a dot are ours for other uses."""
        return [name for name in posix.listdir(self.folder) if not name.startswith(".")]

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
