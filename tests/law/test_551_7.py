"""551.7: Match-The-Dealer."""

from itertools import permutations

import pytest

from tests.law.blackjack_proofs import prove_verbal_wager
from tests.law.spanish21_table import audit, cites, found, owed, stands_on

BOTH = ("1 wager 1000", "1 match_the_dealer 100")


def match(one: str, two: str, up: str = "9d", *, decks: int = 6, more: str = "1:stand") -> int | None:
    """Return what 100 cents on Match-The-Dealer are owed."""
    hole = "Kd" if up[0] == "9" else "9h"
    concluded = audit(f"1:{one} D:{up} 1:{two} D:{hole} {more}", *BOTH, decks=decks)
    assert not concluded.findings
    return owed(concluded)["1 match_the_dealer"]


def test_551_7() -> None:
    assert match("9d", "Ks") == 900


def test_551_7_a() -> None:
    assert match("9d", "Ks") == match("Ks", "9d") == 900
    for suit, other in permutations("cdhs", 2):
        assert match(f"9{suit}", "Ks", f"9{suit}") == 900
        assert match(f"9{suit}", "Ks", f"9{other}") == 400
    assert match("9d", "9c") == 1300
    assert match("9d", "9d") == 1800
    assert match("9s", "9c") == 800
    for rank in "A23456789JQK":
        other = "3s" if rank != "3" else "4s"
        # Surrendered, so that the dealer's count has no effect and he draws nothing.
        assert match(f"{rank}c", other, f"{rank}d", more="1:surrender") == 400
        assert match(other, f"{rank}d", f"{rank}d", more="1:surrender") == 900
        for other_rank in set("A23456789JQK") - {rank, other[0]}:
            assert match(f"{other_rank}d", other, f"{rank}d", more="1:surrender") == -100
    # A third card, and the hole card, count for nothing.
    assert match("4d", "3s", more="1:9d 1:stand") == -100
    assert match("Kd", "3s", more="1:stand") == -100
    assert stands_on("551.7(a)", "1:9d D:9d 1:9c D:Kd 1:stand", *BOTH, wager="1 match_the_dealer") == 1300


@pytest.mark.parametrize("rank", "JQK")
def test_551_7_a_ten_values(rank: str) -> None:
    for other in "JQK":
        assert match(f"{other}c", "3s", f"{rank}d") == (400 if other == rank else -100)


def test_551_7_b() -> None:
    concluded = audit("1:Kd D:9c 1:8s D:Kh 1:stand", "1 match_the_dealer 100")
    assert found(concluded) == [("stake_missing", "seat1")]
    late = audit("D:no_more_bets 1:Kd D:9c 1:Qs D:Kh 1:place+match_the_dealer 1:stand", *BOTH)
    assert [finding.check for finding in late.findings] == ["late_wager"]
    assert owed(late) == {"1 wager": 1000, "1 match_the_dealer": None}


def test_551_7_b_on_a_split_hand() -> None:
    play = "1:8d D:9c 1:8s D:9h 1:split 1:Kd 1:stand 1.2:9d 1.2:2c 1.2:stand"
    concluded = audit(play, "1 wager 1000", "1.2 wager 1000", "1.2 match_the_dealer 100")
    assert [finding.check for finding in concluded.findings] == ["wager_not_permitted"]
    assert "551.7(b)" in cites(concluded)
    assert owed(concluded)["1.2 match_the_dealer"] is None


def test_551_7_d() -> None:
    assert match("8d", "Ks") == -100
    assert stands_on("551.7(d)", "1:8d D:9d 1:Ks D:Kd 1:stand", *BOTH, wager="1 match_the_dealer") == -100
    # Whatever follows: a Blackjack or more than 21 of the dealer, and a turn out of order.
    for cards, gain in (
        ("1:Ah D:Ad 1:5s D:Kd 1:stand", 400),
        ("1:8h D:Ad 1:Ks D:Kd 1:stand", -100),
        ("1:6h D:6d 1:Ks D:Kd 1:stand D:9c", 400),
        ("1:8h D:6d 1:Ks D:Kd 1:stand D:9c", -100),
    ):
        concluded = audit(cards, *BOTH)
        assert (found(concluded), owed(concluded)["1 match_the_dealer"]) == ([], gain)
    disordered = audit("1:9h 2:Kd D:9d 1:8s 2:9s D:Kc 2:stand 1:stand", *BOTH, "2 wager 1000")
    assert found(disordered) == [("card_order_wrong", "seat1")]
    assert owed(disordered)["1 match_the_dealer"] == 400


@pytest.mark.parametrize(("same", "different"), [(9, 4), (10, 4), (9, 5), (12, 7)])
def test_551_7_e(same: int, different: int) -> None:
    chosen = {"same_suit": same, "different_suit": different}
    due = owed(audit("1:9d D:9d 1:9c D:Kd 1:stand", *BOTH, match_the_dealer_odds=chosen))
    assert due["1 match_the_dealer"] == 100 * (same + different)


