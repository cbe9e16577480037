"""551.6: the wager, when it wins, and what it is paid."""

from itertools import permutations, product
from typing import Any, Final

import pytest

from tests.law.blackjack_proofs import prove_stakes_stay, prove_verbal_wager
from tests.law.spanish21_table import audit, cites, found, gain, owed, stands_on

TWO: Final = ("1 wager 1000", "2 wager 1000")
DOUBLED: Final = ("1 wager 1000", "1 double_down 1000")


def test_551_6() -> None:
    # 20, 19 and 18 against 19, and a Blackjack.
    assert gain("1:Kd D:9c 1:Qs D:Kh 1:stand") == 1000
    assert gain("1:Kd D:9c 1:9s D:Kh 1:stand") == 0
    assert gain("1:Kd D:9c 1:8s D:Kh 1:stand") == -1000
    assert gain("1:Ad D:9c 1:Ks D:Kh") == 1500


def test_551_6_a() -> None:
    concluded = audit("1:Kd 2:9d D:9c 1:8s 2:9s D:Kh 1:stand 2:stand")
    assert found(concluded) == [("stake_missing", "seat2")]
    assert "551.6(a)" in cites(concluded)
    assert found(audit("1:Kd 2:9d D:9c 1:8s 2:9s D:Kh 1:stand 2:stand", *TWO)) == []


def test_551_6_b() -> None:
    # A hand over 21 has lost, whatever the dealer has; with the same total over 21 too.
    over = "1:Kd 2:9d D:Kc 1:6s 2:9h D:6h 1:9s 2:stand D:9h"
    assert owed(audit(over, *TWO)) == {"1 wager": -1000, "2 wager": 1000}
    assert audit(over, *TWO).outcome == "bust"
    # Equal totals win where (3) or (4) says so, and not else: a Blackjack, three cards, and 20 against 20.
    assert gain("1:Ad 2:Kd D:Kc 1:Ks 2:9d D:5h 2:stand D:6d", *TWO) == 1500
    assert gain("1:5d 2:Kd D:Kc 1:6s 2:9d D:5h 1:Ks 2:stand D:6d", *TWO) == 1000
    assert gain("1:Kd D:Qc 1:Js D:Kh 1:stand") == 0
    # Against more than 21 twelve is enough.
    assert gain("1:Kd D:Kc 1:2s D:6h 1:stand D:6d") == 1000


def test_551_6_b_1() -> None:
    assert stands_on("551.6(b)(1)", "1:Kd D:Kc 1:2s D:6h 1:stand D:6d") == 1000
    # 21 of the player is 21 or less, 25 is not.
    assert stands_on("551.6(b)(1)", "1:Kd 2:Kh D:Kc 1:5s 2:9d D:6h 1:6d 2:stand D:9h", *TWO) == 1000
    assert gain("1:Kd 2:Kh D:Kc 1:6s 2:9d D:6h 1:9s 2:stand D:9h", *TWO) == -1000
    # 21 is not in excess of 21.
    assert gain("1:Kd D:Kc 1:2s D:6h 1:stand D:5d") == -1000


@pytest.mark.parametrize(("card", "won"), [("9", 0), ("J", 1000), ("8", -1000)])
def test_551_6_b_2(card: str, won: int) -> None:
    assert gain(f"1:Kd D:9c 1:{card}s D:Kh 1:stand") == won
    # 21 is more than 19; 22 and 25 are more as well, and in excess of 21.
    assert gain("1:Kd D:9c 1:6s D:Kh 1:draw 1:5h") == 1000
    assert gain("1:Kd D:9c 1:6s D:Kh 1:draw 1:6h") == -1000
    assert gain("1:Kd D:9c 1:6s D:Kh 1:draw 1:9h") == -1000


def test_551_6_b_2_cited() -> None:
    assert stands_on("551.6(b)(2)", "1:Kd D:9c 1:Qs D:Kh 1:stand") == 1000


def test_551_6_b_3() -> None:
    assert stands_on("551.6(b)(3)", "1:Ad D:Ac 1:Ks D:Kh") == 1500
    assert stands_on("551.6(b)(3)", "1:Ad 2:Kd D:Kc 1:Ks 2:9d D:5h 2:stand D:6d", *TWO) == 1500


