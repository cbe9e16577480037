"""681a.6: the wagers, how they win, and when they are made."""

import pytest

from projections.engine.audit.round_records import answer
from projections.engine.conclusion import Conclusion
from projections.engine.games.baccarat21 import Baccarat21
from projections.engine.observation import Doubt, Key, Round, Wager
from schemas.record import RecordWager, RoundRecord
from schemas.rulebook import rulebook
from tests.builders.texts import text_of, verbatim_fact
from tests.law.baccarat21_table import EVENING, audit, checks, cited, owed, owed_by
from tests.law.baccarat_table import HOUSE, NO_MORE_BETS, deal

PLAYER_19: str = "Kc 9c"
BANKER_18: str = "Kd 8d"


def lacking(concluded: Conclusion) -> list[tuple[object, object, tuple[str, ...]]]:
    """Return the seats and wagers of which it is found that one on a hand lacks, and what that stands on."""
    return [
        (each.seat, each.wager, each.citations)
        for each in concluded.findings
        if each.check == "stake_missing"
    ]


def alone(*wagers: str) -> Conclusion:
    """Judge optional wagers of seat 1 that nobody's wager on a hand lies beside."""
    made = [RecordWager(1, wager, 100) for wager in wagers]
    return answer(RoundRecord("B21-1", "1", "681a", EVENING, deal(PLAYER_19, BANKER_18), made), HOUSE)


def test_681a_6() -> None:
    named = [("player", 100), ("banker", 100), ("tie", 100), ("bonus_player", 100), ("bonus_banker", 100)]
    assert audit(deal(PLAYER_19, BANKER_18), *named).verdict == "clean"
    for other in ("dragon_7", "house_money", "insurance", "bonus", "pair"):
        concluded = audit(deal(PLAYER_19, BANKER_18), (other, 100))
        assert checks(concluded) == [("wager_not_permitted", "")]
        assert cited(concluded) == {"681a.6(c)", "681a.6(d)"}
        assert text_of(concluded.findings[0].message) == (
            f"the text knows no wager {other.replace('_', ' ')!r}; "
            "it has player, banker, tie, bonus player, bonus banker"
        )
        assert owed(concluded) == {other: None}


@pytest.mark.parametrize("move", ["place", "increase", "reduce"])
@pytest.mark.parametrize("wager", ["player", "banker", "tie", "bonus_player", "bonus_banker"])
def test_681a_6_b(wager: str, move: str) -> None:
    said = ("seat1", f"{move} {wager}")
    late = audit([NO_MORE_BETS, said, *deal(PLAYER_19, BANKER_18)], (wager, 100))
    assert checks(late) == [("late_wager", "")]
    assert cited(late) == {"681a.6(b)"}
    assert owed(late) == {wager: None}
    assert audit([said, NO_MORE_BETS, *deal(PLAYER_19, BANKER_18)], (wager, 100)).verdict == "clean"


def test_681a_6_c() -> None:
    both = audit(deal(PLAYER_19, BANKER_18), ("player", 100), ("banker", 200))
    assert (both.verdict, owed(both)) == ("clean", {"player": 100, "banker": -200})
    for wager in ("tie", "bonus_player", "bonus_banker"):
        assert lacking(alone(wager)) == [(1, wager, ("681a.6(c)", "681a.6(d)"))]
    for hand in ("player", "banker"):  # a wager on either is enough
        assert lacking(audit(deal(PLAYER_19, BANKER_18), (hand, 100), ("tie", 100))) == []
    test_681a_6()


# Two hands, and which of them is the better one.
HIGHER_OF_TWO = [("Kc 9c", "Kd 8d"), ("Ac Tc", "Kd Qd"), ("Tc 6c 5c", "Kd Td"), ("2c 3c 4c", "2d 3d 3h")]
LOWER_OVER_21 = [("9c 7c 6c", "Td 6d 8d"), ("Tc 6c 9c", "Td 6d Kd"), ("Tc 2c Kc", "Td 3d Kd")]


@pytest.mark.parametrize(("better", "worse"), HIGHER_OF_TWO)
def test_681a_6_c_1(better: str, worse: str) -> None:
    assert owed(audit(deal(better, worse), ("player", 1000))) == {"player": 1000}
    assert owed(audit(deal(worse, better), ("player", 1000))) == {"player": -1000}


def test_681a_6_c_1_i() -> None:
    assert owed(audit(deal("Tc 6c 5c", "Kd Td"), ("player", 1000))) == {"player": 1000}  # 21 is 21 or less
    assert owed(audit(deal("Tc 6c 6d", "Kd Td"), ("player", 1000))) == {"player": -1000}  # 22 is not


@pytest.mark.parametrize(("better", "worse"), LOWER_OVER_21)
def test_681a_6_c_1_ii(better: str, worse: str) -> None:
    assert owed(audit(deal(better, worse), ("player", 1000))) == {"player": 1000}
    assert owed(audit(deal(worse, better), ("player", 1000))) == {"player": -1000}


@pytest.mark.parametrize(("better", "worse"), HIGHER_OF_TWO)
def test_681a_6_c_2(better: str, worse: str) -> None:
    assert owed(audit(deal(worse, better), ("banker", 1000))) == {"banker": 1000}
    assert owed(audit(deal(better, worse), ("banker", 1000))) == {"banker": -1000}


def test_681a_6_c_2_i() -> None:
    assert owed(audit(deal("Kc Tc", "Td 6d 5d"), ("banker", 1000))) == {"banker": 1000}
    assert owed(audit(deal("Kc Tc", "Td 6d 6h"), ("banker", 1000))) == {"banker": -1000}


