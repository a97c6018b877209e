"""With the limiter in front, a command takes lines, Ctrl-C, Ctrl-Z and fg, and a resize as ever."""

import shlex

import pytest

from tests.guards.limits.terminal import DEEDS, Shell


@pytest.fixture
def shell():
    made = Shell()
    yield made
    made.close()


@pytest.fixture
def line(limiter):
    """What to type to run a text under the limiter: a file, so that the line stays short."""

    def write(text):
        path = limiter.folder / "limited"
        path.write_text("exec " + shlex.join(limiter.words(["--", "sh", "-c", text], None)) + "\n")
        return f"sh {path}\n"

    return write


@pytest.mark.parametrize("name", DEEDS)
def test_a_terminal_is_as_without_the_limiter(shell, line, name):
    do, expected = DEEDS[name]
    assert do(shell, line) == expected
