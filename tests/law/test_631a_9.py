"""631a.9: the two hands, the first four cards, and House Money."""

from itertools import permutations
from typing import Any

import pytest

from tests.law.baccarat_table import Play, audit, bet, checks, deal, owed, paid
from tests.law.curator_proofs import prove_cards_called, prove_point_counts
from tests.law.turning_proofs import (
    prove_equal,
    prove_highest,
    prove_no_wager,
    prove_third,
    prove_tucked,
    prove_turn_offered,
)

SIX = ("Kc", "6c")
SEVEN = ("Kd", "7d")


def test_631a_9() -> None:
    # First and third card 6, second and fourth 7.
    play = [("player", "6c"), ("banker", "7d"), ("player", "Kc"), ("banker", "Kd")]
    concluded = audit(play, bet("banker", 1000), settled=[paid("banker", 1000, 50)], announced="banker")
    assert (concluded.verdict, concluded.outcome) == ("clean", "banker")


def test_631a_9_a() -> None:
    # Two hands: six cards to the Player's Hand and none to the Banker's are no round.
    concluded = audit([("player", card) for card in (*SIX, *SEVEN)], bet("player", 1000))
    assert (concluded.verdict, concluded.outcome) == ("mismatch", None)
    assert [(finding.check, finding.who) for finding in concluded.findings] == [
        ("initial_card_missing", "banker")
    ]
    assert owed(concluded, "player") == (None, None)


ORDERS = sorted(set(permutations(["player", "banker", "player", "banker"])))


@pytest.mark.parametrize("order", ORDERS)
def test_631a_9_c(order: tuple[str, ...]) -> None:
    cards = {"player": iter(SIX), "banker": iter(SEVEN)}
    concluded = audit([(hand, next(cards[hand])) for hand in order], bet("banker", 1000))
    if order == ("player", "banker", "player", "banker"):
        assert (concluded.verdict, concluded.outcome) == ("clean", "banker")
        assert owed(concluded, "banker") == (1000, 50)
    else:
        assert (concluded.verdict, concluded.outcome) == ("mismatch", None)
        assert checks(concluded) == ["card_order_wrong"]
        assert concluded.findings[0].citations == ("631a.9(c)",)
        assert owed(concluded, "banker") == (None, None)


@pytest.mark.parametrize(
    ("play", "lacking"),
    [
        ([], ["player", "banker"]),
        ([("player", "Kc"), ("banker", "Kd")], ["player", "banker"]),
        ([("player", "Kc"), ("banker", "Kd"), ("player", "7c")], ["banker"]),
        ([("player", "Kc"), ("banker", "Kd"), ("banker", "7d")], ["player"]),
    ],
)
def test_631a_9_c_card_missing(play: Play, lacking: list[str]) -> None:
    concluded = audit(play, bet("player", 1000), announced="player")
    assert (concluded.verdict, concluded.outcome) == ("mismatch", None)
    assert [finding.who for finding in concluded.findings] == lacking
    assert set(checks(concluded)) == {"initial_card_missing"}
    assert concluded.findings[0].citations == ("631a.9(c)",)
    assert owed(concluded, "player") == (None, None)
    # House Money hangs on the same four cards.
    pair = audit(play, bet("house_money", 1000), house_money=True)
    assert set(checks(pair)) == {"initial_card_missing"}
    assert owed(pair, "house_money") == (None, None)


def test_631a_9_c_third_cards() -> None:
    # Two hands that draw, 0 and 1: the Player's third card comes first.
    players, bankers = ("player", "6h"), ("banker", "5h")
    assert checks(audit([*deal("Kc Qc", "Kd Ad"), players, bankers], bet("player"))) == []
    concluded = audit([*deal("Kc Qc", "Kd Ad"), bankers, players], bet("player"))
    assert checks(concluded) == ["card_order_wrong"]
    assert "631a.9(c)" in concluded.findings[0].citations
    assert owed(concluded, "player") == (None, None)


def test_631a_9_c_order_and_house_money() -> None:
    # Which two cards are whose no text tells any more.
    play: Play = [("player", "9c"), ("player", "9d"), ("banker", "Kd"), ("banker", "7d")]
    concluded = audit(play, bet("house_money", 1000), house_money=True)
    assert checks(concluded) == ["card_order_wrong"]
    assert owed(concluded, "house_money") == (None, None)


