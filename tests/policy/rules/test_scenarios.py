"""Every reported scenario of the kind config has a test of ours: the table says which, and the names are checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[2]
SCENARIOS = TESTS.parents[1] / "shared/cases/scenarios.jsonl"
RULES, ENGINE, CLI = "policy/rules", "policy/engine", "guards/cli/test_judging_commands.py"

TABLE = {
    "C512": [
        (f"{RULES}/test_broken_files.py", "test_a_broken_rule_is_told_and_costs_no_other"),
        ("guards/hook/test_hook_told_once.py", "test_a_broken_rule_file_is_told_to_the_person"),
    ],
    "C513": [(f"{RULES}/test_broken_files.py", "test_a_fault_in_the_configuration_leaves_the_rest_of_it_in_force")],
    "C514": [
        (f"{RULES}/test_config_keys.py", "test_no_key_is_left_out"),
        (f"{RULES}/test_match_keys.py", "test_no_key_is_left_out"),
        (f"{RULES}/test_broken_files.py", "test_a_parameter_that_nothing_reads_is_told"),
    ],
    "C515": [
        (f"{RULES}/test_layers.py", "test_a_value_of_the_wrong_type_is_an_error"),
        (f"{RULES}/test_broken_files.py", "test_a_parameter_that_nothing_reads_is_told"),
    ],
    "C516": [(CLI, "test_config_set_refuses_rather_than_harm")],
    "C517": [
        (f"{RULES}/test_layers.py", "test_the_order_of_rules_decides_nothing"),
        (CLI, "test_explain_shows_commands_rules_facts_and_the_answer"),
    ],
    "C518": [
        (f"{RULES}/test_path_classes.py", "test_tmpdir_counts_only_when_it_is_a_temporary_folder"),
        (f"{RULES}/test_path_classes.py", "test_tmpdir_of_root_excuses_nothing"),
    ],
    "C519": [
        (f"{RULES}/test_examples.py", "test_examples_and_suggestions"),
        (f"{ENGINE}/test_suggestions.py", "test_a_suggestion_that_would_be_refused_is_left_out"),
        (
            f"{RULES}/test_broken_files.py",
            "test_a_person_s_rule_stands_although_it_refuses_what_a_shipped_rule_suggests",
        ),
    ],
    "C520": [(f"{RULES}/test_layers.py", "test_what_cannot_be_decided_follows_its_configuration")],
    "C521": [
        (f"{ENGINE}/test_project_file.py", "test_only_raises"),
        ("guards/test_trust.py", "test_a_person_s_trust_from_the_first_look_to_the_last"),
    ],
}


@pytest.mark.parametrize("scenario", TABLE)
def test_the_named_tests_are_there(scenario):
    for file, name in TABLE[scenario]:
        assert f"def {name}(" in (TESTS / file).read_text()


@pytest.mark.skipif(not SCENARIOS.is_file(), reason="the scenarios are not beside this repository")
def test_no_scenario_is_left_out():
    rows = map(json.loads, SCENARIOS.read_text().splitlines())
    assert set(TABLE) == {row["id"] for row in rows if row["kind"] == "config"}
