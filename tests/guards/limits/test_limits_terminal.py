"""An interactive shell on a terminal of its own: with the limiter in front, a command takes lines, Ctrl-C, Ctrl-Z and fg, and a resize as ever."""

import contextlib
import fcntl
import os
import select
import shlex
import struct
import subprocess
import termios
import time

import pytest

READS = "echo ready; read line; echo got:$line"
TRAPS = "trap 'exit 7' INT; echo ready; while :; do sleep 0.05; done"
SIZES = "trap 'stty size' WINCH; echo ready; while :; do sleep 0.05; done"


PROMPT = "next> "


class Shell:
    """bash on a pty, driven by what appears on it."""

    def __init__(self):
        self.screen = ""
        self.master, slave = os.openpty()
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 200, 0, 0))
        environment = {**os.environ, "PS1": PROMPT, "TERM": "dumb"}
        words = ["setsid", "--ctty", "--wait", "bash", "--norc", "--noprofile", "--noediting", "-i"]
        self.process = subprocess.Popen(words, stdin=slave, stdout=slave, stderr=slave, env=environment)
        os.close(slave)

    def type(self, text):
        os.write(self.master, text.encode())

    def until(self, text, seconds=30):
        """What appeared up to and with `text`."""
        end = time.monotonic() + seconds
        while text not in self.screen:
            left = end - time.monotonic()
            assert left > 0, f"{text!r} did not appear in {self.screen!r}"
            if select.select([self.master], [], [], left)[0]:
                self.screen += os.read(self.master, 4096).decode("utf-8", "replace").replace("\r\n", "\n")
        before, _, self.screen = self.screen.partition(text)
        return before

    def status(self):
        """$? of the command that ended last; asked at the prompt, since bash drops what is typed while it takes the terminal back."""
        self.until(PROMPT)
        self.type("echo status''=$?.\n")
        self.until("\nstatus=") if not self.screen.startswith("status=") else self.until("status=")
        return int(self.until("."))

    def close(self):
        with contextlib.suppress(OSError):
            self.type("\x03\nkill -9 %1; exit\n")
        os.close(self.master)
        self.process.wait(20)


@pytest.fixture
def shell():
    made = Shell()
    yield made
    made.close()


@pytest.fixture
def command(limiter):
    """What to type to run a text under the limiter: a file, so that the line stays short."""

    def write(text):
        path = limiter.folder / "limited"
        path.write_text("exec " + shlex.join(limiter.words(["--", "sh", "-c", text], None)) + "\n")
        return f"sh {path}\n"

    return write


def test_a_typed_line_reaches_the_command(shell, command):
    shell.type(command(READS))
    shell.until("ready")
    shell.type("hello\n")
    shell.until("got:hello")
    assert shell.status() == 0


def test_ctrl_c_reaches_the_command_and_its_answer_counts(shell, command):
    shell.type(command(TRAPS))
    shell.until("ready")
    shell.type("\x03")
    assert shell.status() == 7


def test_ctrl_c_ends_what_does_not_catch_it(shell, command):
    shell.type(command("echo ready; exec sleep 300"))
    shell.until("ready")
    shell.type("\x03")
    assert shell.status() == 130


def test_ctrl_z_stops_and_fg_goes_on(shell, command):
    shell.type(command(READS))
    shell.until("ready")
    shell.type("\x1a")
    shell.until("Stopped")
    assert shell.status() == 148
    shell.type("fg\n")
    shell.until("\n")
    time.sleep(0.2)
    shell.type("again\n")
    shell.until("got:again")
    assert shell.status() == 0


def test_a_resize_is_seen(shell, command):
    shell.type(command(SIZES))
    shell.until("ready")
    fcntl.ioctl(shell.master, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 101, 0, 0))
    shell.until("33 101")
    shell.type("\x03")
    assert shell.status() == 130


def test_a_command_in_the_middle_of_a_pipe_may_use_the_terminal(shell, command):
    """Its stdin is no terminal, but a pager reads keys from /dev/tty."""
    shell.type("echo data | " + command("echo ready; read line </dev/tty; echo got:$line"))
    shell.until("ready")
    shell.type("key\n")
    shell.until("got:key")
    assert shell.status() == 0
