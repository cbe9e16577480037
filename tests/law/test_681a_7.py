"""681a.7: the deal, additional cards, and how each wager is settled."""

from typing import Any

import pytest

from projections.engine.audit.round_records import answer
from schemas.record import RecordWager, RoundRecord
from tests.builders.shoes import Table, pack, shuffled
from tests.builders.texts import text_of
from tests.law.baccarat21_table import EVENING, audit, checks, cited, owed, owed_by
from tests.law.baccarat_table import HOUSE, Play, deal
from tests.law.layout_proofs import prove_point
from tests.law.preparation_proofs import (
    prove_burn_before_cards,
    prove_burn_of_one,
    prove_collection,
    prove_reshuffle_at_cover_card,
    prove_shuffle_after_shoe,
)
from tests.law.settling_proofs import prove_main_wagers_in_turn
from tests.law.turning_proofs import prove_cleared

WAGERS = [("player", 1000), ("banker", 1000), ("tie", 100), ("bonus_player", 100), ("bonus_banker", 100)]
OPEN = {wager: None for wager, _ in WAGERS}

# Beside the Banker's 18: hands that must draw and hands that must not, each of two cards.
DRAWS = [
    *("2c 2d", "2c 3c", "2c 4c", "3c 4c", "3c 5c", "4c 5c", "4c 6c", "5c 6c"),  # 4 to 11
    *("3c 9c", "Ac 2c", "Tc 4c", "4c Ac", "9c 7c", "Tc 6c", "8c 8d", "Ac 5c"),  # 12 to 16
]
STANDS = ["Tc 7c", "9c 8c", "Ac 6c", "Ac 7c", "Tc 8c", "Ac 9c", "Tc Qc", "9c 9d"]


def test_681a_7() -> None:
    # 16 draws a 3, 15 draws a 4: 19 and 19, and no pair, straight or 21 among them.
    concluded = audit(deal("9c 7c 3c", "Td 5d 4d"), *WAGERS, announced="tie")
    assert (concluded.verdict, concluded.outcome) == ("clean", "tie")
    assert owed(concluded) == {
        "player": 0,
        "banker": 0,
        "tie": 1000,
        "bonus_player": -100,
        "bonus_banker": -100,
    }


WRONG_ORDERS = [
    ["player", "player", "banker", "banker"],
    ["banker", "player", "banker", "player"],
    ["player", "banker", "banker", "player"],
]


@pytest.mark.parametrize("order", WRONG_ORDERS)
def test_681a_7_e(order: list[str]) -> None:
    play: Play = list(zip(order, ["Kc", "9c", "Kd", "8d"], strict=True))
    concluded = audit(play, *WAGERS)
    assert checks(concluded) == [("card_order_wrong", "")]
    assert cited(concluded) == {"681a.7(e)"}
    assert (concluded.outcome, owed(concluded)) == (None, OPEN)


def dealt_to(order: str) -> list[tuple[str, str]]:
    """Return what is found where the four cards go to these hands in turn."""
    return checks(audit(list(zip(order.split(), ["Kc", "9c", "Kd", "8d"], strict=True)), *WAGERS))


def first(cards: int) -> list[tuple[str, str]]:
    concluded = audit(deal("Kc 9c", "Kd 8d")[:cards], *WAGERS)
    assert concluded.verdict == ("clean" if cards == 4 else "mismatch")
    if cards < 4:
        assert owed(concluded) == OPEN
        assert cited(concluded) == {"681a.7(e)"}
    return checks(concluded)


def test_681a_7_e_1() -> None:
    assert first(0) == [("card_missing", "player"), ("card_missing", "banker")]
    assert checks(audit(deal("Kc 9c", "Kd 8d")[1:2], *WAGERS)) == first(0)
    assert dealt_to("banker player player banker") == [("card_order_wrong", "")]


def test_681a_7_e_2() -> None:
    assert first(1) == [("card_missing", "player"), ("card_missing", "banker")]
    assert dealt_to("player player banker banker") == [("card_order_wrong", "")]


def test_681a_7_e_3() -> None:
    assert first(2) == [("card_missing", "player"), ("card_missing", "banker")]
    assert dealt_to("player banker banker player") == [("card_order_wrong", "")]


