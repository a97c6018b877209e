"""Where a report goes: whole files, never in the place of a link, a device or a folder; and the command's own code in any case."""

import json
import os
import shlex
import subprocess

import pytest


def test_a_link_stays_a_link(proc_limiter, open_folder):
    (open_folder / "real").mkdir()
    proc_limiter.json = open_folder / "link.json"
    proc_limiter.json.symlink_to("real/report.json")
    assert proc_limiter("-c", "exit 3").returncode == 3
    assert proc_limiter.json.is_symlink()
    assert json.loads((open_folder / "real/report.json").read_text())["exit"] == 3


def test_what_is_no_plain_file_is_written_into(proc_limiter, open_folder):
    pipe = open_folder / "pipe"
    os.mkfifo(pipe)
    proc_limiter.json = pipe
    reader = subprocess.Popen(["cat", pipe], stdout=-1, text=True)
    assert proc_limiter("-c", "sleep 0.3; exit 3").returncode == 3
    assert json.loads(reader.communicate()[0])["code"] == 3
    assert pipe.is_fifo()


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "out"])
def test_the_file_that_output_goes_to_is_not_replaced(proc_limiter, open_folder, name):
    proc_limiter.json = open_folder / name
    with open(open_folder / "out", "w") as out:
        assert proc_limiter("-c", "echo first; exit 3", stdout=out, capture_output=False).returncode == 3
    first, report = (open_folder / "out").read_text().splitlines()
    assert (first, json.loads(report)["exit"]) == ("first", 3)


def test_a_folder_that_is_gone_runs_nothing(proc_limiter, open_folder):
    (open_folder / "gone").mkdir()
    text = 'rmdir ../gone; exec "$@"'
    proc_limiter.json = "report.json"
    words = ["sh", "-c", text, "sh", *proc_limiter.words(["-c", "echo it runs"], None)]
    done = subprocess.run(words, cwd=open_folder / "gone", capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (125, "")
    assert "its folder has been removed; nothing was run" in done.stderr


@pytest.mark.parametrize(
    "words", ["status", "status --json", "history", "--help", "--version", "--check-headroom --json"]
)
@pytest.mark.parametrize(
    ("output", "said"),
    [(">&-", "standard output is closed"), (">/dev/full", "No space left on device"), ("| :", "")],
)
def test_an_answer_that_cannot_be_given_is_told_once(proc_limiter, words, output, said):
    line = " ".join(map(shlex.quote, [*proc_limiter.launch])) + f" {words} {output}"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True)
    assert said in done.stderr
    assert done.stderr.count("\n") == bool(said)
    assert done.returncode == 125 or not said


@pytest.mark.parametrize("path", ["/no/such/folder/report", "/tmp", "/proc/report"])
def test_what_cannot_be_written_runs_nothing(proc_limiter, open_folder, path):
    if path == "/proc/report" and os.geteuid() == 0:
        pytest.skip("for root the kernel says so only when it is written")
    proc_limiter.json = path
    done = proc_limiter("-c", f"touch {open_folder}/ran")
    assert (done.returncode, done.stderr.count("nothing was run")) == (125, 1)
    assert not (open_folder / "ran").exists()


def test_a_report_that_is_lost_after_all_changes_no_code(proc_limiter, open_folder):
    """A full disk, a pipe without a reader: said, and the command's own code is kept."""
    pipe = open_folder / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, "/dev/full"):
        proc_limiter.json = path
        done = proc_limiter("-c", "exit 3")
        assert done.returncode == 3
        assert "the report is lost" in done.stderr


def test_a_full_disk_below_the_records_stops_no_run(any_limiter, open_folder):
    """Only what must be admitted needs a record."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small file system")
    jobs = open_folder / "run"
    jobs.mkdir(mode=0o700)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k,mode=700", "tmpfs", jobs]).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        (jobs / "limits").mkdir(mode=0o700)
        (jobs / "fill").write_bytes(bytes(8192))
        free, gated = any_limiter("-c", "echo ran; exit 3"), any_limiter("--wait", "-c", "echo ran")
    except OSError:
        free, gated = any_limiter("-c", "echo ran; exit 3"), any_limiter("--wait", "-c", "echo ran")
    finally:
        subprocess.run(["umount", jobs], check=True)
    assert (free.returncode, free.stdout) == (3, "ran\n")
    assert "this run is not listed" in free.stderr
    assert (gated.returncode, gated.stdout) == (125, "")
    assert "nothing was run" in gated.stderr


def test_what_must_be_kept_by_the_kernel_is_not_sampled(any_limiter):
    for options in (("--backend", "proc"), ("--backend", "proc", "--memory", "none")):
        done = any_limiter("--require-kernel", *options, "--", "true")
        assert done.returncode == 125
        assert "in the kernel here" in done.stderr
