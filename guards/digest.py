"""SHA-256 from the interpreter's own module: `hashlib` imports OpenSSL, which costs more than a whole answer.

It is looked for where this version has it. To try the other name first would search every folder of modules for what is not there.
"""

from __future__ import annotations

import sys

if sys.version_info >= (3, 12):
    from _sha2 import sha256  # type: ignore[import-not-found]
else:
    from _sha256 import sha256  # type: ignore[import-not-found]

__all__ = ["sha256"]