TAKE, ADD_PLAYER, ADD_BANKER = (
    ("seat3", f"house_money_{choice}") for choice in ("take", "add_player", "add_banker")
)

# One pair, the Player's nines, worth 8: a Natural; what the Banker holds decides.
PAIR_PLAYER_WINS = deal("9c 9h", "Kd 7d")  # 8 to 7
PAIR_BANKER_WINS = deal("9c 9h", "Kd 9d")  # 8 to 9
PAIR_TIE = deal("9c 9h", "Kd 8d")  # 8 to 8
TWO_PAIRS_BANKER_WINS = deal("3c 3h", "4d 4s")  # 6 to 8
NO_PAIR = deal("Kc 8c", "Kd 7d")  # 8 to 7


def with_house_money(
    play: Play, choice: tuple[str, str] | None, on: str, stake: int = 10_000, **options: Any
) -> tuple[tuple[int | None, int | None], tuple[int | None, int | None]]:
    """Settle $20 of House Money and a wager of seat 3 in a round without a fault."""
    acts = [*play[:4], *([choice] if choice else []), *play[4:]]
    concluded = audit(
        acts, bet("house_money", 2000, seat=3), bet(on, stake, seat=3), house_money=True, **options
    )
    assert concluded.verdict == "clean"
    return owed(concluded, "house_money", seat=3), owed(concluded, on, seat=3)


def test_631a_9_e() -> None:
    # Settled on the first four cards: the third cards decide the other wagers only.
    play: Play = [*deal("Qc Qh", "Kd 2d"), TAKE, ("player", "7h"), ("banker", "6d")]  # 7 to 8
    concluded = audit(
        play,
        bet("house_money", 2000, seat=3),
        bet("player", 10_000, seat=3),
        settled=[paid("house_money", 6000, seat=3), paid("player", -10_000, seat=3)],
        house_money=True,
    )
    assert concluded.verdict == "clean"  # $20 at 3 to 1 is $60


@pytest.mark.parametrize("choice", [TAKE, None])
def test_631a_9_e_1_taken(choice: tuple[str, str] | None) -> None:
    # $60 handed over; $100 on the Banker's Hand as it lay: 5% is $5. Who says nothing takes.
    assert with_house_money(PAIR_BANKER_WINS, choice, "banker") == ((6000, 0), (10_000, 500))
    assert with_house_money(PAIR_PLAYER_WINS, choice, "player") == ((6000, 0), (10_000, 0))


