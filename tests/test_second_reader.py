"""Where the shoe was not heard and the camera alone saw the cards: what that proves, and what it does not."""

from datetime import date

import pytest

from projections.judge import judge
from projections.remembering import counted
from projections.round import Round
from projections.table import Shoe
from schemas.rulebook import rulebook

DAY = date(2025, 3, 1)
# The Player's Hand has 5 and must draw; no third card lay there.
SHORT = [("player", "2c"), ("banker", "Kd"), ("player", "3c"), ("banker", "7h")]


@pytest.mark.parametrize(("covered", "verdict"), [(False, "mismatch"), (True, "undetermined")])
def test_a_card_that_was_due_may_not_have_been_there_to_deal(covered: bool, verdict: str) -> None:  # noqa: FBT001  a case
    concluded = judge(Round("BAC-1", "1", DAY, 0, play=SHORT, covered=covered), rulebook("631a", DAY, {}))
    assert concluded.verdict == verdict
    (finding,) = concluded.findings
    assert (finding.check, finding.weight) == ("third_card_missing", verdict)


@pytest.mark.parametrize(("covered", "surplus"), [(False, 1), (True, 0)])
def test_what_one_camera_reads_proves_no_card_too_many(covered: bool, surplus: int) -> None:  # noqa: FBT001  a case
    shoe = Shoe("A", seen={"2c": 8})
    assert len(counted(Round("BAC-1", "1", DAY, 0, play=SHORT, covered=covered), shoe, 8)) == surplus