def test_681a_7_e_4() -> None:
    assert first(3) == [("card_missing", "banker")]
    assert first(4) == []
    assert dealt_to("player banker player player") == [("card_missing", "banker")]
    assert dealt_to("player banker banker player") == [("card_order_wrong", "")]


def test_681a_7_f() -> None:
    # Neither a 16 nor a 9 may draw beside a natural; a natural never does.
    for banker in ("Td 6d", "5d 4d"):
        concluded = audit(deal("Ac Kc", banker), *WAGERS[:3])
        assert (concluded.verdict, concluded.outcome) == ("clean", "player")
        assert owed(concluded) == {"player": 1000, "banker": -1000, "tie": -100}
        other = audit(deal(banker, "Ac Kc"), *WAGERS[:3])
        assert (other.verdict, other.outcome) == ("clean", "banker")
        assert owed(other) == {"player": -1000, "banker": 1000, "tie": -100}
    on_it = audit(deal("Ac Kc 9c", "Td 8d"), *WAGERS[:3])
    assert checks(on_it) == [("hand_drew_wrongly", "player")]
    assert owed(on_it) == {"player": 1000, "banker": -1000, "tie": -100}


def test_681a_7_f_1() -> None:
    assert audit(deal("Ac Kc", "Td 6d"), *WAGERS[:3]).verdict == "clean"
    drawn = audit(deal("Ac Kc", "Td 6d 5d"), *WAGERS[:3])
    assert checks(drawn) == [("hand_drew_wrongly", "banker")]
    assert cited(drawn) == {"681a.7(f)(1)"}
    assert owed(drawn) == {"player": 1000, "banker": -1000, "tie": -100}
    other = audit(deal("Td 6d 5d", "Ac Kc"), *WAGERS[:3])
    assert checks(other) == [("hand_drew_wrongly", "player")]
    assert owed(other) == {"player": -1000, "banker": 1000, "tie": -100}


def test_681a_7_f_1_without_wagers() -> None:
    # None lay, as the settlement shows, or no one saw whether any did.
    none = audit(deal("Ac Kc", "Td 6d 5d"), settled=[])
    assert checks(none) == [("hand_drew_wrongly", "banker")]
    for banker in ("Td 6d", "Td 6d 5d"):
        assert checks(audit(deal("Ac Kc", banker))) == []


@pytest.mark.parametrize("bonus", ["bonus_player", "bonus_banker"])
def test_681a_7_f_2(bonus: str) -> None:
    # The Banker's 16 takes a 5 for the Bonus Wager; to the other wagers it is a 16.
    drawn = audit(deal("Ac Kc", "Td 6d 5d"), *WAGERS[:3], (bonus, 100))
    assert (drawn.verdict, drawn.outcome) == ("clean", "player")
    assert owed(drawn) == {
        "player": 1000,
        "banker": -1000,
        "tie": -100,
        bonus: {"bonus_player": -100, "bonus_banker": 500}[bonus],
    }
    other = audit(deal("Td 6d 5d", "Ac Kc"), *WAGERS[:3], (bonus, 100))
    assert (other.verdict, other.outcome) == ("clean", "banker")
    assert owed(other) == {
        "player": -1000,
        "banker": 1000,
        "tie": -100,
        bonus: {"bonus_player": 500, "bonus_banker": -100}[bonus],
    }
    missing = audit(deal("Ac Kc", "Td 6d"), *WAGERS)
    assert checks(missing) == [("card_missing", "banker")]
    assert cited(missing) == {"681a.7(f)(2)"}
    assert owed(missing) == {
        "player": 1000,
        "banker": -1000,
        "tie": -100,
        "bonus_player": -100,
        "bonus_banker": None,
    }


def test_681a_7_f_2_less_than_17() -> None:
    assert audit(deal("Ac Kc", "Td 7d"), *WAGERS).verdict == "clean"
    drawn = audit(deal("Ac Kc", "Td 7d 4d"), *WAGERS)
    assert checks(drawn) == [("hand_drew_wrongly", "banker")]
    assert owed(drawn)["bonus_banker"] == -100  # no three-card 21
    soft = audit(deal("Ac Kc", "Ad 5d 5h"), ("bonus_banker", 100))
    assert (soft.verdict, owed(soft)) == ("clean", {"bonus_banker": 500})
    two = audit(deal("Ac Kc", "Td 6d 5d 5h"), ("bonus_banker", 100))
    assert (checks(two), owed(two)) == ([("hand_drew_wrongly", "banker")], {"bonus_banker": 500})


