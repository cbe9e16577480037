"""685a.7: the deal, the hole card, the players' decisions, the dealer's draws, what wins, ties and loses."""

from datetime import date
from fractions import Fraction

import pytest

from projections.engine.facts import fact
from projections.engine.games.downunder.rules import rules_of
from projections.engine.games.downunder.wagers import match_the_dealer
from schemas.rulebook import rulebook
from tests.builders.shoes import Table, pack, shuffled
from tests.builders.texts import text_of
from tests.law.downunder_table import against, audit, bet, checks, cited, found, gain, owed, settled_by
from tests.law.layout_proofs import prove_point
from tests.law.preparation_proofs import (
    prove_burn_before_cards,
    prove_burn_of_one,
    prove_collection,
    prove_reshuffle_at_cover_card,
    prove_shuffle_after_shoe,
)
from tests.law.settling_proofs import prove_submitted_way
from tests.law.turning_proofs import prove_cleared

TWO = [bet(), bet(seat=2)]
TWENTY_TWO = "6c Td 6h"
DEALERS = {17: "9c 8d", 18: "9c 9d", 19: "Tc 9d", 20: "Tc Kd", 21: "9c 3d 9h"}
PLAYERS = {
    16: "Th 6s stand",
    17: "Th 7s stand",
    18: "Th 8s stand",
    19: "Th 9s stand",
    20: "Jh Ks stand",
    21: "7h 7s 7c",
}


def test_685a_7() -> None:
    # A whole round: 21 in three cards wins, 26 loses, 18 ties the dealer's 6, ten and 2.
    text = against("6c Td 2h", "7s 7d 7h", "Ts 6d Kc", "9s 9d stand", range_="large")
    concluded = audit(
        text, *TWO, bet(seat=3), announced="18", settled=[("bet", 1000), ("bet", -1000), ("bet", 0)]
    )
    assert (concluded.verdict, concluded.outcome) == ("clean", "18")
    test_685a_7_o_1("7h", "bust", 1000)
    test_685a_7_o_1("6h", "22", 0)


@pytest.mark.parametrize(
    "text",
    [
        "2:Ts 1:Ks d:9c 1:9d 2:9h d:8d",  # not from the dealer's left
        "d:9c 1:Ts 2:Ks 1:9d 2:9h d:8d",  # the dealer first
        "1:Ts 1:9d d:9c 2:Ks 2:9h d:8d",  # both cards at once
        "1:Ts 2:Ks d:9c d:8d 1:9d 2:9h",  # the dealer twice
    ],
)
def test_685a_7_e(text: str) -> None:
    concluded = audit(text, *TWO)
    assert checks(concluded) == ["card_order_wrong"]
    assert cited(concluded, "card_order_wrong") == ("685a.7(e)",)
    assert (concluded.outcome, owed(concluded)) == (None, [None, None])


def test_685a_7_e_1() -> None:
    assert checks(audit("1:Ts 2:Ks d:9c 1:9d 2:9h d:8d", *TWO)) == []
    # The dealer's first card before the second box's: each box with a wager comes first.
    assert checks(audit("1:Ts d:9c 2:Ks 1:9d 2:9h d:8d", *TWO)) == ["card_order_wrong"]


def test_685a_7_e_2() -> None:
    # The first card to the dealer lies face up: it is what Match-the-Dealer goes by.
    assert settled_by(against("9c 8d", "9h 8s stand"), "match_the_dealer", bet())[0] == 4000
    # It follows the first card of each box, before any has a second.
    assert checks(audit("1:Ts 2:Ks 1:9d d:9c 2:9h d:8d", *TWO)) == ["card_order_wrong"]
    assert found(audit("1:Ts 1:9h 1:stand", bet())) == [("card_missing", "dealer")]


def test_685a_7_e_3() -> None:
    concluded = audit("1:Ts 2:Ks d:9c 2:9h d:8d 2:stand", *TWO)
    assert found(concluded) == [("card_missing", "seat1")]
    assert "685a.7(e)(3)" in cited(concluded, "card_missing")
    assert owed(concluded) == [None, 1000]
    one = audit("1:9h 2:Ks d:9c 2:9s d:8d 2:stand", *TWO, bet("match_the_dealer"))
    assert owed(one) == [None, 1000, None]
    assert checks(audit("1:Ts 2:Ks d:9c d:8d 1:9d 2:9h", *TWO)) == ["card_order_wrong"]


