"""Match Play Coupons, 603a.21, under the wagers of a house that holds Chapter 551 in force that long."""

from datetime import UTC, date, datetime
from typing import Final

import pytest

from projections.engine.audit.round_records import answer
from projections.engine.conclusion import Conclusion
from schemas.house import House
from schemas.law_text import Span
from schemas.record import RecordWager, RoundRecord
from tests.law.spanish21_table import found, owed, play_of

HOUSE: Final = House(house="longer", in_force={"551": Span(until=date(2030, 1, 1))})


def audit(cards: str, coupon: int, year: int = 2025) -> Conclusion:
    record = RoundRecord(
        table="SP-1",
        round="1",
        chapter="551",
        at=datetime(year, 1, 1, 20, tzinfo=UTC),
        play=play_of(cards),
        wagers=[RecordWager(1, "wager", 1000, coupon_cents=coupon, coupon="MP-1")],
    )
    return answer(record, HOUSE)


@pytest.mark.parametrize(
    ("cards", "coupon", "gain"),
    [
        ("1:Kd D:9c 1:Qs D:Kh 1:stand", 500, 1500),
        ("1:Kd D:9c 1:As D:Kh", 500, 2250),  # 3 to 2 on both
        ("1:Kd D:9c 1:8s D:Kh 1:stand", 500, -1000),
        ("1:Kd D:9c 1:9s D:Kh 1:stand", 500, 0),
        ("1:Kd D:9c 1:6s D:Kh 1:surrender", 500, -500),
    ],
)
def test_551_coupon(cards: str, coupon: int, gain: int) -> None:
    concluded = audit(cards, coupon)
    assert (found(concluded), owed(concluded)) == ([], {"1 wager": gain})


def test_551_coupon_that_does_not_count() -> None:
    concluded = audit("1:Kd D:9c 1:Qs D:Kh 1:stand", 1001)
    assert [check for check, _ in found(concluded)] == ["coupon_over_chips"]
    assert owed(concluded) == {"1 wager": 1000}
    early = audit("1:Kd D:9c 1:Qs D:Kh 1:stand", 500, year=2012)
    assert (early.verdict, [check for check, _ in found(early)]) == ("undetermined", ["not_in_force"])
    assert owed(early) == {"1 wager": None}
