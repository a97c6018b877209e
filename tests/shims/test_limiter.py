"""The compiled with-limits: launcher and box in one program, however it is linked."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess

import pytest

from guards.install import deploy
from shims import compiler, generate, limiter

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler on this machine")

WAYS = {"alone": compiler.WAYS[0], "static": compiler.WAYS[1], "dynamic": compiler.WAYS[2]}
ODD = ["", "-c", "a b", "é\n", "\udcff", "x" * 60000]


@pytest.fixture(params=WAYS)
def made(request, layout, monkeypatch):
    """An installation whose Python shows what it was given."""
    monkeypatch.setattr(compiler, "WAYS", (WAYS[request.param],))
    deploy.folders(layout)
    layout = layout.replace(python=layout.prefix + "/python")
    generate.put(layout.python, '#!/bin/bash -p\nprintf "<%s>\\n" "$@"; echo; env -0\n', 0o755)
    generate.write_launchers(layout)
    assert limiter.write(layout)
    return layout


def boxed(layout, *words, group=0, parent=None, entrance=(), threads=0):
    """(exit status, what the box complained, output) of a command started through the box."""
    reader, writer = os.pipe()
    numbers = (writer, os.getpid() if parent is None else parent, group, 500, 3, threads)
    argv = [f"{layout.compiled}/box", *map(str, numbers), *map(str, entrance), "", *words]
    done = subprocess.run(argv, pass_fds=(writer,), capture_output=True)
    os.close(writer)
    with open(reader, "rb") as pipe:
        return done.returncode, pipe.read(), done.stdout.decode("utf-8", "surrogateescape")


def test_the_launcher_hands_over_every_word_and_entry(made):
    environment = {"PATH": os.environ["PATH"], "npm_config_//r/:_t": "1", "a-b": "2", "BASH_FUNC_x%%": "() { :; }"}
    done = subprocess.run([f"{made.bin}/with-limits", *ODD], env=environment, capture_output=True)
    shown, _, rest = done.stdout.decode("utf-8", "surrogateescape").partition("\n\n")
    flags = ["-I", "-S", "-X", "subreaper", f"{made.compiled}/limits.pyc"]
    assert shown == "\n".join(f"<{word}>" for word in [*flags, *ODD])
    assert {entry for entry in rest.split("\0") if entry.startswith(("npm", "a-b", "BASH_FUNC_x"))} == {
        f"{name}={value}" for name, value in environment.items() if name != "PATH"
    }


@pytest.mark.parametrize("names", [(), ("SIGPIPE",), ("SIGXFSZ",), ("SIGPIPE", "SIGXFSZ")])
def test_the_launcher_tells_which_signals_were_ignored_before_python(made, names):
    def ignore():
        for name in ("SIGPIPE", "SIGXFSZ"):
            signal.signal(getattr(signal, name), signal.SIG_IGN if name in names else signal.SIG_DFL)

    done = subprocess.run(
        [f"{made.bin}/with-limits", "x"], capture_output=True, text=True, restore_signals=False, preexec_fn=ignore
    )
    shown = done.stdout.partition("\n\n")[0].splitlines()
    told = [word for name in names for word in ("<-X>", f"<{name}>")]
    assert shown == ["<-I>", "<-S>", "<-X>", "<subreaper>", *told, f"<{made.compiled}/limits.pyc>", "<x>"]


def test_the_launcher_works_without_a_single_word(made):
    done = subprocess.run([], executable=f"{made.bin}/with-limits", capture_output=True)
    assert done.stdout.startswith(b"<-I>\n")


def test_without_its_interpreter_it_says_so(made):
    os.unlink(made.python)
    done = subprocess.run([f"{made.bin}/with-limits", "--version"], capture_output=True, text=True)
    assert done.returncode == 125
    assert "install.sh" in done.stderr


def test_the_box_becomes_the_command(made, tmp_path):
    (tmp_path / "procs").write_text("")
    text = 'cat /proc/self/oom_score_adj; nice; echo $(ulimit -Hc) $(ulimit -Hp) $(ulimit -Sp); ps -o pgid= $$; echo $$; printf \'<%s>\' "$0" "$@"; exit 7'
    words = ["/bin/sh", "sh", "-c", text, "name", *(word for word in ODD if word != "\udcff")]
    code, complaint, output = boxed(made, *words, group=1, entrance=[tmp_path / "procs"], threads=23456)
    adjusted, nice, core, group, pid, *rest = output.split("\n", 5)
    assert (code, complaint) == (7, b"")
    assert (adjusted, core) == ("500", "0 23456 23456")
    assert int(nice) == min(19, os.nice(0) + 3)
    assert group.strip() == pid
    assert rest == ["".join(f"<{word}>" for word in words[4:])]
    assert (tmp_path / "procs").read_text() == "0"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("/no/such/program", "x"), {}),
        (("/etc/passwd", "x"), {}),
        (("/bin/true",), {}),
        (("/bin/true", "true"), {"entrance": ["/no/such/group"]}),
        (("/bin/true", "true"), {"entrance": ["/proc/version"]}),
        (("/bin/true", "true"), {"parent": 1}),
    ],
)
def test_what_the_box_cannot_do_it_says_and_runs_nothing(made, words, named):
    code, complaint, output = boxed(made, *words, **named)
    assert (code, output) == (125, "")
    assert complaint == b"!" or words == ("/bin/true",)


def test_where_there_is_no_compiler_the_script_stays_and_no_box(made):
    assert os.path.exists(f"{made.compiled}/box")
    generate.write_launchers(made)
    assert not limiter.write(made, compiler="no-such-compiler")
    assert not os.path.exists(f"{made.compiled}/box")
    with open(f"{made.bin}/with-limits", "rb") as file:
        assert file.read(2) == b"#!"
