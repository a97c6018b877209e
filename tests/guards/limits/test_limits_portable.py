"""The backend for systems without /proc, run where there is one."""

import pytest


def test_memory(portable):
    code = "x = bytearray(b'x') * (300 << 20); import time; time.sleep(30)"
    done = portable("--memory", "100MiB", "--", portable.python, "-I", "-S", "-c", code)
    assert done.returncode == 137
    assert portable.report["backend"] == "portable"


def test_time_ends_the_whole_tree(portable, tagged):
    text = f"trap '' TERM; sh -c 'sleep 300; : {tagged.tag}' & sleep 300; : {tagged.tag}"
    assert portable("--time", "500ms", "--kill-after", "100ms", "-c", text).returncode == 124
    assert tagged() == []


@pytest.mark.parametrize(("text", "code"), [("exit 7", 7), ("kill -TERM $$", -15)])
def test_the_commands_own_end(portable, text, code):
    assert portable("-c", text).returncode == code


def test_cpu_time(portable):
    assert portable("--cpu-time", "400ms", "--kill-after", "100ms", "-c", "while :; do :; done").returncode == 152