def test_551_6_b_4() -> None:
    in_three = "1:5d 2:Kd D:Kc 1:6s 2:9d D:5h 1:Ks 2:stand D:6d"
    assert stands_on("551.6(b)(4)", in_three, *TWO) == 1000
    # The dealer's 21 is in two cards.
    assert gain("1:5d D:Ac 1:6s D:Kh 1:Kd") == -1000
    # In two cards, after a split, it is only returned.
    in_two = "1:Ad D:Kc 1:As D:5h 1:split 1:Ks 1:stand 1.2:9d 1.2:stand D:6d"
    assert owed(audit(in_two, "1 wager 1000", "1.2 wager 1000")) == {"1 wager": 0, "1.2 wager": -1000}


@pytest.mark.parametrize("card", "789Q")
def test_551_6_c(card: str) -> None:
    # 17, 18, 19, 20 against the same.
    assert stands_on("551.6(c)", f"1:Kd D:{card}c 1:{card}s D:Kh 1:stand") == 0
    # 21 in two cards after a split against 21 in three: neither (b)(3) nor (4).
    in_two = "1:Ad D:Kc 1:As D:5h 1:split 1:Ks 1:stand 1.2:9d 1.2:stand D:6d"
    assert stands_on("551.6(c)", in_two, "1 wager 1000", "1.2 wager 1000") == 0
    # 21 in three cards, and in two after a split, against a Blackjack.
    assert stands_on("551.6(c)", "1:5d D:Ac 1:6s D:Kh 1:Kd") == -1000
    against_blackjack = in_two.replace("D:5h", "D:Ah").removesuffix(" D:6d")
    assert stands_on("551.6(c)", against_blackjack, "1 wager 1000", "1.2 wager 1000") == -1000


def test_551_6_d() -> None:
    play = "1:Kd D:9c 1:Qs D:Kh 1:{}+wager 1:stand"
    for move in ("place", "increase", "reduce", "withdraw"):
        concluded = audit("D:no_more_bets " + play.format(move))
        assert [finding.check for finding in concluded.findings] == ["late_wager"]
        assert "551.6(d)" in cites(concluded)
        assert owed(concluded) == {"1 wager": None}
    assert found(audit("1:place+wager D:no_more_bets 1:Kd D:9c 1:Qs D:Kh 1:stand")) == []


def test_551_6_i() -> None:
    test_551_6_d()


def test_551_6_f() -> None:
    play = "1:Kd D:9c 1:{} D:Kh 1:stand"
    assert stands_on("551.6(f)", play.format("Qs")) == 1000
    # By (b)(1) and (4) 1 to 1 as well, by (b)(3) 3 to 2.
    assert stands_on("551.6(f)", "1:Kd D:Kc 1:2s D:6h 1:stand D:6d") == 1000
    in_three = "1:5d 2:Kd D:Kc 1:6s 2:9d D:5h 1:Ks 2:stand D:6d"
    assert stands_on("551.6(f)", in_three, *TWO) == 1000
    blackjack = "1:Ad 2:Kd D:Kc 1:Ks 2:9d D:5h 2:stand D:6d"
    assert gain(blackjack, *TWO) == 1500
    for card, paid, check in [
        ("Qs", 999, "paid_too_little"),
        ("Qs", 1500, "paid_too_much"),
        ("Qs", -1000, "winner_collected"),
        ("8s", 0, "loser_not_collected"),
        ("9s", 1, "push_paid"),
        ("9s", -1, "push_collected"),
    ]:
        concluded = audit(play.format(card), paid=[f"1 wager {paid}"])
        assert [finding.check for finding in concluded.findings] == [check]
        assert "551.6(f)" in cites(concluded)


def of(*cards: str) -> str:
    """Deal a hand to seat 1 against a dealer's 18."""
    first, second, *drawn = cards
    return f"1:{first} D:9c 1:{second} D:9h " + " ".join(f"1:{card}" for card in drawn)


def against(*cards: str, dealer: str) -> str:
    """Deal a hand to seat 1, and to seat 2 a 19 for which the dealer draws: his cards in order."""
    first, second, *drawn = cards
    up, hole, *others = dealer.split()
    return (
        f"1:{first} 2:Kd D:{up} 1:{second} 2:9s D:{hole} "
        + " ".join(f"1:{card}" for card in drawn)
        + " 2:stand "
        + " ".join(f"D:{card}" for card in others)
    )


