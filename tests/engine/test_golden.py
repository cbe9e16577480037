"""Hands worked by hand from the text, judged by the program: see tests/golden/README.md.

Each file goes through `discardrack audit` once, as a user would send it, and each of its lines is compared. A
file is a test, not a line: four thousand more tests cost each process that runs tests seconds to list them.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.builders.golden import Answer, golden_answers, golden_files, golden_hands

KEY: Final = ("check", "who", "seat", "wager", "bettor", "serial", "patron", "table", "day")


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
    """Return findings without `data_missing` next to a mismatch, where it is optional."""
    beside = wanted["verdict"] == "mismatch"
    return [one for one in given["findings"] if not (beside and one["check"] == "data_missing")]


def assert_answered(n: int, given: Answer, wanted: Answer) -> None:
    """Compare what was answered to a file's line `n` with what the text demands."""
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


@pytest.mark.parametrize("name", golden_files())
def test_golden_hands(golden: Path, name: str) -> None:
    wrong = []
    for n, (hand, given) in enumerate(zip(golden_hands(name), golden_answers(golden, name), strict=True), 1):
        try:
            assert_answered(n, given, hand["answer"])
        except AssertionError as error:
            wrong.append(f"{name}:{n} {hand['why']}\n{error}")
    assert not wrong, "\n\n".join(wrong)


def test_every_golden_line_says_what_it_proves() -> None:
    for name in golden_files():
        reasons = [hand["why"] for hand in golden_hands(name)]
        assert all(reasons)
        assert len(set(reasons)) == len(reasons), name