def test_685a_7_e_4() -> None:
    concluded = audit("1:Ts d:9c 1:9h 1:stand", bet())
    assert found(concluded) == [("card_missing", "dealer")]
    assert "685a.7(e)(4)" in cited(concluded, "card_missing")
    assert (concluded.outcome, owed(concluded)) == (None, [None])
    assert checks(audit("1:Ts d:9c d:8d 1:9h 1:stand", bet())) == ["card_order_wrong"]


@pytest.mark.parametrize(
    ("up", "hand", "expected"),
    [
        ("9c", "9h 8s", 4000),
        ("9c", "8s 9h", 4000),
        ("9c", "9c 8s", 11000),
        ("9c", "9h 9d", 8000),
        ("9c", "9h 9c", 15000),
        ("9c", "9c 9c", 22000),
        ("9c", "8h 8c", -1000),
        ("Kc", "Qc Jc", -1000),  # a point value of ten is no match
        ("Kc", "Kh Tc", 4000),
        ("Tc", "Tc Kh", 11000),
    ],
)
def test_685a_7_f(up: str, hand: str, expected: int) -> None:
    # The hole card, also of that rank, does not count.
    hole = "9d" if up == "9c" else "8d"
    assert settled_by(against(f"{up} {hole}", f"{hand} stand"), "match_the_dealer", bet()) == (
        expected,
        {"685a.7(f)", "685a.7(r)"} | ({"685a.11(c)"} if expected > 0 else set()),
    )


def test_685a_7_f_counts_the_cards_that_match() -> None:
    rules = rules_of(rulebook("685a", date(2025, 3, 1), {}))
    ruling = match_the_dealer(rules, (Fraction(11), Fraction(4)), (1, 2))
    assert ruling.odds == 19  # 11 to 1 once, 4 to 1 twice
    assert ruling.reason == fact("games.downunder.cards_match", suited=1, unsuited=2)


@pytest.mark.parametrize(("hand", "expected"), [("9h 9d", 4000), ("9h 9c", 11000), ("9c 9c", 11000)])
def test_685a_7_f_best(hand: str, expected: int) -> None:
    concluded = audit(
        against("9c 8d", f"{hand} stand"), bet(), bet("match_the_dealer"), match_the_dealer_pays="best"
    )
    assert owed(concluded)[1] == expected


def test_685a_7_f_whatever_follows() -> None:
    stakes = bet(), bet("match_the_dealer")
    assert owed(audit(against("Ac Kd", "Ah 8s"), *stakes)) == [-1000, 4000]
    assert owed(audit(against("9c 8d", "9h 8s Kd"), *stakes)) == [-1000, 4000]
    assert owed(audit(against("9c 8d", "9h 5s draw dead"), *stakes)) == [0, 4000]
    # Of a pair that is split both first cards count: 4 and 11 to 1. A 9 that is drawn is none of them.
    split = against("9c 8d", "9h 9c split Kd stand 1.2:Td 1.2:stand")
    assert owed(audit(split, *stakes, bet(hand="seat1.2"))) == [1000, 15_000, 1000]
    assert owed(audit(against("9c 8d", "5h 4s 9d stand"), *stakes)) == [1000, -1000]


@pytest.mark.parametrize("hole", ["Kd", "9d", "Ad"])
def test_685a_7_g(hole: str) -> None:
    # Even money: 1 to 1 for a Blackjack against an ace, whatever the hole card is.
    gained, cites = settled_by(against(f"Ac {hole}", "Ah Ts even_money"))
    assert (gained, "685a.7(g)" in cites) == (1000, True)


def test_685a_7_g_before_the_turns() -> None:
    # Seat 2 is asked before seat 1 plays; against ace and 9, 18 loses.
    asked = audit("1:Th 2:Ah d:Ac 1:8s 2:Ts d:9d 2:even_money 1:stand", *TWO)
    assert (checks(asked), owed(asked)) == ([], [-1000, 1000])
    late = audit("1:Th 2:Ah d:Ac 1:8s 2:Ts d:9d 1:stand 2:even_money", *TWO)
    assert (found(late), owed(late)) == ([("card_order_wrong", "seat2")], [-1000, None])
    # Nor once he has stood.
    stood = audit(against("Ac 9d", "Ah Ts stand even_money"), bet())
    assert (checks(stood), owed(stood)) == (["card_order_wrong", "decision_not_allowed"], [None])