def test_681a_7_f_2_wagered_hand() -> None:
    chosen: dict[str, Any] = {"natural_bonus_card": "wagered_hand"}
    assert audit(deal("Ac Kc", "Td 6d"), ("bonus_player", 100), **chosen).verdict == "clean"
    drawn = audit(deal("Ac Kc", "Td 6d 5d"), ("bonus_player", 100), **chosen)
    assert checks(drawn) == [("hand_drew_wrongly", "banker")]
    assert audit(deal("Ac Kc", "Td 6d 5d"), ("bonus_banker", 100), **chosen).verdict == "clean"
    assert audit(deal("Td 6d 5d", "Ac Kc"), ("bonus_player", 100), **chosen).verdict == "clean"


def test_681a_7_f_2_two_aces() -> None:
    assert audit(deal("Ac Ad", "Td 8d"), ("bonus_player", 100)).verdict == "clean"
    assert checks(audit(deal("Ac Ad 9h", "Td 8d"), ("bonus_player", 100))) == [
        ("hand_drew_wrongly", "player")
    ]
    drawn = audit(
        deal("Ac Ad 9h", "Td 2d 3h"), ("bonus_player", 100), ("player", 1000), ace_ace_bonus_card="drawn"
    )
    # A pair and a 21; to the Player Wager both hands are 12.
    assert (drawn.verdict, owed(drawn)) == ("clean", {"bonus_player": 800, "player": 0})
    missing = audit(deal("Ac Ad", "Td 8d"), ("bonus_player", 100), ace_ace_bonus_card="drawn")
    assert (checks(missing), owed(missing)) == ([("card_missing", "player")], {"bonus_player": None})


@pytest.mark.parametrize("bonus", ["bonus_player", "bonus_banker"])
@pytest.mark.parametrize("banker", ["Td 6d", "Td 6d 5d"])
def test_681a_7_f_2_improper_wager(bonus: str, banker: str) -> None:
    # No text says whether a late Bonus Wager asks for the card: with and without it the cards are right.
    play = [("dealer", "no_more_bets"), ("seat1", f"place {bonus}"), *deal("Ac Kc", banker)]
    concluded = audit(play, (bonus, 100), ("tie", 100))
    assert checks(concluded) == [("late_wager", "")]
    assert owed(concluded) == {bonus: None, "tie": -100}


def test_681a_7_f_2_withdrawn_late() -> None:
    play = [("dealer", "no_more_bets"), ("seat1", "withdraw bonus_player"), *deal("Ac Kc", "Td 6d 5d")]
    assert "hand_drew_wrongly" not in dict(checks(audit(play, ("tie", 100))))


@pytest.mark.parametrize("hand", DRAWS)
def test_681a_7_g(hand: str) -> None:
    for player, banker, who in ((hand, "Kd 8d", "player"), ("Kd 8d", hand, "banker")):
        lacks = audit(deal(player, banker), *WAGERS[:3])
        assert checks(lacks) == [("card_missing", who)]
        assert cited(lacks) == {"681a.7(g)"}
        assert (lacks.outcome, owed(lacks)) == (None, {"player": None, "banker": None, "tie": None})
        drawn = deal(
            f"{player} Th" if who == "player" else player, f"{banker} Th" if who == "banker" else banker
        )
        assert checks(audit(drawn, *WAGERS[:3])) == []


@pytest.mark.parametrize("hand", STANDS)
def test_681a_7_g_stands(hand: str) -> None:
    for player, banker, who in ((hand, "Kd 7d", "player"), ("Kd 7d", hand, "banker")):
        right = audit(deal(player, banker), *WAGERS[:3])
        assert checks(right) == []
        drew = deal(
            f"{player} Th" if who == "player" else player, f"{banker} Th" if who == "banker" else banker
        )
        wrong = audit(drew, *WAGERS[:3])
        assert checks(wrong) == [("hand_drew_wrongly", who)]
        assert "681a.7(g)" in cited(wrong)
        assert (wrong.outcome, owed(wrong)) == (right.outcome, owed(right))


