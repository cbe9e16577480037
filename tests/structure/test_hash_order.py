"""The same records give the same conclusions to the byte in every process, whatever order its sets have."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from click.testing import CliRunner

from replay.cli import main
from schemas.values import CARDS

GOLDEN: Final = Path(__file__).parents[1] / "golden"
# Cards, tiles and dice that were not read leave several readings open, of which one is told.
_AUDIT: Final = """
import sys
from click.testing import CliRunner
from replay.cli import main
sys.stdout.write(CliRunner().invoke(main, ["audit", sys.argv[1]]).stdout)
"""


@pytest.fixture(scope="module")
def blurred(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return records of the golden hands in which one card after another of the dealer's was not read."""
    path = tmp_path_factory.mktemp("blurred") / "rounds.jsonl"
    with path.open("wb") as file:
        for number, record in enumerate(_blurred()):
            file.write(msgspec.json.encode(record | {"round": str(number)}) + b"\n")
    return path


def _blurred() -> Iterator[dict[str, Any]]:
    for path in sorted(each for chapter in ("551", "685a") for each in (GOLDEN / chapter).glob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            record = msgspec.json.decode(line).get("record") if line.startswith(b"{") else None
            for place, (who, what) in enumerate(record["play"] if isinstance(record, dict) else ()):
                if who == "dealer" and what in CARDS:
                    play = [*record["play"]]
                    play[place] = [who, f"?{what[1]}"]
                    yield record | {"play": play}


def audited(path: Path, seed: int) -> bytes:
    """Audit in a process whose sets have another order; this one has one of its own, too."""
    ran = subprocess.run(  # noqa: S603  our own code
        [sys.executable, "-c", _AUDIT, str(path)],
        env=os.environ | {"PYTHONHASHSEED": str(seed)},
        capture_output=True,
        check=True,
    )
    return ran.stdout


def test_sets_decide_nothing(blurred: Path) -> None:
    here = CliRunner().invoke(main, ["audit", str(blurred)]).stdout_bytes
    assert here.count(b"\n") > 100
    assert [audited(blurred, seed) == here for seed in range(2)] == [True, True]