@pytest.mark.parametrize(
    ("dealer", "hand"),
    [("Ac 9d", "Kh Ts"), ("Kc 9d", "Ah Ts"), ("9c 9d", "Ah Ts")],
)
def test_685a_7_g_refused(dealer: str, hand: str) -> None:
    concluded = audit(against(dealer, f"{hand} even_money"), bet())
    assert found(concluded) == [("decision_not_allowed", "seat1")]
    assert "685a.7(g)" in cited(concluded, "decision_not_allowed")
    assert owed(concluded) == [None]


def test_685a_7_h() -> None:
    # After the dealer's Blackjack no card: a 21 made by one that came is still the 16 it was.
    concluded = audit(against("Ac Kd", "Th 6s 5d", range_="large"), bet())
    assert found(concluded) == [("hand_drew_wrongly", "seat1")]
    assert cited(concluded, "hand_drew_wrongly") == ("685a.7(h)",)
    assert (concluded.outcome, owed(concluded)) == ("blackjack", [-1000])
    drew = audit(against("Kc Ad 5h", "Th 6s", range_="large"), bet())
    assert found(drew) == [("dealer_drew_wrongly", "dealer")]
    assert "685a.7(h)" in cited(drew, "dealer_drew_wrongly")
    doubled = audit(against("Ac Kd", "6s 5h double 5d", range_="large"), bet(), bet("double_down"))
    assert found(doubled) == [("decision_not_allowed", "seat1")]
    assert cited(doubled, "decision_not_allowed") == ("685a.7(h)",)


def test_685a_7_h_what_is_no_additional_card() -> None:
    # A card that was asked for in vain, and the second card of a box that had been left out, 685a.12(f).
    asked = audit(against("Ac Kd", "Th 6s draw"), bet())
    assert (checks(asked), owed(asked)) == ([], [-1000])
    second = audit("1:Ks 2:Td d:Ac 2:8d d:Kh 1:As", *TWO)
    assert (checks(second), owed(second)) == ([], [0, -1000])


def test_685a_7_h_both_large() -> None:
    # King and queen are both Large and no Blackjack; the players go on.
    assert gain(against("Kc Qd", "Th 6s 5d", range_="large")) == 1000


def test_685a_7_h_light_and_place() -> None:
    right, wrong = (
        against("Kc 8d", "Th 9s stand", range_="medium").replace("d:medium", words)
        for words in ("d:medium d:medium", "d:medium d:large")
    )
    assert checks(audit(right, bet())) == []
    assert checks(audit(wrong, bet())) == ["wrong_range"]


def test_685a_7_h_1() -> None:
    assert settled_by(against("Ac Kd", "Ah Ts")) == (0, {"685a.7(h)(1)", "685a.7(r)"})
    assert gain(against("Kc Ad", "Ah Ts")) == 0
    # Its insurance is paid, 2 to 1.
    assert owed(audit(against("Ac Kd", "Ah Ts"), bet(), bet("insurance", 500))) == [0, 1000]


def test_685a_7_h_2() -> None:
    assert settled_by(against("Kc Ad", "Kh Ts")) == (-1000, {"685a.7(h)(2)", "685a.7(r)"})
    # Its insurance is paid, 2 to 1.
    assert owed(audit(against("Ac Kd", "Kh Ts"), bet(), bet("insurance", 500))) == [-1000, 1000]
    # Under a ten too it gets no card to improve it.
    drew = audit(against("Kc Ad", "Th 6s 5d"), bet())
    assert (found(drew), owed(drew)) == ([("hand_drew_wrongly", "seat1")], [-1000])


def test_685a_7_i() -> None:
    text = "1:5s 2:6s d:9c 1:5d 2:6d d:8d 2:9h 2:stand 1:9d 1:stand"
    concluded = audit(text, *TWO)
    assert "card_order_wrong" in checks(concluded)
    assert "685a.7(i)" in cited(concluded, "card_order_wrong")
    assert owed(concluded) == [1000, 1000]


