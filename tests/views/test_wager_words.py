"""What a person reads names a wager by words; its name in the round record is for programs."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from projections.engine.findings import Finding
from projections.engine.games import REGISTRY
from projections.engine.observation import Key, Wager
from projections.views.finding_text import finding_text
from projections.views.table_picture import staked
from projections.views.wager_view import weighed
from schemas.law_text import chapter
from tests.builders.golden import golden_answers, golden_files, golden_hands
from tests.builders.round_records import run_verb
from tests.builders.texts import verbatim_fact

# The wagers of every chapter whose names in the round record are no words.
CODES: Final = sorted({wager for number in REGISTRY for wager in chapter(number).wagers if "_" in wager})
# An option is told as the house file has it, where it is to be looked up.
OPTION: Final = re.compile(r"\((?:option [a-z_]+|in_force, until)\)")


def texts(audited: Path) -> Iterator[str]:
    """Yield all that is said of the hands that were worked by hand: of every game, and every wager."""
    for name in golden_files():
        for answer in golden_answers(audited, name):
            for finding in (*answer.get("findings", ()), *answer.get("notes", ())):
                yield finding["message"]
                yield from (step["says"] for step in finding.get("steps", ()))


@pytest.fixture(scope="module")
def said(golden: Path) -> list[str]:
    return [OPTION.sub("", text) for text in texts(golden)]


def test_no_finding_says_a_name_that_is_no_words(said: list[str]) -> None:
    assert [text for text in said if re.search(r"[a-z0-9]_[a-z0-9]", text)] == []


@pytest.mark.parametrize("wager", CODES)
def test_each_wager_is_spoken_of_in_words(said: list[str], wager: str) -> None:
    # Else the test above would not have seen it.
    assert any(wager.replace("_", " ") in text for text in said)


@pytest.mark.parametrize("wager", CODES)
def test_what_a_finding_does_not_say_itself_stands_before_it_in_words(wager: str) -> None:
    late = Finding(
        id="f", check="late_wager", weight="mismatch", severity="critical", status="adopted",
        citations=("631a.8(c)",), message=verbatim_fact("the wager was made late"), seat=5, wager=wager,
    )  # fmt: skip
    words = wager.replace("_", " ")
    assert finding_text(late) == f"seat 5 {words}: the wager was made late"


@pytest.mark.parametrize("wager", CODES)
def test_the_layout_is_described_in_words(wager: str) -> None:
    spot = weighed(Key(5, None, wager, None), Wager(2500), (None, None), None)
    assert staked(spot) == f"$25.00 on {wager.replace('_', ' ')}"


@pytest.mark.parametrize("name", ["623a/making.jsonl", "681a/late.jsonl", "631a/dragon_bonus.jsonl"])
def test_a_hand_put_back_on_the_table_is_described_in_words(tmp_path: Path, name: str) -> None:
    told_ = next(
        hand["record"] for hand in golden_hands(name) if any(code in json.dumps(hand) for code in CODES)
    )
    (tmp_path / "rounds.jsonl").write_text(json.dumps(told_) + "\n", encoding="utf-8")
    page = run_verb("hand", tmp_path / "rounds.jsonl", told_["table"], told_["round"]).stdout
    lines = [line for line in page.splitlines() if not line.lstrip().startswith("Option ")]
    # What is called as a check is looked for by that name.
    said_ = [re.sub(r"^ *[0-9a-f]{16} +[a-z_]+: ", "", line) for line in lines]
    assert [line for line in said_ if re.search(r"[a-z0-9]_[a-z0-9]", line)] == []
    assert any(code.replace("_", " ") in page for code in CODES)
