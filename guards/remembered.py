"""PATH as other tools keep it, to put it back later: with the shims in front there too, or the first `cd` would take them away."""

from __future__ import annotations

import base64
import json
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PLAIN = ("_OLD_VIRTUAL_PATH",)
"""Variables that hold a PATH as it is: what virtualenv's `deactivate` puts back in fish."""

DIRENV = ("DIRENV_DIFF", "DIRENV_DIR", "DIRENV_FILE", "DIRENV_WATCHES")


def amended(environment: Mapping[str, str], ahead: Callable[[str], str]) -> dict[str, str]:
    """The environment with every remembered PATH as `ahead` makes it. What direnv remembers and cannot be read is forgotten: it loads anew then."""
    found = {name: ahead(value) if name in PLAIN else value for name, value in environment.items()}
    if "DIRENV_DIFF" in found:
        try:
            found["DIRENV_DIFF"] = _direnv(found["DIRENV_DIFF"], ahead)
        except (ValueError, TypeError, AttributeError, LookupError, zlib.error):
            found = {name: value for name, value in found.items() if name not in DIRENV}
    return found


def _direnv(text: str, ahead: Callable[[str], str]) -> str:
    """Direnv's own form: JSON, zlib, base64; `p` is what it replaced and puts back, `n` what it set."""
    diff = json.loads(zlib.decompress(base64.urlsafe_b64decode(text)))
    for side in (diff["p"], diff["n"]):
        if "PATH" in side:
            side["PATH"] = ahead(side["PATH"])
    return base64.urlsafe_b64encode(zlib.compress(json.dumps(diff).encode())).decode("ascii")
