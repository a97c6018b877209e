"""What the configuration says about limited runs: profiles, environment, workers; what cannot be read there runs nothing."""

import os

import pytest

from guards.limits import configured, options
from guards.limits.settings import Settings

TABLE = (
    '[limits.profiles.tests]\nmemory = "100MiB"\ncpu-time = "5s"\nreport = true\n[limits.profiles.default]\npids = 77\n'
)


@pytest.fixture
def configuration(open_folder):
    def write(text):
        (open_folder / "config").mkdir(exist_ok=True)
        (open_folder / "config/config.toml").write_text(text)

    return write


def test_a_profile_fills_in(any_limiter, configuration):
    configuration(TABLE)
    done = any_limiter("--profile", "tests", "--", "true")
    assert done.stderr.startswith("with-limits: ended with 0")
    asked = any_limiter.report["asked"]
    assert (asked["memory"], asked["cpu_time"], asked["pids"]) == (100 << 20, 5, 77)


def test_the_command_line_wins(any_limiter, configuration):
    configuration(TABLE)
    any_limiter("--profile", "tests", "--memory", "50MiB", "--pids", "9", "--", "true")
    asked = any_limiter.report["asked"]
    assert (asked["memory"], asked["cpu_time"], asked["pids"]) == (50 << 20, 5, 9)


def test_the_default_holds_for_every_run(any_limiter, configuration):
    configuration(TABLE)
    any_limiter("--", "true")
    assert any_limiter.report["asked"]["pids"] == 77


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("", "no profile 'tests'"),
        ('[limits.profiles.tests]\nmemory = "lots"\n', "[limits.profiles.tests] --memory: 'lots'"),
        ('[limits.profiles.tests]\ncolour = "red"\n', "unknown option '--colour"),
        ("[limits.profiles.tests]\ncolour = false\n", "unknown option '--colour"),
        ("[limits.profiles.tests]\nhelp = true\n", "help has no place in a profile"),
        ('[limits.profiles.tests]\nprofile = "other"\n', "profile has no place in a profile"),
        ('[limits.profiles.tests]\nslot = ["a"]\n', "slot has no place in a profile, or no such value"),
        ("[limits.profiles]\ntests = 3\n", "[limits.profiles.tests] must be a table"),
        ("[limits]\nprofiles = 3\n", "[limits.profiles] must be a table"),
        ("limits = 3\n", "[limits] must be a table"),
        ('[limits.environment]\n"A=B" = "c"\n', "'A=B' cannot be put into an environment"),
        ('[limits.environment]\nA = "b\\u0000"\n', "'A' cannot be put into an environment"),
        ('[limits.workers]\nA = "many"\n', "'many' is none of auto, off and a number"),
        ("[limits.workers]\nA = 0\n", "'0' is none of auto, off and a number"),
        ('[limits]\ncolour = "red"\n', "[limits] colour is not known"),
        (
            "[limits]\naggregate = 85\n",
            "'85' is too small for any program; the least is 4 MiB; a share is written '85%'",
        ),
        ("[limits]\nreserve = true\n", "reserve: 'True' is not a number with a unit"),
        ("[limits.environment]\nA = true\n", "'A' cannot be put into an environment"),
        ("[limits\n", "config.toml"),
        (
            '[limits.profiles.tests]\nreserve = "1GiB"\nno-reservation = true\n',
            "[limits.profiles.tests] --reserve and --no-reservation exclude each other",
        ),
        ('[limits.profiles.tests]\nmem = "1GiB"\nmemory = "2GiB"\n', "mem and memory are names of one option"),
        (
            "[limits.profiles.tests]\nkill-after = 1\nkill_after = 2\n",
            "kill-after and kill_after are names of one option",
        ),
        (
            '[limits.profiles.tests]\nwait = true\nwait-for-headroom = "5s"\n',
            "wait and wait-for-headroom are names of one",
        ),
    ],
)
def test_what_cannot_be_read_runs_nothing(any_limiter, configuration, table, message):
    configuration(table)
    done = any_limiter("--profile", "tests", "-c", f"touch {any_limiter.folder}/ran")
    assert done.returncode == 125
    assert message in done.stderr
    assert f"{any_limiter.folder}/config/config.toml: " in done.stderr
    assert not (any_limiter.folder / "ran").exists()


