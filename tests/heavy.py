"""Modules that nothing on the way to an answer may import: each costs a part of what the bare interpreter does (docs/decisions/0004)."""

HEAVY = frozenset(
    (
        "argparse", "bashlex", "click", "collections", "contextlib", "copy", "ctypes", "dataclasses", "enum", "functools", "hashlib",
        "importlib.metadata", "inspect", "json", "logging", "os", "pathlib", "psutil", "pydantic", "re", "shutil", "signal", "site", "struct",
        "subprocess", "threading", "tomli_w", "tomllib", "traceback", "typing", "warnings",
    )
)  # fmt: skip
