"""685a.1: what a Blackjack is."""

from tests.law.downunder_table import against, audit, bet


def test_685a_1() -> None:
    # An ace and any card worth ten, as the first two cards, are a Blackjack; A-5-5 and A-9 are none.
    for ten in ("Ts", "Js", "Qs", "Ks"):
        assert audit(against("9c 9d", f"Ah {ten}"), bet()).expected[0].cents == 1500
        assert audit(against("9c 9d", f"{ten} Ah"), bet()).expected[0].cents == 1500
        assert audit(against(f"Ac {ten}", "9h 9s"), bet()).outcome == "blackjack"
    assert audit(against("9c 9d", "Ah 5s 5d"), bet()).expected[0].cents == 1000
    assert audit(against("9c 9d", "Ah 9s stand"), bet()).expected[0].cents == 1000