def test_none_and_false_take_back_what_a_wider_word_says(any_limiter, configuration):
    configuration(
        '[limits.profiles.default]\ntime = "2h"\npids = 77\nslot = "one"\nreport = true\n'
        '[limits.profiles.long]\ntime = "none"\nreport = false\n[limits.profiles.shell]\nshell = "/bin/bash"\n'
    )
    assert any_limiter("--profile", "long", "--", "true").stderr == ""
    assert "time" not in any_limiter.report["asked"]
    done = any_limiter("--pids", "none", "--slot=none", "--", "true")
    assert "ended with 0" in done.stderr
    assert "pids" not in any_limiter.report["asked"]
    assert any_limiter("--profile", "shell", "-c", "echo $0").stdout == "/bin/bash\n"


def test_headroom_is_told_for_a_run_with_these_options(any_limiter, configuration):
    configuration('[limits.profiles.tests]\nslot = "db"\n[limits.profiles.huge]\nreserve = "900TB"\n')
    holder = any_limiter.start("--slot", "db", "-c", "echo; read x", stdin=-1, stdout=-1)
    holder.stdout.readline()
    for words in (["--slot", "db"], ["--profile", "tests"]):
        done = any_limiter.ask("--check-headroom", *words)
        assert (done.returncode, "slot db is held by" in done.stdout) == (75, True)
    holder.communicate(b"\n")
    assert any_limiter.ask("--check-headroom", "--profile", "tests").returncode == 0
    for words in (["--profile", "huge"], ["--memory", "900TB"], ["--reserve", "900TB"]):
        assert any_limiter.ask("--check-headroom", *words).returncode == 75
    assert any_limiter.ask("--check-headroom", "--profile", "tets").returncode == 125


def test_environment_and_workers(any_limiter, configuration):
    configuration(
        '[limits.environment]\nEXTRA = "a b"\n[limits.workers]\nGOMAXPROCS = "auto"\nCARGO_BUILD_JOBS = "off"\nMINE = "3"\n'
    )
    done = any_limiter("--cpu", "1", "-c", 'echo "$EXTRA,$GOMAXPROCS,$CARGO_BUILD_JOBS,$MINE"')
    assert done.stdout == "a b,1,,3\n"


NOTHING, MUCH = {"no-reservation": True}, {"reserve": "1GiB"}


@pytest.mark.parametrize(
    ("line", "tests", "default", "reserves"),
    [
        (["--reserve", "2GiB"], NOTHING, {}, (2 << 30, True)),
        (["--reserve", "2GiB"], {}, NOTHING, (2 << 30, True)),
        (["--no-reservation"], MUCH, {}, (None, False)),
        ([], MUCH, NOTHING, (1 << 30, True)),
        ([], NOTHING, MUCH, (None, False)),
        ([], MUCH | {"no-reservation": False}, {}, (1 << 30, True)),
    ],
)
def test_of_a_reservation_and_none_the_one_above_counts(line, tests, default, reserves):
    settings = Settings(profiles={"tests": tests, "default": default}, origin="config.toml")
    asked = configured.apply(settings, options.read(["--profile", "tests", *line, "true"]))
    assert (asked.reserve, asked.reservation) == reserves


def test_a_pipe_in_place_of_the_configuration_is_no_wait(any_limiter, open_folder):
    (open_folder / "config").mkdir(exist_ok=True)
    os.mkfifo(open_folder / "config/config.toml")
    done = any_limiter("true")
    assert (done.returncode, "it is no plain file" in done.stderr) == (125, True)