def prove_paid(clause: str, cents: int, *cards: str) -> None:
    """Prove that a hand wins so much by a clause: against 18, against 25, (b)(1), and against 21, (b)(4)."""
    assert stands_on(clause, of(*cards)) == cents
    for dealer in ("Kc 6h 9s", "Kc 5h 6s"):
        assert stands_on(clause, against(*cards, dealer=dealer), *TWO) == cents


def doubled(*cards: str) -> str:
    """Deal it with its last card on a double."""
    *others, last = cards
    return of(*others) + f" 1:double 1:{last}"


SIX_SEVEN_EIGHT: Final = {
    "mixed": ("6s", "7s", "8d"),
    "hearts": ("8h", "6h", "7h"),
    "spades": ("7s", "8s", "6s"),
}
SEVENS: Final = {"mixed": ("7s", "7s", "7d"), "clubs": ("7c", "7c", "7c"), "spades": ("7s", "7s", "7s")}
BY_CARDS: Final = {
    4: ("2s", "3s", "7d", "9d"),
    5: ("2s", "3s", "4d", "5d", "7d"),
    6: ("2s", "3s", "4d", "5d", "3d", "4c"),
    7: ("2s", "3s", "4d", "5d", "3d", "2c", "2d"),
    8: ("2s", "3s", "4d", "2d", "3d", "2c", "2d", "3c"),
}


# What $10 win with each: 3 to 2, 2 to 1 and 3 to 1 by the suits; four cards of 21 win 1 to 1.
BY_SUITS: Final = (1500, 2000, 3000)
MORE: Final = [
    *zip(SIX_SEVEN_EIGHT.values(), BY_SUITS, strict=True),
    *zip(SEVENS.values(), BY_SUITS, strict=True),
    *zip(BY_CARDS.values(), (1000, 1500, 2000, 3000, 3000), strict=True),
]


@pytest.mark.parametrize(("cards", "more"), MORE)
def test_551_6_g(cards: tuple[str, ...], more: int) -> None:
    assert gain(of(*cards)) == more
    assert gain(against(*cards, dealer="Kc 5h 6s"), *TWO) == more
    test_551_6_g_without()
    # Where the house has a hand doubled on any number of cards, as (g)(5) to (7) have it in their words.
    concluded = audit(doubled(*cards), *DOUBLED, double_down_on="any")
    assert owed(concluded) == {"1 wager": 1000, "1 double_down": 1000}


def test_551_6_g_without() -> None:
    assert gain(of("5d", "7d", "9d")) == 1000
    assert gain(of("5d", "8d", "8c")) == 1000
    assert gain(of(*BY_CARDS[4])) == 1000
    # Six cards of 20.
    assert gain(of("2s", "3s", "4d", "5d", "3d", "3c") + " 1:stand") == 1000


def test_551_6_g_1() -> None:
    for cards in permutations(("6s", "7d", "8d")):
        prove_paid("551.6(g)(1)", 1500, *cards)
    for suits in ("ssd", "sds", "dss", "chd"):
        assert gain(of(*map("".join, zip("678", suits, strict=True)))) == 1500


@pytest.mark.parametrize("suit", "cdhs")
def test_551_6_g_2(suit: str) -> None:
    won = 3000 if suit == "s" else 2000
    for ranks in permutations("678"):
        prove_paid("551.6(g)(2)", won, *(f"{rank}{suit}" for rank in ranks))


def test_551_6_g_3() -> None:
    prove_paid("551.6(g)(3)", 1500, *SEVENS["mixed"])


@pytest.mark.parametrize("suit", "cdhs")
def test_551_6_g_4(suit: str) -> None:
    won = 3000 if suit == "s" else 2000
    prove_paid("551.6(g)(4)", won, *[f"7{suit}"] * 3)


def test_551_6_g_5() -> None:
    prove_paid("551.6(g)(5)", 1500, *BY_CARDS[5])


def test_551_6_g_6() -> None:
    prove_paid("551.6(g)(6)", 2000, *BY_CARDS[6])


@pytest.mark.parametrize("count", [7, 8])
def test_551_6_g_7(count: int) -> None:
    prove_paid("551.6(g)(7)", 3000, *BY_CARDS[count])


