"""Chapter 631b as far as it could be read: 631b.9(a) to (f), Golden Talons."""

from datetime import date
from typing import Final

import pytest

from projections.engine.conclusion import Conclusion
from schemas.house import House, Submission
from schemas.side_wagers import SideWager
from tests.law.baccarat_table import (
    BANKER_BY,
    NO_MORE_BETS,
    PLAYER_BY,
    PLAYER_BY_1,
    Play,
    audit,
    bet,
    checks,
    deal,
    notes,
    owed,
    paid,
)

PLAYERS, BANKERS = "golden_talons_player", "golden_talons_banker"
NATURAL: Final = deal("Kc 8c", "Kd 7d")  # 8 to 7
BANKERS_NATURAL: Final = deal("Kc 7c", "Kd 8d")
NATURAL_BY_4: Final = deal("Kc 9c", "Kd 5d")  # a Natural 9 to 5
NATURALS: Final = deal("Kc 8c", "Kd 8d")
TIE_WITHOUT: Final = deal("Kc 7c", "Kd 7d")


def offering(paytable: str | None) -> House:
    """Return a house that offers the wager by a paytable, or by the citation alone."""
    by = SideWager("631b.9", paytable) if paytable is not None else "631b.9"
    offered = Submission(
        since=date(2024, 1, 1), chapter="631a", options={}, offered=dict.fromkeys((PLAYERS, BANKERS), by)
    )
    return House(house="a house of the tests", submissions=[offered])


def settle(play: Play, paytable: str | None = "A", pays: int | None = None) -> Conclusion:
    """Judge $1 on either hand beside $1 on a tie, which loses; the first is paid as said."""
    settled = None if pays is None else [paid(PLAYERS, pays), paid(BANKERS, -100), paid("tie", -100)]
    wagers = bet(PLAYERS, 100), bet(BANKERS, 100), bet("tie", 100)
    return audit(play, *wagers, settled=settled, house=offering(paytable))


def gains(play: Play, paytable: str = "A") -> list[int | None]:
    """Return what $1 on each hand is owed in cents."""
    concluded = settle(play, paytable)
    return [owed(concluded, wager)[0] for wager in (PLAYERS, BANKERS)]


def test_631b_9() -> None:
    without = settle(PLAYER_BY[9], None)
    assert (without.verdict, checks(without)) == ("undetermined", [])
    assert notes(without).count("wager_of_another_text") == 2
    assert gains(PLAYER_BY[9]) == [3000, -100]
    (finding,) = settle(PLAYER_BY[9], pays=3100).findings
    assert (finding.check, finding.citations[0]) == ("paid_too_much", "631b.9")
    # A Natural is paid even money, and two by paytable A tie.
    assert gains(NATURAL) == [100, -100]
    assert gains(BANKERS_NATURAL) == [-100, 100]
    assert gains(NATURALS) == [0, 0]


def test_631b_9_a() -> None:
    alone = audit(PLAYER_BY[9], bet(PLAYERS, 100), bet("tie", 100, seat=2), house=offering("A"))
    (finding,) = alone.findings
    assert (finding.check, finding.seat, finding.citations) == ("wager_not_permitted", 1, ("631b.9(a)",))
    assert owed(alone, PLAYERS) == (None, None)  # no text says how it is settled
    without_odds = audit(PLAYER_BY[9], bet(PLAYERS, 100), house=offering(None))
    assert checks(without_odds) == ["wager_not_permitted"]
    # A wager of 631a.8(a) of the same person, whichever it is; of another person on the spot it is none.
    beside = audit(PLAYER_BY[9], bet(PLAYERS, 100), bet("banker", 100), house=offering("A"))
    assert (checks(beside), owed(beside, PLAYERS)) == ([], (3000, 0))
    anna = bet(PLAYERS, 100, bettor="anna")
    of_another = audit(PLAYER_BY[9], anna, bet("tie", 100, bettor="bert"), house=offering("A"))
    assert checks(of_another) == ["wager_not_permitted"]
    elsewhere = audit(PLAYER_BY[9], anna, bet("tie", 100, seat=4, bettor="anna"), house=offering("A"))
    assert checks(elsewhere) == []
    # Where nobody is named it may be anyone's, and one that moved too late was made too.
    assert checks(audit(PLAYER_BY[9], anna, bet("tie", 100), house=offering("A"))) == []
    gone = [NO_MORE_BETS, ("seat1", "withdraw tie"), *PLAYER_BY[9]]
    assert checks(audit(gone, bet(PLAYERS, 100), house=offering("A"))) == ["late_wager"]


