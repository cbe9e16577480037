"""What all verbs share: standard input, packed files, options from the environment and from a file."""

import gzip
import hashlib
import json
from pathlib import Path
from typing import Final

import pyarrow as pa
import pytest
from click.testing import CliRunner, Result

from replay.cli import VERBS, main
from tests.builders.documents import ROOT

EXAMPLE: Final = (ROOT / "docs" / "example.jsonl").read_bytes()


def run(*arguments: object, given: bytes | None = None, env: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments], input=given, env=env)


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return what an audit says of the example as it is."""
    path = tmp_path_factory.mktemp("plain") / "rounds.jsonl"
    path.write_bytes(EXAMPLE)
    said = run("audit", path).stdout
    assert len(said.splitlines()) == len(EXAMPLE.splitlines()) > 1
    return said


def packings() -> dict[str, bytes]:
    return {
        "plain": EXAMPLE,
        "gzip": gzip.compress(EXAMPLE),
        "zstd": pa.Codec("zstd").compress(EXAMPLE, asbytes=True),
    }


@pytest.mark.parametrize("packing", ["plain", "gzip", "zstd"])
def test_standard_input_is_read_packed_or_not(packing: str, verdicts: str) -> None:
    assert run("audit", "-", given=packings()[packing]).stdout == verdicts


@pytest.mark.parametrize("packing", ["gzip", "zstd"])
def test_a_packed_file_is_read_whatever_its_name(packing: str, verdicts: str, tmp_path: Path) -> None:
    (tmp_path / "rounds").write_bytes(packings()[packing])
    assert run("audit", tmp_path / "rounds").stdout == verdicts


def test_a_packed_file_that_is_cut_short_is_refused_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "rounds.gz").write_bytes(gzip.compress(EXAMPLE)[:-20])
    result = run("audit", tmp_path / "rounds.gz")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "rounds.gz" in result.stderr


def test_import_takes_standard_input(tmp_path: Path) -> None:
    result = run("import", "-", given=gzip.compress(EXAMPLE))
    assert result.exit_code == 0
    assert result.stdout.encode() == EXAMPLE
    del tmp_path


def test_the_command_line_goes_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    (tmp_path / "rounds.jsonl").write_bytes(EXAMPLE)
    (tmp_path / "options.toml").write_text('[audit]\nformat = "csv"\n', encoding="utf-8")
    named = {"DISCARDRACK_CONFIG": str(tmp_path / "options.toml")}
    by_file = run("audit", tmp_path / "rounds.jsonl", env=named).stdout
    assert by_file == run("audit", tmp_path / "rounds.jsonl", "--format", "csv").stdout
    environment = {**named, "DISCARDRACK_AUDIT_FORMAT": "jsonl"}
    assert json.loads(run("audit", tmp_path / "rounds.jsonl", env=environment).stdout.splitlines()[0])
    stated = run("audit", tmp_path / "rounds.jsonl", "--format", "csv", env=environment).stdout
    assert stated == by_file


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[adit]\n", "nearest: audit"),
        ('[audit]\nformt = "csv"\n', "nearest: format"),
        ('format = "csv"\n', "format"),
        ("[house.chek]\n", "nearest: check"),
        ("[audit\n", "TOML"),
    ],
)
def test_a_file_of_options_that_are_none_is_refused(text: str, wanted: str, tmp_path: Path) -> None:
    (tmp_path / "options.toml").write_text(text, encoding="utf-8")
    result = run("--config", tmp_path / "options.toml", "law", "--uncovered")
    assert (result.exit_code, result.stdout) == (2, "")
    assert wanted in result.stderr
    assert "options.toml" in result.stderr


@pytest.mark.parametrize("verb", VERBS)
def test_every_help_says_the_exit_status(verb: str) -> None:
    assert "Exit status" in " ".join(run(verb, "--help").stdout.split())


def test_the_version_has_the_digest_of_every_law_file() -> None:
    folder = ROOT / "schemas" / "law"
    files = sorted(path for path in folder.glob("*.yaml") if "_" not in path.stem)
    files += sorted((folder / "side_wagers").glob("*.yaml"))
    lines = [f"{path.stem} {hashlib.sha256(path.read_bytes()).hexdigest()}\n" for path in files]
    digest = hashlib.sha256("".join(lines).encode()).hexdigest()
    assert run("--version").stdout.split()[-2:] == ["law", digest[:16]]
