"""The guards that can be installed here, to be measured on the same requests: cc-safety-net from npm, nah 0.11 from PyPI."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from measure import Command
from rows import REQUESTS, payload


def install(folder):
    """Name to argv of the hooks that could be installed; what could not is said and left out."""
    os.makedirs(folder, exist_ok=True)
    found = {}
    net = folder + "/node_modules/cc-safety-net/package.json"
    if not os.path.exists(net) and shutil.which("npm"):
        subprocess.run(
            ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, "cc-safety-net"], check=False
        )
    if os.path.exists(net):
        found["cc-safety-net " + version(net)] = [
            shutil.which("node"),
            f"{folder}/node_modules/.bin/cc-safety-net",
            "hook",
            "--claude-code",
        ]
    nah = folder + "/nah/bin/python"
    if not os.path.exists(nah):
        subprocess.run([sys.executable, "-m", "venv", folder + "/nah"], check=False)
        subprocess.run([nah, "-m", "pip", "install", "--quiet", "nah==0.11.*"], check=False)
    if subprocess.run([nah, "-c", "import nah.hook"], check=False, capture_output=True).returncode == 0:
        found["nah 0.11"] = [nah, "-m", "nah.hook"]
    for name in ("cc-safety-net", "nah"):
        if not any(known.startswith(name) for known in found):
            print(f"{name} could not be installed here and is left out", file=sys.stderr)
    return found


def version(package_file):
    """The version in a package.json."""
    import json

    with open(package_file) as file:
        return json.load(file)["version"]


def commands(hooks, folder, home):
    """One command for each peer and request, in a home of their own."""
    environment = {"PATH": os.environ["PATH"], "HOME": home, "LANG": "C.UTF-8"}
    return {
        (peer, name): Command(f"{peer}: {name}", argv, payload(text, folder), folder, environment)
        for peer, argv in hooks.items()
        for name, text, *_ in REQUESTS
    }
