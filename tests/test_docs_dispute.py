"""The walk through a dispute: its commands, typed in order on the floor of `demo`, print what it says."""

import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from replay.cli import main

PAGE: Final = (Path(__file__).parent.parent / "docs" / "dispute.md").read_text(encoding="utf-8")
BLOCKS: Final = re.findall(r"```console\n\$ discardrack (.+)\n((?:.*\n)*?)```", PAGE)


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Play the demo's day and type the page's commands; gives what each of them printed, the demo's first."""
    folder = tmp_path_factory.mktemp("dispute")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        told = []
        for line in ("demo --no-serve", *(command for command, _ in BLOCKS)):
            ran = CliRunner().invoke(main, shlex.split(line), catch_exceptions=False)
            assert ran.exit_code == 0, (line, ran.stderr)
            told.append(ran.stdout)
        with zipfile.ZipFile("var/demo/dispute.zip") as bundle:
            Path("verify.py").write_bytes(bundle.read("verify.py"))
        checked = subprocess.run(  # as a stranger runs it
            [sys.executable, "verify.py", "var/demo/dispute.zip"], check=True, capture_output=True, text=True
        )
        told.append(checked.stdout)
    return told


def test_the_demo_ends_with_the_call(said: list[str]) -> None:
    (call,) = re.findall(r"^In dispute: .+$", PAGE, re.MULTILINE)
    assert said[0].splitlines()[-1] == call


@pytest.mark.parametrize("place", range(len(BLOCKS)))
def test_each_command_prints_what_the_page_says(said: list[str], place: int) -> None:
    printed = said[1 + place].splitlines()
    for line in BLOCKS[place][1].splitlines():
        pattern = ".+".join(map(re.escape, line.split("…")))
        assert any(re.fullmatch(pattern, each.rstrip()) for each in printed), (line, printed)


def test_a_stranger_can_check_the_bundle(said: list[str]) -> None:
    assert "Proven: these events stand" in said[-1]
