"""The pages on imports are run: each of their files by its mapping gives what they show."""

import re
import shlex
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from replay.cli import main
from tests.builders.documents import ROOT, page_files

PAGE: Final = "".join(
    (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("adaptors.md", "import.md")
)
FILES: Final = page_files(PAGE)
RUNS: Final = re.findall(r"^```console\n\$ discardrack (.*?)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(("command", "output"), RUNS, ids=[command.split()[1] for command, _ in RUNS])
def test_an_example_gives_what_the_page_shows(
    command: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    result = CliRunner().invoke(main, shlex.split(command))
    assert sorted(result.output.splitlines()) == sorted(output.splitlines())
    assert result.exit_code == bool(re.search(r": (unreadable|ambiguous|repeated): ", output))


def test_each_form_has_an_example() -> None:
    assert [command.split()[1] for command, _ in RUNS] == [
        "cards.csv",
        "register.json",
        "recorder.log",
        "shifts.ics",
        "hands.csv",
        "games.csv",
        "rounds.csv",
        "shoes.csv",
        "log.csv",
    ]
