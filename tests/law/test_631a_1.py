"""631a.1: definitions, and from when the chapter and its amendment are in force."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from schemas.errors import BadInput, NotInForce
from schemas.house import House
from schemas.rulebook import rulebook
from tests.law.baccarat_table import (
    BANKER_BY_1,
    DRAGON_7,
    PANDA_8,
    PLAYER_BY_1,
    audit,
    bet,
    checks,
    deal,
    owed,
    owed_by,
    paid,
)


def evening(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, 20, tzinfo=UTC)


def test_631a_1() -> None:
    # Natural: Player 4 + 4 = 8 on two cards to Banker K + 3 = 3; it is paid 1 to 1, not by its margin of 5.
    assert owed_by(
        "631a.8(a)(4)(i)(A)", deal("4c 4d", "Kd 3d"), "dragon_bonus_player", 1000, dragon_bonus="A"
    ) == (
        1000,
        0,
    )
    # No Natural: Player 5 + 3 = 8 on three cards; Banker 4 against a 3 draws a king and stays at 4: margin 4,
    # which table C pays 2 to 1.
    assert owed_by(
        "631a.8(a)(4)(i)(C)", deal("Kc 5c 3c", "Kd 4d Kh"), "dragon_bonus_player", 1000, dragon_bonus="C"
    ) == (2000, 0)
    # The Banker's Hand likewise: 4 + 4 = 8 on two cards to 3, and 4 + 4 = 8 on three, where the K + 4 draws
    # against a 4, to the Player's 4.
    natural, on_three = deal("Kd 3d", "4c 4d"), deal("Kc Qc 4c", "Kd 4d 4h")
    of_banker = "dragon_bonus_banker", 1000
    assert owed_by("631a.8(a)(4)(i)(A)", natural, *of_banker, dragon_bonus="A") == (1000, 0)
    assert owed_by("631a.8(a)(4)(i)(C)", on_three, *of_banker, dragon_bonus="C") == (2000, 0)


@pytest.mark.parametrize("points", ["8", "9"])
def test_631a_1_natural_ends_the_drawing(points: str) -> None:
    natural = f"Kc {points}c"
    assert checks(audit(deal(natural, "Kd 2d"), bet("tie"))) == []
    assert checks(audit(deal("Kd 2d", natural), bet("tie"))) == []


@pytest.mark.parametrize(
    ("play", "is_one"),
    [
        (DRAGON_7, True),  # 7 on three cards to 6
        (deal("Kc Kd Kh", "Kd 2d 5d"), True),  # 7 on three cards to 0
        (BANKER_BY_1, False),  # 7 on two cards to 6
        (deal("Kc 5c 2c", "Kd 2d 5d"), False),  # 7 on three cards to 7
        (deal("Kc 5c 3c", "Kd 2d 5d"), False),  # 7 on three cards to 8
        (deal("Kc 6c", "Kd 4d 4c"), False),  # 8 on three cards to 6
        (deal("Kc 6c", "Kd 4d 5c"), False),  # 9 on three cards to 6
    ],
)
def test_631a_1_dragon_7(play: list[tuple[str, str]], *, is_one: bool) -> None:
    # 40 to 1 on $1
    assert owed(audit(play, bet("dragon_7", 100), ez=True), "dragon_7") == (4000 if is_one else -100, 0)


@pytest.mark.parametrize(
    ("play", "is_one"),
    [
        (PANDA_8, True),  # 8 on three cards to 7
        (deal("Kc 5c 3c", "Kd Kh Ks"), True),  # 8 on three cards to 0
        (deal("Kc 8c", "Kd 7d"), False),  # 8 on two cards, a Natural
        (deal("Kc 5c 3c", "Kd 2d 6d"), False),  # 8 on three cards to 8
        (deal("Kc 5c 3c", "Kd 2d 7d"), False),  # 8 on three cards to 9
        (deal("Kc 5c 2c", "Kd 6d"), False),  # 7 on three cards to 6
        (deal("Kc 5c 4c", "Kd 7d"), False),  # 9 on three cards to 7
    ],
)
def test_631a_1_panda_8(play: list[tuple[str, str]], *, is_one: bool) -> None:
    # 25 to 1 on $1
    assert owed(audit(play, bet("panda_8", 100), ez=True), "panda_8") == (2500 if is_one else -100, 0)


def test_631a_1_ez_takes_no_vigorish() -> None:
    assert owed(audit(BANKER_BY_1, bet("banker", 10_000), ez=True), "banker") == (10_000, 0)
    assert owed(audit(BANKER_BY_1, bet("banker", 10_000), ez=False), "banker") == (10_000, 500)
    # Rounding up has nothing to round.
    assert owed(audit(BANKER_BY_1, bet("banker", 100), ez=True, vigorish_rounding_cents=25), "banker") == (
        100,
        0,
    )


def test_631a_1_not_in_force_before_2012_05_19() -> None:
    concluded = audit(
        PLAYER_BY_1,
        bet("player"),
        bet("banker", seat=2),
        settled=[paid("player", 0)],
        announced="banker",
        at=evening(2012, 5, 18),
    )
    assert concluded.verdict == "undetermined"
    assert checks(concluded) == ["not_in_force"]
    assert concluded.findings[0].citations == ("631a.1",)
    assert concluded.outcome is None
    assert [(each.cents, each.vigorish_cents) for each in concluded.expected] == [(None, None), (None, None)]
    with pytest.raises(NotInForce, match="2012-05-19"):
        rulebook("631a", date(2012, 5, 18), {})


def test_631a_1_reconstructed_from_2012_05_19() -> None:
    concluded = audit(PLAYER_BY_1, bet("player"), settled=[paid("player", 0)], at=evening(2012, 5, 19))
    assert concluded.verdict == "mismatch"
    assert [finding.status for finding in concluded.findings] == ["reconstructed"]
    book = rulebook("631a", date(2012, 5, 19), {})
    assert (book.since, book.status) == (date(2012, 5, 19), "reconstructed")


def test_631a_1_reconstructed_until_2014_01_31() -> None:
    book = rulebook("631a", date(2014, 1, 31), {})
    assert (book.since, book.status) == (date(2012, 5, 19), "reconstructed")
    for later in ("dragon_7_odds", "panda_8_odds", "house_money_odds"):
        with pytest.raises(NotInForce):
            book.number(later)
    for wager in ("dragon_7", "panda_8", "house_money"):
        assert book.wager_law(wager) is None


def test_631a_1_adopted_from_2014_02_01() -> None:
    concluded = audit(PLAYER_BY_1, bet("player"), settled=[paid("player", 0)], at=evening(2014, 2, 1))
    assert [finding.status for finding in concluded.findings] == ["adopted"]
    book = rulebook("631a", date(2014, 2, 1), {})
    assert (book.since, book.status) == (date(2014, 2, 1), "adopted")


@pytest.mark.parametrize("option", ["ez", "house_money"])
def test_631a_1_option_not_yet_law(option: str) -> None:
    chosen: dict[str, Any] = {option: True}
    before = audit(BANKER_BY_1, bet("banker"), at=evening(2014, 1, 31), **chosen)
    assert before.verdict == "mismatch"
    assert checks(before) == ["wager_not_permitted"]
    assert owed(before, "banker") == (10_000, 500)  # as without the option: 5% of $100
    after = audit(BANKER_BY_1, bet("banker"), at=evening(2014, 2, 1), **chosen)
    assert checks(after) == []


@pytest.mark.parametrize(
    ("wager", "option"), [("dragon_7", "ez"), ("panda_8", "ez"), ("house_money", "house_money")]
)
def test_631a_1_wager_not_yet_law(wager: str, option: str) -> None:
    chosen: dict[str, Any] = {option: True}
    before = audit(BANKER_BY_1, bet(wager), at=evening(2014, 1, 31), **chosen)
    assert before.verdict == "mismatch"
    assert checks(before) == ["wager_not_permitted"]
    assert owed(before, wager) == (None, None)
    after = audit(BANKER_BY_1, bet(wager), at=evening(2014, 2, 1), **chosen)
    assert checks(after) == []
    assert owed(after, wager) == (-10_000, 0)


def test_631a_1_option_not_yet_law_beside_another_fault() -> None:
    late = [("dealer", "no_more_bets"), ("seat1", "increase banker"), *BANKER_BY_1]
    concluded = audit(late, bet("banker"), at=evening(2014, 1, 31), ez=True)
    assert sorted(checks(concluded)) == ["late_wager", "wager_not_permitted"]


@pytest.mark.parametrize("wager", ["player", "banker", "tie", "dragon_bonus_player", "dragon_bonus_banker"])
def test_631a_1_wager_of_2012(wager: str) -> None:
    concluded = audit(BANKER_BY_1, bet(wager), at=evening(2012, 5, 19), dragon_bonus="A")
    assert concluded.verdict == "clean"


@pytest.mark.parametrize(
    ("at", "starts", "in_force"),
    [
        # Daylight saving time: 06:00 in Pennsylvania is 10:00 UTC.
        (datetime(2012, 5, 19, 9, 59, 59, tzinfo=UTC), "06:00", False),
        (datetime(2012, 5, 19, 10, 0, 0, tzinfo=UTC), "06:00", True),
        (datetime(2012, 5, 19, 3, 59, 59, tzinfo=UTC), "00:00", False),
        (datetime(2012, 5, 19, 4, 0, 0, tzinfo=UTC), "00:00", True),
    ],
)
def test_631a_1_gaming_day_decides_the_text(at: datetime, starts: str, *, in_force: bool) -> None:
    house = House(house="a house of the tests", gaming_day_starts=starts)
    concluded = audit(PLAYER_BY_1, bet("player"), at=at, house=house)
    assert checks(concluded) == ([] if in_force else ["not_in_force"])
    assert concluded.gaming_date == (date(2012, 5, 19) if in_force else date(2012, 5, 18))


def test_631a_1_gaming_day_in_winter() -> None:
    # Standard time: 06:00 in Pennsylvania is 11:00 UTC.
    night = datetime(2014, 2, 1, 10, 59, 59, tzinfo=UTC)
    morning = datetime(2014, 2, 1, 11, 0, 0, tzinfo=UTC)
    assert checks(audit(DRAGON_7, bet("dragon_7"), at=night, ez=True)) == ["wager_not_permitted"]
    assert checks(audit(DRAGON_7, bet("dragon_7"), at=morning, ez=True)) == []


def test_631a_1_unknown_option() -> None:
    with pytest.raises(BadInput, match="ez_baccarat"):
        audit(PLAYER_BY_1, bet("player"), ez_baccarat=True)
    with pytest.raises(BadInput, match="ez"):
        audit(PLAYER_BY_1, bet("player"), ez="yes")
