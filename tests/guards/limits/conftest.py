"""Runs of the real limiter, started as its launcher starts it, with every backend that this machine has."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path
from types import SimpleNamespace

import pytest

from guards.layout import own_modules
from guards.limits.backends import Wish, create
from guards.limits.cgroups import here
from guards.limits.limits import LimitSpec

ROOT = Path(__file__).resolve().parents[3]
SLOW = int(os.environ.get("GATEPOST_TEST_SLOW", "1"))
"""Factor for times that a command must get to come to something; tests/vm sets it."""
NOBODY = 65534
PATIENCE = 300
"""Seconds that a run may take before it counts as hanging: software emulation is thirty times slower than this machine."""
LAUNCH = """\
import sys
sys.path[:0] = {paths!r}
import posix
from guards.layout import Layout
from guards.limits.main import main
posix._exit(main(sys.argv[1:], Layout({folders})))
"""


def _kernel_backends():
    """(names, the slice of the first one)."""
    found = []
    place = None
    for name in ("cgroup2", "cgroup1"):
        made = create(name, Wish("probe-" + uuid.uuid4().hex, LimitSpec(memory=64 << 20)))
        if not isinstance(made, str):
            made.close()
            found.append(name)
            place = place or Path(made.groups[0]).parent
    if os.geteuid() != 0 and _scope_can_be_had():
        found.append("scope")
    return found, place


def _scope_can_be_had():
    """Asked of systemd itself: our own probe would become the scope."""
    if not os.path.isdir("/run/systemd/system"):
        return False
    return subprocess.run(["systemd-run", "--user", "--scope", "-q", "true"], capture_output=True).returncode == 0


def _public_python():
    """An interpreter that an unprivileged user can start: our own may lie in a private home."""
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        return None
    for path in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        probe = [*AS_NOBODY, path, "-I", "-S", "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
        if subprocess.run(probe, capture_output=True, check=False).returncode == 0:
            return path
    return None


def _compiled_box():
    """What commands are started through on a machine with a C compiler; b"" where there is none. tests/vm hands one in."""
    if given := os.environ.get("GATEPOST_TEST_BOX"):
        return Path(given).read_bytes()
    try:
        from shims import limiter
    except ImportError:
        return b""
    with tempfile.TemporaryDirectory() as folder:
        return limiter.program(SimpleNamespace(compiled=folder, python=sys.executable))


# `env` is started with the rights still held, what it starts is not
AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "env"]
KERNEL, SLICE = _kernel_backends()
PUBLIC_PYTHON = _public_python()
BOX = _compiled_box()
HERE = [*KERNEL, "proc", *(["proc-unprivileged"] if PUBLIC_PYTHON else [])]
"""Backends that can be tested live: the kernel's as this user, proc as this user, and as a user without rights (there without the box)."""


def on_one_cpu():
    """For `preexec_fn`: whatever else runs there slows the limiter and its command alike, so that what is measured does not depend on load."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


class Limiter:
    """`limiter(*words)` runs with-limits to its end; `limiter.start(*words)` gives the Popen. The last report is in `.report`."""

    def __init__(self, folder, backend):
        self.folder = folder
        self.backend = backend
        self.unprivileged = backend == "proc-unprivileged"
        names = ("prefix", "bin", "config", "state", "run", "compiled")
        folders = ", ".join(repr(f"{folder}/{name}") for name in names)
        code = LAUNCH.format(
            paths=[str(ROOT), *(own_modules() if backend == "portable" else ())],
            folders=f"{folders}, '', ({str(ROOT)!r},)",
        )
        self.python = PUBLIC_PYTHON if self.unprivileged else sys.executable
        self.launch = [self.python, "-I", "-S", "-c", code]
        if self.unprivileged:
            self.launch = [*AS_NOBODY, *self.launch]
            folder.chmod(0o777)
        elif BOX:
            (folder / "compiled").mkdir(exist_ok=True)
            (folder / "compiled/box").write_bytes(BOX)
            (folder / "compiled/box").chmod(0o755)
        self.json = folder / "report.json"

    def words(self, words, backend):
        name = (backend or self.backend or "").removesuffix("-unprivileged")
        return [*self.launch, *(["--backend", name] if name else []), "--report-json", str(self.json), *map(str, words)]

    def __call__(self, *words, backend=None, timeout=PATIENCE, **named):
        named = {"capture_output": True, "text": True, "stdin": subprocess.DEVNULL, **named}
        return subprocess.run(self.words(words, backend), timeout=timeout, check=False, **named)

    def start(self, *words, backend=None, **named):
        named = {"stdin": subprocess.DEVNULL, **named}
        return subprocess.Popen(self.words(words, backend), **named)

    def ask(self, *words, **named):
        """A subcommand, or words exactly as given."""
        named = {"capture_output": True, "text": True, "stdin": subprocess.DEVNULL, **named}
        return subprocess.run([*self.launch, *map(str, words)], timeout=PATIENCE, check=False, **named)

    @property
    def jobs(self):
        return json.loads(self.ask("status", "--json").stdout)["jobs"]

    @property
    def report(self):
        return json.loads(self.json.read_text())


@pytest.fixture
def open_folder(tmp_path_factory):
    """A folder that an unprivileged user can reach: pytest's own are private to the user."""
    folder = Path("/tmp") / f"gatepost-limits-{uuid.uuid4().hex[:12]}"
    folder.mkdir()
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(params=HERE)
def limiter(request, open_folder):
    """The limiter with each backend in turn."""
    return Limiter(open_folder, request.param)


