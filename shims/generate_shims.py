"""Writes PREFIX/shims: for each guarded command that is found, a program of its name that goes in front of it on PATH.

With a C compiler it is one small compiled program under several names (shims.program), which costs a fraction of what a shell does and
passes on the environment as it is; else a script for `bash -p` (which keeps odd names in the environment, unlike dash), else for sh.
"""

from __future__ import annotations

import json
import os

from policy.compiled import Compiled, CompiledError, file_name
from policy.compiled import stamp as stamps
from policy.rules.catalog import shipped
from shims import forms, generate, program, resolve
from shims.found import Found, Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from shims.found import Places


ORDINARY = ("/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin")
"""Searched after PATH, so that a shim is made although the installer runs with a short PATH."""


NEVER_FRESH = Watch((), ("/",))


def write(
    layout: Places, *, path: str | None = None, compiler: str | None = "cc", extra: Sequence[str] | None = None
) -> dict[str, str]:
    """Make PREFIX/shims anew and answer which real program stands behind each name.

    Shims of programs that are gone are removed, files that are not ours are left alone. `compiler` None writes scripts. `extra` are
    programs besides ours, those that the configuration lists unless given; each of their forms is judged. Without a `path` and a PATH, as
    when a hook or a shim finds its rules stale, each shim keeps its program as long as that is there. An installation for all users hands nothing over: what is configured is
    another file for each of them. Raises OSError when the folder cannot be written.
    """
    folder = layout.prefix + "/shims"
    os.makedirs(folder, mode=0o755, exist_ok=True)
    given = os.environ.get("PATH") if path is None else path
    search = ":".join((given or "", *ORDINARY))
    rules, before = compiled(layout), baked(layout)
    wanted = [*forms.SHIMS, *map(forms.Shim, listed(rules) if extra is None else extra)]
    found = [
        Found(shim, real, forms.agreed(shim, rules) if rules is not None and not layout.shared else ())
        for shim in wanted
        if (real := real_program(shim.name, search, folder, before, keep=given is None))
    ]
    watch = sources(layout) if rules is not None and not layout.shared else NEVER_FRESH
    if compiler is None or not program.write(layout, found, watch, stamp(layout), compiler):
        for one in found:
            generate.put(f"{folder}/{one.shim.name}", script(layout, one, watch), 0o755)
    _sweep(folder, {one.shim.name for one in found})
    made = {one.shim.name: one.real for one in found}
    generate.put(layout.compiled + "/shims.json", json.dumps(made))
    return made


def listed(rules: Compiled | None) -> tuple[str, ...]:
    """The programs that the configuration wants a shim for, beside ours."""
    names = rules.config.get("shims", ()) if rules is not None else ()
    ours = {shim.name for shim in forms.SHIMS}
    return tuple(dict.fromkeys(name for name in names if name not in ours))


def named(rules: Compiled, name: str) -> bool:
    """Whether a rule or a grammar speaks of a program; else a shim for it never refuses anything."""
    return rules.grammars.get(name) is not None or any(key.partition(" ")[0] == name for key in rules.keys())  # noqa: SIM118  -- no mapping


def baked(layout: Places) -> dict[str, str]:
    """Which real program each shim was made for; empty when none were made."""
    try:
        with open(layout.compiled + "/shims.json", encoding="utf-8", errors="surrogateescape") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return {str(name): str(real) for name, real in found.items()} if isinstance(found, dict) else {}


def fresh(layout: Places, path: str | None = None) -> bool:
    """Whether making the shims anew would change nothing: the same programs at the same places, no rule compiled since."""
    made, folder = baked(layout), layout.prefix + "/shims"
    search = ":".join((os.environ.get("PATH", "") if path is None else path, *ORDINARY))
    names = {*(shim.name for shim in forms.SHIMS), *listed(compiled(layout)), *made}
    try:
        written = min((os.stat(f"{folder}/{name}").st_mtime_ns for name in made), default=0)
        rules = os.stat(stamp(layout)).st_mtime_ns
    except OSError:
        return False
    return written >= rules and all(real_program(name, search, folder, made) == made.get(name) for name in names)


