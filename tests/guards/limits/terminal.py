"""An interactive shell on a terminal of its own, and what people do there: the limiter's tests and its measurements drive it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import struct
import subprocess
import termios
import time
from pathlib import Path

READS = "echo ready; read line; echo got:$line"
TRAPS = "trap 'exit 7' INT; echo ready; while :; do sleep 0.05; done"
SIZES = "trap 'stty size' WINCH; echo ready; while :; do sleep 0.05; done"
PROMPT = "next> "
READ_CALLS = ("0", "63")
"""read(2) as /proc/PID/syscall names it: on x86-64, on arm64."""


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
        self.prompt()

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

    def prompt(self, seconds=30):
        """Wait until the shell reads what is typed: it drops letters that come while it takes the terminal back."""
        self.until(PROMPT, seconds)
        end = time.monotonic() + seconds
        while not self._reads():
            assert time.monotonic() < end, "the shell does not come to read"
            time.sleep(0.01)

    def _reads(self):
        """Whether the foreground process sleeps in read(0, …)."""
        with contextlib.suppress(OSError):
            number, _, arguments = Path(f"/proc/{self.foreground()}/syscall").read_text().partition(" ")
            return number in READ_CALLS and arguments.startswith("0x0 ")
        return True

    def foreground(self):
        """The process group that has the terminal."""
        return os.tcgetpgrp(self.master)

    def status(self):
        """$? of the command that ended last."""
        self.prompt()
        self.type("echo status''=$?.\n")
        self.until("\nstatus=") if not self.screen.startswith("status=") else self.until("status=")
        return int(self.until("."))

    def close(self):
        with contextlib.suppress(OSError):
            self.type("\x03\nkill -9 %1; exit\n")
        os.close(self.master)
        self.process.wait(20)


def typed_line(shell, line):
    shell.type(line(READS))
    shell.until("ready")
    shell.type("hello\n")
    shell.until("got:hello")
    return shell.status()


def caught_interrupt(shell, line):
    shell.type(line(TRAPS))
    shell.until("ready")
    shell.type("\x03")
    return shell.status()


def interrupt(shell, line):
    shell.type(line("echo ready; exec sleep 300"))
    shell.until("ready")
    shell.type("\x03")
    return shell.status()


def stop_and_go_on(shell, line):
    shell.type(line(READS))
    shell.until("ready")
    shell.type("\x1a")
    shell.until("Stopped")
    stopped = shell.status()
    shell.prompt()
    own, end = shell.foreground(), time.monotonic() + 30
    shell.type("fg\n")
    while (shell.foreground() == own or _stands(shell.foreground())) and time.monotonic() < end:
        time.sleep(
            0.01
        )  # bash drops what is typed while it hands the terminal over; it lets the group go on when that is done
    shell.type("again\n")
    shell.until("got:again")
    return stopped, shell.status()


def _stands(group):
    """Whether some process of a group is stopped."""
    for entry in os.scandir("/proc"):
        with contextlib.suppress(OSError, IndexError):
            fields = Path(entry.path, "stat").read_text().rpartition(")")[2].split() if entry.name.isdigit() else [""]
            if fields[0] == "T" and fields[2] == str(group):
                return True
    return False


def resize(shell, line):
    shell.type(line(SIZES))
    shell.until("ready")
    fcntl.ioctl(shell.master, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 101, 0, 0))
    shell.until("33 101")
    shell.type("\x03")
    return shell.status()


def keys_in_a_pipe(shell, line):
    """Its stdin is no terminal, but a pager reads keys from /dev/tty."""
    shell.type("echo data | " + line("echo ready; read line </dev/tty; echo got:$line"))
    shell.until("ready")
    shell.type("key\n")
    shell.until("got:key")
    return shell.status()


DEEDS = {
    "typed line": (typed_line, 0),
    "Ctrl-C that is caught": (caught_interrupt, 7),
    "Ctrl-C": (interrupt, 130),
    "Ctrl-Z and fg": (stop_and_go_on, (148, 0)),
    "resize": (resize, 130),
    "keys in a pipe": (keys_in_a_pipe, 0),
}
"""What is done, given a shell and a function that makes the line to type of a text for sh; and what the shell then says, as without us."""