def sevens(suit: str = "d", *, up: str = "7c", hole: str = "Kh") -> str:
    """Deal three 7s to seat 1, 19 to seat 2; the dealer has 17."""
    return f"1:7{suit} 2:Kd D:{up} 1:7{suit} 2:9s D:{hole} 1:7{suit} 2:stand"


NO_FIXED_PAYOUT: Final[list[tuple[str, tuple[str, ...]]]] = [
    (sevens().replace("1:7d 2:stand", "1:7c 2:stand"), TWO),  # mixed suits
    (sevens(up="8c", hole="9h"), TWO),  # no 7 up
    (sevens(up="Kc", hole="7h"), TWO),  # a 7 in the hole only
    (sevens().replace("1:7d 2:stand", "1:double 1:7d 2:stand"), (*TWO, "1 double_down 1000")),
    (
        "1:7d 2:Kd D:7c 1:7d 2:9s D:Kh 1:split 1:7d 1:7d 1.2:Ks 1.2:stand 2:stand",
        (*TWO, "1.2 wager 1000"),
    ),
]


@pytest.mark.parametrize(
    ("staked", "fixed"), [(499, None), (500, 100_000), (2499, 100_000), (2500, 500_000), (100_000, 500_000)]
)
def test_551_6_h(staked: int, fixed: int | None) -> None:
    # Of any one suit, and against a 7 of any suit.
    for suit, up in product("cdhs", repeat=2):
        concluded = audit(sevens(suit, up=f"7{up}"), f"1 wager {staked}", "2 wager 1000")
        expected: dict[str, int | None] = {"1 wager": (3 if suit == "s" else 2) * staked, "2 wager": 1000}
        if fixed is not None:
            expected |= {"1 fixed_payout": fixed, "2 fixed_payout": 5000}
        assert owed(concluded) == expected
    # The other has lost, and had $1; then the dealer has more than 21, against which 19 wins.
    over = "1:7d 2:Kd D:7c 1:7d 2:6s D:Kh 1:7d 2:9h"
    beaten = "1:7d 2:Kd D:7c 1:7d 2:9s D:9h 1:7d 2:stand D:Kc"
    for cards, others in ((over, -100), (beaten, 100)):
        expected = {"1 wager": 2 * staked, "2 wager": others}
        if fixed is not None:
            expected |= {"1 fixed_payout": fixed, "2 fixed_payout": 5000}
        assert owed(audit(cards, f"1 wager {staked}", "2 wager 100")) == expected
    for cards, stakes in NO_FIXED_PAYOUT:
        test_551_6_h_none(cards, stakes)


@pytest.mark.parametrize(("cards", "stakes"), NO_FIXED_PAYOUT)
def test_551_6_h_none(cards: str, stakes: tuple[str, ...]) -> None:
    concluded = audit(cards, *stakes)
    assert not concluded.findings
    assert not [name for name in owed(concluded) if name.endswith("fixed_payout")]


@pytest.mark.parametrize(("options", "beside"), [({}, 10_000), ({"fixed_payout_others": "once"}, 5000)])
def test_551_6_h_others(options: dict[str, Any], beside: int) -> None:
    cards = "1:7d 2:7h 3:Kc D:7c 1:7d 2:7h 3:8c D:Kh 1:7d 2:7h 3:stand"
    stakes = ("1 wager 500", "2 wager 2500", "3 wager 1000")
    due = owed(audit(cards, *stakes, **options))
    assert (due["1 fixed_payout"], due["2 fixed_payout"], due["3 fixed_payout"]) == (105_000, 505_000, beside)


def test_551_6_h_cited() -> None:
    assert stands_on("551.6(h)", sevens(), *TWO, wager="1 fixed_payout") == 100_000
    assert stands_on("551.6(h)", sevens(), *TWO, wager="2 fixed_payout") == 5000


def test_551_6_e() -> None:
    prove_verbal_wager("551.6(e)(1)", "551.6(e)(2)", "wager")


def test_551_6_e_1() -> None:
    prove_verbal_wager("551.6(e)(1)", "551.6(e)(2)", "wager")


def test_551_6_e_2() -> None:
    prove_verbal_wager("551.6(e)(1)", "551.6(e)(2)", "wager")


def test_551_6_j() -> None:
    prove_stakes_stay("551.6(j)")
