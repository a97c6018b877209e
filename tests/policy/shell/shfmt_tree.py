"""What shfmt reads in a text: the start of each command, its words as written, and the values of those that are plainly static."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path


def program() -> str | None:
    """shfmt beside the interpreter (PyPI shfmt-py) or on PATH."""
    beside = Path(sys.executable).with_name("shfmt")
    return str(beside) if beside.exists() else shutil.which("shfmt")


def commands(text: str) -> dict[int, list[tuple[str, str | None]]] | None:
    """Offset of each command's first word to its words: (as written, value or None when not plainly static). None when refused."""
    done = subprocess.run([program() or "shfmt", "--to-json", "-ln", "bash"], input=text.encode(), capture_output=True)
    if done.returncode:
        return None
    found: dict[int, list[tuple[str, str | None]]] = {}
    _walk(json.loads(done.stdout), text, found)
    return found


def _walk(node, text, found):
    if isinstance(node, list):
        for item in node:
            _walk(item, text, found)
    if not isinstance(node, dict):
        return
    words = []
    if node.get("Type") == "CallExpr" and node.get("Args"):
        words = [_word(item, text) for item in node["Args"]]
    elif node.get("Type") == "DeclClause":
        words = [(node["Variant"]["Value"], node["Variant"]["Value"])]
        words += [(_raw(item, text), None) for item in node.get("Args", ())]
    elif node.get("Type") == "LetClause":
        words = [("let", "let")]
    if words:
        found[_offset(node["Pos"])] = words
        first = node.get("Args", [node])[0] if node.get("Type") == "CallExpr" else node
        if _offset(first["Pos"]) != _offset(node["Pos"]):
            found[_offset(first["Pos"])] = found.pop(_offset(node["Pos"]))
    for value in node.values():
        _walk(value, text, found)


def _offset(position) -> int:
    return position.get("Offset", 0)


def _raw(node, text) -> str:
    return text[_offset(node["Pos"]) : _offset(node["End"])]


def _word(node, text) -> tuple[str, str | None]:
    value = ""
    for part in node["Parts"]:
        inner = part.get("Parts", [part]) if part["Type"] == "DblQuoted" else [part]
        for item in inner:
            literal = item["Type"] == "SglQuoted" and not item.get("Dollar")
            plain = item["Type"] == "Lit" and not any(sign in item["Value"] for sign in "\\*?[{~")
            if part.get("Dollar") or not (literal or plain):
                return _raw(node, text), None
            value += item.get("Value", "")
    return _raw(node, text), value