def real_program(name: str, search: str, folder: str, before: Mapping[str, str], *, keep: bool = False) -> str | None:
    """The program that a shim stands for; where PATH has none, or to `keep` it, the one from before: who compiles may have a shorter PATH than who works."""
    found = None if keep and resolve.executable(before.get(name, "")) else resolve.find(name, search, folder)
    if found is None and resolve.executable(before.get(name, "")):
        return before[name]
    return found


def compiled(layout: Places) -> Compiled | None:
    """The compiled rules; None when they cannot be used: nothing is handed over then."""
    try:
        return Compiled.load(layout.compiled, check=False)
    except CompiledError:
        return None


def sources(layout: Places) -> Watch:
    """What makes the compiled rules stale: files and folders that must not become newer, and files that must not come into being.

    Of the rules that ship with us only the folders: they change with an installation, which makes the shims anew. Raises CompiledError.
    """
    stamped = stamps(layout.compiled)
    ours = shipped()
    watched = [
        path
        for path, seen in stamped.items()
        if seen is not None and not (path.startswith(ours) and path.endswith(".toml"))
    ]
    return Watch(tuple(watched), tuple(path for path, seen in stamped.items() if seen is None))


def stamp(layout: Places) -> str:
    """The compiled rules, whose time of change is compared."""
    return f"{layout.compiled}/{file_name()}"


def script(layout: Places, found: Found, watch: Watch) -> str:
    """The text of a shim for a shell. It hands over nothing to a script, which could come back through PATH: Python counts how often."""
    avoided: dict[tuple[str, ...], list[str]] = {}
    for form in found.forms if not resolve.is_script(found.real) else ():
        avoided.setdefault(form.avoid, []).append(f"[1-9]*:{generate.quoted(form.word)}" if form.word else "0:")
    variables = "".join("${" + name + "+x}" for name in found.shim.variables)
    return generate.filled(
        "shim.sh",
        {
            "SHELL": generate.faithful_shell(),
            "FORMS": "\n".join(_case(words, patterns) for patterns, words in avoided.items()),
            "VARIABLES": f'[ -z "{variables}" ] || _gatepost_judge "$@"',
            "MARKERS": " ".join(found.shim.markers),
            "NAME": generate.quoted(found.shim.name),
            "REAL": generate.quoted(found.real),
            "MARK": generate.MARK,
            "PYTHON": generate.quoted(layout.python),
            "ENTRY": generate.quoted(layout.compiled + "/shim.pyc"),
            "COMPLAINT": generate.quoted(f"gatepost: {generate.MISSING} [self/broken]"),
            "STAMP": generate.quoted(stamp(layout)),
            "WATCHED": " ".join(map(generate.quoted, watch.present)),
            "ABSENT": " ".join(map(generate.quoted, watch.absent)),
            "SHIMS": generate.quoted(layout.prefix + "/shims"),
        },
    )


def _case(words: list[str], patterns: tuple[str, ...]) -> str:
    """One branch of the script's table: the words after the first are looked at up to an `=` and whole."""
    names = "|".join(words)
    if not patterns:
        return f"{names}) ;;"
    avoid = "|".join(map(_pattern, patterns))
    return (
        f"{names})\n  _gatepost_name=1\n  for _gatepost_at do\n"
        '    [ -z "$_gatepost_name" ] || { _gatepost_name=; continue; }\n'
        f'    case $_gatepost_at in {avoid}) _gatepost_judge "$@" ;; esac\n'
        f'    case ${{_gatepost_at%%=*}} in {avoid}) _gatepost_judge "$@" ;; esac\n  done ;;'
    )


def _pattern(glob: str) -> str:
    """A pattern as it stands in `case`."""
    return "".join(sign if sign.isalnum() or sign in "*?[]!-_./:,@%+" else f"\\{sign}" for sign in glob)


def _sweep(folder: str, wanted: set[str]) -> None:
    """Remove shims of ours that stand for nothing any more."""
    for name in os.listdir(folder):
        if name not in wanted and resolve.is_ours(f"{folder}/{name}"):
            os.unlink(f"{folder}/{name}")
