"""A file that cannot be written is refused before anything is read."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from replay.cli import main


@pytest.mark.parametrize(
    "call",
    [
        ("timeline", "{}", "--accounting", "{}/none/file"),
        ("timeline", "{}", "--out", "{}/none/file"),
        ("export", "rounds", "{}", "--out", "{}/none/file"),
        ("hand", "{}", "BAC-1", "1", "--html", "{}/none/file"),
        ("hand", "{}", "BAC-1", "1", "--svg", "{}/none/file"),
        ("whatif", "{}", "--set", "631a.tie_odds=9", "--store", "{}/none/file"),
        ("nightly", "{}", "--store", "{}/none/file"),
    ],
)
def test_a_file_without_a_folder_is_refused_before_anything_is_read(
    tmp_path: Path, call: tuple[str, ...]
) -> None:
    # The folder holds no events: what is said first is what was looked at first.
    ran = CliRunner().invoke(main, [each.format(tmp_path) for each in call], catch_exceptions=False)
    file = tmp_path / "none" / "file"
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr == f"discardrack: {file}: cannot be written: there is no folder {file.parent}\n"
