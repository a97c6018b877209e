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
    data = text.encode("utf-8", "surrogateescape")
    done = subprocess.run([program() or "shfmt", "--to-json", "-ln", "bash"], input=data, capture_output=True)
    if done.returncode:
        return None
    found: dict[int, list[tuple[str, str | None]]] = {}
    _walk(_in_characters(json.loads(done.stdout), text), text, found)
    return found


def _in_characters(tree, text):
    """The tree with its offsets, which count bytes, as indexes into the text."""
    if text.isascii():
        return tree
    index = []
    for place, character in enumerate(text):
        index += [place] * len(character.encode("utf-8", "surrogateescape"))
    index.append(len(text))
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, list):
            pending += node
        elif isinstance(node, dict):
            if "Offset" in node:
                node["Offset"] = index[node["Offset"]]
            pending += node.values()
    return tree


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
    """As written; shfmt counts a line continuation at the end to a literal word, and not to a quoted one."""
    return text[_offset(node["Pos"]) : _offset(node["End"])].removesuffix("\\\n")


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
