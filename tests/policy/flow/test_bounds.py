"""No text crashes the reading, and none costs out of proportion: work is counted, and a bound that is met is an issue."""

import shlex
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))
import flowlines

from policy.flow import read
from policy.flow.state import COMMAND, LONGEST, STEPS
from policy.model import Request, Value
from policy.programs.read import read as read_argv
from policy.world import Unanswered

GRAMMARS = flowlines.load()
LAUNCHED = tomllib.loads((Path(__file__).parents[1] / "programs" / "launched.toml").read_text())
LINES = [line for row in LAUNCHED.values() for key in ("runs", "not") for line in row.get(key, ())]
BITS = ["rm", "-rf", "~", "$x", '"$@"', "${a[@]}", "$(", "`", ")", ";", "|", "&&", "<<E\n", "\nE\n", "<<<", "{a,b}", "*", "'", '"', "eval", "bash -c", "x=", "f()", "{", "}"]  # fmt: skip
BITS += ["for x in", "do", "done", "export", "IFS=,", "read", "alias g=git\n", "cd", "xargs", "find . -exec", "\\;", "git -c", "env -S", "python3 -c", "awk", "sed", "make", "parallel", ":::"]  # fmt: skip


def reading(text, dialect="bash"):
    request = Request(text=text, cwd="/home/dev/app", home="/home/dev", dialect=dialect)
    return read(request, flowlines.Files({"/home/dev/app/x": "#!/bin/sh\nrm x\n"}), GRAMMARS)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.one_of(st.sampled_from(BITS), st.text(max_size=6)), max_size=14),
    st.sampled_from(["bash", "sh", "zsh", "unknown", "fish"]),
)
def test_any_text_ends_in_a_reading(bits, dialect):
    made = reading(" ".join(bits), dialect)
    assert all(invocation.words for invocation in made.invocations)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(LINES), st.sampled_from(LINES), st.sampled_from(["{0}; {1}", "{0} | {1}", "f() {{ {0}; }}; f; {1}", "for i in a b; do {0}; done; {1}", "cat <<E | sh\n{0}\nE\n{1}", "$({0}) {1}"]))  # fmt: skip
def test_launching_forms_in_one_another(first, second, form):
    reading(form.format(first, second))


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(GRAMMARS.names)), st.lists(st.one_of(st.sampled_from(["-", "--", "-c", "-x", "--a=b", "{}", "+", "+x", ";", ":::", "-rf", "run", "exec"]), st.text(max_size=5)), max_size=8))  # fmt: skip
def test_any_argv_can_be_read(name, words):
    grammar = GRAMMARS.get(name)
    values = [Value(word, word) for word in (name, *words)]
    parsed = read_argv(values, grammar)
    assert all(option.name for option in parsed.options)


def nested(depth):
    text = "rm x"
    for _ in range(depth):
        text = "bash -c " + shlex.quote(text)
    return text


GROWING = {
    "values that double": "x=aaaaaaaaaa; " + "x=$x$x; " * 60 + "rm $x",
    "functions that call two others": "\n".join(f"f{n}() {{ f{n + 1}; f{n + 1}; }}" for n in range(60)) + "\nf0",
    "aliases of aliases": "\n".join(f'alias a{n}="a{n + 1}; a{n + 1}"' for n in range(60)) + "\na0",
    "braces times braces": "rm " + "{a,b}" * 40,
    "loops in loops": "".join(f"for x{n} in {{1..9}}; do " for n in range(9)) + "rm $x0$x1$x2$x3; " + "done; " * 9,
    "shells in shells": nested(8),
    "prefixes of prefixes": "sudo " * 500 + "rm x",
    "a script that runs itself": "echo 'bash t' > t; bash t",
    "many commands": "git status; " * 9000,
    "many exports": "; ".join(f"export A{n}=1" for n in range(1500)),
    "Python expressions in expressions": "python3 -c 'import os; os.system(" + "+".join(['"a"'] * 3000) + ")'",
    "patterns on long values": "x=" + "a" * 5000 + "; rm ${x%%*a*a*a*b}",
}
LONG = "x=" + "'a b'" * 300 + "; " + "x=$x$x; " * 5
FOR_THEIR_LENGTH = {
    "long values unescaped": LONG + 'echo -e "$x" | sh; ' * 60,
    "long values formatted": LONG + 'printf %b "$x" | sh; ' * 60,
    "long values split": LONG + "rm $x; " * 400,
    "Python with many nodes": "python3 - <<'E'\nx = [" + '"a",' * 60_000 + "]\nE",
    "node with many calls": "node -e '" + "a(b,c);" * 30_000 + "'",
    "many variables": " ".join(f"A{n}=b" for n in range(4_000)) + " ls",
}
"""Texts of few commands that are costly all the same."""
DOUBLING = {
    "python": (
        'x="ab"\n' + "x = x + x\n" * 20 + "import os; os.system(x)",
        'x=["ab"]\n' + "x += x\n" * 20 + "import subprocess; subprocess.run(x)",
    ),
    "perl": ('$x="ab";' + "$x = $x . $x;" * 20 + "system($x);",),
    "node": ('x="ab";' + "x = x + x;" * 20 + "cp.execSync(x);",),
}