def test_681a_7_g_one_card_in_either_order() -> None:
    first_player = deal("9c 7c 4c", "Td 6d 3d")
    assert audit(first_player, ("player", 1000)).verdict == "clean"
    first_banker = [*first_player[:4], first_player[5], first_player[4]]
    assert audit(first_banker, ("player", 1000)).verdict == "clean"
    # 2, 3 and 4 are 9 and stay 9.
    fourth = audit(deal("2c 3c 4c Tc", "Kd 8d"), ("player", 1000))
    assert (checks(fourth), owed(fourth)) == ([("hand_drew_wrongly", "player")], {"player": -1000})


def test_681a_7_g_the_other_hands_bonus_is_settled() -> None:
    lacks = audit(deal("9c 7c", "9d 9h"), *WAGERS)
    assert checks(lacks) == [("card_missing", "player")]
    assert owed(lacks) == OPEN | {"bonus_banker": 300}


@pytest.mark.parametrize("called", ["player", "banker", "tie"])
def test_681a_7_h(called: str) -> None:
    for player, banker, result in (
        ("Kc 9c", "Kd 8d", "player"),
        ("Kc 8c", "Kd 9d", "banker"),
        ("Kc 8c", "Ad 7d", "tie"),
    ):
        concluded = audit(deal(player, banker), announced=called)
        assert concluded.outcome == result
        assert checks(concluded) == ([] if called == result else [("announced_wrong", "")])
        assert cited(concluded) == (set() if called == result else {"681a.7(h)"})


def test_681a_7_h_order() -> None:
    prove_main_wagers_in_turn("681a.7(h)")


def mirrored(wager: str, own: str, other: str) -> Play:
    return deal(own, other) if wager == "player" else deal(other, own)


def settled(wager: str, clause: str, own: str, other: str) -> int:
    letter = {"player": "i", "banker": "j"}[wager]
    return owed_by([f"681a.7({letter}){clause}"], mirrored(wager, own, other), wager, 1000)


def test_681a_7_i() -> None:
    assert settled("player", "(2)(i)", "Kc 9c", "Kd 8d") == 1000
    assert settled("player", "(4)", "Kc 9c", "Kd 9d") == 0


def test_681a_7_i_1() -> None:
    assert settled("player", "(1)", "Kc 8c", "Td 6d 6h") == 1000  # 18 and 22
    assert settled("player", "(1)", "Tc 6c 5c", "Td 6d 6h") == 1000  # 21 and 22
    # The Banker's Hand is the one that is paid: the Player Wager loses by its clause.
    assert owed_by(["681a.7(j)(1)"], deal("Tc 6c 6h", "Kd 8d"), "player", 1000) == -1000


def test_681a_7_i_2() -> None:
    assert settled("player", "(2)(i)", "Tc 6c 5c", "Kd 9d") == 1000
    assert settled("player", "(2)(ii)", "Kc 9c", "Td 6d 5d") == -1000


def test_681a_7_i_2_i() -> None:
    assert settled("player", "(2)(i)", "Kc 9c", "Kd 8d") == 1000
    assert settled("player", "(2)(i)", "Ac Kc", "Kd Qd") == 1000


def test_681a_7_i_2_ii() -> None:
    assert settled("player", "(2)(ii)", "Kc 8c", "Kd 9d") == -1000
    assert settled("player", "(2)(ii)", "Ac Ad", "Td 6d") == -1000  # 12 and 16


def test_681a_7_i_3() -> None:
    assert settled("player", "(3)(i)", "Tc 6c 6h", "Td 5d 8d") == 1000  # 22 and 23
    assert settled("player", "(3)(ii)", "Tc 5c 8c", "Td 6d 6h") == -1000


def test_681a_7_i_3_i() -> None:
    assert settled("player", "(3)(i)", "Tc 6c 9c", "Td 6d Kd") == 1000  # 25 and 26


def test_681a_7_i_3_ii() -> None:
    assert settled("player", "(3)(ii)", "Tc 6c Kc", "Td 6d 9d") == -1000


def test_681a_7_i_4() -> None:
    assert settled("player", "(4)", "Kc 9c", "Ad 8d") == 0  # 19
    assert settled("player", "(4)", "Tc 6c Kc", "9d 7d Qd") == 0  # 26
    assert settled("player", "(4)", "Ac Ad", "Td 2d") == 0  # 12