def test_551_7_e_1() -> None:
    assert [match(f"9{suit}", "Ks") for suit in "dchs"] == [900, 400, 400, 400]
    play = "1:9d D:9d 1:Ks D:Kd 1:stand"
    assert stands_on("551.7(e)(1)", play, *BOTH, wager="1 match_the_dealer") == 900


def test_551_7_e_2() -> None:
    assert [match(f"9{suit}", "Ks", decks=8) for suit in "dchs"] == [1200, 300, 300, 300]
    play = "1:9d D:9d 1:Ks D:Kd 1:stand"
    assert stands_on("551.7(e)(2)", play, *BOTH, wager="1 match_the_dealer", decks=8) == 1200


@pytest.mark.parametrize(
    ("more", "wager"),
    [("1:stand", 0), ("1:surrender", -500), ("1:draw 1:dead", 0), ("1:Kc", -1000)],
)
def test_551_7_f(more: str, wager: int) -> None:
    due = owed(audit(f"1:9d D:9d 1:Ks D:Kd {more}", *BOTH))
    assert due == {"1 wager": wager, "1 match_the_dealer": 900}
    # A Blackjack, and a hand that is insured and lost to one.
    assert owed(audit("1:Ad D:Ad 1:Ks D:8d", *BOTH)) == {"1 wager": 1500, "1 match_the_dealer": 900}
    insured = audit("1:Ah D:Ad 1:8s D:Kd 1:stand", *BOTH, "1 insurance 500")
    assert owed(insured) == {"1 wager": -1000, "1 match_the_dealer": 400, "1 insurance": 1000}
    # A pair that is split: 19 and 17 against 19, and a card of each kind that matches.
    split = "1:9d D:9d 1:9s D:Kd 1:split 1:Kd 1:stand 1.2:8d 1.2:stand"
    assert owed(audit(split, *BOTH, "1.2 wager 1000")) == {
        "1 wager": 0,
        "1.2 wager": -1000,
        "1 match_the_dealer": 1300,
    }


def test_551_7_b_1() -> None:
    cards = "1:9d D:6c 1:Ks D:9h D:3c"
    within = audit(cards, "1 wager 1000", "1 match_the_dealer 1000")
    assert (found(within), owed(within)) == ([], {"1 wager": 1000, "1 match_the_dealer": -1000})
    above = audit(cards, "1 wager 1000", "1 match_the_dealer 1001")
    assert found(above) == [("wager_not_permitted", "seat1")]
    assert above.findings[0].citations == ("551.7(b)(1)",)
    assert owed(above) == {"1 wager": 1000, "1 match_the_dealer": None}


def test_551_7_b_1_of_a_wager_that_was_changed_late() -> None:
    # How high a wager was at the call is not known once it was reduced after it: it is late, and no more.
    cards = "1:9d D:6c 1:Ks D:9h D:3c"
    for amount in (1000, 1001):
        wagers = ("1 wager 1000", f"1 match_the_dealer {amount}")
        reduced = audit(f"D:no_more_bets 1:reduce+wager {cards}", *wagers)
        assert found(reduced) == [("late_wager", None)]
        assert owed(reduced) == {"1 wager": None, "1 match_the_dealer": -amount}
    # It was no higher before it was increased.
    raised = audit(f"D:no_more_bets 1:increase+wager {cards}", "1 wager 1000", "1 match_the_dealer 1001")
    assert set(found(raised)) == {("late_wager", None), ("wager_not_permitted", "seat1")}
    # What the house submitted hangs on no other wager.
    maximum = {"match_the_dealer_maximum_cents": 2500}
    wagers = ("1 wager 5000", "1 match_the_dealer 2501")
    above = audit(f"D:no_more_bets 1:reduce+wager {cards}", *wagers, **maximum)
    assert set(found(above)) == {("late_wager", None), ("wager_not_permitted", "seat1")}


def test_551_7_c() -> None:
    prove_verbal_wager("551.7(c)(1)", "551.7(c)(2)", "match_the_dealer")


def test_551_7_c_1() -> None:
    prove_verbal_wager("551.7(c)(1)", "551.7(c)(2)", "match_the_dealer")


def test_551_7_c_2() -> None:
    prove_verbal_wager("551.7(c)(1)", "551.7(c)(2)", "match_the_dealer")


def test_551_7_b_2() -> None:
    cards = "1:9d D:6c 1:Ks D:9h D:3c"
    within = audit(cards, "1 wager 5000", "1 match_the_dealer 2500", match_the_dealer_maximum_cents=2500)
    assert (found(within), owed(within)) == ([], {"1 wager": 5000, "1 match_the_dealer": -2500})
    above = audit(cards, "1 wager 5000", "1 match_the_dealer 2501", match_the_dealer_maximum_cents=2500)
    assert found(above) == [("wager_not_permitted", "seat1")]
    assert above.findings[0].citations == ("551.7(b)(2)",)
    assert owed(above) == {"1 wager": 5000, "1 match_the_dealer": None}
    assert found(audit(cards, "1 wager 5000", "1 match_the_dealer 2501")) == []
