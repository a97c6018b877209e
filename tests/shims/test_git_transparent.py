"""git through the shims: whatever no rule concerns is the same as without them, to the byte."""

from __future__ import annotations

import signal
import subprocess

import pytest

from shims import generate_shims
from tests.shims.places import tree

FORMS = [
    "git",
    "git --version",
    "git version --build-options",
    "git --exec-path",
    "git -C src rev-parse --show-prefix",
    "git -c core.abbrev=12 log --oneline",
    "git --no-pager log -1 --format=%H",
    "git -p log -1",
    "git --git-dir=.git --work-tree=. status --porcelain",
    "git help -a",
    "git log",
    "git log --oneline --graph --all",
    "git log --format=%an%x00%ae -z",
    "git log -- 'no such'",
    "git log nosuchref",
    "git status",
    "git status --porcelain=v2 --branch -z --ignored",
    "git diff",
    "git diff --exit-code",
    "git diff --stat HEAD~1",
    "git diff --quiet",
    "git show",
    "git show HEAD:src/a.py",
    "git show HEAD:nosuch",
    "git rev-parse HEAD",
    "git rev-parse --show-toplevel",
    "git rev-parse --verify nosuch",
    "git rev-list --count HEAD",
    "git cat-file -p HEAD",
    "git cat-file --batch-check",
    "git blame src/b.py",
    "git blame nosuch",
    "git describe --always",
    "git describe",
    "git ls-files -s",
    "git ls-tree -r HEAD",
    "git ls-remote .",
    "git for-each-ref",
    "git grep -n one",
    "git grep nowhere",
    "git hash-object --stdin",
    "git check-ignore -v out.log",
    "git merge-base HEAD HEAD~1",
    "git shortlog -sn HEAD",
    "git name-rev HEAD",
    "git config --list --local",
    "git config user.nosuch",
    "git branch",
    "git branch -vv",
    "git branch topic",
    "git tag",
    "git tag v1",
    "git remote -v",
    "git stash list",
    "git worktree list --porcelain",
    "git reflog",
    "git add -A",
    "git add nosuch",
    "git commit -q -a -m msg",
    "git commit -m '' -m 'two\nlines' -- src/a.py",
    "git commit --allow-empty-message --allow-empty -m ''",
    "git mv src/b.py src/c.py",
    "git fetch",
    "git fetch . main:copy",
    "git fetch nosuch",
    "git pull",
    "git switch -c topic",
    "git merge main",
    "git cherry-pick HEAD",
    "git nosuch",
    "git stats",
    "git rev-parse --nosuch -- 'a b' '' '*' '$(x)' '`y`' '\\'",
]


@pytest.mark.parametrize("text", FORMS)
def test_same_with_and_without(place, text):
    stdin = b"HEAD\n"
    bare = place.run(["sh", "-c", text], shimmed=False, stdin=stdin)
    files = tree(place.folder)
    through = place.run(["sh", "-c", text], shimmed=True, stdin=stdin)
    assert through == bare
    assert tree(place.folder) == files


ARGUMENTS = [
    ["rev-parse", "--", "x" * 120_000],
    ["rev-parse", "--", *["y"] * 20_000],
    ["-C", ".", "rev-parse", "--", "x" * 120_000],
    ["rev-parse", "--", "", " ", "\n", "a\tb", b"\xff\xfe", b"\xe4\xf6", "*", "-x"],
    ["-C", ".", "rev-parse", "--", "", " ", "\n", "a\tb", b"\xff\xfe", b"\xe4\xf6", "*", "-x"],
]


@pytest.mark.parametrize("words", ARGUMENTS, ids=["long", "many", "long, judged", "odd", "odd, judged"])
@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "POSIX", None])
def test_arguments_arrive_as_they_are(place, words, locale):
    for name in ("LANG", "LC_ALL"):
        place.environment.pop(name, None)
    if locale:
        place.extra["LC_ALL"] = locale
    bare = place.run(["git", *words], shimmed=False)
    assert place.run(["git", *words], shimmed=True) == bare


