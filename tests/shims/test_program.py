"""The compiled shim: the same however it is linked, its patterns mean what the rules' patterns mean, and nothing long or odd confuses it."""

from __future__ import annotations

import os
import shutil
import subprocess
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from policy.rules.glob import matches
from shims import compiler, generate, program
from shims.forms import Form, Shim
from shims.found import Found, Watch

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler on this machine")

WAYS = {"alone": compiler.WAYS[0], "static": compiler.WAYS[1], "dynamic": compiler.WAYS[2]}
SHOW = r"""
#include <stdio.h>
extern char **environ;
int main(int c, char **v) {
  for (int i = 0; i < c; i++) printf("<%s>\n", v[i]);
  for (char **e = environ; *e; e++) printf("env %s\n", *e);
}
"""
MATCHER = r"""
#undef main
#include <stdio.h>
int main(void) {
  static char line[8192];
  while (fgets(line, sizeof line, stdin)) {
    size_t length = size(line);
    line[--length] = 0;
    char *word = line;
    while (*word != '\t') word++;
    *word++ = 0;
    putchar(covers(line, word, size(word)) ? '1' : '0');
  }
}
"""


@pytest.fixture(scope="module")
def show(tmp_path_factory):
    """A program that prints its arguments and environment."""
    folder = tmp_path_factory.mktemp("show")
    (folder / "show.c").write_text(SHOW)
    subprocess.run(["cc", "-o", folder / "show", folder / "show.c"], check=True)
    return str(folder / "show")


@pytest.fixture(params=WAYS)
def made(request, tmp_path, show, monkeypatch):
    """Shims `show` and `counted` of one kind, for a program that hands over `plain …` unless a word is like `-x*`; `python` shows, too."""
    monkeypatch.setattr(compiler, "WAYS", (WAYS[request.param],))
    for name in ("shims", "compiled", "watched"):
        (tmp_path / name).mkdir()
    (tmp_path / "stamp").touch()
    os.utime(tmp_path / "watched", (1, 1))
    script = tmp_path / "script"
    script.write_text(f'#!/bin/sh\necho "depth $GATEPOST_DEPTH"\nexec {show} "$@"\n')
    script.chmod(0o755)
    layout = SimpleNamespace(prefix=str(tmp_path), compiled=f"{tmp_path}/compiled", python=show)
    forms = (Form("plain", ("-x*", "-[!-]*x*", "a?b")), Form("", ("*",)))
    found = [
        Found(Shim("show", variables=("SWITCH",), markers=(".jj",)), show, forms),
        Found(Shim("counted"), str(script), forms),
    ]
    watch = Watch((f"{tmp_path}/watched",), (f"{tmp_path}/absent",))
    assert program.write(layout, found, watch, f"{tmp_path}/stamp", "cc")
    return tmp_path


def run(made, *words, name="show", cwd=None, **environment):
    """What came of it: the lines that the real program (or `python`) printed."""
    path = f"{made}/shims/{name}"
    done = subprocess.run(
        [path, *words], cwd=cwd or made, env={"PATH": "/nowhere", **environment}, capture_output=True, timeout=30
    )
    return done.stdout.split(b"\n"), done


def judged(made, *words, **more):
    lines, _ = run(made, *words, **more)
    return b"<-I>" in lines


def test_what_is_handed_over(made):
    lines, done = run(made, "plain", "", "ä", "-y")
    assert lines == [
        b"<%s/shims/show>" % str(made).encode(),
        b"<plain>",
        b"<>",
        "<ä>".encode(),
        b"<-y>",
        b"env PATH=/nowhere",
        b"",
    ]
    assert (done.returncode, done.stderr) == (0, b"")
    assert not judged(made)
    assert not judged(made, "plain", "--=x")


@pytest.mark.parametrize(
    "words",
    [("",), ("other",), ("plain", "-x"), ("plain", "-xyz=1"), ("plain", "-ax"), ("plain", "-x=1"), ("plain", "aöb")],
)
def test_what_is_judged(made, words):
    lines, _ = run(made, *words)
    assert lines[1:6] == [b"<-I>", b"<-S>", b"<-X>", b"<utf8>", b"<%s/compiled/shim.pyc>" % str(made).encode()]
    assert lines[6] == b"<show>"
    assert lines[10:] == [*(b"<%s>" % word.encode() for word in words), b"env PATH=/nowhere", b""]


