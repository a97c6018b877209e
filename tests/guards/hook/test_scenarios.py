"""Every reported scenario of the kinds host-protocol and install has a test of ours: the table says which, and the names are checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[2]
SCENARIOS = TESTS.parents[1] / "shared/cases/scenarios.jsonl"
HOOK, INSTALL, E2E = "guards/hook", "guards/install", "e2e"
ANSWERS, FAILURES, HOSTS = f"{HOOK}/test_hook_answers.py", f"{HOOK}/test_hook_failures.py", f"{HOOK}/test_hook_hosts.py"
PROTOCOL, INSTALLED = f"{HOOK}/test_hook_protocol.py", f"{HOOK}/test_hook_installed.py"
SETTLE, DOCTOR = f"{HOOK}/test_hook_settle.py", f"{INSTALL}/test_doctor.py"
REGISTRATION, INSTALLERS = f"{INSTALL}/test_registration.py", f"{INSTALL}/test_installers.py"
CLAUDE = f"{E2E}/test_claude_code.py"

TABLE = {
    "C417": (PROTOCOL, "test_one_channel_and_at_most_one_document"),
    "C418": (PROTOCOL, "test_one_channel_and_at_most_one_document"),
    "C419": (PROTOCOL, "test_the_event_is_named_in_every_nested_answer"),
    "C420": (PROTOCOL, "test_the_event_is_named_in_every_nested_answer"),
    "C421": (ANSWERS, "test_a_permission_request_is_answered_in_its_own_form"),
    "C422": (HOSTS, "test_each_decision_in_each_host_s_shape"),
    "C423": (PROTOCOL, "test_a_rewrite_or_advice_is_never_an_approval"),
    "C424": (DOCTOR, "test_an_old_claude_and_disabled_hooks_and_rules_that_a_rewrite_slips_by"),
    "C425": (INSTALLED, "test_what_cannot_be_undone_is_denied_and_not_asked"),
    "C426": (HOSTS, "test_each_decision_in_each_host_s_shape"),
    "C427": (HOSTS, "test_each_decision_in_each_host_s_shape"),
    "C428": (PROTOCOL, "test_what_a_host_cannot_do_is_told_at_installation"),
    "C429": (ANSWERS, "test_command_may_be_called_cmd_and_may_be_an_argv"),
    "C430": (FAILURES, "test_malformed_input_is_an_ask_that_says_so"),
    "C431": (DOCTOR, "test_a_client_is_run_and_must_have_called_the_hook"),
    "C432": (PROTOCOL, "test_one_channel_and_at_most_one_document"),
    "C433": (PROTOCOL, "test_what_a_host_cannot_do_is_told_at_installation"),
    "C434": (PROTOCOL, "test_our_patience_ends_before_any_host_s"),
    "C435": (PROTOCOL, "test_a_judgement_that_never_ends_is_answered_in_time"),
    "C436": (PROTOCOL, "test_a_missing_interpreter_is_answered_by_the_launcher"),
    "C437": (DOCTOR, "test_a_registered_hook_that_answers_wrongly_fails"),
    "C438": (DOCTOR, "test_a_noisy_login_shell_is_told"),
    "C439": (PROTOCOL, "test_one_channel_and_at_most_one_document"),
    "C440": (ANSWERS, "test_no_opinion_is_silence"),
    "C441": (PROTOCOL, "test_one_channel_and_at_most_one_document"),
    "C442": (INSTALLED, "test_malformed_input_is_asked_about_or_refused"),
    "C443": (FAILURES, "test_a_pipe_that_the_host_leaves_open_is_answered_when_the_document_is_whole"),
    "C444": (PROTOCOL, "test_what_a_host_cannot_do_is_told_at_installation"),
    "C445": (PROTOCOL, "test_a_payload_of_a_subagent_is_judged_like_any_other"),
    "C446": (INSTALLED, "test_the_command_s_own_repository_is_judged_and_named"),
    "C447": (INSTALLERS, "test_the_registered_command_runs_whatever_stands_in_its_path"),
    "C448": (INSTALLED, "test_file_tools_are_under_the_same_rules_as_the_shell"),
    "C449": (INSTALLED, "test_file_tools_are_under_the_same_rules_as_the_shell"),
    "C450": (INSTALLED, "test_file_tools_are_under_the_same_rules_as_the_shell"),
    "C451": (INSTALLED, "test_the_first_denial_shows_the_way_on"),
    "C452": (SETTLE, "test_the_third_refusal_of_a_rule_in_a_session_tells_the_person_and_stops_the_model"),
    "C453": (CLAUDE, "test_a_hook_that_cannot_answer_blocks"),
    "C501": (REGISTRATION, "test_other_entries_stay_byte_for_byte_and_a_dated_copy_is_left"),
    "C502": (REGISTRATION, "test_other_entries_stay_byte_for_byte_and_a_dated_copy_is_left"),
    "C503": (REGISTRATION, "test_uninstall_keeps_the_event_and_what_shares_an_entry_with_us"),
    "C504": (REGISTRATION, "test_twice_is_once_and_an_upgrade_replaces_ours_alone"),
    "C505": (INSTALLERS, "test_installed_once_where_the_host_reads_it_and_taken_out_again"),
    "C506": (INSTALLERS, "test_the_registered_command_runs_whatever_stands_in_its_path"),
    "C507": (INSTALLED, "test_the_hook_needs_nothing_of_its_environment"),
    "C508": (REGISTRATION, "test_a_file_that_the_host_or_we_could_not_read_is_refused_and_left"),
    "C509": (DOCTOR, "test_a_host_that_is_found_but_has_no_hook_is_told"),
    "C510": (DOCTOR, "test_the_host_is_seen_by_its_log_entries_and_not_by_our_own_tries"),
    "C511": (REGISTRATION, "test_dry_run_prints_the_exact_diff_and_changes_nothing"),
}


@pytest.mark.parametrize("scenario", TABLE)
def test_the_named_test_is_there(scenario):
    file, name = TABLE[scenario]
    assert f"def {name}(" in (TESTS / file).read_text()


@pytest.mark.skipif(not SCENARIOS.is_file(), reason="the scenarios are not beside this repository")
def test_no_scenario_is_left_out():
    rows = map(json.loads, SCENARIOS.read_text().splitlines())
    assert set(TABLE) == {row["id"] for row in rows if row["kind"] in ("host-protocol", "install")}
