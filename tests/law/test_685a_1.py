"""685a.1: what a Blackjack is, the ranges of the hole card, hard and soft totals."""

from tests.law.downunder_table import against, audit, bet, checks, fitting_ranges, gain, owed


def test_685a_1() -> None:
    # An ace and any card worth ten, as the first two cards, are a Blackjack; A-5-5 and A-9 are none.
    for ten in ("Ts", "Js", "Qs", "Ks"):
        assert audit(against("9c 9d", f"Ah {ten}"), bet()).expected[0].cents == 1500
        assert audit(against("9c 9d", f"{ten} Ah"), bet()).expected[0].cents == 1500
        assert audit(against(f"Ac {ten}", "9h 9s"), bet()).outcome == "blackjack"
        assert audit(against(f"{ten} Ac", "9h 9s"), bet()).outcome == "blackjack"
    assert audit(against("9c 9d", "Ah 5s 5d"), bet()).expected[0].cents == 1000
    assert audit(against("9c 9d", "Ah 9s stand"), bet()).expected[0].cents == 1000
    # The second card of a split ace is not one of the initial two: 21 at 1 to 1; 16 loses to 18.
    split = audit(against("9c 9d", "As Ah split Kd 1.2:5d"), bet(), bet(hand="seat1.2"))
    assert (checks(split), owed(split)) == ([], [1000, -1000])
    # Each rank has one range.
    for name, ranks in (("small", "2345"), ("medium", "6789"), ("large", "TJQKA")):
        assert [fitting_ranges(rank) for rank in ranks] == [[name]] * len(ranks)
    # Against 18: an ace at 11 makes a soft 21 and a soft 17, at 1 a hard 18 with a ten and a 7.
    assert gain(against("9c 9d", "Ah 4s 6d")) == 1000
    assert gain(against("9c 9d", "Ah 6s stand")) == -1000
    assert gain(against("9c 9d", "Ah 7s Td stand")) == 0