@pytest.mark.parametrize("name", GROWING)
def test_growth_meets_a_bound(name):
    counted = []
    original = sys.modules["policy.flow.walk"].Walk.step

    def step(walk, where, cost=COMMAND):
        counted.append(cost)
        original(walk, where, cost)

    sys.modules["policy.flow.walk"].Walk.step = step
    try:
        made = reading(GROWING[name])
    finally:
        sys.modules["policy.flow.walk"].Walk.step = original
    assert sum(counted) <= STEPS + 200 * COMMAND
    assert made.invocations or made.issues


@pytest.mark.parametrize("name", FOR_THEIR_LENGTH)
def test_length_is_work_too(name):
    assert [issue.rule for issue in reading(FOR_THEIR_LENGTH[name]).issues] == ["shell/too-large"]


@pytest.mark.parametrize("language", DOUBLING)
def test_values_in_code_stay_short(language):
    for code in DOUBLING[language]:
        option = "-c" if language == "python" else "-e"
        made = reading(f"{language} {option} {shlex.quote(code)}")
        assert all(len(word.known) <= 2 * LONGEST for one in made.invocations[1:] for word in one.words)
        assert sum(len(one.words) for one in made.invocations) < 4_000


def test_ordinary_long_texts_are_read_whole():
    asking = [f'x{n}=$(git rev-parse HEAD~{n}) && if [ -n "$x{n}" ]; then echo "$x{n}" >> log; fi' for n in range(100)]
    mixed = [
        "set -e",
        "# a step",
        'echo "step" >&2',
        "[ -f N ] && cp N b",
        'x="N"',
        'python3 m.py --n N "$x"',
        "mkdir -p N",
        "sort < a | uniq > N",
    ]
    mixed = [line.replace("N", str(n)) for n in range(25) for line in mixed]
    for text in ("\n".join(asking), "\n".join(mixed), " && ".join(f"git log -{n} | head" for n in range(40))):
        made = reading(text)
        assert not made.issues
        assert len(made.invocations) >= 80


def test_a_function_called_again_in_the_same_state_is_walked_once():
    body = "; ".join(f"echo {n}" for n in range(30))
    made = reading(f"f() {{ {body}; }}; " + "f; " * 60)
    assert not made.issues
    assert [one.program for one in made.invocations].count("echo") == 30


@pytest.mark.parametrize(
    "text",
    [
        "f() { rm $x; }; x=a; f; x=b; f",
        "f() { . ./s; }; echo rm a > s; f; echo rm b > s; f",
        "f() { rm $1; }; f a; f a; f b",
        "f() { cd sub; rm a; }; f; f",
        "f() { $c a; }; c=rm; f; c=cp; f",
        "f() { echo $1; }; $(f 'rm a'); $(f 'rm b')",
        "f() { sh; }; echo rm a | f; echo rm b | f",
        "f() { rm a; }; f; echo x > a; f",
        "bash -c 'rm a; echo x > a; rm a'",
    ],
)
def test_a_function_called_again_in_another_state_is_walked_again(text):
    made = [one for one in reading(text).invocations if one.program in {"rm", "cp"}]
    assert len(made) >= 2


def test_what_is_cut_off_is_said():
    assert "shell/too-large" in {issue.rule for issue in reading(GROWING["functions that call two others"]).issues}
    assert "shell/too-deep" in {issue.rule for issue in reading(GROWING["prefixes of prefixes"]).issues}


def test_shells_in_shells_are_followed():
    assert "rm" in {made.program for made in reading(nested(5)).invocations}


class Silent(flowlines.Files):
    """A world that answers nothing."""

    def read_text(self, path, limit):
        raise Unanswered(path)

    listdir = repository = config = read_text


def test_a_world_that_does_not_answer_leaves_things_unknown():
    text = "./run.sh; bash f < g; make; npm run x; /bin/r? y; cd $(git rev-parse --show-toplevel); rm z; git zz; redis-cli < f"
    made = read(Request(text=text, cwd="/h", home="/home/dev", dialect="bash"), Silent(), GRAMMARS)
    assert [
        invocation.cwd
        for invocation in made.invocations
        if invocation.program == "rm" and invocation.operands[0].text == "z"
    ] == [None]
