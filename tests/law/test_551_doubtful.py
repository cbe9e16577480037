"""Decisions that the clocks do not part from a card of their seat."""

import pytest

from projections.engine.games.spanish21 import Spanish21
from projections.engine.observation import CloseActs, Round
from tests.law.spanish21_table import EVENING, play_of

PLAY = play_of("1:5d 2:Kd D:9c 1:6s 2:8s D:Kh 1:double 1:9h 2:stand D:2d")


@pytest.mark.parametrize(
    ("act", "other", "doubted"),
    [
        (6, 7, True),  # the double and its card
        (6, 3, True),  # the double and the second card dealt
        (6, 4, False),  # a card of another seat
        (6, 5, False),  # the dealer's card
        (8, 9, False),
        (8, 6, False),  # two decisions
        (7, 3, False),  # two cards
    ],
)
def test_551_near(act: int, other: int, doubted: bool) -> None:  # noqa: FBT001  a case of the table
    seen = Round("SP-1", "1", EVENING.date(), 0, play=PLAY, close_acts=[CloseActs(act, other, ("READER",))])
    doubts = Spanish21().doubts(seen)
    assert [(doubt.check, doubt.scope, doubt.device) for doubt in doubts] == (
        [("data_missing", "cards", "READER")] if doubted else []
    )
