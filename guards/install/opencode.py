"""opencode: a plugin file, which the host loads by itself; it has no command hooks (measured with 1.18.33)."""

from __future__ import annotations

import json
import shutil
import subprocess
import urllib.parse
from typing import TYPE_CHECKING

from guards.install.change import read
from guards.install.doctor import Check
from guards.install.place import place
from guards.install.plugin import filled
from guards.install.registration import OwnFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from guards.install.doctor import Patient
    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {
    "user": "${XDG_CONFIG_HOME:-~/.config}/opencode/plugins/gatepost.js",
    "project": ".opencode/plugins/gatepost.js",
}
PROGRAMS = ("opencode",)
NOTES = (
    "opencode cannot ask for a hook: what would be a question elsewhere is refused here.",
    "A plugin that does not load is skipped in silence: `gatepost doctor opencode` loads it. Older versions did not call it for sub-agents.",
)


def registration(layout: Layout, path: str) -> Registration:
    """The plugin in the folder of plugins."""
    return OwnFile(path, filled("opencode.js", layout, "opencode"))


def inspect(patient: Patient) -> Iterator[Check]:
    """Whether the plugin loads: opencode skips one that does not, without a word."""
    path = place(SCOPES["user"], patient.home, patient.environment)
    node = shutil.which("node", path=patient.environment.get("PATH"))
    if node is None:
        yield Check("note", "opencode", "node is not on PATH, so the plugin cannot be loaded to try it")
        return
    source = json.dumps(f"data:text/javascript,{urllib.parse.quote(read(path) or '')}")
    code = f"import({source}).then(made => made.Gatepost({{}})).then(hooks => console.log(Object.keys(hooks)[0]))"
    made = subprocess.run([node, "-e", code], capture_output=True, text=True, timeout=30, check=False)
    if made.stdout.strip() == "tool.execute.before":
        yield Check("ok", "opencode", "the plugin loads")
    else:
        yield Check(
            "fail", "opencode", f"the plugin does not load: {made.stderr.strip()[-200:]}", "gatepost install opencode"
        )