@pytest.mark.parametrize("dealer", ["9c 8d", "9c 3d 9h", "6c Td 6h", "6c Td Kh"])
def test_685a_7_i_1(dealer: str) -> None:
    # Paid whether the dealer comes to 17, 21, 22 or over.
    gained, cites = settled_by(against(dealer, "Ah Ts", "Kh Qs stand"), "bet", bet(seat=2))
    assert (gained, cites) == (1500, {"685a.7(i)(1)", "685a.11(a)", "685a.7(r)"})
    assert settled_by(against(dealer, "Ts Ah", "Kh Qs stand"), "bet", bet(seat=2))[0] == 1500
    # Also where the dealer wrongly leaves his hand at 16.
    assert owed(audit(against("9c 7d", "Ah Ts", "Th 8s stand"), *TWO)) == [1500, None]
    # Alone at the table it is paid before the dealer draws at all.
    assert gain(against("9c 4d", "Ah Ts")) == 1500


def test_685a_7_i_2() -> None:
    concluded = audit(against("9c 8d", "Th 6s surrender"), bet())
    assert found(concluded) == [("decision_not_allowed", "seat1")]
    assert cited(concluded, "decision_not_allowed") == ("685a.7(i)(2)",)
    assert owed(concluded) == [None]


def test_685a_7_j() -> None:
    concluded = audit(against("9c 8d", "5h 6s draw"), bet())
    assert found(concluded) == [("card_missing", "seat1")]
    assert "685a.7(j)" in cited(concluded, "card_missing")
    after = audit(against("9c 8d", "Th 8s stand 5d"), bet())
    assert cited(after, "hand_drew_wrongly") == ("685a.7(j)",)
    assert owed(after) == [1000]


@pytest.mark.parametrize("hand", ["Th Ts", "Ah 9s", "Kh 5s 5d"])
def test_685a_7_k(hand: str) -> None:
    # With 20, hard or soft, a player may draw: an ace makes 21.
    assert gain(against("9c 8d", f"{hand} Ac")) == 1000
    assert checks(audit(against("9c 8d", f"{hand} Ac 5d"), bet())) == ["hand_drew_wrongly"]  # on 21, (k)(1)


@pytest.mark.parametrize("hand", ["7h 7s 7d", "Ah 4s 6d", "Ah Ts"])
def test_685a_7_k_1(hand: str) -> None:
    concluded = audit(against("9c 8d", f"{hand} 5c"), bet())
    assert found(concluded) == [("hand_drew_wrongly", "seat1")]
    assert "685a.7(k)(1)" in cited(concluded, "hand_drew_wrongly")
    assert owed(concluded) == [1500 if hand == "Ah Ts" else 1000]
    doubled = audit(against("9c 8d", f"{hand} double 5c"), bet(), bet("double_down"))
    assert "685a.7(k)(1)" in cited(doubled, "decision_not_allowed")


def test_685a_7_k_2() -> None:
    concluded = audit(against("9c 8d", "6h 5s double 2c 8h"), bet(), bet("double_down"))
    assert found(concluded) == [("hand_drew_wrongly", "seat1")]
    assert "685a.7(k)(2)" in cited(concluded, "hand_drew_wrongly")
    assert owed(concluded) == [-1000, -1000]
    none = audit(against("9c 8d", "6h 5s double"), bet(), bet("double_down"))
    assert "685a.7(k)(2)" in cited(none, "card_missing")


def test_685a_7_l() -> None:
    # The dealer drew before the hand was done.
    concluded = audit("1:5s d:6c 1:8d d:Th d:5c 1:7h", bet())
    assert checks(concluded) == ["card_order_wrong"]
    assert "685a.7(l)" in cited(concluded, "card_order_wrong")


@pytest.mark.parametrize("dealer", ["2c 2d 2h Ts", "9c 7d", "Ac 5d", "Ac 2d 3h"])
def test_685a_7_m_stands_on_16(dealer: str) -> None:
    concluded = audit(against(dealer, "Th 8s stand", "Ah Kd", "Ts 6d 9h"), bet(), bet(seat=2), bet(seat=3))
    assert found(concluded) == [("dealer_stood_wrongly", "dealer")]
    assert "685a.7(m)" in cited(concluded, "dealer_stood_wrongly")
    assert (concluded.outcome, owed(concluded)) == (None, [None, 1500, -1000])


@pytest.mark.parametrize(
    "dealer",
    ["9c 8d", "9c 9d", "Tc 9d", "Tc Kd", "Ac 6d", "6c Td 5h", "6c Td 6h", "6c Td 7h", "Ac Ad", "Ac 5d 6h"],
)
def test_685a_7_m_stands_from_17(dealer: str) -> None:
    assert checks(audit(against(dealer, "Th 8s stand"), bet())) == []
    drew = audit(against(f"{dealer} 2h", "Th 8s stand"), bet())
    assert found(drew) == [("dealer_drew_wrongly", "dealer")]
    assert "685a.7(m)" in cited(drew, "dealer_drew_wrongly")
    assert owed(drew) == owed(audit(against(dealer, "Th 8s stand"), bet()))


