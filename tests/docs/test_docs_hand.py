"""The page on `hand` shows what the command prints."""

import re
import shlex
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from replay.cli import main
from replay.cli.hand import hand

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "hand.md").read_text(encoding="utf-8")


def test_the_page_prints_what_its_command_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (block,) = re.findall(r"```console\n\$ (.*?)```", PAGE, re.DOTALL)
    command, _, output = block.partition("\n")
    program, *arguments = shlex.split(command)
    assert program == "discardrack"
    printed = CliRunner().invoke(main, arguments)
    assert printed.exit_code == 0
    assert output.startswith("…\nThe table\n")
    assert output.removeprefix("…\n").removesuffix("…\n") in printed.stdout


def test_the_page_names_each_option() -> None:
    named = {option for each in hand.params for option in each.opts if option.startswith("--")}
    others = {"--house", "--by", "--custody"}  # of every verb that looks at what is recorded
    assert {option for option in named - others if option not in PAGE} == set()