def test_681a_7_j() -> None:
    assert settled("banker", "(2)(i)", "Kc 9c", "Kd 8d") == 1000
    assert settled("banker", "(4)", "Kc 9c", "Kd 9d") == 0


def test_681a_7_j_1() -> None:
    assert settled("banker", "(1)", "Kc 8c", "Td 6d 6h") == 1000
    assert settled("banker", "(1)", "Tc 6c 5c", "Td 6d 6h") == 1000
    assert owed_by(["681a.7(i)(1)"], deal("Kd 8d", "Tc 6c 6h"), "banker", 1000) == -1000


def test_681a_7_j_2() -> None:
    assert settled("banker", "(2)(i)", "Tc 6c 5c", "Kd 9d") == 1000
    assert settled("banker", "(2)(ii)", "Kc 9c", "Td 6d 5d") == -1000


def test_681a_7_j_2_i() -> None:
    assert settled("banker", "(2)(i)", "Kc 9c", "Kd 8d") == 1000
    assert settled("banker", "(2)(i)", "Ac Kc", "Kd Qd") == 1000


def test_681a_7_j_2_ii() -> None:
    assert settled("banker", "(2)(ii)", "Kc 8c", "Kd 9d") == -1000
    assert settled("banker", "(2)(ii)", "Ac Ad", "Td 6d") == -1000


def test_681a_7_j_3() -> None:
    assert settled("banker", "(3)(i)", "Tc 6c 6h", "Td 5d 8d") == 1000
    assert settled("banker", "(3)(ii)", "Tc 5c 8c", "Td 6d 6h") == -1000


def test_681a_7_j_3_i() -> None:
    assert settled("banker", "(3)(i)", "Tc 6c 9c", "Td 6d Kd") == 1000


def test_681a_7_j_3_ii() -> None:
    assert settled("banker", "(3)(ii)", "Tc 6c Kc", "Td 6d 9d") == -1000


def test_681a_7_j_4() -> None:
    assert settled("banker", "(4)", "Kc 9c", "Ad 8d") == 0
    assert settled("banker", "(4)", "Tc 6c Kc", "9d 7d Qd") == 0
    assert settled("banker", "(4)", "Ac Ad", "Td 2d") == 0


def test_681a_7_k() -> None:
    concluded = audit(deal("9c 9d", "9h 9s"), *WAGERS[2:])
    assert owed(concluded) == {"tie": 1000, "bonus_player": 300, "bonus_banker": 300}
    one = audit(deal("9c 9d", "Kh 8s"), *WAGERS[2:])
    assert owed(one) == {"tie": 1000, "bonus_player": 300, "bonus_banker": -100}  # 18 and 18
    other = audit(deal("Kh 9s", "8c 8d 2h"), *WAGERS[2:])
    assert owed(other) == {"tie": -100, "bonus_player": -100, "bonus_banker": 300}  # 19 and 18


def test_681a_7_k_1() -> None:
    assert owed_by(["681a.7(k)(1)(i)"], deal("Kc 9c", "Ad 8d"), "tie", 100) == 1000
    assert owed_by(["681a.7(k)(1)(ii)"], deal("Kc 9c", "Ad 7d"), "tie", 100) == -100


@pytest.mark.parametrize(
    ("player", "banker"),
    [
        ("Kc 9c", "Kd 9d"),
        ("Ac Kc", "Ad Td"),
        ("Tc 6c Kc", "9d 7d Qd"),
        ("Ac Ad", "Ah As"),
        ("2c 3c 4c", "3d 2d 4d"),
    ],
)
def test_681a_7_k_1_i(player: str, banker: str) -> None:
    assert owed_by(["681a.7(k)(1)(i)"], deal(player, banker), "tie", 100) == 1000


@pytest.mark.parametrize(
    ("player", "banker"),
    [
        ("Kc 9c", "Kd 8d"),
        ("Tc 6c Kc", "Td 6d 9d"),
        ("Ac Ad", "Td 2d"),
        ("Td 2d", "Ac Ad"),
        ("Ac Kc", "Kd Qd"),
    ],
)
def test_681a_7_k_1_ii(player: str, banker: str) -> None:
    assert owed_by(["681a.7(k)(1)(ii)"], deal(player, banker), "tie", 100) == -100