def test_what_else_asks_python(made, tmp_path):
    assert not judged(made, "plain")
    assert judged(made, "plain", SWITCH="")
    (made / "deep/er").mkdir(parents=True)
    (made / "deep/.jj").symlink_to("nowhere")
    assert judged(made, "plain", cwd=made / "deep/er")
    (made / "absent").touch()
    assert judged(made, "plain")
    (made / "absent").unlink()
    os.utime(made / "watched")
    os.utime(made / "stamp", (2, 2))
    assert judged(made, "plain")
    (made / "watched").rmdir()
    assert judged(made, "plain")


def test_another_program_that_comes_first_asks_python(made, show):
    for name, wanted in (("other", True), ("same", False)):
        (made / name).mkdir()
        shutil.copy(show, made / name / "show") if name == "other" else (made / name / "show").symlink_to(show)
        assert judged(made, "plain", PATH=f"{made}/shims:{made}/{name}:/bin") is wanted, name
        assert judged(made, "plain", PATH=f"{made}/{name}:{made}/shims:/bin") is False, name
    assert judged(made, "plain", PATH=f"{made}/shims:/{'x' * 5000}:/bin")
    assert not judged(made, "plain", PATH="")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "1"),
        ("1", "2"),
        ("9", "10"),
        ("11", "12"),
        ("12", None),
        ("0", None),
        ("", None),
        ("-1", None),
        ("1x", None),
        ("9" * 40, None),
    ],
)
def test_scripts_are_counted(made, before, after):
    given = {} if before is None else {"GATEPOST_DEPTH": before}
    lines, _ = run(made, "plain", name="counted", Z="1", **given)
    if after is None:
        assert b"<-I>" in lines
    else:
        assert lines[0] == b"depth %s" % after.encode()
        assert [line for line in lines if line.startswith(b"env GATEPOST")] == [
            b"env GATEPOST_DEPTH=%s" % after.encode()
        ]
        assert b"env Z=1" in lines


def test_a_name_that_is_none_of_ours(made):
    os.link(made / "shims/show", made / "shims/stranger")
    _, done = run(made, "plain", name="stranger")
    assert done.returncode == 126
    assert done.stderr == b"gatepost: stranger: no such shim; run `gatepost compile` [self/broken]\n"


def test_a_python_that_is_gone(made, show, tmp_path):
    layout = SimpleNamespace(prefix=str(made), compiled=f"{made}/compiled", python=f"{made}/gone")
    assert program.write(layout, [Found(Shim("show"), show, ())], Watch((), ()), f"{made}/stamp", "cc")
    _, done = run(made, "x")
    assert done.returncode == 126
    assert done.stderr.startswith(b"gatepost: show was not run: there is no such file [self/broken]\ngatepost: ")


def test_the_mark_stands_in_the_first_block(made):
    assert generate.MARK.encode() in (made / "shims/show").read_bytes()[:4096]


@pytest.fixture(scope="module")
def matcher(tmp_path_factory):
    """Answers, for rows of a pattern and a word, what the C matcher says."""
    folder = tmp_path_factory.mktemp("matcher")
    tables = 'static const struct program programs[1];static const char *const watched[]={NULL},*const absent[]={NULL};static const char *const python="",*const entry_file="",*const shims="",*const complaint="";'
    parts = {part.upper(): generate.filled(f"{part}.c", {}) for part in compiler.PARTS}
    values = {**parts, "TABLES": tables, "STAMP": '""', "MARK": "none"}
    (folder / "m.c").write_text(generate.filled("shim.c", values) + MATCHER)
    subprocess.run(["cc", "-O1", "-w", "-Dmain=unused", "-o", folder / "m", folder / "m.c"], check=True)

    def answers(rows):
        text = "".join(f"{pattern}\t{word}\n" for pattern, word in rows)
        return subprocess.run([folder / "m"], input=text, capture_output=True, text=True, check=True).stdout

    return answers


SIGNS = st.text("ab-*?[]!^=", max_size=9)
LETTERS = st.text("ab-]=ä€😀", max_size=7)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(SIGNS, LETTERS), min_size=50, max_size=200))
def test_patterns_mean_what_they_mean_in_rules(matcher, rows):
    assert matcher(rows) == "".join(str(int(matches(word, pattern))) for pattern, word in rows)


def test_a_pattern_of_many_stars_takes_no_time(matcher):
    assert matcher([("*a" * 20 + "b", "a" * 3000)]) == "0"
