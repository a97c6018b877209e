"""What a machine says of itself, from texts that were recorded elsewhere."""

import pytest

from guards.limits import cgroups, machine, procfs
from guards.limits.cgroups import Place, places

V1 = """\
30 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw
34 31 0:31 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:7 - cgroup cgroup rw,memory
41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
"""
V2 = "25 20 0:22 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
CONTAINER = "800 790 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
BLANK = r"25 20 0:22 / /sys/fs/my\040groups rw - cgroup2 cgroup2 rw" + "\n"

FOUND = [
    (
        "hybrid",
        "4:memory:/user/a\n2:cpu,cpuacct:/\n0::/x.scope\n",
        V1,
        {
            "memory": Place(1, "/sys/fs/cgroup/memory", "/sys/fs/cgroup/memory/user/a"),
            "cpu": Place(1, "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup/cpu,cpuacct"),
            "cpuacct": Place(1, "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup/cpu,cpuacct"),
            "unified": Place(2, "/sys/fs/cgroup/unified", "/sys/fs/cgroup/unified/x.scope"),
        },
    ),
    (
        "pure version 2",
        "0::/user.slice/user-1000.slice/session-3.scope\n",
        V2,
        {"unified": Place(2, "/sys/fs/cgroup", "/sys/fs/cgroup/user.slice/user-1000.slice/session-3.scope")},
    ),
    ("a container with a namespace", "0::/\n", V2, {"unified": Place(2, "/sys/fs/cgroup", "/sys/fs/cgroup")}),
    (
        "a container without one",
        "4:memory:/docker/abc/job\n",
        CONTAINER,
        {"memory": Place(1, "/sys/fs/cgroup/memory", "/sys/fs/cgroup/memory/job")},
    ),
    ("outside of the namespace", "0::/../other\n", V2, {"unified": Place(2, "/sys/fs/cgroup", "/sys/fs/cgroup")}),
    (
        "WSL below a distribution",
        "0::/wsl-user/distro-1/init.scope\n",
        V2,
        {"unified": Place(2, "/sys/fs/cgroup", "/sys/fs/cgroup/wsl-user/distro-1/init.scope")},
    ),
    ("a blank in the mount", "0::/a\n", BLANK, {"unified": Place(2, "/sys/fs/my groups", "/sys/fs/my groups/a")}),
    ("nothing mounted", "0::/a\n", "", {}),
]


@pytest.mark.parametrize(
    ("membership", "mounts", "expected"), [row[1:] for row in FOUND], ids=[row[0] for row in FOUND]
)
def test_places(membership, mounts, expected):
    assert places(membership, mounts) == expected


def test_ancestors_end_at_the_mount():
    assert cgroups.ancestors(Place(2, "/m", "/m/a/b")) == ["/m/a/b", "/m/a", "/m"]
    assert cgroups.ancestors(Place(2, "/m", "/m")) == ["/m"]


def _group(folder, **files):
    folder.mkdir()
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(str(text))


def test_the_tightest_group_says_what_is_left(tmp_path):
    outer, inner = tmp_path / "a", tmp_path / "a" / "b"
    _group(outer, memory__max=1000, memory__current=900, memory__stat="anon 1\ninactive_file 300\n")
    _group(inner, memory__max="max", memory__current=900)
    assert machine.room(Place(2, str(tmp_path), str(inner))) == (1000, 400)


def test_version_1_without_a_limit(tmp_path):
    _group(tmp_path / "a", memory__limit_in_bytes=9223372036854771712, memory__usage_in_bytes=5)
    assert machine.room(Place(1, str(tmp_path), str(tmp_path / "a"))) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"MemTotal:       24105 kB\nMemFree: 1 kB\nMemAvailable:  100 kB\n", 100 << 10),
        (b"MemAvailable: 7 kB\n", 7 << 10),
        (b"MemTotal: 5 kB\n", None),
        (b"MemAvailable: 100 MB\n", None),
        (b"MemAvailable: x kB\n", None),
        (b"MemAvailable: -5 kB\n", None),
        (b"NotMemAvailable: 5 kB\n", None),
        (b"", None),
    ],
)
def test_available_memory_is_read_strictly(text, expected):
    assert machine._meminfo(text, b"MemAvailable") == expected


def test_this_machine_has_memory():
    found = machine.survey(thorough=True)
    assert found.total > found.available > 0
    assert found.cpus >= 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"cache 5\nrss 7\nrss_huge 9\n", {b"cache": 5, b"rss": 7}),
        (b"total_rss 3\nrss 7", {b"rss": 7}),
        (b"rss 18446744073709551615\n", {b"rss": 2**64 - 1}),
        (b"", {}),
    ],
)
def test_lines_of_a_table(text, expected):
    assert procfs.lines_of(text, (b"cache", b"rss")) == expected