def bonus(clause: str, hand: str, *, banker: bool) -> int:
    wager = "bonus_banker" if banker else "bonus_player"
    return owed_by([clause], deal("Kc 8c", hand) if banker else deal(hand, "Kc 8c"), wager, 100)


def test_681a_7_k_2() -> None:
    assert bonus("681a.7(k)(2)(i)", "9d 9h", banker=False) == 300
    assert bonus("681a.7(k)(2)(ii)", "Kd 9h", banker=False) == -100


def test_681a_7_k_2_i() -> None:
    assert bonus("681a.7(k)(2)(i)", "5d 7d 6d", banker=False) == 1000
    assert bonus("681a.7(k)(2)(i)", "9d 5d 7h", banker=False) == 500
    assert bonus("681a.7(k)(2)(i)", "4d 4h 4s", banker=False) == 4000
    assert bonus("681a.7(k)(2)(i)", "7d 7h 7s", banker=False) == 10000
    assert bonus("681a.7(k)(2)(i)", "8d 8h Kd", banker=False) == 300  # a hand over 21 is as good


def test_681a_7_k_2_ii() -> None:
    assert bonus("681a.7(k)(2)(ii)", "5d 9d 5h", banker=False) == -100
    assert bonus("681a.7(k)(2)(ii)", "9d 5d 5h", banker=False) == -100


def test_681a_7_k_3() -> None:
    assert bonus("681a.7(k)(3)(i)", "9d 9h", banker=True) == 300
    assert bonus("681a.7(k)(3)(ii)", "Kd 9h", banker=True) == -100


def test_681a_7_k_3_i() -> None:
    assert bonus("681a.7(k)(3)(i)", "5d 7d 6d", banker=True) == 1000
    assert bonus("681a.7(k)(3)(i)", "9d 5d 7h", banker=True) == 500
    assert bonus("681a.7(k)(3)(i)", "4d 4h 4s", banker=True) == 4000
    assert bonus("681a.7(k)(3)(i)", "7d 7h 7s", banker=True) == 10000
    assert bonus("681a.7(k)(3)(i)", "8d 8h Kd", banker=True) == 300


def test_681a_7_k_3_ii() -> None:
    assert bonus("681a.7(k)(3)(ii)", "5d 9d 5h", banker=True) == -100
    assert bonus("681a.7(k)(3)(ii)", "9d 5d 5h", banker=True) == -100


def test_681a_7_l() -> None:
    prove_cleared("681a", "681a.7(l)", in_order=True)


def test_void_is_accepted() -> None:
    record = RoundRecord(
        table="B21-1",
        round="1",
        chapter="681a",
        at=EVENING,
        play=[*deal("Kc 9c", "Kd 8d"), ("dealer", "void")],
        wagers=[RecordWager(1, "player", 1000), RecordWager(1, "bonus_player", 100)],
    )
    concluded = answer(record, HOUSE)
    assert (concluded.verdict, concluded.outcome) == ("clean", "void")
    assert owed(concluded) == {"player": 0, "bonus_player": 0}


def test_681a_7_d_1() -> None:
    # Eight decks less an 8 of diamonds: what was dealt, burned and left comes to 415 cards.
    s = Table("681a")
    cards = shuffled(pack("681a", 8), "681a.7(d)(1)")
    cards.remove("8d")
    s.put_in("A", burned=cards[:1])
    left = s.deal_all(cards[1:], leave=14)
    s.count_rest(len(left), left)
    (finding,) = (each for each in s.shoes_told()["A"].findings if each.check == "cards_not_conserved")
    assert finding.citations == ("681a.7(d)(1)",)
    assert "1 short of its 416 cards; not seen: 1 x 8d" in text_of(finding.message)


def test_681a_7_d_2() -> None:
    prove_shuffle_after_shoe("681a", "681a.5(a)", "681a.7(d)(2)")


def test_681a_7_c() -> None:
    prove_burn_before_cards("681a", "681a.7(c)")
    prove_burn_of_one("681a", "681a.7(c)")


def test_681a_7_d() -> None:
    prove_reshuffle_at_cover_card("681a", "681a.7(d)", "681a.5(f)")


def test_681a_7_d_1_reported() -> None:
    prove_collection("681a", "681a.7(d)(1)", 416)


def test_681a_7_a() -> None:
    prove_point("681a", "shoe_place", "681a.7(a)")