def test_685a_7_m() -> None:
    assert checks(audit(against("9c 8d", "Th 8s stand"), bet(), announced="17")) == []
    stood = audit(against("9c 7d", "Th 8s stand"), bet(), announced="16")
    assert checks(stood) == ["dealer_stood_wrongly"]
    wrong = audit(against("9c 8d", "Th 8s stand"), bet(), announced="18")
    assert checks(wrong) == ["announced_wrong"]
    assert cited(wrong, "announced_wrong") == ("685a.7(m)",)
    assert checks(audit(against(TWENTY_TWO, "Th 8s stand"), bet(), announced="22")) == []
    assert checks(audit(against("6c Td 7h", "Th 8s stand"), bet(), announced="22")) == ["announced_wrong"]
    # However many cards it takes: five make 12, the sixth 18.
    assert checks(audit(against("2c 2d 2h 3s 3h 6c", "Th 8s stand"), bet())) == []


@pytest.mark.parametrize("hand", ["Th 6s 9d", "Ah Ks", "5h 6s draw dead"])
@pytest.mark.parametrize("dealer", ["9c 4d", "9c 4d 8h"])
def test_685a_7_m_nothing_hangs_on_it(hand: str, dealer: str) -> None:
    assert checks(audit(against(dealer, hand), bet())) == []


def test_685a_7_n() -> None:
    # The same hand of 18: returned on a 22, paid on a 23.
    assert settled_by(against(TWENTY_TWO, "Th 8s stand"))[0] == 0
    assert settled_by(against("6c Td 7h", "Th 8s stand"))[0] == 1000


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("Kh Qs stand", 1000),
        ("Th Ts stand", 1000),
        ("Ah As stand", 1000),  # two Large cards that count 12
        ("7h 7s 7d", 1000),  # a hard 21
        ("Ah 5s 5d", 1000),  # a soft 21
        ("Th 9s stand", 0),  # one Large card
        ("Ah 9s stand", 0),
        ("Jh 4s 6d stand", 0),  # 20 in three cards
        ("Ah As 8d stand", 0),  # two Large cards and another
        ("Ah As Kd stand", 0),  # three
        ("Th 2s stand", 0),
    ],
)
def test_685a_7_n_1(hand: str, expected: int) -> None:
    gained, cites = settled_by(against(TWENTY_TWO, hand))
    assert gained == expected
    assert "685a.7(n)(1)" in cites
    assert ("685a.11(a)" in cites) is (expected > 0)


@pytest.mark.parametrize(("after_split", "expected"), [(False, [0, 0]), (True, [1000, 0])])
def test_685a_7_n_1_after_split(after_split: bool, expected: list[int]) -> None:  # noqa: FBT001  the option's value
    text = against(TWENTY_TWO, "Kh Qs split Jd stand 1.2:9d 1.2:stand")
    concluded = audit(text, bet(), bet(hand="seat1.2"), large_after_split=after_split)
    assert (checks(concluded), owed(concluded)) == ([], expected)


def test_685a_7_n_1_split_aces() -> None:
    # Ace and king of a split are a 21 and paid, ace and ace only where two Large of a split are.
    text = against(TWENTY_TWO, "Ah As split Kd 1.2:Ad")
    stakes = bet(), bet(hand="seat1.2")
    assert owed(audit(text, *stakes)) == [1000, 0]
    assert owed(audit(text, *stakes, large_after_split=True)) == [1000, 1000]


def test_685a_7_n_1_blackjack() -> None:
    # It was paid by (i)(1) before the dealer came to his 22, at its own odds; the 21 beside it 1 to 1.
    assert owed(audit(against(TWENTY_TWO, "Ah Ks", "7h 7s 7d"), *TWO)) == [1500, 1000]


def test_685a_7_n_1_doubled() -> None:
    stakes = bet(), bet("double_down")
    assert owed(audit(against(TWENTY_TWO, "6s 5h double Kh"), *stakes)) == [1000, 1000]
    assert owed(audit(against(TWENTY_TWO, "6s 5h double 9h"), *stakes)) == [0, 0]
    assert owed(audit(against(TWENTY_TWO, "Ts 6h double 9h"), *stakes)) == [-1000, -1000]  # 25


