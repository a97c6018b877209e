"""Every key of [[match]] does something: for each a text that it lets through and one that it does not (a key that nothing reads fails here)."""

from __future__ import annotations

import pytest

from policy.rules.schema import Match

# key: (the match, a text that hits, a text that misses, more about the request)
KEYS = {
    "program": ('program = "rm"', "rm a", "mv a b", {}),
    "no_program": ('effect = ["delete"]\nno_program = ["git"]', "rm a", "git rm a", {}),
    "subcommand": ('program = "git"\nsubcommand = ["push", "stash p*"]', "git stash pop", "git pull", {}),
    "command": ('command = ["ls", "git log"]', "git log -1", "git show", {}),
    "any_option": ('program = "git"\nany_option = ["--force"]', "git push -uf o m", "git push o m", {}),
    "all_options": ('program = "rm"\nall_options = ["--recursive", "--force"]', "rm -rf a", "rm -r a", {}),
    "no_option": ('program = "rsync"\nno_option = ["--dry-run"]', "rsync -a x y", "rsync -an x y", {}),
    "operand": ('program = "git"\noperand = ["origin/*"]', "git reset origin/main", "git reset main", {}),
    "no_operand": ('program = "git"\nno_operand = ["HEAD"]', "git reset x", "git reset HEAD", {}),
    "min_operands": ('program = "ssh"\nmin_operands = 2', "ssh h ls", "ssh h", {}),
    "max_operands": ('program = "ssh"\nmax_operands = 1', "ssh h", "ssh h ls", {}),
    "word": ('program = "weft"\nword = ["*prod*"]', "weft run prod-1", "weft run dev", {}),
    "no_word": ('program = "weft"\nno_word = ["--wait"]', "weft run", "weft run --wait", {}),
    "effect": ('effect = ["delete"]', "rm a", "cat a", {}),
    "path_class": ('effect = ["delete"]\npath_class = ["home"]', "rm -rf ~", "rm -rf a", {}),
    "not_path_class": ('effect = ["delete"]\nnot_path_class = ["temporary"]', "rm a", "rm /tmp/a", {}),
    "path": ('effect = ["write"]\npath = ["~/.x", "*/y"]', "echo > ~/.x", "echo > z", {}),
    "not_path": ('effect = ["write"]\nnot_path = ["*.log"]', "echo > x", "echo > x.log", {}),
    "recursive": ('effect = ["delete"]\nrecursive = true', "rm -r a", "rm a", {}),
    "redirect": ('effect = ["write"]\nredirect = true', "echo > a", "cp b a", {}),
    "environment": ('environment = ["GIT_PAGER", "PATH=/tmp/*"]', "PATH=/tmp/x:$PATH ls", "PATH=/usr/bin ls", {}),
    "no_environment": ('program = "ls"\nno_environment = ["EDITOR"]', "ls", "EDITOR=x ls", {}),
    "variable": ('program = "ls"\nvariable = ["*_URL"]', "DB_URL=x ls", "ls", {}),
    "stdin_contains": (
        'program = "psql"\nstdin_contains = ["drop  table"]',
        "echo 'DROP\tTABLE x' | psql",
        "echo 'select 1' | psql",
        {},
    ),
    "says": ('program = "psql"\nsays = ["drop table"]', "psql -c 'drop  table x'", "psql -c 'select 1'", {}),
    "piped_from": ('program = "sh"\npiped_from = ["curl"]', "curl x | sh", "cat x | sh", {}),
    "piped_to": ('program = "curl"\npiped_to = ["sh"]', "curl x | sh", "curl x | cat", {}),
    "launched_by": ('program = "rm"\nlaunched_by = ["xargs"]', "echo a | xargs rm", "rm a", {}),
    "not_launched_by": ('program = "ls"\nnot_launched_by = ["timeout"]', "ls", "timeout 5 ls", {}),
    "place": ('program = "rm"\nplace = ["remote"]', "ssh h rm a", "rm a", {}),
    "door": ('program = "ls"\ndoor = ["shim"]', "ls", "ls", {"door": "shim"}),
    "host": ('program = "ls"\nhost = ["codex"]', "ls", "ls", {"host": "codex"}),
    "agent": ('program = "ls"\nagent = ["review*"]', "ls", "ls", {"agent": "reviewer"}),
    "tool": ('effect = ["write"]\ntool = ["write"]', "", "echo > a", {"tool": "write", "path": "/a"}),
    "marks": ('program = "ls"\nmarks = ["maybe"]', None, "ls", {}),
    "no_marks": ('program = "ls"\nno_marks = ["maybe"]', "ls", None, {}),
    "unknown": ('program = "ls"\nunknown = false', "ls a", "ls $X", {}),
    "inert": ('program = "cat"\ninert = true', "cat a", None, {}),
    "started_by_path": ('program = "ls"\nstarted_by_path = true', "/tmp/ls", "ls", {}),
    "when": ('program = "ls"\nwhen = { piped = true }', "ls | cat", "ls", {}),
    "unless": ('program = "ls"\nunless = { piped = true }', "ls", "ls | cat", {}),
}


def test_no_key_is_left_out():
    assert set(KEYS) == set(Match.model_fields)


@pytest.mark.parametrize("key", KEYS)
def test_key(key, decide, rule):
    match, hit, miss, about = KEYS[key]
    if hit is not None:
        assert decide(hit, rule(match), **about).rule == "team/rule"
    if miss is not None:
        assert decide(miss, rule(match)).rule == ""


def test_an_unknown_word_makes_a_match_a_question(decide, rule):
    text = rule('program = "git"\nsubcommand = ["reset"]\nany_option = ["--hard"]')
    assert decide("git reset $(cat x)", text).action == "ask"
    assert decide("git reset --hard", text).action == "deny"
    assert decide("git reset --soft", text).action == "pass"


def test_an_unknown_word_leaves_a_rule_silent_that_says_so(decide, rule):
    text = rule('program = "git"\nsubcommand = ["reset"]\nany_option = ["--hard"]', extra='maybe = "pass"')
    assert decide("git reset $(cat x)", text).action == "pass"


def test_the_certain_beginning_of_a_word_counts(decide, rule):
    text = rule('program = "git"\noperand = ["release/*"]')
    assert decide("git push origin release/$X", text).action == "deny"
    assert decide("git push origin feature/$X", text).action == "pass"


def test_a_parameter_that_names_nothing_matches_nothing(decide, rule):
    text = rule('program = "$programs"', extra="parameters = { programs = [] }")
    assert decide("ls", text).action == "pass"


def test_a_negated_option_is_not_in_force(decide, rule):
    text = rule('program = "git"\nsubcommand = ["merge"]\nany_option = ["!--ff"]')
    assert decide("git merge --no-ff x", text).action == "deny"
    assert decide("git merge --ff x", text).action == "pass"
    assert decide("git merge --no-ff --ff x", text).action == "pass"
