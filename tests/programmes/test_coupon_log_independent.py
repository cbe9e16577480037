"""Coupon logs worked from the text by a second reader, judged by the program: see the README beside the data.

Each file goes through `discardrack audit` once, as a user would send it, and each of its lines is compared.
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

GOLDEN: Final = Path(__file__).parents[1] / "golden" / "603a_independent"
NAMES: Final = sorted(path.name for path in GOLDEN.glob("*.jsonl"))
ABOUT: Final = ("check", "serial", "patron", "table", "day")
Answer = Mapping[str, Any]


@cache
def cases(name: str) -> Sequence[Answer]:
    """Read the lines of one file."""
    return [json.loads(line) for line in (GOLDEN / name).read_text(encoding="utf-8").splitlines()]


@cache
def answers(name: str) -> tuple[int, Sequence[Answer]]:
    """Audit one file as a whole: the exit status, and what is answered to each line."""
    lines = [
        case.get("line") or json.dumps({"case": n, "events": case["events"]})
        for n, case in enumerate(cases(name), 1)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "coupons.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        result = CliRunner().invoke(main, ["audit", str(path)])
    assert result.exit_code in {0, 1, 2}, result.exception
    given = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(given) == len(lines), "an answer for each line, in its place"
    return result.exit_code, given


def says(finding: Answer, wanted: Answer) -> bool:
    """Return True if a finding names what a case violates: the provision first, and what it is about."""
    about = {part: wanted[part] for part in ABOUT if part in wanted}
    first = finding["citations"][0]
    return first in wanted.get("citations", (first,)) and about.items() <= finding.items()


def assert_answered(n: int, given: Answer, wanted: Answer) -> None:
    """Compare what was answered to a file's line `n` with what the text demands."""
    if "error" in wanted:
        assert given.keys() == {"line", "error"}
        assert given["line"] == n
        assert wanted["error"] in given["error"]
        assert "\n" not in given["error"]
        return
    found = [(one["citations"], one["message"]) for one in given.get("findings", ())]
    assert given.get("verdict") == wanted["verdict"], found or given
    assert given["case"] == n
    if wanted["verdict"] == "clean":
        assert not found
    else:
        assert any(says(one, wanted) for one in given["findings"]), found


@pytest.mark.parametrize("name", NAMES)
def test_coupon_logs(name: str) -> None:
    wrong = []
    for n, (case, given) in enumerate(zip(cases(name), answers(name)[1], strict=True), 1):
        try:
            assert_answered(n, given, case["expect"])
        except AssertionError as error:
            wrong.append(f"{name}:{n} {case['why']}\n{error}")
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize("name", NAMES)
def test_the_exit_status_is_that_of_the_worst_answer(name: str) -> None:
    expected = [case["expect"] for case in cases(name)]
    unread = any("error" in each for each in expected)
    sound = all(each.get("verdict") == "clean" for each in expected)
    assert answers(name)[0] == (2 if unread else 0 if sound else 1)


def test_every_case_says_what_it_proves() -> None:
    for path in GOLDEN.glob("*.jsonl"):
        reasons = [case["why"] for case in cases(path.name)]
        assert all(reasons)
        assert len(set(reasons)) == len(reasons), path
