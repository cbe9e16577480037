"""551.1: what a Blackjack is."""

from tests.law.spanish21_table import gain


def test_551_1() -> None:
    # The initial two cards: not a king that comes to an ace after a split.
    assert gain("1:Ad D:9c 1:Ks D:9h") == 1500
    split = "1:Ad D:9c 1:As D:9h 1:split 1:Ks 1:stand 1.2:6d 1.2:stand"
    assert gain(split, "1 wager 1000", "1.2 wager 1000") == 1000
    # An ace and any card worth ten, whichever came first; with a nine it is 20 and wins 1 to 1.
    for first, second in (("Ad", "Js"), ("Ad", "Qs"), ("Jd", "As"), ("Qd", "As"), ("Kd", "As")):
        assert gain(f"1:{first} D:9c 1:{second} D:9h") == 1500
    assert gain("1:Ad D:9c 1:9s D:Kh 1:stand") == gain("1:9d D:9c 1:As D:Kh 1:stand") == 1000
    assert gain("1:5d D:Kc 1:6s D:Ah 1:Kd") == -1000
    # A dealer's ace and king are a Blackjack, his 21 in three cards is none: it takes a 21 of three cards.
    assert gain("1:5d D:Ac 1:6s D:Kh 1:Kd") == -1000
    assert gain("1:5d 2:Kd D:Ac 1:6s 2:Kc D:5h 1:Kd 2:stand D:5c", "1 wager 1000", "2 wager 5") == 1000
