"""Archives of recorded events, and house files that would make days of an archive unreadable."""

import shutil
from pathlib import Path

import yaml
from click.testing import CliRunner

from replay.cli import main


def contents(archive: Path) -> dict[str, bytes]:
    files = (
        each
        for each in archive.rglob("*")
        if each.is_file() and not each.name.startswith(("journal", "lock"))
    )
    return {each.relative_to(archive).as_posix(): each.read_bytes() for each in files}


def refused(*arguments: str) -> str:
    ran = CliRunner().invoke(main, ["archive", *arguments], catch_exceptions=False)
    assert (ran.exit_code, ran.stdout) == (2, "")
    return ran.stderr


def other_house(folder: Path, tmp_path: Path) -> Path:
    """Write a house file that lacks a table of the floor."""
    plain = yaml.safe_load((folder / "floor/house.yaml").read_text("utf-8"))
    del plain["tables"]["BAC-102"]
    other = tmp_path / "other.yaml"
    other.write_text(yaml.safe_dump(plain), encoding="utf-8")
    return other


def test_an_archive_that_is_there_is_left_as_it_is(closed: Path, tmp_path: Path, played: Path) -> None:
    archive = Path(shutil.copytree(closed / "archive", tmp_path / "archive"))
    before = contents(archive)
    says = refused("--from", str(played), "--house", str(played / "house.yaml"), "--out", str(archive))
    assert "is an archive already" in says
    assert contents(archive) == before


def test_a_house_file_that_lacks_a_table_of_the_archive_is_refused(closed: Path, tmp_path: Path) -> None:
    archive = Path(shutil.copytree(closed / "archive", tmp_path / "archive"))
    before = contents(archive)
    other = other_house(closed, tmp_path)
    assert "lacks: BAC-102; leave closed tables in it" in refused(
        "--seal", "--house", str(other), "--out", str(archive)
    )
    assert contents(archive) == before


def test_a_house_file_that_lacks_a_table_of_the_events_is_refused(closed: Path, tmp_path: Path) -> None:
    other = other_house(closed, tmp_path)
    says = refused("--from", str(closed / "floor"), "--house", str(other), "--out", str(tmp_path / "new"))
    assert "not in the house file of simulated: BAC-102;" in says
    assert not (tmp_path / "new/days").exists()