@pytest.fixture
def recorder(tmp_path, place, installed):
    """A git that prints what it was given, with shims made for it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    source = tmp_path / "git.c"
    source.write_text(
        r"""
        #include <stdio.h>
        #include <fcntl.h>
        #include <signal.h>
        #include <unistd.h>
        extern char **environ;
        int main(int c, char **v) {
          struct sigaction a;
          for (int i = 1; i < c; i++) printf("<%s>\n", v[i]);
          for (char **e = environ; *e; e++) printf("env %s\n", *e);
          for (int i = 0; i < 20; i++) if (fcntl(i, F_GETFD) >= 0) printf("fd %d\n", i);
          for (int i = 1; i < 32; i++) if (!sigaction(i, 0, &a) && a.sa_handler == SIG_IGN) printf("ignored %d\n", i);
          printf("pid %d\n", getpid());
          fflush(stdout);
          if (c > 2 && v[2][0] == 'w') pause();
          return 7;
        }
        """
    )
    subprocess.run(["cc", "-o", folder / "git", source], check=True)
    place.environment["PATH"] = f"{folder}:{place.environment['PATH']}"
    kind = None if is_script(place) else "cc"
    generate_shims.write(installed.replace(prefix=f"{tmp_path}/made"), path=str(folder), compiler=kind)
    place.shims = f"{tmp_path}/made/shims"
    return folder / "git"


JUDGED = ["-C", "stash"]
ODD = {
    "a-b": "1",
    "npm_config_//r/:_t": "2",
    "BASH_FUNC_f%%": "() { :; }",
    "é": "ü",
    "CDPATH": "/",
    "ENV": "/e",
    "BASH_ENV": "/b",
}
SHELLS_OWN = {"IFS": "x", "PS1": "p", "OLDPWD": "/gone"}
"""A shell changes these, whatever it is told: only the compiled shim keeps them."""


def report(place, recorder, first, *, shimmed, environment=None, wrap=(), **more):
    environment = dict(place.environment, **(environment or {}))
    if shimmed:
        environment["PATH"] = f"{place.shims}:{environment['PATH']}"
    folder = place.pristine
    done = subprocess.run(
        [*wrap, "git", first, "."], cwd=folder, env=environment, capture_output=True, timeout=120, **more
    )
    lines = [line for line in done.stdout.decode().splitlines() if not line.startswith(("pid ", "env PATH="))]
    return done.returncode, sorted(lines), done.stderr


@pytest.mark.parametrize("first", ["rev-parse", "-C"])
@pytest.mark.parametrize(
    "more", [{}, ODD, {"LC_ALL": "C"}, {"LC_CTYPE": "C.UTF-8"}], ids=["plain", "odd", "C", "ctype"]
)
def test_environment_is_kept(place, recorder, first, more, installed):
    if more is ODD and not is_script(place):
        more = {**ODD, **SHELLS_OWN}
    bare = report(place, recorder, first, shimmed=False, environment=more)
    through = report(place, recorder, first, shimmed=True, environment=more)
    added = {line for line in through[1] if line not in bare[1]}
    assert [line for line in bare[1] if line not in through[1]] == []
    assert {line.split("=")[0] for line in added} <= ({"env PWD", "env SHLVL", "env _"} if is_script(place) else set())
    assert through[0] == 7
    assert through[2] == b""


def is_script(place):
    with open(place.shims + "/git", "rb") as file:
        return file.read(2) == b"#!"


@pytest.mark.parametrize("first", ["rev-parse", "-C"])
def test_closed_stdin_stays_closed_and_descriptor_9_open(place, recorder, first):
    scripts = ["exec 0<&-; exec 9>/dev/null; exec git %s ."]
    if not is_script(place):  # bash itself opens what is missing of the first three
        scripts += ["exec 9</dev/null 2>&-; exec git %s .", "exec 0<&- 2>&- 9</dev/null; exec git %s ."]
    for script in scripts:
        runs = []
        for shimmed in (False, True):
            environment = dict(place.environment)
            if shimmed:
                environment["PATH"] = f"{place.shims}:{environment['PATH']}"
            done = subprocess.run(
                ["sh", "-c", script % first], cwd=place.pristine, env=environment, capture_output=True, timeout=120
            )
            runs.append((done.returncode, [line for line in done.stdout.splitlines() if line.startswith(b"fd ")]))
        assert runs[0] == runs[1]
        assert b"fd 9" in runs[0][1]


@pytest.mark.parametrize("first", ["rev-parse", "-C"])
@pytest.mark.parametrize("sigpipe", [signal.SIG_DFL, signal.SIG_IGN])
def test_signal_dispositions(place, recorder, first, sigpipe):
    def before():
        signal.signal(signal.SIGPIPE, sigpipe)
        signal.signal(signal.SIGXFSZ, sigpipe)

    def ignored(*, shimmed):
        done = report(place, recorder, first, shimmed=shimmed, preexec_fn=before, restore_signals=False)
        return [line for line in done[1] if line.startswith("ignored")]

    wanted = ignored(shimmed=False)
    if is_script(place) and first == "-C":
        wanted = (
            [] if sigpipe == signal.SIG_IGN else wanted
        )  # bash cannot say what was ignored before it: restored to the default
    assert ignored(shimmed=True) == wanted


@pytest.mark.parametrize("first", ["rev-parse", "-C"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signals_reach_the_program_itself(place, recorder, first, number):
    environment = dict(place.environment, PATH=f"{place.shims}:{place.environment['PATH']}")
    child = subprocess.Popen(
        ["git", first, "wait" if first == "rev-parse" else "w"],
        cwd=place.pristine,
        env=environment,
        stdout=subprocess.PIPE,
    )
    lines = iter(child.stdout.readline, b"")
    assert next(line for line in lines if line.startswith(b"pid ")) == b"pid %d\n" % child.pid
    child.send_signal(number)
    assert child.wait(timeout=120) == -number
    child.stdout.close()
