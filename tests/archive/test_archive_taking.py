"""Archives of recorded events, and house files that would make days of an archive unreadable."""

import shutil
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from replay.cli import main
from tests.builders.closed_archive import closed_archive


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("taken")
    closed_archive(made)
    return made


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


def test_an_archive_that_is_there_is_left_as_it_is(folder: Path, tmp_path: Path, played: Path) -> None:
    archive = Path(shutil.copytree(folder / "archive", tmp_path / "archive"))
    before = contents(archive)
    says = refused("--from", str(played), "--house", str(played / "house.yaml"), "--out", str(archive))
    assert "is an archive already" in says
    assert contents(archive) == before


def test_a_house_file_that_lacks_a_table_of_the_archive_is_refused(folder: Path, tmp_path: Path) -> None:
    archive = Path(shutil.copytree(folder / "archive", tmp_path / "archive"))
    before = contents(archive)
    other = other_house(folder, tmp_path)
    assert "lacks: BAC-102; leave closed tables in it" in refused(
        "--seal", "--house", str(other), "--out", str(archive)
    )
    assert contents(archive) == before


def test_a_house_file_that_lacks_a_table_of_the_events_is_refused(folder: Path, tmp_path: Path) -> None:
    other = other_house(folder, tmp_path)
    says = refused("--from", str(folder / "floor"), "--house", str(other), "--out", str(tmp_path / "new"))
    assert "not in the house file of simulated: BAC-102;" in says
    assert not (tmp_path / "new/days").exists()