def test_631b_9_b() -> None:
    for move in ("place", "increase"):
        late = [NO_MORE_BETS, ("seat1", f"{move} {PLAYERS}"), *PLAYER_BY[9]]
        wagers = bet(PLAYERS, 100), bet("tie", 100)
        assert checks(audit(late, *wagers, house=offering("A"))) == ["late_wager"]
        in_time = [("seat1", f"{move} {PLAYERS}"), NO_MORE_BETS, *PLAYER_BY[9]]
        assert checks(audit(in_time, *wagers, house=offering("A"))) == []


def test_631b_9_c() -> None:
    lacking = deal("Kc 4c", "Kd 2d")  # 631a.11(b): the Player's Hand draws to 4
    assert gains(lacking) == [None, None]
    assert gains([*PLAYER_BY[9], ("dealer", "void")]) == [0, 0]
    assert gains(deal("Kc 4c 5h", "Kd Qd Kh")) == [3000, -100]  # 9 to 0 on the third card
    assert gains(deal("Kc Qc Kh", "Kd 2d 7d")) == [-100, 3000]  # 0 to 9 on the third card


def test_631b_9_d() -> None:
    assert checks(settle(PLAYER_BY[9], pays=3000)) == []
    assert checks(settle(PLAYER_BY[9], pays=-100)) == ["winner_collected"]
    assert checks(settle(BANKER_BY[9], pays=0)) == ["loser_not_collected", "winner_collected"]
    assert "settlement_not_observed" in notes(settle(PLAYER_BY[9]))


def test_631b_9_e() -> None:
    assert gains(PLAYER_BY[6]) == [400, -100]
    assert gains(BANKER_BY[6]) == [-100, 400]
    assert gains(TIE_WITHOUT) == [-100, -100]


def test_631b_9_e_1() -> None:
    for by in (PLAYER_BY, BANKER_BY):
        won, lost = (0, 1) if by is PLAYER_BY else (1, 0)
        assert [(gains(by[margin])[won] or 0) > 0 for margin in range(3, 10)] == [False] + [True] * 6
        assert gains(by[4])[won] == 100
        assert gains(by[3])[won] == -100
        assert gains(by[4])[lost] == -100


def test_631b_9_e_2() -> None:
    assert gains(NATURAL) == [100, -100]
    assert gains(BANKERS_NATURAL) == [-100, 100]
    assert gains(PLAYER_BY_1) == [-100, -100]  # 7 to 6 is none
    # Nor is 9 to 7, 7 to 9, or a tie of two 8s, on three cards.
    for on_three in (deal("Kc 5c 4c", "Kd 7d"), deal("Kc 7c", "Kd 5d 4h"), deal("Kc 5c 3c", "Kd 2d 6h")):
        assert gains(on_three) == [-100, -100]
    assert gains(NATURALS) == [0, 0]
    # By paytable E a Natural pays 1 to 1 and a win by four 2 to 1; which of the two pays is not said.
    assert gains(NATURAL_BY_4, "A") == [100, -100]
    assert gains(NATURAL_BY_4, "E") == [None, -100]
    # By every paytable a win by five pays more than a Natural, 9 to 4 here.
    for paytable in "ABCDE":
        assert gains(deal("Kc 9c", "Kd 4d"), paytable) == [None, -100]
        assert gains(deal("Kc 4c", "Kd 9d"), paytable) == [-100, None]


def test_631b_9_e_3() -> None:
    assert gains(NATURALS, "B") == [200, 200]
    assert [gains(NATURALS, paytable) for paytable in "ACDE"] == [[0, 0]] * 4
    assert gains(PLAYER_BY[5], "C") == [300, -100]


@pytest.mark.parametrize(
    ("paytable", "by_margin"),  # won by 9, 8, 7, 6, 5 and 4, to 1
    [
        ("A", [30, 10, 6, 4, 2, 1]),
        ("B", [20, 10, 5, 4, 2, 1]),
        ("C", [30, 12, 5, 3, 3, 1]),
        ("D", [20, 8, 7, 4, 3, 1]),
        ("E", [30, 10, 4, 4, 2, 2]),
    ],
)
def test_631b_9_f(paytable: str, by_margin: list[int]) -> None:
    for margin, odds in zip(range(9, 3, -1), by_margin, strict=True):
        assert gains(PLAYER_BY[margin], paytable) == [odds * 100, -100]
        assert gains(BANKER_BY[margin], paytable) == [-100, odds * 100]
    assert gains(NATURAL, paytable) == [100, -100]
    assert gains(BANKERS_NATURAL, paytable) == [-100, 100]
    assert gains(NATURALS, paytable) == ([200, 200] if paytable == "B" else [0, 0])
