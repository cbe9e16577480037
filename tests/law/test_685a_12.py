"""685a.12: cards drawn in error, cards that did not come, a reader that was wrong."""

import pytest

from schemas.record import RecordWager
from tests.law.downunder_table import against, audit, bet, checks, cited, found, owed
from tests.law.preparation_proofs import prove_broken_shuffler, prove_jam, prove_reader_broken

TWO = [bet(), bet(seat=2)]


def test_685a_12() -> None:
    concluded = audit("1:Ks d:9c 1:8d d:void", bet())
    assert (concluded.verdict, concluded.outcome, owed(concluded)) == ("clean", "void", [0])
    # Of a void round nothing else is asked: neither cards nor stakes.
    assert checks(audit("1:Ks 2:Ts d:9c d:void", bet(), bet("double_down"))) == []


def test_685a_12_a() -> None:
    # A card in the rack lies on no hand.
    concluded = audit("1:Ks d:9c rack:5h 1:8d d:8h 1:stand", bet())
    assert (checks(concluded), owed(concluded)) == ([], [1000])


def test_685a_12_c() -> None:
    # 12 and the 9 that came all the same are no 21.
    concluded = audit(against("9c 8d", "5s 7d refuse rack:Kd 9d"), bet())
    assert found(concluded) == [("hand_drew_wrongly", "seat1")]
    assert cited(concluded, "hand_drew_wrongly") == ("685a.12(c)",)
    assert owed(concluded) == [-1000]


def test_685a_12_c_accepted_by_the_next() -> None:
    # Seat 1 refused; the card goes to seat 2 as if it were the next one.
    concluded = audit(against("9c 8d", "Ts 8h refuse", "5s 6d Kd"), *TWO)
    assert (checks(concluded), owed(concluded)) == ([], [1000, 1000])


@pytest.mark.parametrize(("word", "stake"), [("double", bet("double_down")), ("split", bet(hand="seat1.2"))])
def test_685a_12_c_nothing_that_brings_cards(word: str, stake: RecordWager) -> None:
    concluded = audit(against("9c 8d", f"4s 4d refuse {word}"), bet(), stake)
    assert found(concluded) == [("decision_not_allowed", "seat1")]
    assert cited(concluded, "decision_not_allowed") == ("685a.12(c)",)
    assert owed(concluded) == [-1000, None]


def test_685a_12_d() -> None:
    gone = audit(against("7c Kd", "Ts 8h stand rack:4d"), bet())
    assert (checks(gone), gone.outcome, owed(gone)) == ([], "17", [1000])
    kept = audit(against("7c Kd 4d", "Ts 8h stand"), bet())
    assert found(kept) == [("dealer_drew_wrongly", "dealer")]
    assert "685a.12(d)" in cited(kept, "dealer_drew_wrongly")
    assert (kept.outcome, owed(kept)) == ("17", [1000])
    # A soft 17 is a 17: with the 4 it would be a 21.
    soft = audit(against("Ac 6d 4d", "Ts 8h stand"), bet())
    assert (checks(soft), soft.outcome, owed(soft)) == (["dealer_drew_wrongly"], "17", [1000])


def test_685a_12_f() -> None:
    # A box without cards: everything on it is returned.
    concluded = audit(against("9c 8d", "Ks 8h stand"), *TWO, bet("match_the_dealer", seat=2))
    assert (checks(concluded), owed(concluded)) == ([], [1000, 0, 0])
    insured = audit(against("Ac 8d", "Ks 8h stand"), *TWO, bet("insurance", 500, seat=2))
    assert (checks(insured), owed(insured)) == ([], [-1000, 0, 0])
    assert owed(audit(against("Ac Kd", "Ks 8h"), *TWO)) == [-1000, 0]  # against a Blackjack too
    # A box with one card gets its second after the others.
    late = audit("1:Ks 2:Td d:9c 2:8d d:8h 1:8s 1:stand 2:stand", *TWO)
    assert (checks(late), owed(late)) == ([], [1000, 1000])
    before_hole = audit("1:Ks 2:Td d:9c 2:8d 1:8s d:8h 1:stand 2:stand", *TWO)
    assert (checks(before_hole), owed(before_hole)) == ([], [1000, 1000])
    no_first = audit("2:Td d:9c 1:Ks 2:8d 1:8s d:8h 1:stand 2:stand", *TWO)
    assert (checks(no_first), owed(no_first)) == ([], [1000, 1000])
    never = audit("1:Ks 2:Td d:9c 2:8d d:8h 2:stand", *TWO)
    assert "685a.12(f)" in cited(never, "card_missing")