@pytest.mark.parametrize(("better", "worse"), LOWER_OVER_21)
def test_681a_6_c_2_ii(better: str, worse: str) -> None:
    assert owed(audit(deal(worse, better), ("banker", 1000))) == {"banker": 1000}
    assert owed(audit(deal(better, worse), ("banker", 1000))) == {"banker": -1000}


def test_681a_6_d() -> None:
    offered = [("player", 100), ("tie", 100), ("bonus_player", 100), ("bonus_banker", 100)]
    concluded = audit(deal("Qc Qd", "Kd Kh"), *offered)
    assert (concluded.verdict, owed(concluded)) == (
        "clean",
        {"player": 0, "tie": 1000, "bonus_player": 300, "bonus_banker": 300},
    )


@pytest.mark.parametrize("wager", ["tie", "bonus_player", "bonus_banker"])
@pytest.mark.parametrize("on", ["player", "banker"])
def test_681a_6_d_beside_a_wager_on_a_hand(wager: str, on: str) -> None:
    cards = deal(PLAYER_19, BANKER_18)
    assert lacking(audit(cards, (on, 100), (wager, 100))) == []
    concluded = alone(wager)
    assert lacking(concluded) == [(1, wager, ("681a.6(c)", "681a.6(d)"))]
    # It ought not to lie there; what becomes of it no text says.
    assert (concluded.verdict, owed(concluded)) == ("mismatch", {wager: None})


def test_681a_6_d_each_wager_of_a_person() -> None:
    every = ("tie", "bonus_player", "bonus_banker")
    assert [wager for _, wager, _ in lacking(alone(*every))] == list(every)


@pytest.mark.parametrize(
    ("own", "other", "notes"),
    [
        (("anna", 1), ("anna", 1), 0),
        (("anna", 1), ("ben", 1), 1),  # the hand is another's
        (("anna", 1), (None, 1), 0),  # whose it is was not told
        ((None, 1), ("ben", 1), 0),
        ((None, 1), (None, 2), 1),  # another seat is another player
    ],
)
def test_681a_6_d_whose_wager_it_is(
    own: tuple[str | None, int], other: tuple[str | None, int], notes: int
) -> None:
    wagers = [
        RecordWager(own[1], "tie", 100, bettor=own[0]),
        RecordWager(other[1], "player", 100, bettor=other[0]),
    ]
    record = RoundRecord("B21-1", "1", "681a", EVENING, deal(PLAYER_19, BANKER_18), wagers)
    assert len(lacking(answer(record, HOUSE))) == notes


def test_681a_6_d_a_wager_on_a_hand_that_is_in_doubt_is_one() -> None:
    key: Key = Key(1, None, "player", None)
    conflict = Doubt("source_conflict", key, verbatim_fact("chips read nothing, the camera 100"))
    cards = deal(PLAYER_19, BANKER_18)
    tie: Key = Key(1, None, "tie", None)
    for doubts, expected in (([], {tie}), ([conflict], set())):
        seen = Round(
            "B21-1", "1", EVENING.date(), 0, play=cards, wagers={tie: Wager(100)}, doubts=list(doubts)
        )
        book = rulebook("681a", EVENING.date(), {})
        assert set(Baccarat21().wager_faults(seen, book)) == expected


def test_681a_6_d_1() -> None:
    assert owed_by(["681a.7(k)(1)(i)"], deal("Kc 9c", "Ad 8d"), "tie", 100) == 1000  # 19 and 19
    assert owed_by(["681a.7(k)(1)(ii)"], deal("Kc 9c", "Ad 9d"), "tie", 100) == -100
    assert owed_by(["681a.7(k)(1)(i)"], deal("Tc 6c Kc", "9d 7d Qd"), "tie", 100) == 1000  # 26 and 26
    # Two aces are worth 12 and tie no other 12.
    assert owed_by(["681a.7(k)(1)(ii)"], deal("Ac Ad", "Td 2d"), "tie", 100) == -100
    assert owed_by(["681a.7(k)(1)(ii)"], deal("Td 2d", "Ac Ad"), "tie", 100) == -100
    assert owed_by(["681a.7(k)(1)(i)"], deal("Ac Ad", "Ah As"), "tie", 100) == 1000
    assert owed_by(["681a.7(k)(1)(i)"], deal("Ac Ad", "Td 2d"), "tie", 100, ace_ace_tie="value") == 1000


# A pair and what is better, with what 100 cents win by paytable D.
PAIR_OR_BETTER = [
    ("9c 9d", 300),
    ("9c 5d 7h", 500),
    ("5c 7d 6h", 1000),
    ("4c 4d 4h", 4000),
    ("7c 7d 7h", 10000),
]


def test_681a_6_d_2() -> None:
    for hand, won in PAIR_OR_BETTER:
        assert owed_by(["681a.7(k)(2)(i)"], deal(hand, "Kd 8d"), "bonus_player", 100) == won
    assert owed_by(["681a.7(k)(2)(ii)"], deal("Kc 8c", "9d 9h"), "bonus_player", 100) == -100


def test_681a_6_d_3() -> None:
    for hand, won in PAIR_OR_BETTER:
        assert owed_by(["681a.7(k)(3)(i)"], deal("Ks 8s", hand), "bonus_banker", 100) == won
    assert owed_by(["681a.7(k)(3)(ii)"], deal("9c 9d", "Kd 8d"), "bonus_banker", 100) == -100
