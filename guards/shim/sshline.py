"""The argument grammars of ssh, scp, sftp and rsync: which hosts a command would talk to, and how. Facts of OpenSSH 9 and rsync 3."""

from __future__ import annotations

from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Grammar(Record):
    """`letters` take a value, attached or in the next word; `silent` options connect to nothing; `how` options say how to reach the host."""

    letters: str
    how: str
    silent: str = ""
    port: str = "p"


GRAMMARS = {
    "ssh": Grammar("BbcDEeFIiJLlmOoPpQRSWw", "BbFIiJlop", "GQV"),
    "scp": Grammar("cDFiJloPSX", "FiJoP", port="P"),
    "sftp": Grammar("BbcDFiJloPRSsX", "FiJoP", port="P"),
    "rsync": Grammar("eBTMf@", "", "V"),
}
RSYNC_VALUES = frozenset(
    (
        "info", "debug", "stderr", "backup-dir", "suffix", "chmod", "checksum-choice", "cc", "block-size", "rsh", "rsync-path", "max-delete", "max-size",
        "min-size", "max-alloc", "partial-dir", "usermap", "groupmap", "chown", "timeout", "contimeout", "modify-window", "temp-dir", "compare-dest",
        "copy-dest", "link-dest", "compress-choice", "zc", "compress-level", "zl", "compress-threads", "zt", "skip-compress", "filter", "exclude",
        "exclude-from", "include", "include-from", "files-from", "address", "port", "sockopts", "outbuf", "remote-option", "out-format", "log-file",
        "log-file-format", "password-file", "early-input", "bwlimit", "stop-after", "time-limit", "stop-at", "write-batch", "only-write-batch",
        "read-batch", "protocol", "iconv", "checksum-seed", "config", "dparam", "confine-root",
    )
)  # fmt: skip
RSYNC_SILENT = ("--version", "--help", "--daemon", "--server")


class Endpoint(Record):
    """A host as written, without user, port, brackets or final dot, in lower case; `daemon`: an rsync server, not reached through ssh."""

    host: str
    user: str = ""
    port: str = ""
    daemon: bool = False


class Line(Record):
    """`how` are the words that a probe must carry over; `jumps` hosts on the way; `options` the -o settings as written."""

    endpoints: tuple[Endpoint, ...]
    how: tuple[str, ...] = ()
    jumps: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    shell: str = ""
    config: str = ""


NOBODY = Line(())


def read(program: str, words: Sequence[str]) -> Line:
    """Take the arguments of one of the four programs apart. NOBODY when it would connect to nothing."""
    if program == "rsync" and any(word in RSYNC_SILENT for word in words):
        return NOBODY
    grammar = GRAMMARS[program]
    operands: list[str] = []
    found: list[tuple[str, str]] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            operands += rest
            break
        if word.startswith("--") and program == "rsync":
            found += _long(word, rest)
        elif word.startswith("-") and len(word) > 1:
            found += _cluster(grammar, word[1:], rest)
        else:
            operands.append(word)
        if any(letter in grammar.silent or (letter == "O" and program == "ssh") for letter, _ in found):
            return NOBODY
        if program == "ssh" and operands and rest and not rest[0].startswith("-"):
            break  # the remote command begins
    return _line(program, grammar, operands, found)


def _line(program: str, grammar: Grammar, operands: Sequence[str], found: Sequence[tuple[str, str]]) -> Line:
    options = tuple(value for letter, value in found if letter == "o")
    jumps = [host for letter, value in found if letter == "J" for host in value.split(",")]
    jumps += [host for option in options if setting(option)[0] == "proxyjump" for host in setting(option)[1].split(",")]
    how = tuple(
        f"-{'p' if letter == grammar.port else letter}{value}" for letter, value in found if letter in grammar.how
    )
    values = dict(found)
    if program in ("ssh", "sftp"):
        ends = tuple(end for end in (destination(word, program) for word in operands[:1]) if end)
    else:
        ends = tuple(dict.fromkeys(end for end in (remote(word, program) for word in operands) if end))
    way = tuple(
        end.host
        for end in (destination("ssh://" + jump.removeprefix("ssh://"), "ssh") for jump in jumps)
        if end and end.host != "none"
    )
    return Line(ends, how, way, options, values.get("e", "") if program == "rsync" else "", values.get("F", ""))


def _cluster(grammar: Grammar, letters: str, rest: list[str]) -> list[tuple[str, str]]:
    """The short options of one word; a value is what follows the letter, else the next word."""
    found = []
    while letters:
        letter, letters = letters[0], letters[1:]
        if letter in grammar.letters:
            found.append((letter, letters or (rest.pop(0) if rest else "")))
            break
        found.append((letter, ""))
    return found


def _long(word: str, rest: list[str]) -> list[tuple[str, str]]:
    name, attached, value = word[2:].partition("=")
    if name in RSYNC_VALUES and not attached:
        value = rest.pop(0) if rest else ""
    return [("e", value)] if name == "rsh" else []


def setting(option: str) -> tuple[str, str]:
    """An ssh setting, `Name=value` or `Name value`, as a lower-case name and its value."""
    name, sign, value = option.strip().partition("=")
    if not sign or " " in name.strip():
        name, _, value = option.strip().partition(" ")
    return name.strip().lower(), value.strip().strip('"')


def destination(word: str, scheme: str) -> Endpoint | None:
    """`[user@]host`, `ssh://[user@]host[:port]`; for sftp also `host:path`."""
    for name in (scheme, "ssh", "sftp", "scp"):
        if word.startswith(name + "://"):
            authority = word[len(name) + 3 :].partition("/")[0]
            user, host = _parted(authority)
            host, port = _port(host)
            return _endpoint(host, user, port)
    user, host = _parted(word)
    if scheme == "sftp":
        host = _before_path(host) or host
    return _endpoint(host, user)


def remote(word: str, program: str) -> Endpoint | None:
    """The host of a `host:path`, `host::module` or URL operand; None for a local path."""
    if "://" in word and word.split("://", maxsplit=1)[0] in ("scp", "sftp", "rsync"):
        found = destination(word.replace("rsync://", "ssh://", 1), "ssh")
        return found.replace(daemon=word.startswith("rsync")) if found else None
    user, rest = _parted(word)
    host = _before_path(rest)
    if host is None:
        return None
    return _endpoint(host, user, daemon=program == "rsync" and rest[len(host) :].startswith("::"))


def _before_path(text: str) -> str | None:
    """What stands before the colon that makes a path remote; None when a slash or nothing comes first."""
    if text.startswith("["):
        host, bracket, rest = text.partition("]")
        return host + bracket if bracket and rest.startswith(":") else None
    host, colon, _ = text.partition(":")
    return host if colon and host and "/" not in host else None


def _parted(text: str) -> tuple[str, str]:
    """User and rest; the last @ before any slash divides them."""
    head, slash, tail = text.partition("/")
    user, sign, host = head.rpartition("@")
    return (user, host + slash + tail) if sign else ("", text)


def _port(host: str) -> tuple[str, str]:
    if host.startswith("["):
        inner, _, rest = host.partition("]")
        return inner + "]", rest.removeprefix(":")
    name, colon, port = host.partition(":")
    return (name, port) if colon and port.isdigit() else (host, "")


def _endpoint(host: str, user: str = "", port: str = "", *, daemon: bool = False) -> Endpoint | None:
    plain = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    plain = plain.rstrip(".").lower()
    return Endpoint(plain, user, port, daemon) if plain else None
