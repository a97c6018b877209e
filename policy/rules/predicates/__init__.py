"""The table of facts that rules may ask: name -> "module:function" in this package, imported when first asked."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading
    from policy.rules.fact import Fact, FactResult, Question
    from policy.world import World

FACTS: dict[str, str] = {
    "path_class": "path_class:path_class",
    "made_here": "history:made_here",
    "saved_before": "history:saved_before",
    "looked_before": "history:looked_before",
    "filled_before": "history:filled_before",
    "reads_same": "history:reads_same",
    "empties": "history:empties",
    "collapsing": "history:collapsing",
    "fed": "surroundings:fed",
    "piped": "surroundings:piped",
    "piped_to_head": "surroundings:piped_to_head",
    "filtered_output": "surroundings:filtered_output",
    "in_background": "surroundings:in_background",
    "in_reading_loop": "surroundings:in_reading_loop",
    "waits_for_terminal": "surroundings:waits_for_terminal",
    "fork_bomb": "surroundings:fork_bomb",
    "feeds": "feeding:feeds",
    "feeds_named": "feeding:feeds_named",
    "first_words": "words:first_words",
    "verb": "words:verb",
    "raw_contains": "words:raw_contains",
    "answered": "words:answered",
    "runs_from": "words:runs_from",
    "narrowed_kill": "words:narrowed_kill",
    "kill_all": "words:kill_all",
    "blind_filter": "find_tests:blind_filter",
    "filtered_delete": "find_tests:filtered_delete",
    "sweeping": "words:sweeping",
    "empty_variable": "variables:empty_variable",
    "guarded_variable": "variables:guarded_variable",
    "temporary_variable": "variables:temporary_variable",
    "sync_target": "transfer:sync_target",
    "copy_target": "transfer:copy_target",
    "sends_secret": "transfer:sends_secret",
    "piped_secret": "transfer:piped_secret",
    "downloaded": "fetched:downloaded",
    "reads_only_stdin": "code:reads_only_stdin",
    "input_known": "code:input_known",
    "code_writes": "code:code_writes",
    "harmless_environment": "environment:harmless_environment",
    "drops_shims": "environment:drops_shims",
    "live_database": "environment:live_database",
    "named_objects": "clusters:named_objects",
    "database_for_tests": "databases:database_for_tests",
    "captured": "captured:captured",
    "stays_secret": "disclosure:stays_secret",
    "shows_names_only": "disclosure:shows_names_only",
    "prints_variable": "disclosure:prints_variable",
    "written_to_file": "disclosure:written_to_file",
    "handed_on": "handing:handed_on",
    "project_has": "project:project_has",
    "sql": "statements:sql",
    "statements": "statements:statements",
    "unseen_statements": "statements:unseen_statements",
    "words_fit": "conventions:words_fit",
    "project_has_any": "conventions:project_has_any",
    "cwd_below": "conventions:cwd_below",
    "runner_target": "conventions:runner_target",
    "option_value": "conventions:option_value",
    "script_lacks": "conventions:script_lacks",
    "unattested": "conventions:unattested",
    "project_script": "conventions:project_script",
    "lacks_excludes": "conventions:lacks_excludes",
    "other_host": "conventions:other_host",
    "copies_synced": "conventions:copies_synced",
    "only_reads": "conventions:only_reads",
    "found_paths": "found:found_paths",
    "found_inside": "found:found_inside",
    "mounts": "mounts:mounts",
    "deletes_mounted": "mounts:deletes_mounted",
    "would_lose": "git_loss:would_lose",
    "pushes": "git_push:pushes",
    "stash_entries": "git_stash:stash_entries",
    "shared_stash": "git_stash:shared_stash",
    "sets_config": "git_config:sets_config",
    "sets_program": "git_config:sets_program",
    "outside_hooks": "git_config:outside_hooks",
    "editor_returns": "git_editor:editor_returns",
    "jj_git": "jj_git:jj_git",
}


ANYWHERE = frozenset(
    {
        "feeds",
        "feeds_named",
        "sets_config",
        "sets_program",
        "statements",
        "piped_to_head",
        "answered",
        "deletes_mounted",
        "waits_for_terminal",
        "fed",
        "blind_filter",
        "filtered_delete",
        "shows_names_only",
        "prints_variable",
        "written_to_file",
        "handed_on",
        "saved_before",
        "sync_target",
        "sql",
        "mounts",
        "filtered_output",
        "input_known",
        "unseen_statements",
        "live_database",
        "database_for_tests",
        "named_objects",
        "sweeping",
        "raw_contains",
        "path_class",
        "words_fit",
        "cwd_below",
        "option_value",
        "other_host",
        "drops_shims",
        "verb",
        "fork_bomb",
        "narrowed_kill",
        "empty_variable",
        "guarded_variable",
        "made_here",
        "filled_before",
        "looked_before",
        "found_inside",
        "temporary_variable",
        "in_reading_loop",
        "reads_only_stdin",
        "first_words",
        "kill_all",
        "harmless_environment",
        "empties",
        "downloaded",
        "runs_from",
        "copy_target",
        "piped",
        "code_writes",
        "in_background",
    }
)
"""Facts that the text alone can answer: they are asked for commands on other machines and in containers too."""


_found: dict[str, Fact] = {}


def find(name: str) -> Fact:
    """The function behind a fact's name."""
    if name not in _found:
        module, _, function = FACTS[name].partition(":")
        _found[name] = getattr(__import__(f"policy.rules.predicates.{module}", fromlist=[function]), function)
    return _found[name]


def ask(name: str, invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """One fact's answer; whatever it raises is the caller's to turn into a finding."""
    return find(name)(invocation, world, question, reading)