def test_685a_12_g() -> None:
    late = against("9c 7d 4h", "5s 7h draw", "5h 8d 6h stand 1:8s")
    concluded = audit(late, *TWO)
    assert (checks(concluded), owed(concluded)) == ([], [0, -1000])  # 20 and 19 against 20
    too_late = audit("1:5s 2:5h d:9c 1:7h 2:8d d:7d 1:draw 2:6h d:4h 1:8s", *TWO)
    assert checks(too_late) == ["card_order_wrong"]
    # The one card of a double is asked for too, and so is that of a hand of a pair: 21, and 8, 3 and ten.
    doubled = audit(against("9c 8d", "5s 6h double", "5h 8d 6h stand 1:Kd"), *TWO, bet("double_down"))
    assert (checks(doubled), owed(doubled)) == ([], [1000, 1000, 1000])
    of_pair = against("9c 8d", "8s 8h split 3d double 1.2:9d 1.2:stand Td")
    one = audit(of_pair, bet(), bet(hand="seat1.2"), bet("double_down"))
    assert (checks(one), owed(one)) == ([], [1000, 0, 1000])
    never = audit(against("9c 8d", "5s 7h draw"), bet())
    assert "685a.12(g)" in cited(never, "card_missing")
    assert owed(never) == [None]


def test_685a_12_g_dead() -> None:
    stakes = bet(), bet("double_down")
    concluded = audit(against("9c 8d", "5s 6h double dead"), *stakes)
    assert (checks(concluded), owed(concluded)) == ([], [0, 0])
    collected = audit(against("9c 8d", "5s 6h draw dead"), bet(), settled=[("bet", -1000)])
    assert "685a.12(g)" in cited(collected, "push_collected")
    of_pair = against("9c 8d", "8s 8h split 3d Td 1.2:3h 1.2:draw 1.2:dead")
    assert owed(audit(of_pair, bet(), bet(hand="seat1.2"))) == [1000, 0]
    # The card never came before the dealer drew to 20: the hand is called dead only then.
    after = audit(against("9c 7d", "5s 7h draw", "5h 8d 6h stand") + " d:4h 1:dead", *TWO)
    assert (checks(after), owed(after)) == ([], [0, -1000])


def test_685a_12_h() -> None:
    # The light was wrong: one hand is called dead although it is over 21, the other goes on.
    text = against("9c 8d", "Ks 6h 9d dead", "Ts 8h stand", range_="large")
    concluded = audit(text, *TWO)
    assert found(concluded) == [("wrong_range", "dealer")]
    assert "685a.12(h)" in cited(concluded, "wrong_range")
    assert owed(concluded) == [0, 1000]
    collected = audit(text, *TWO, settled=[("bet", -1000), ("bet", 1000)])
    assert "685a.12(h)" in cited(collected, "push_collected")


@pytest.mark.parametrize(
    ("hole", "wrong"), [("3", "medium"), ("3", "large"), ("8", "small"), ("A", "small"), ("A", "medium")]
)
def test_685a_12_h_each_wrong_light(hole: str, wrong: str) -> None:
    # 25 is over 21; the hand is dead and its wager returned.
    concluded = audit(against(f"9c {hole}d", "Ks 6h 9d dead", range_=wrong), bet())
    assert (found(concluded), owed(concluded)) == ([("wrong_range", "dealer")], [0])


def test_685a_12_h_doubled() -> None:
    # Ten, 6 and 9 are over 21; the double goes back with the Bet Wager.
    stakes = bet(), bet("double_down")
    concluded = audit(against("9c 8d", "Ts 6h double 9d dead", range_="large"), *stakes)
    assert (found(concluded), owed(concluded)) == ([("wrong_range", "dealer")], [0, 0])


@pytest.mark.parametrize("shown", ["medium d:large", "large d:medium"])
def test_685a_12_h_light_or_place(shown: str) -> None:
    # One of the two was not the 8's range.
    text = against("9c 8d", "Ks 6h 9d dead", range_="small").replace("d:small", f"d:{shown}")
    concluded = audit(text, bet())
    assert (found(concluded), owed(concluded)) == ([("wrong_range", "dealer")], [0])
    assert "685a.12(h)" in cited(concluded, "wrong_range")


def test_685a_12_j() -> None:
    prove_jam("685a", "685a.12(j)")


def test_685a_12_k() -> None:
    prove_broken_shuffler("685a", "685a.12(k)", is_removed=False)


def test_685a_12_i() -> None:
    prove_reader_broken("685a", "685a.12(i)")