@pytest.fixture(scope="session")
def one_cpu():
    return on_one_cpu


@pytest.fixture
def own_place(limiter):
    """For `preexec_fn`: a group of this test's own to start from, since every run on this machine sets the limit of the slice that it shares.

    Only version 1 lets a process start from a group with groups below it.
    """
    if limiter.backend != "cgroup1":
        yield None
        return
    place = Path(here()["memory"].own, f"gatepost-test-{uuid.uuid4().hex}")
    place.mkdir()
    yield lambda: (place / "cgroup.procs").write_text("0")
    place.rmdir()


@pytest.fixture(scope="session")
def slow():
    return SLOW


@pytest.fixture
def any_limiter(open_folder):
    """The limiter with whatever backend it chooses."""
    return Limiter(open_folder, None)


@pytest.fixture
def proc_limiter(open_folder):
    return Limiter(open_folder, "proc")


@pytest.fixture
def portable(open_folder):
    return Limiter(open_folder, "portable")


@pytest.fixture
def gate(any_limiter):
    """`start(*options)` runs a command that lasts until `open()`; its output names when it began."""
    folder = any_limiter.folder
    text = f"date +%s.%N >>{folder}/began; while [ ! -e {folder}/open ]; do sleep 0.02; done"
    running = []

    def start(*options, **named):
        running.append(any_limiter.start(*options, "-c", text, stderr=subprocess.DEVNULL, **named))
        return running[-1]

    start.open = (folder / "open").touch
    start.began = lambda: len((folder / "began").read_text().split()) if (folder / "began").exists() else 0
    yield start
    start.open()
    for process in running:
        process.wait(60)


@pytest.fixture
def tagged():
    """A word that marks the processes of one test, and a look at who carries it; what survives a failing test is ended here."""
    tag = f"gatepost-test-{uuid.uuid4().hex}"

    def living():
        found = []
        for entry in os.scandir("/proc"):
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                try:
                    words = Path(entry.path, "cmdline").read_bytes()
                    state = Path(entry.path, "stat").read_text().rpartition(")")[2].split()[0]
                except OSError:
                    continue
                if tag.encode() in words and state not in "ZX":
                    found.append(int(entry.name))
        return found

    living.tag = tag
    yield living
    for pid in living():
        os.kill(pid, 9)


def _groups():
    """Groups of jobs in the slice that runs of this very process use: others on this machine, other tests among them, have theirs."""
    return {path for path in SLICE.iterdir() if path.is_dir()} if SLICE and SLICE.exists() else set()


@pytest.fixture(autouse=True)
def no_group_left():
    """A test leaves no control group behind that it made."""
    before = _groups()
    yield
    assert {path for path in _groups() - before if _dead(path.name)} == set()


def _dead(identity):
    pid = identity.split("-")[0]
    return pid.isdigit() and not Path("/proc", pid).exists()