def test_685a_7_n_1_over_21() -> None:
    # Collected by (q)(1), unless the house reads (n)(1) of it too.
    text = against(TWENTY_TWO, "Th 6s 9d", "Th 9s stand")
    stakes = bet(), bet(seat=2)
    assert owed(audit(text, *stakes)) == [-1000, 0]
    assert owed(audit(text, *stakes, bust_on_22="return")) == [0, 0]
    assert owed(audit(against("9c 8d", "Th 6s 9d"), bet(), bust_on_22="return")) == [-1000]


def test_685a_7_n_2() -> None:
    # King and queen are paid on a 22 whatever they count, and lose to a 21.
    assert settled_by(against("6c Td 5h", "Kh Qs stand"))[0] == -1000
    # On a 23 an 18 is not returned but wins by (o)(1), on a 21 it loses by (q)(2).
    assert settled_by(against("6c Td 7h", "Th 8s stand"))[0] == 1000
    assert settled_by(against("6c Td 5h", "Th 8s stand"))[0] == -1000


def test_685a_7_o() -> None:
    assert settled_by(against("9c 8d", "Th 8s stand"))[0] == 1000  # 18 to 17
    assert settled_by(against("6c Td 7h", "Th 2s stand"))[0] == 1000  # the dealer has 23


@pytest.mark.parametrize(
    ("card", "outcome", "expected"), [("7h", "bust", 1000), ("Kh", "bust", 1000), ("6h", "22", 0)]
)
def test_685a_7_o_1(card: str, outcome: str, expected: int) -> None:
    text = against(f"6c Td {card}", "Th 2s stand")
    assert audit(text, bet()).outcome == outcome
    gained, cites = settled_by(text)
    assert gained == expected
    assert ("685a.7(o)(1)" in cites) is (expected > 0)
    # A hand over 21 is lost whatever the dealer comes to: 24 beside the 12.
    beside = audit(against(f"6c Td {card}", "Th 2s stand", "Kh 6s 8d"), bet(), bet(seat=2))
    assert owed(beside) == [expected, -1000]


@pytest.mark.parametrize("hand", ["Th 8s stand", "Th 9s stand", "Th Ks stand", "7h 7s 7d"])
def test_685a_7_o_2(hand: str) -> None:
    gained, cites = settled_by(against("9c 8d", hand))
    assert (gained, cites) == (1000, {"685a.7(o)(2)", "685a.11(a)", "685a.7(r)"})


@pytest.mark.parametrize(
    ("player", "dealer"), [(mine, his) for mine in PLAYERS for his in DEALERS if mine > his]
)
def test_685a_7_o_2_each_total(player: int, dealer: int) -> None:
    assert gain(against(DEALERS[dealer], PLAYERS[player])) == 1000


def test_685a_7_o_2_only_where_it_exceeds_without_exceeding_21() -> None:
    # Against 17: the same 17, hard or soft, does not exceed it; 22 in three cards exceeds 21.
    assert gain(against("9c 8d", "Th 7s stand")) == 0
    assert gain(against("9c 8d", "Ah 6s stand")) == 0
    assert gain(against("9c 8d", "Th 6s 6d")) == -1000


@pytest.mark.parametrize(
    ("dealer", "hand"), [("9c 8d", "Th 7s stand"), ("9c 9d", "Ah 7s stand"), ("9c 3d 9h", "7h 7s 7d")]
)
def test_685a_7_p(dealer: str, hand: str) -> None:
    assert settled_by(against(dealer, hand)) == (0, {"685a.7(p)", "685a.7(r)"})


@pytest.mark.parametrize("total", DEALERS)
def test_685a_7_p_each_total(total: int) -> None:
    assert gain(against("9c 8d", "2h 3s 4d 8c stand")) == 0  # 17, however many cards it takes
    assert gain(against(DEALERS[total], PLAYERS[total])) == 0


@pytest.mark.parametrize(
    ("player", "dealer"), [(mine, his) for mine in PLAYERS for his in DEALERS if mine < his]
)
def test_685a_7_q_2_each_total(player: int, dealer: int) -> None:
    assert gain(against(DEALERS[dealer], PLAYERS[player])) == -1000


def test_685a_7_q() -> None:
    assert settled_by(against("9c 8d", "Th 6s stand"))[0] == -1000


