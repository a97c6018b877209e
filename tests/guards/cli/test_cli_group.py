"""The group imports only the subcommand that is called, and every line of its table leads to a command."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from guards.cli.main import COMMANDS, main

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_line_of_the_table_leads_to_a_command_with_help_and_an_example(name: str) -> None:
    module = COMMANDS[name].partition(":")[0]
    assert importlib.util.find_spec(module), f"{module} is missing"
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0, result.output
    assert f"gatepost {name}" in result.output, "help shows an example"


def test_an_unknown_subcommand_is_a_usage_error() -> None:
    result = CliRunner().invoke(main, ["no-such-thing"])
    assert result.exit_code == 2
    assert "no-such-thing" in result.output


def test_the_group_itself_imports_no_subcommand() -> None:
    code = "import sys, guards.cli.main as m; print(sorted(x for x in sys.modules if x.startswith('guards.cli.')))"
    shown = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "['guards.cli.main']"
    assert isinstance(main, click.Group)
