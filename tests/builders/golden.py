"""The golden hands of tests/golden and what the verb `audit` answers of them."""

import json
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from click.testing import CliRunner

from replay.cli import main

GOLDEN: Final = Path(__file__).parents[1] / "golden"


APART: Final = "603a_independent"  # lines of another form: see programmes/test_coupon_log_independent.py


Answer = Mapping[str, Any]


@cache
def golden_hands(name: str) -> Sequence[Answer]:
    """Read the golden lines of one file."""
    return [json.loads(line) for line in (GOLDEN / name).read_text(encoding="utf-8").splitlines()]


@cache
def golden_answers(name: str) -> Sequence[Answer]:
    """Audit one file as a whole and read what it answers, line by line."""
    lines = [hand["line"] if "line" in hand else json.dumps(hand["record"]) for hand in golden_hands(name)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rounds.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        result = CliRunner().invoke(main, ["audit", str(path)])
    assert result.exit_code in {0, 1, 2}, result.exception
    given = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(given) == len(lines), "an answer for each line, in its place"
    return given


def golden_files() -> list[str]:
    paths = [path.relative_to(GOLDEN) for path in sorted(GOLDEN.rglob("*.jsonl"))]
    return [path.as_posix() for path in paths if path.parts[0] != APART]
