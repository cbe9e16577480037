"""603a.21: Match Play Coupons under a wager of Baccarat."""

from datetime import UTC, datetime

import pytest

from projections.judge import judge
from projections.records import book_of, to_round
from schemas.law_text import chapter
from schemas.record import RecordWager, RoundRecord
from tests.law.baccarat_table import (
    BANKER_BY_1,
    HOUSE,
    PLAYER_BY_1,
    TIE_AT_6,
    audit,
    bet,
    checks,
    deal,
    owed,
    paid,
)

BEFORE = datetime(2013, 2, 8, 20, tzinfo=UTC)
AFTER = datetime(2013, 2, 9, 20, tzinfo=UTC)


@pytest.mark.parametrize(("chips", "coupon"), [(1000, 1000), (2500, 1000), (1000, 1)])
def test_603a_21_b(chips: int, coupon: int) -> None:
    # Chips of at least the coupon's value: a win at 1 to 1 pays chips and coupon.
    concluded = audit(PLAYER_BY_1, bet("player", chips, coupon=coupon))
    assert concluded.verdict == "clean"
    assert owed(concluded, "player") == (chips + coupon, 0)


@pytest.mark.parametrize("coupon", [1001, 5000])
def test_603a_21_b_over_chips(coupon: int) -> None:
    # Chips of $10 do not carry it: the wager is settled on the chips alone.
    concluded = audit(PLAYER_BY_1, bet("player", 1000, coupon=coupon), settled=[paid("player", 1000)])
    assert (concluded.verdict, checks(concluded)) == ("mismatch", ["coupon_over_chips"])
    finding = concluded.findings[0]
    assert (finding.seat, finding.wager, finding.citations) == (1, "player", ("603a.21(b)",))
    says = {1001: "the coupon of $10.01", 5000: "the coupon of $50.00"}[coupon]
    assert finding.message == f"{says} is worth more than the chips of $10.00"
    assert owed(concluded, "player") == (1000, 0)


def test_603a_21_b_vigorish() -> None:
    # $10 and a coupon of $10 under a Banker Wager: $20 won, 5% is $1.
    concluded = audit(BANKER_BY_1, bet("banker", 1000, coupon=1000), settled=[paid("banker", 2000, 100)])
    assert concluded.verdict == "clean"
    assert owed(concluded, "banker") == (2000, 100)


@pytest.mark.parametrize(("pays", "gain"), [("wager", 16_000), ("even", 9000)])
def test_603a_21_b_terms(pays: str, gain: int) -> None:
    # A Tie Wager of $10 and $10: 8 to 1 on both is $160; 8 to 1 on the chips and the coupon's $10 is $90.
    concluded = audit(TIE_AT_6, bet("tie", 1000, coupon=1000), match_play_pays=pays)
    assert owed(concluded, "tie") == (gain, 0)


@pytest.mark.parametrize("pays", ["wager", "even"])
def test_603a_21_b_terms_at_1_to_1(pays: str) -> None:
    assert owed(audit(PLAYER_BY_1, bet("player", 1000, coupon=500), match_play_pays=pays), "player") == (
        1500,
        0,
    )
    assert owed(audit(BANKER_BY_1, bet("banker", 1000, coupon=500), match_play_pays=pays), "banker") == (
        1500,
        75,
    )


def test_603a_21_d() -> None:
    concluded = audit(
        PLAYER_BY_1,
        bet("player", 1000, coupon=1000),
        bet("tie", 1000, coupon=1000),
        bet("player", 1000, coupon=1000, seat=2),
    )
    assert (concluded.verdict, checks(concluded)) == ("mismatch", ["second_coupon"])
    finding = concluded.findings[0]
    assert (finding.seat, finding.wager, finding.citations) == (1, "tie", ("603a.21(d)",))
    assert owed(concluded, "player") == (2000, 0)
    assert owed(concluded, "tie") == (-1000, 0)
    assert owed(concluded, "player", seat=2) == (2000, 0)  # another patron


def test_603a_21_d_settled_on_the_chips() -> None:
    # The second coupon would have paid $80 more at 8 to 1.
    concluded = audit(TIE_AT_6, bet("player", 1000, coupon=1000), bet("tie", 1000, coupon=1000))
    assert checks(concluded) == ["second_coupon"]
    assert owed(concluded, "tie") == (8000, 0)