@pytest.mark.parametrize("dealer", ["9c 8d", "9c 4d", "6c Td Kh", TWENTY_TWO])
def test_685a_7_q_1(dealer: str) -> None:
    # Also a hand of 22, and where the dealer is over himself.
    for hand in ("Th 6s 9d", "Th 6s 6d"):
        assert settled_by(against(dealer, hand)) == (-1000, {"685a.7(q)(1)", "685a.7(r)"})


def test_685a_7_q_1_of_a_pair() -> None:
    # 8, 6 and ten are over 21.
    text = against("9c 8d", "8s 8h split 6d Td 1.2:6c 1.2:Ts")
    assert owed(audit(text, bet(), bet(hand="seat1.2"))) == [-1000, -1000]


def test_685a_7_q_2_of_a_pair() -> None:
    # 8 and 6 are less than 17.
    text = against("9c 8d", "8s 8h split 6d stand 1.2:6c 1.2:stand")
    assert owed(audit(text, bet(), bet(hand="seat1.2"))) == [-1000, -1000]


@pytest.mark.parametrize("hand", ["Th 6s stand", "Ah 5s stand", "2h 2s stand"])
def test_685a_7_q_2(hand: str) -> None:
    assert settled_by(against("9c 8d", hand)) == (-1000, {"685a.7(q)(2)", "685a.7(r)"})
    # To the dealer's 21, too, which does not exceed 21.
    assert settled_by(against("9c 3d 9h", hand)) == (-1000, {"685a.7(q)(2)", "685a.7(r)"})


@pytest.mark.parametrize(
    ("paid", "check"),
    [
        (0, "paid_too_little"),
        (500, "paid_too_little"),
        (1500, "paid_too_much"),
        (-1000, "winner_collected"),
    ],
)
def test_685a_7_r_winner(paid: int, check: str) -> None:
    concluded = audit(against("9c 8d", "Th 8s stand"), bet(), settled=[("bet", paid)])
    assert found(concluded) == [(check, None)]
    assert "685a.7(r)" in concluded.findings[0].citations


@pytest.mark.parametrize(
    ("paid", "check"),
    [
        (0, "loser_not_collected"),
        (-999, "loser_not_collected"),
        (1000, "paid_too_much"),
        (-2000, "paid_too_little"),
    ],
)
def test_685a_7_r(paid: int, check: str) -> None:
    assert checks(audit(against("9c 8d", "Th 6s stand"), bet(), settled=[("bet", paid)])) == [check]


@pytest.mark.parametrize(("paid", "check"), [(1000, "push_paid"), (-1000, "push_collected")])
def test_685a_7_r_tie(paid: int, check: str) -> None:
    assert checks(audit(against("9c 8d", "Th 7s stand"), bet(), settled=[("bet", paid)])) == [check]


def test_685a_7_d_1() -> None:
    # Four decks and a joker's place taken by a fifth ace of spades: 209 cards of 208.
    s = Table("685a", 4)
    cards = shuffled(pack("685a", 4), "685a.7(d)(1)")
    cards.remove("As")
    s.put_in("A", burned=cards[:1])
    left = [*s.deal_all(cards[1:], leave=52), "As", "As"]
    s.count_rest(len(left), left)
    (finding,) = (each for each in s.shoes_told()["A"].findings if each.check == "cards_not_conserved")
    assert finding.citations == ("685a.7(d)(1)",)
    assert "1 above its 208 cards; beyond its decks: 1 x As" in text_of(finding.message)


def test_685a_7_d_2() -> None:
    prove_shuffle_after_shoe("685a", "685a.5(a)", "685a.7(d)(2)")


def test_685a_7_c() -> None:
    prove_burn_before_cards("685a", "685a.7(c)")
    prove_burn_of_one("685a", "685a.7(c)")


def test_685a_7_d() -> None:
    prove_reshuffle_at_cover_card("685a", "685a.7(d)", "685a.5(f)")


def test_685a_7_d_1_reported() -> None:
    prove_collection("685a", "685a.7(d)(1)", 312)


def test_685a_7_s() -> None:
    prove_cleared("685a", "685a.7(s)", in_order=True)


def test_685a_7_a() -> None:
    prove_point("685a", "shoe_place", "685a.7(a)")


def test_685a_7_r_1() -> None:
    prove_submitted_way("685a", "685a.7(r)(1)", "685a.7(r)(2)")


def test_685a_7_r_2() -> None:
    prove_submitted_way("685a", "685a.7(r)(1)", "685a.7(r)(2)")