@pytest.mark.parametrize(
    ("play", "choice", "on", "gain", "vigorish"),
    [
        # $100 + $60 = $160 at stake; 5% of $160 is $8.
        (PAIR_BANKER_WINS, ADD_BANKER, "banker", 16_000, 800),
        (PAIR_PLAYER_WINS, ADD_BANKER, "banker", -16_000, 0),
        (PAIR_TIE, ADD_BANKER, "banker", 0, 0),
        (PAIR_PLAYER_WINS, ADD_PLAYER, "player", 16_000, 0),
        (PAIR_BANKER_WINS, ADD_PLAYER, "player", -16_000, 0),
        (PAIR_TIE, ADD_PLAYER, "player", 0, 0),
    ],
)
def test_631a_9_e_1_i(play: Play, choice: tuple[str, str], on: str, gain: int, vigorish: int) -> None:
    # The whole payout is the House Money's gain, taken or added; its own stake is returned and never added.
    assert with_house_money(play, choice, on) == ((6000, 0), (gain, vigorish))
    # Half of it joins, by the house's submission: $130 for $160, and its vigorish likewise.
    half = with_house_money(play, choice, on, house_money_portion="1/2")
    assert half == ((6000, 0), (gain * 13 // 16, vigorish * 13 // 16))


def test_631a_9_e_1_i_two_pairs() -> None:
    # $20 at 15 to 1 is $300: $100 + $300 = $400 at stake, 5% is $20.
    assert with_house_money(TWO_PAIRS_BANKER_WINS, ADD_BANKER, "banker") == ((30_000, 0), (40_000, 2000))


@pytest.mark.parametrize(
    ("portion", "at_stake", "vigorish"),
    [
        ("1", 16_000, 800),
        ("1/2", 13_000, 650),  # $100 + $30, the other $30 handed over
        ("1/3", 12_000, 600),  # $100 + $20
        ("2/3", 14_000, 700),  # $100 + $40
    ],
)
def test_631a_9_e_1_i_portion(portion: str, at_stake: int, vigorish: int) -> None:
    won = with_house_money(PAIR_BANKER_WINS, ADD_BANKER, "banker", house_money_portion=portion)
    assert won == ((6000, 0), (at_stake, vigorish))
    lost = with_house_money(PAIR_PLAYER_WINS, ADD_BANKER, "banker", house_money_portion=portion)
    assert lost == ((6000, 0), (-at_stake, 0))


def test_631a_9_e_1_i_portion_of_a_cent() -> None:
    # A seventh of $60 is $8.57 and a fraction, which no chip can be added for: $108.57 at stake.
    won = with_house_money(PAIR_PLAYER_WINS, ADD_PLAYER, "player", house_money_portion="1/7")
    assert won == ((6000, 0), (10_857, 0))


def test_631a_9_e_1_i_vigorish_on_the_original_wager() -> None:
    # The text is silent on vigorish on what was added; a house may take it on $100 alone: $5.
    won = with_house_money(PAIR_BANKER_WINS, ADD_BANKER, "banker", house_money_vigorish="original")
    assert won == ((6000, 0), (16_000, 500))


def test_631a_9_e_1_i_rounding() -> None:
    # $1.10 + $60 = $61.10 won: 5% is $3.055, rounded up to $3.25; on $1.10 alone 5.5 cents, rounded to $0.25.
    whole = with_house_money(PAIR_BANKER_WINS, ADD_BANKER, "banker", 110, vigorish_rounding_cents=25)
    assert whole == ((6000, 0), (6110, 325))


def test_631a_9_e_1_i_another_seat_does_not_grow() -> None:
    acts = [*PAIR_BANKER_WINS, ADD_BANKER]
    concluded = audit(
        acts,
        bet("house_money", 2000, seat=3),
        bet("banker", 10_000, seat=3),
        bet("player", 10_000, seat=3),
        bet("banker", 10_000, seat=4),
        house_money=True,
    )
    assert owed(concluded, "banker", seat=3) == (16_000, 800)
    assert owed(concluded, "player", seat=3) == (-10_000, 0)
    assert owed(concluded, "banker", seat=4) == (10_000, 500)


def test_631a_9_e_1_i_loser_not_collected_whole() -> None:
    # Only the $100 of before the deal was collected; the $60 that had joined it stayed.
    concluded = audit(
        [*PAIR_PLAYER_WINS, ADD_BANKER],
        bet("house_money", 2000, seat=3),
        bet("banker", 10_000, seat=3),
        settled=[paid("house_money", 6000, seat=3), paid("banker", -10_000, seat=3)],
        house_money=True,
    )
    assert checks(concluded) == ["loser_not_collected"]
    finding = concluded.findings[0]
    assert (finding.expected_cents, finding.delta_cents, finding.favours) == (-16_000, 6000, "patron")


def test_631a_9_e_1_i_of_two_seats() -> None:
    # Both add: $100 + $60, and $50 + $30.
    concluded = audit(
        [*PAIR_PLAYER_WINS, ADD_PLAYER, ("seat5", "house_money_add_player")],
        *(bet("house_money", 2000, seat=3), bet("player", 10_000, seat=3)),
        *(bet("house_money", 1000, seat=5), bet("player", 5000, seat=5)),
        house_money=True,
    )
    assert owed(concluded, "player", seat=3) == (16_000, 0)
    assert owed(concluded, "player", seat=5) == (8000, 0)


def test_631a_9_e_1_two_persons_on_a_seat() -> None:
    concluded = audit(
        [*PAIR_PLAYER_WINS, ("seat3/anna", "house_money_add_player")],
        bet("house_money", 2000, seat=3, bettor="anna"),
        bet("player", 10_000, seat=3, bettor="anna"),
        bet("house_money", 2000, seat=3, bettor="bela"),
        bet("player", 10_000, seat=3, bettor="bela"),
        house_money=True,
    )
    gains = {each.bettor: each.cents for each in concluded.expected if each.wager == "player"}
    assert gains == {"anna": 16_000, "bela": 10_000}


@pytest.mark.parametrize("choice", [TAKE, ADD_BANKER])
def test_631a_9_e_1(choice: tuple[str, str]) -> None:
    # Without a pair there is no payout to take or add: the wager stays as it was.
    concluded = audit(
        [*NO_PAIR, choice],
        bet("house_money", 2000, seat=3),
        bet("banker", 10_000, seat=3),
        house_money=True,
    )
    assert (concluded.verdict, checks(concluded)) == ("mismatch", ["house_money_not_won"])
    finding = concluded.findings[0]
    assert (finding.seat, finding.wager, finding.citations) == (3, "house_money", ("631a.8(a)(7)(ii)",))
    assert owed(concluded, "house_money", seat=3) == (-2000, 0)
    assert owed(concluded, "banker", seat=3) == (-10_000, 0)


def test_631a_9_e_1_without_house_money() -> None:
    concluded = audit([*PAIR_BANKER_WINS, ADD_BANKER], bet("banker", 10_000, seat=3), house_money=True)
    assert checks(concluded) == ["house_money_not_won"]
    assert owed(concluded, "banker", seat=3) == (10_000, 500)


@pytest.mark.parametrize(("choice", "has"), [(ADD_BANKER, "player"), (ADD_PLAYER, "banker")])
def test_631a_9_e_1_without_wager(choice: tuple[str, str], has: str) -> None:
    # The payout joins a wager of the same player on that hand, or none.
    concluded = audit(
        [*PAIR_PLAYER_WINS, choice],
        bet("house_money", 2000, seat=3),
        bet(has, 10_000, seat=3),
        bet("player", 10_000, seat=4),
        bet("banker", 10_000, seat=4),
        house_money=True,
    )
    assert (concluded.verdict, checks(concluded)) == ("mismatch", ["house_money_without_wager"])
    assert concluded.findings[0].citations == ("631a.9(e)(1)",)
    assert owed(concluded, has, seat=3) == ((10_000, 0) if has == "player" else (-10_000, 0))
    assert owed(concluded, "player", seat=4) == (10_000, 0)


@pytest.mark.parametrize("cards", [0, 1, 2, 3])
def test_631a_9_e_early(cards: int) -> None:
    play = [*PAIR_BANKER_WINS[:cards], ADD_BANKER, *PAIR_BANKER_WINS[cards:]]
    concluded = audit(play, bet("house_money", 2000, seat=3), bet("banker", 10_000, seat=3), house_money=True)
    assert (concluded.verdict, checks(concluded)) == ("mismatch", ["house_money_early"])
    assert concluded.findings[0].citations == ("631a.9(e)",)
    assert owed(concluded, "house_money", seat=3) == (6000, 0)
    assert owed(concluded, "banker", seat=3) == (None, None)  # whether the payout joined it no text tells


def test_631a_9_e_2() -> None:
    # Third cards come after House Money was settled: the Player's queens draw a 6, then seat 3 chose.
    concluded = audit(
        [*deal("Qc Qh 6c", "Kd 7d"), ADD_BANKER],
        bet("house_money", 2000, seat=3),
        bet("banker", 10_000, seat=3),
        bet("banker", 10_000, seat=4),
        house_money=True,
    )
    assert (concluded.verdict, checks(concluded)) == ("mismatch", ["house_money_late"])
    assert concluded.findings[0].citations == ("631a.9(e)",)
    assert owed(concluded, "house_money", seat=3) == (6000, 0)
    assert owed(concluded, "banker", seat=3) == (None, None)
    assert owed(concluded, "banker", seat=4) == (10_000, 500)


def test_631a_9_e_2_in_time() -> None:
    play: Play = [*deal("Qc Qh", "Kd 7d"), ADD_BANKER, ("player", "6c")]
    concluded = audit(play, bet("house_money", 2000, seat=3), bet("banker", 10_000, seat=3), house_money=True)
    assert concluded.verdict == "clean"
    assert owed(concluded, "banker", seat=3) == (16_000, 800)


def test_631a_9_e_2_taken_late() -> None:
    concluded = audit(
        [*deal("Qc Qh 6c", "Kd 7d"), TAKE],
        bet("house_money", 2000, seat=3),
        bet("banker", 10_000, seat=3),
        house_money=True,
    )
    assert checks(concluded) == ["house_money_late"]
    assert owed(concluded, "banker", seat=3) == (10_000, 500)  # nothing was to join it


def test_631a_9_e_1_i_coupon() -> None:
    # House Money of $10 chips and a $10 coupon, one pair: the payout is $60 (603a.21(b), 631a.13(h)), and
    # all of it joins the wager: $100 + $60 = $160, 5% is $8.
    concluded = audit(
        [*PAIR_BANKER_WINS, ADD_BANKER],
        bet("house_money", 1000, seat=3, coupon=1000),
        bet("banker", 10_000, seat=3),
        house_money=True,
    )
    assert owed(concluded, "house_money", seat=3) == (6000, 0)
    assert owed(concluded, "banker", seat=3) == (16_000, 800)


@pytest.mark.parametrize("choices", [[ADD_BANKER, ADD_BANKER], [ADD_BANKER, ADD_PLAYER], [TAKE, ADD_BANKER]])
def test_631a_9_e_1_i_disposed_of_twice(choices: Play) -> None:
    # One payout is taken or joins one wager, once: what joined the Banker Wager here no text tells.
    concluded = audit(
        [*PAIR_BANKER_WINS, *choices],
        bet("house_money", 2000, seat=3),
        bet("banker", 10_000, seat=3),
        bet("player", 10_000, seat=3),
        house_money=True,
    )
    assert concluded.verdict == "undetermined"
    assert owed(concluded, "house_money", seat=3) == (6000, 0)
    assert owed(concluded, "banker", seat=3) == (None, None)


def test_631a_9_e_1_i_not_offered() -> None:
    # What a House Money Wager pays that is not offered no text tells, and so neither what joined the other.
    concluded = audit(
        [*PAIR_BANKER_WINS, ADD_BANKER], bet("house_money", 2000, seat=3), bet("banker", 10_000, seat=3)
    )
    assert checks(concluded) == ["wager_not_offered"]
    assert owed(concluded, "house_money", seat=3) == (None, None)
    assert owed(concluded, "banker", seat=3) == (None, None)


def test_631a_9_e_third_card_missing() -> None:
    # House Money is settled on the first four cards: it does not hang on a third that never came.
    concluded = audit(deal("Qc Qh", "Kd 7d"), bet("house_money", 2000), bet("player", 1000), house_money=True)
    assert checks(concluded) == ["third_card_missing"]
    assert owed(concluded, "house_money") == (6000, 0)
    assert owed(concluded, "player") == (None, None)


def test_631a_9_e_early_and_third_card_missing() -> None:
    play = deal("Qc Qh", "Kd 7d")
    concluded = audit(
        [*play[:2], ADD_BANKER, *play[2:]],
        bet("house_money", 2000, seat=3),
        bet("banker", 1000, seat=3),
        house_money=True,
    )
    assert sorted(checks(concluded)) == ["house_money_early", "third_card_missing"]


def test_631a_9_b() -> None:
    prove_cards_called("631a", "631a.9(b)")


def test_631a_9_d_2() -> None:
    prove_highest("631a", "631a.9(d)(2)", "player")
    prove_point_counts("631a", "631a.10(a)")


def test_631a_9_d_3() -> None:
    prove_highest("631a", "631a.9(d)(3)", "banker")
    prove_point_counts("631a", "631a.10(a)")


def test_631a_9_d_4() -> None:
    prove_third("631a", "631a.9(d)(4)", "player")


def test_631a_9_d_5() -> None:
    prove_third("631a", "631a.9(d)(5)", "banker")


def test_631a_9_d_6() -> None:
    prove_equal("631a", "631a.9(d)(6)")


def test_631a_9_d_7() -> None:
    prove_no_wager("631a", "631a.9(d)(7)")


def test_631a_9_d_1() -> None:
    prove_tucked("631a", "631a.9(d)(1)")


def test_631a_9_f() -> None:
    prove_turn_offered("631a", "631a.9(f)")


def test_631a_9_d() -> None:
    prove_tucked("631a", "631a.9(d)(1)")
    prove_highest("631a", "631a.9(d)(2)", "player")
