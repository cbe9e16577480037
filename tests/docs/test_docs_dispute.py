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

PAGE: Final = (Path(__file__).parents[2] / "docs" / "dispute.md").read_text(encoding="utf-8")
BLOCKS: Final = re.findall(r"```console\n\$ discardrack (.+)\n((?:.*\n)*?)```", PAGE)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder in which the page's commands are typed."""
    return tmp_path_factory.mktemp("dispute")


@pytest.fixture(scope="module")
def said(played: Path) -> list[str]:
    """Play the demo's day and type the page's commands; gives what each of them printed, the demo's first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(played)
        told = []
        for line in ("demo --no-serve", *(command for command, _ in BLOCKS)):
            ran = CliRunner().invoke(main, shlex.split(line), catch_exceptions=False)
            assert ran.exit_code == 0, (line, ran.stderr)
            told.append(ran.stdout)
        with zipfile.ZipFile("var/demo/dispute.zip") as bundle:
            Path("verify.py").write_bytes(bundle.read("verify.py"))
    return told


@pytest.fixture(scope="module")
def public(said: list[str]) -> dict[str, str]:
    """Return the public part of each key by its file, as the page's commands print it."""
    shown = {command: printed for (command, _), printed in zip(BLOCKS, said[1:], strict=True)}
    return {command.split()[1]: printed.strip() for command, printed in shown.items() if "--show" in command}


def checked(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Check the bundle as a stranger does."""
    line = [sys.executable, "verify.py", "var/demo/dispute.zip", *options]
    return subprocess.run(line, cwd=folder, check=False, capture_output=True, text=True)  # noqa: S603  ours


def test_the_demo_ends_with_the_call(said: list[str]) -> None:
    (call,) = re.findall(r"^In dispute: .+$", PAGE, re.MULTILINE)
    assert said[0].splitlines()[-1] == call
    assert "Every fault was found and cited; none was missed, none invented." in said[0]


@pytest.mark.parametrize("place", range(len(BLOCKS)))
def test_each_command_prints_what_the_page_says(said: list[str], place: int) -> None:
    printed = said[1 + place].splitlines()
    for line in BLOCKS[place][1].splitlines():
        pattern = ".+".join(map(re.escape, line.split("…")))
        assert any(re.fullmatch(pattern, each.rstrip()) for each in printed), (line, printed)


def test_a_stranger_can_check_the_bundle(played: Path, public: dict[str, str]) -> None:
    asked = re.search(r"^python verify.py dispute.zip (.+)$", PAGE, re.MULTILINE)
    assert asked is not None
    assert asked[1] == "--archive-key … --key …"
    closer, releaser = public["var/demo/archive.key"], public["var/demo/investigator.key"]
    ran = checked(played, "--archive-key", closer, "--key", releaser)
    assert (ran.returncode, "Proven: these events stand" in ran.stdout) == (0, True)
    # He is owed $275.00 on the Player's Hand, and $275.00 were collected.
    assert "$550.00 less was paid than was owed; wagers: 1, left open: 0" in ran.stdout
    assert checked(played, "--archive-key", releaser, "--key", closer).returncode == 1
