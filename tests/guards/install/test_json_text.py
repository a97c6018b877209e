"""One array changes, every other byte stays; taking the entry out again gives the bytes back."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guards.install import json_text

ENTRY = {"matcher": "Bash", "hooks": [{"type": "command", "command": "/b/gatepost-hook"}]}
KEYS = ("hooks", "PreToolUse")
SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)
SETTINGS = st.dictionaries(st.sampled_from(["model", "mcpServers", "é", "permissions"]), VALUES, max_size=4)
STYLES = st.sampled_from([{}, {"indent": 2}, {"indent": 4}, {"indent": "\t"}, {"separators": (",", ":")}])


def is_ours(value):
    return value == ENTRY


def added(value):
    expected = json.loads(json.dumps(value))
    expected.setdefault("hooks", {}).setdefault("PreToolUse", []).append(ENTRY)
    return expected


@settings(deadline=None)
@given(SETTINGS, st.lists(VALUES.filter(lambda value: value != ENTRY), min_size=1, max_size=3), STYLES)
def test_append_adds_and_remove_gives_the_bytes_back(settings, others, style):
    settings = {**settings, "hooks": {"PreToolUse": others, "Stop": []}}
    text = json.dumps(settings, **style) + "\n"
    after = json_text.append(text, KEYS, ENTRY)
    assert json.loads(after) == added(settings)
    assert json_text.remove(after, KEYS, is_ours) == text


@settings(deadline=None)
@given(SETTINGS, st.sampled_from([None, {}, {"Stop": []}, {"PreToolUse": []}]), STYLES)
def test_missing_parts_are_made_and_the_rest_is_kept(settings, hooks, style):
    if hooks is not None:
        settings = {**settings, "hooks": hooks}
    text = json.dumps(settings, **style)
    after = json_text.append(text, KEYS, ENTRY)
    assert json.loads(after) == added(settings)
    kept = json.loads(json_text.remove(after, KEYS, is_ours))
    assert kept.pop("hooks")["PreToolUse"] == []
    settings.pop("hooks", None)
    assert kept == settings


def test_the_style_around_is_taken_over():
    text = '{\n    "a": 1,\n    "hooks": {\n        "PreToolUse": [\n            {"x": 1}\n        ]\n    }\n}\n'
    after = json_text.append(text, KEYS, {"y": [2]})
    assert after == text.replace('{"x": 1}\n', '{"x": 1},\n            {\n                "y": [\n                    2\n                ]\n            }\n')  # fmt: skip


def test_of_two_members_of_one_name_the_last_counts():
    text = '{"hooks": {"PreToolUse": [1]}, "hooks": {"PreToolUse": [2]}}'
    assert json.loads(json_text.append(text, KEYS, 3)) == {"hooks": {"PreToolUse": [2, 3]}}


@pytest.mark.parametrize("text", ['{"hooks": []}', '{"hooks": {"PreToolUse": {}}}', '{"hooks": null}', "[]"])
def test_another_shape_is_refused(text):
    with pytest.raises(json_text.NotPlain):
        json_text.append(text, KEYS, ENTRY)


@pytest.mark.parametrize("text", ["", "{", '{"a": 1,}', '// x\n{"a": 1}', '{"a": 1} /* x */'])
def test_what_is_no_json_is_refused_with_its_place(text):
    with pytest.raises(json_text.NotPlain, match=r"line \d+, column \d+"):
        json_text.load(text)


COMMENTED = """// mine
{
  "url": "http://x//y", // the "server"
  /* old: "hooks": {} */
  "hooks": {
    "PreToolUse": [
      {"matcher": "x"} // the last one
    ] // end
  }
}
// bye
"""


@pytest.mark.parametrize(
    "text", [COMMENTED, '/* a */ {"hooks": {"PreToolUse": [1 /* b */]}} // c', "{ // nothing yet\n}\n"]
)
def test_comments_stay_where_the_reader_knows_them(text):
    after = json_text.append(text, KEYS, ENTRY)
    assert json_text.load(after, comments=True)["hooks"]["PreToolUse"][-1] == ENTRY
    at = 0
    for comment in re.findall(r"(?m)/\*.*?\*/|// .*$", text):  # each is still there, in its order
        at = after.index(comment, at) + len(comment)
    assert json_text.load(json_text.remove(after, KEYS, is_ours), comments=True)["hooks"]["PreToolUse"] != [ENTRY]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (COMMENTED, "line 1, column 1"),
        ("\ufeff{}", "byte order mark"),
        ("[" * 100_000, "too deep"),
        ('{"a": 1' + "0" * 5000 + "}", "digits"),
        ("{,}", "line 1, column 2"),
    ],
)
def test_what_a_strict_reader_refuses_is_said(text, why):
    with pytest.raises(json_text.NotPlain, match=why):
        json_text.load(text)


def test_a_text_too_deep_to_be_changed_is_no_crash():
    text = "[" * 900 + "]" * 900
    with pytest.raises(json_text.NotPlain):
        json_text.append('{"a": ' + text + "}", ("a", "b"), ENTRY)