def test_603a_21_d_two_persons_on_a_seat() -> None:
    concluded = audit(
        PLAYER_BY_1,
        bet("player", 1000, coupon=1000, bettor="anna"),
        bet("player", 1000, coupon=1000, bettor="bela"),
    )
    assert concluded.verdict == "clean"
    assert [each.cents for each in concluded.expected] == [2000, 2000]


def test_603a_21_d_whose() -> None:
    concluded = audit(
        PLAYER_BY_1,
        bet("player", 1000, coupon=1000, bettor="anna"),
        bet("tie", 1000, coupon=1000, bettor="anna"),
        bet("tie", 1000, coupon=1000, bettor="bela"),
    )
    assert [(each.check, each.bettor) for each in concluded.findings] == [("second_coupon", "anna")]


def test_603a_21_d_two_under_one_wager() -> None:
    # The chip reader sees the second one; a record has no place for it.
    record = RoundRecord(
        table="BAC-1",
        round="1",
        chapter="631a",
        at=AFTER,
        play=PLAYER_BY_1,
        wagers=[bet("player", 1000, coupon=1000), bet("player", 1000, coupon=1000, seat=2)],
    )
    seen = to_round(record, HOUSE)
    seen.second_coupons = [(1, None, "player", None)]
    concluded = judge(seen, book_of(record, HOUSE))
    assert [(each.check, each.seat, each.citations) for each in concluded.findings] == [
        ("second_coupon", 1, ("603a.21(d)",))
    ]
    assert [each.cents for each in concluded.expected] == [1000, 2000]
    # One over the chips is that mistake first.
    seen.wagers[1, None, "player", None].coupon_cents = 2000
    assert checks(judge(seen, book_of(record, HOUSE))) == ["coupon_over_chips"]


def test_603a_21_d_one_that_does_not_count_uses_nothing_up() -> None:
    # The first is refused for its value, so the second is the one of the round.
    concluded = audit(PLAYER_BY_1, bet("tie", 1000, coupon=2000), bet("player", 1000, coupon=1000))
    assert checks(concluded) == ["coupon_over_chips"]
    assert owed(concluded, "player") == (2000, 0)


def test_603a_21_e() -> None:
    # Lost: the chips are collected, the coupon goes to the drop box and costs the patron nothing.
    lost = audit(BANKER_BY_1, bet("player", 2500, coupon=1000), settled=[paid("player", -2500)])
    assert lost.verdict == "clean"
    # Tied: the text is silent; nothing is won or lost.
    assert owed(audit(TIE_AT_6, bet("player", 2500, coupon=1000)), "player") == (0, 0)


def test_603a_21_b_by_name_only() -> None:
    # A coupon without a stated value is one all the same: the next on the seat is the second.
    named = RecordWager(1, "player", 1000, coupon="MP-7")
    concluded = audit(PLAYER_BY_1, named, bet("tie", 1000, coupon=500))
    assert checks(concluded) == ["second_coupon"]
    assert owed(concluded, "player") == (1000, 0)


def test_603a_21_from_2013_02_09() -> None:
    before = audit(PLAYER_BY_1, bet("player", 1000, coupon=1000), at=BEFORE)
    assert (before.verdict, checks(before)) == ("mismatch", ["coupon_not_permitted"])
    assert before.findings[0].citations == ("603a.21(b)",)
    assert owed(before, "player") == (1000, 0)
    after = audit(PLAYER_BY_1, bet("player", 1000, coupon=1000), at=AFTER)
    assert after.verdict == "clean"
    assert owed(after, "player") == (2000, 0)


def test_603a_21_text() -> None:
    law = chapter("603a")
    assert law.chapter == "603a"
    (text,) = law.texts.values()
    assert (text.status, text.source) == ("proposed", "43 Pa.B. 834")
    assert law.numbers_on(BEFORE.date()) == {}
    one = law.numbers_on(AFTER.date())["coupons_a_round"]
    assert (one.value, one.cite) == (1, "603a.21(d)")


def test_603a_21_is_proposed() -> None:
    concluded = audit(PLAYER_BY_1, bet("player", 1000, coupon=2000), at=AFTER)
    assert [finding.status for finding in concluded.findings] == ["proposed"]


def test_603a_21_b_house_money() -> None:
    # $10 of chips and a coupon of $10 on House Money, one pair at 3 to 1: $60.
    concluded = audit(deal("9c 9h", "Kd 7d"), bet("house_money", 1000, coupon=1000), house_money=True)
    assert owed(concluded, "house_money") == (6000, 0)
