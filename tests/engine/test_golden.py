"""Hands worked by hand from the text, judged by the program: see tests/golden/README.md.

Each file goes through `discardrack audit` once, as a user would send it; each of its lines is a test.
"""

import json
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from replay.cli import main

GOLDEN: Final = Path(__file__).parents[1] / "golden"
APART: Final = "603a_independent"  # lines of another form: see programmes/test_coupon_log_independent.py
KEY: Final = ("check", "who", "seat", "wager", "bettor", "serial", "patron", "table", "day")
Answer = Mapping[str, Any]


@cache
def hands(name: str) -> Sequence[Answer]:
    """Read the golden lines of one file."""
    return [json.loads(line) for line in (GOLDEN / name).read_text(encoding="utf-8").splitlines()]


@cache
def answers(name: str) -> Sequence[Answer]:
    """Audit one file as a whole and read what it answers, line by line."""
    lines = [hand["line"] if "line" in hand else json.dumps(hand["record"]) for hand in hands(name)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rounds.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        result = CliRunner().invoke(main, ["audit", str(path)])
    assert result.exit_code in {0, 1, 2}, result.exception
    given = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(given) == len(lines), "an answer for each line, in its place"
    return given


def files() -> list[str]:
    paths = [path.relative_to(GOLDEN) for path in sorted(GOLDEN.rglob("*.jsonl"))]
    return [path.as_posix() for path in paths if path.parts[0] != APART]


def every_hand() -> list[Any]:
    return [
        pytest.param(name, n, id=f"{name}:{n} {hand['why']}")
        for name in files()
        for n, hand in enumerate(hands(name), 1)
    ]


def in_order(findings: Sequence[Answer]) -> list[Answer]:
    return sorted(findings, key=lambda finding: [str(finding.get(part)) for part in KEY])


def assert_covers(given: Sequence[Answer], wanted: Sequence[Answer]) -> None:
    """Compare findings or notes pairwise: each field that is wanted is there, and no finding beyond."""
    names = [[finding.get(part) for part in KEY] for finding in in_order(given)]
    assert len(given) == len(wanted), names
    for found, expected in zip(in_order(given), in_order(wanted), strict=True):
        fields = {name: found.get(name) for name in expected if name != "citations"}
        assert fields == {name: value for name, value in expected.items() if name != "citations"}
        assert set(expected.get("citations", ())) <= set(found["citations"])


def proven(given: Answer, wanted: Answer) -> list[Answer]:
    """Leave out `data_missing` beside a mismatch: what is not known may be named there, or not."""
    beside = wanted["verdict"] == "mismatch"
    return [one for one in given["findings"] if not (beside and one["check"] == "data_missing")]


@pytest.mark.parametrize(("name", "n"), every_hand())
def test_golden_hand(name: str, n: int) -> None:
    wanted, given = hands(name)[n - 1]["answer"], answers(name)[n - 1]
    if "error" in wanted:
        assert given.keys() == {"line", "error"}
        assert given["line"] == n
        assert wanted["error"] in given["error"]
        return
    assert_covers(proven(given, wanted), wanted["findings"])
    assert given.get("expected") == wanted.get("expected")  # a case of a coupon log has no money
    assert ("expected" in given) is ("table" in given)
    assert given["verdict"] == wanted["verdict"]
    if "outcome" in wanted:
        assert given["outcome"] == wanted["outcome"]
    if "notes" in wanted:
        assert_covers(given["notes"], wanted["notes"])


def test_every_golden_line_says_what_it_proves() -> None:
    for name in files():
        reasons = [hand["why"] for hand in hands(name)]
        assert all(reasons)
        assert len(set(reasons)) == len(reasons), name
