"""The golden hands of tests/golden and what the verb `audit` answers of them."""

import json
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


def audit_golden_files(folder: Path) -> None:
    """Audit each file as a whole: write what is answered, and how it ended, into a folder."""
    for name in golden_files():
        lines = [
            hand["line"] if "line" in hand else json.dumps(hand["record"]) for hand in golden_hands(name)
        ]
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        result = CliRunner().invoke(main, ["audit", str(path)])
        path.write_text(f"{result.exit_code} {result.exception}\n{result.stdout}", encoding="utf-8")


def golden_answers(audited: Path, name: str) -> Sequence[Answer]:
    """Read what was answered to a file's lines, line by line."""
    ended, *answers = (audited / name).read_text(encoding="utf-8").splitlines()
    assert ended[0] in "012", ended
    given = [json.loads(line) for line in answers]
    assert len(given) == len(golden_hands(name)), "an answer for each line, in its place"
    return given


def golden_files() -> list[str]:
    paths = [path.relative_to(GOLDEN) for path in sorted(GOLDEN.rglob("*.jsonl"))]
    return [path.as_posix() for path in paths if path.parts[0] != APART]
