"""631a.8: what each wager wins and loses by, and until when it may be made."""

from datetime import UTC, datetime

import pytest

from tests.law.baccarat_table import (
    BANKER_BY,
    BANKER_BY_1,
    DRAGON_7,
    NO_MORE_BETS,
    PANDA_8,
    PLAYER_BY,
    PLAYER_BY_1,
    TIE_AT_6,
    Play,
    audit,
    bet,
    checks,
    deal,
    owed,
    owed_by,
    paid,
)
from tests.law.blackjack_proofs import prove_verbal_wager_by_dealer

TIE_AT_7 = deal("Kc 5c 2c", "Kd 7d")  # three cards to two
TIE_AT_8 = deal("Kc 8c", "Kd 8d")
TIE_AT_9 = deal("Kc 9c", "Kd 9d")
# To a Player's Hand that stayed on 6, and to one that drew: to 0, and to an ace, 2 and 2, which are 5.
DRAGONS_7 = [DRAGON_7, deal("Kc Kd Kh", "Kd 2d 5d"), deal("Ac 2c 2d", "Kd 3d 4h")]
# To a Banker's Hand that stayed on 7, and to one that drew: to 0, and to 5.
PANDAS_8 = [PANDA_8, deal("Kc 5c 3c", "Kd Kh Ks"), deal("Kc 5c 3c", "Kd 2d 3h")]


def bonus(clause: str, play: Play, hand: str, table: str = "A") -> int:
    """Return the gain of a $10 Dragon Bonus on a hand, settled by `clause`; it never owes vigorish."""
    gain, vigorish = owed_by(clause, play, f"dragon_bonus_{hand}", 1000, dragon_bonus=table)
    assert vigorish == 0
    return gain


def other(hand: str) -> str:
    return "banker" if hand == "player" else "player"


def test_631a_8() -> None:
    # 6 to 7: each wager by its own clause.
    wagers = [bet("banker", 2500), bet("player", 1000), bet("tie", 500)]
    concluded = audit(BANKER_BY_1, *wagers)
    assert concluded.verdict == "clean"
    assert owed(concluded, "banker") == (2500, 125)  # 5% of 2500
    assert owed(concluded, "player") == (-1000, 0)
    assert owed(concluded, "tie") == (-500, 0)


def test_631a_8_a() -> None:
    concluded = audit(BANKER_BY_1, bet("big", 1000), bet("player", 500), settled=[paid("player", -500)])
    assert concluded.verdict == "mismatch"
    assert checks(concluded) == ["wager_not_permitted"]
    assert (concluded.findings[0].wager, concluded.findings[0].citations) == ("big", ("631a.8(a)",))
    assert owed(concluded, "big") == (None, None)  # no text settles it
    assert owed(concluded, "player") == (-500, 0)


@pytest.mark.parametrize(
    ("wager", "clause"),
    [
        ("dragon_bonus_player", "631a.8(a)(4)"),
        ("dragon_bonus_banker", "631a.8(a)(4)"),
        ("dragon_7", "631a.8(a)(5)"),
        ("panda_8", "631a.8(a)(6)"),
        ("house_money", "631a.8(a)(7)"),
    ],
)
def test_631a_8_a_not_offered(wager: str, clause: str) -> None:
    concluded = audit(BANKER_BY_1, bet(wager, 1000))
    assert concluded.verdict == "mismatch"
    assert checks(concluded) == ["wager_not_offered"]
    assert concluded.findings[0].citations == (clause,)
    assert owed(concluded, wager) == (None, None)


def test_631a_8_a_1() -> None:
    # Higher, lower, equal: $25 wins 2500 and owes 5%, 125; loses 2500; is returned.
    assert [
        owed(audit(play, bet("banker", 2500)), "banker") for play in (BANKER_BY_1, PLAYER_BY_1, TIE_AT_6)
    ] == [
        (2500, 125),
        (-2500, 0),
        (0, 0),
    ]


@pytest.mark.parametrize(
    "play",
    [
        BANKER_BY_1,
        DRAGON_7,  # a Dragon 7 is a win like any other where EZ Baccarat is not played
        deal("Kc Qc", "Kd 9d"),  # 0 to 9
        deal("Kc 8c", "Kd 9d"),  # a Natural to a Natural
    ],
)
def test_631a_8_a_1_i(play: Play) -> None:
    assert owed_by("631a.8(a)(1)(i)", play, "banker", 2500) == (2500, 125)
    # At an EZ table a Dragon 7 is the one higher Point Count that does not win.
    assert owed(audit(play, bet("banker", 2500), ez=True), "banker") == ((0 if play is DRAGON_7 else 2500), 0)


@pytest.mark.parametrize(
    "play",
    [
        BANKER_BY_1,  # 7 on two cards is no Dragon 7
        deal("Kc 6c", "Kd 4d 4h"),  # 8 on three cards to 6
    ],
)
def test_631a_8_a_1_i_ez(play: Play) -> None:
    assert owed_by("631a.8(a)(1)(i)", play, "banker", 2500, ez=True) == (2500, 0)


@pytest.mark.parametrize("play", [PLAYER_BY_1, PANDA_8, deal("Kc 9c", "Kd Qd"), deal("Kc 9c", "Kd 8d")])
@pytest.mark.parametrize("ez", [False, True])
def test_631a_8_a_1_ii(play: Play, *, ez: bool) -> None:
    assert owed_by("631a.8(a)(1)(ii)", play, "banker", 2500, ez=ez) == (-2500, 0)


@pytest.mark.parametrize("play", [TIE_AT_6, TIE_AT_7, TIE_AT_8, TIE_AT_9])
@pytest.mark.parametrize("ez", [False, True])
def test_631a_8_a_1_iii(play: Play, *, ez: bool) -> None:
    assert owed_by("631a.8(a)(1)(iii)", play, "banker", 2500, ez=ez) == (0, 0)


@pytest.mark.parametrize("play", DRAGONS_7)
def test_631a_8_a_1_iii_dragon_7(play: Play) -> None:
    assert owed_by("631a.8(a)(1)(iii)", play, "banker", 2500, ez=True) == (0, 0)


def test_631a_8_a_2() -> None:
    # Higher, lower, equal: $25 wins 2500 without vigorish; loses 2500; is returned.
    assert [
        owed(audit(play, bet("player", 2500)), "player") for play in (PLAYER_BY_1, BANKER_BY_1, TIE_AT_6)
    ] == [
        (2500, 0),
        (-2500, 0),
        (0, 0),
    ]


@pytest.mark.parametrize(
    "play", [PLAYER_BY_1, PLAYER_BY[9], PANDA_8, deal("Kc 9c", "Kd Qd"), deal("Kc 9c", "Kd 8d")]
)
@pytest.mark.parametrize("ez", [False, True])
def test_631a_8_a_2_i(play: Play, *, ez: bool) -> None:
    # At an EZ table the Player's Hand wins by any higher count, also by a Panda 8.
    assert owed_by("631a.8(a)(2)(i)", play, "player", 2500, ez=ez) == (2500, 0)


@pytest.mark.parametrize("play", [BANKER_BY_1, *DRAGONS_7, deal("Kc Qc", "Kd 9d"), deal("Kc 8c", "Kd 9d")])
@pytest.mark.parametrize("ez", [False, True])
def test_631a_8_a_2_ii(play: Play, *, ez: bool) -> None:
    # Against a Dragon 7 the Player Wager loses although the Banker Wager is only returned.
    assert owed_by("631a.8(a)(2)(ii)", play, "player", 2500, ez=ez) == (-2500, 0)


@pytest.mark.parametrize("play", [TIE_AT_6, TIE_AT_7, TIE_AT_8, TIE_AT_9])
@pytest.mark.parametrize("ez", [False, True])
def test_631a_8_a_2_iii(play: Play, *, ez: bool) -> None:
    assert owed_by("631a.8(a)(2)(iii)", play, "player", 2500, ez=ez) == (0, 0)


def test_631a_8_a_3() -> None:
    # $5 at 8 to 1.
    assert [owed(audit(play, bet("tie", 500)), "tie") for play in (TIE_AT_6, PLAYER_BY_1, BANKER_BY_1)] == [
        (4000, 0),
        (-500, 0),
        (-500, 0),
    ]


@pytest.mark.parametrize("play", [TIE_AT_6, TIE_AT_7, TIE_AT_8, TIE_AT_9, deal("Kc Qc Kh", "Kd Qd Ks")])
def test_631a_8_a_3_i(play: Play) -> None:
    assert owed_by("631a.8(a)(3)(i)", play, "tie", 500) == (4000, 0)


@pytest.mark.parametrize("play", [PLAYER_BY_1, BANKER_BY_1, DRAGON_7, PANDA_8])
@pytest.mark.parametrize("ez", [False, True])
def test_631a_8_a_3_ii(play: Play, *, ez: bool) -> None:
    assert owed_by("631a.8(a)(3)(ii)", play, "tie", 500, ez=ez) == (-500, 0)


def test_631a_8_a_4() -> None:
    # On either hand, or on both: Player Natural 8 to 3, table A, $10 on each.
    concluded = audit(
        deal("Kc 8c", "Kd 3d"),
        bet("dragon_bonus_player", 1000),
        bet("dragon_bonus_banker", 1000),
        dragon_bonus="A",
    )
    assert concluded.verdict == "clean"
    assert owed(concluded, "dragon_bonus_player") == (1000, 0)
    assert owed(concluded, "dragon_bonus_banker") == (-1000, 0)
    for hand in ("player", "banker"):
        without = audit(BANKER_BY_1, bet(f"dragon_bonus_{hand}", 1000))
        assert checks(without) == ["wager_not_offered"]


@pytest.mark.parametrize("hand", ["player", "banker"])
@pytest.mark.parametrize("table", ["A", "B", "C"])
def test_631a_8_a_4_i(hand: str, table: str) -> None:
    # 9 on two cards to 0 wins as a Natural, 1 to 1; the margin of 9 would be paid 20 or 30 to 1.
    natural = {hand: "Kc 9c", other(hand): "Kd Qd"}
    assert bonus("631a.8(a)(4)(i)(A)", deal(**natural), hand, table) == 1000


@pytest.mark.parametrize("hand", ["player", "banker"])
@pytest.mark.parametrize(("natural", "against"), [("8", "7"), ("8", "Q"), ("9", "7"), ("9", "A"), ("9", "Q")])
def test_631a_8_a_4_i_a(hand: str, natural: str, against: str) -> None:
    # Whatever the margin, 1 to 1.
    play = deal(**{hand: f"Kc {natural}c", other(hand): f"Kd {against}d"})
    assert bonus("631a.8(a)(4)(i)(A)", play, hand) == 1000


@pytest.mark.parametrize("hand", ["player", "banker"])
def test_631a_8_a_4_i_b(hand: str) -> None:
    play = deal(**{hand: "Kc 9c", other(hand): "Kd 8d"})
    for table in "ABC":
        assert bonus("631a.8(a)(4)(i)(B)", play, hand, table) == 1000


@pytest.mark.parametrize("margin", [9, 8, 7, 6, 5, 4])
def test_631a_8_a_4_i_c(margin: int) -> None:
    # Table A: 30, 10, 6, 4, 2, 1 to 1 on $10.
    gain = {9: 30_000, 8: 10_000, 7: 6000, 6: 4000, 5: 2000, 4: 1000}[margin]
    assert bonus("631a.8(a)(4)(i)(C)", PLAYER_BY[margin], "player") == gain
    assert bonus("631a.8(a)(4)(i)(C)", BANKER_BY[margin], "banker") == gain
    # A Natural that wins by as many is paid as one, 1 to 1.
    natural = deal("Kc 9c", f"Kd {'TA2345'[9 - margin]}d")
    assert bonus("631a.8(a)(4)(i)(A)", natural, "player") == 1000


@pytest.mark.parametrize("play", [PLAYER_BY_1, BANKER_BY_1, TIE_AT_6])
@pytest.mark.parametrize("hand", ["player", "banker"])
def test_631a_8_a_4_ii(play: Play, hand: str) -> None:
    # A margin of 1 or none loses on both hands.
    concluded = audit(play, bet(f"dragon_bonus_{hand}", 1000), dragon_bonus="A")
    assert owed(concluded, f"dragon_bonus_{hand}") == (-1000, 0)


@pytest.mark.parametrize("hand", ["player", "banker"])
def test_631a_8_a_4_ii_a(hand: str) -> None:
    play = deal(**{hand: "Kc 8c", other(hand): "Kd 9d"})
    assert bonus("631a.8(a)(4)(ii)(A)", play, hand) == -1000


@pytest.mark.parametrize("hand", ["player", "banker"])
def test_631a_8_a_4_ii_b(hand: str) -> None:
    ties = deal("Kc 6c", "Kd 6d")  # equal, and no Natural: lost, where equal Naturals are returned
    beaten = {"player": BANKER_BY[9], "banker": PLAYER_BY[9]}[hand]
    by_one = {"player": BANKER_BY[1], "banker": PLAYER_BY[1]}[hand]
    by_natural = deal(**{hand: "Kc 7c", other(hand): "Kd 8d"})
    for play in (ties, beaten, by_one, by_natural):
        assert bonus("631a.8(a)(4)(ii)(B)", play, hand) == -1000


@pytest.mark.parametrize("margin", [3, 2, 1])
@pytest.mark.parametrize("table", ["A", "B", "C"])
def test_631a_8_a_4_ii_c(margin: int, table: str) -> None:
    assert bonus("631a.8(a)(4)(ii)(C)", PLAYER_BY[margin], "player", table) == -1000
    assert bonus("631a.8(a)(4)(ii)(C)", BANKER_BY[margin], "banker", table) == -1000


@pytest.mark.parametrize("play", [TIE_AT_8, TIE_AT_9])
@pytest.mark.parametrize("hand", ["player", "banker"])
def test_631a_8_a_4_iii(play: Play, hand: str) -> None:
    assert bonus("631a.8(a)(4)(iii)", play, hand) == 0


def test_631a_8_a_5() -> None:
    # $5 at 40 to 1, or lost.
    assert owed(audit(DRAGON_7, bet("dragon_7", 500), ez=True), "dragon_7") == (20_000, 0)
    assert owed(audit(BANKER_BY_1, bet("dragon_7", 500), ez=True), "dragon_7") == (-500, 0)
    assert checks(audit(DRAGON_7, bet("dragon_7", 500))) == ["wager_not_offered"]


@pytest.mark.parametrize("play", DRAGONS_7)
def test_631a_8_a_5_i(play: Play) -> None:
    assert owed_by("631a.8(a)(5)(i)", play, "dragon_7", 500, ez=True) == (20_000, 0)


@pytest.mark.parametrize(
    "play",
    [
        *(BANKER_BY_1, PLAYER_BY_1, TIE_AT_6, PANDA_8),
        deal("Kc 5c 2c", "Kd 2d 5d"),  # a Banker's 7 on three cards that only ties
        deal("Kc 5c 3c", "Kd 2d 5d"),  # one that loses to an 8
        deal("Kc 5c 2c", "Kd 6d"),  # a Player's 7 on three cards, to a 6
        deal("Kc 6c", "Kd 4d 4h"),  # an 8 on three cards
        deal("Kc 6c", "Kd 4d 5h"),  # a 9 on three cards
    ],
)
def test_631a_8_a_5_ii(play: Play) -> None:
    assert owed_by("631a.8(a)(5)(ii)", play, "dragon_7", 500, ez=True) == (-500, 0)


def test_631a_8_a_6() -> None:
    # $5 at 25 to 1, or lost.
    assert owed(audit(PANDA_8, bet("panda_8", 500), ez=True), "panda_8") == (12_500, 0)
    assert owed(audit(PLAYER_BY_1, bet("panda_8", 500), ez=True), "panda_8") == (-500, 0)
    assert checks(audit(PANDA_8, bet("panda_8", 500))) == ["wager_not_offered"]


@pytest.mark.parametrize("play", PANDAS_8)
def test_631a_8_a_6_i(play: Play) -> None:
    assert owed_by("631a.8(a)(6)(i)", play, "panda_8", 500, ez=True) == (12_500, 0)


@pytest.mark.parametrize(
    "play",
    [
        *(BANKER_BY_1, PLAYER_BY_1, TIE_AT_6, DRAGON_7),
        deal("Kc 5c 3c", "Kd 2d 6d"),  # an 8 on three cards that only ties
        deal("Kc 6c", "Kd 4d 4h"),  # a Banker's 8 on three cards, to a 6
        deal("Kc 5c 3c", "Kd 2d 7d"),  # an 8 on three cards that loses to a 9
        deal("Kc 8c", "Kd 7d"),  # an 8 that wins on two
        deal("Kc 5c 4c", "Kd 7d"),  # a 9 that wins on three
    ],
)
def test_631a_8_a_6_ii(play: Play) -> None:
    assert owed_by("631a.8(a)(6)(ii)", play, "panda_8", 500, ez=True) == (-500, 0)


def test_631a_8_a_7() -> None:
    # $10: one pair at 3 to 1, or lost.
    pair = audit(deal("9c 9h", "Kd 7d"), bet("house_money", 1000), house_money=True)
    assert owed(pair, "house_money") == (3000, 0)
    none = audit(BANKER_BY_1, bet("house_money", 1000), house_money=True)
    assert owed(none, "house_money") == (-1000, 0)
    assert checks(audit(BANKER_BY_1, bet("house_money", 1000))) == ["wager_not_offered"]
    # Nor could a house offer it before the amendment took effect, on February 1, 2014.
    before = datetime(2014, 1, 31, 20, tzinfo=UTC)
    assert checks(audit(BANKER_BY_1, bet("banker"), at=before, house_money=True)) == ["wager_not_permitted"]


@pytest.mark.parametrize(
    ("play", "gain"),
    [
        (deal("9c 9h", "Kd 7d"), 3000),  # the Player's Hand: 3 to 1
        (deal("Kc 7c", "9h 9d"), 3000),  # the Banker's Hand: 3 to 1
        (deal("Qc Qd 6c", "3c 3s Ah"), 15_000),  # both: 15 to 1
        (
            deal("Qc Qc 6c", "3c 3c Ah"),
            15_000,
        ),  # suits do not matter, nor that cards of two decks are the same
    ],
)
def test_631a_8_a_7_i(play: Play, gain: int) -> None:
    assert owed_by("631a.8(a)(7)(i)", play, "house_money", 1000, house_money=True) == (gain, 0)


@pytest.mark.parametrize("rank", "A23456789TJQK")
def test_631a_8_a_7_i_each_rank(rank: str) -> None:
    # 3 to 1 on $10, whatever comes as a third card.
    for play in (deal(f"{rank}c {rank}d", "Kd 7d"), deal("Kd 7d", f"{rank}c {rank}d")):
        concluded = audit(play, bet("house_money", 1000), house_money=True)
        assert owed(concluded, "house_money") == (3000, 0)


@pytest.mark.parametrize(
    "play",
    [
        deal("Kc Qc 6c", "Td Jd 6d"),  # worth the same, but of different rank
        deal("Kc 5c 5d", "Kd 7d"),  # the pair came with a third card
        deal("Kc 7c", "Kd 6d"),  # kings in different hands
        deal("Kc 7c", "8d 7d Kh"),  # sevens in different hands, the second card of each
        deal("Kc 7c", "Ac 6c"),  # one suit
    ],
)
def test_631a_8_a_7_ii(play: Play) -> None:
    assert owed_by("631a.8(a)(7)(ii)", play, "house_money", 1000, house_money=True) == (-1000, 0)


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        (deal("Kc 0? 6c", "Kd 7d"), (None, None)),  # may pair the king
        (deal("Kc K? 6c", "Kd 7d"), (3000, 0)),  # does
        (deal("0? 7c", "Kd 6d"), (-1000, 0)),  # a card worth 0 cannot pair a 7
        (deal("Kc 0? 6c", "9d 8d"), (None, None)),  # one pair or none
        (deal("Kc 0? 6c", "3d 3h Ad"), (None, None)),  # one pair or two
    ],
)
def test_631a_8_a_7_rank_unread(play: Play, expected: tuple[int | None, int | None]) -> None:
    concluded = audit(play, bet("house_money", 1000), bet("player", 500), house_money=True)
    assert owed(concluded, "house_money") == expected
    # The other wagers hang on the value of the card, which was read.
    assert owed(concluded, "player")[0] in (500, -500, 0)
    assert checks(concluded) == (["data_missing"] if expected == (None, None) else [])
    assert concluded.verdict == ("undetermined" if expected == (None, None) else "clean")


@pytest.mark.parametrize("move", ["place", "increase", "reduce", "withdraw"])
def test_631a_8_c(move: str) -> None:
    late: Play = [NO_MORE_BETS, ("seat2", f"{move} banker"), *BANKER_BY_1]
    concluded = audit(
        late,
        bet("banker", 1000),
        bet("banker", 1000, seat=2),
        settled=[paid("banker", 1000, 50), paid("banker", 5000, 250, seat=2)],
    )
    assert concluded.verdict == "mismatch"
    assert checks(concluded) == ["late_wager"]
    finding = concluded.findings[0]
    assert (finding.seat, finding.wager, finding.citations) == (2, "banker", ("631a.8(c)",))
    assert owed(concluded, "banker", seat=2) == (None, None)  # no text settles it
    assert owed(concluded, "banker", seat=1) == (1000, 50)


@pytest.mark.parametrize("move", ["place", "increase", "reduce", "withdraw"])
def test_631a_8_c_in_time(move: str) -> None:
    in_time: Play = [("seat2", f"{move} banker"), NO_MORE_BETS, *BANKER_BY_1]
    concluded = audit(in_time, bet("banker", 1000, seat=2))
    assert concluded.verdict == "clean"
    assert owed(concluded, "banker", seat=2) == (1000, 50)


def test_631a_8_c_withdrawn_whole() -> None:
    # What was withdrawn after the call no longer lies among the wagers, and is found all the same.
    late: Play = [("seat2", "place tie"), NO_MORE_BETS, ("seat2", "withdraw tie"), *BANKER_BY_1]
    concluded = audit(late, bet("banker", 1000))
    assert (concluded.verdict, checks(concluded)) == ("mismatch", ["late_wager"])
    assert (concluded.findings[0].seat, concluded.findings[0].wager) == (2, "tie")


def test_631a_8_c_while_the_cards_fall() -> None:
    late: Play = [NO_MORE_BETS, *BANKER_BY_1[:3], ("seat2", "increase player"), *BANKER_BY_1[3:]]
    concluded = audit(late, bet("player", 1000, seat=2), bet("player", 1000, seat=3))
    assert checks(concluded) == ["late_wager"]
    assert owed(concluded, "player", seat=2) == (None, None)
    assert owed(concluded, "player", seat=3) == (-1000, 0)


def test_631a_8_c_one_of_two_persons_on_a_seat() -> None:
    late: Play = [NO_MORE_BETS, ("seat2/anna", "increase banker"), *BANKER_BY_1]
    concluded = audit(
        late, bet("banker", 1000, seat=2, bettor="anna"), bet("banker", 1000, seat=2, bettor="bela")
    )
    assert [(finding.check, finding.bettor) for finding in concluded.findings] == [("late_wager", "anna")]
    assert {each.bettor: each.cents for each in concluded.expected} == {"anna": None, "bela": 1000}


def test_631a_8_c_person_not_named() -> None:
    # Either of two persons on the spot may have moved; who wagers elsewhere did not.
    play: Play = [NO_MORE_BETS, ("seat2", "increase banker"), *BANKER_BY_1]
    concluded = audit(
        play,
        bet("banker", 1000, seat=2, bettor="anna"),
        bet("banker", 1000, seat=2, bettor="bela"),
        bet("player", 1000, seat=2, bettor="anna"),
        bet("banker", 1000, seat=3, bettor="anna"),
    )
    assert set(checks(concluded)) == {"late_wager"}
    assert [each.cents for each in concluded.expected] == [None, None, -1000, 1000]


def test_631a_8_c_person_named_without_a_wager() -> None:
    # Carla's wager is gone; Anna's and Bela's are not touched by that.
    play: Play = [NO_MORE_BETS, ("seat2/carla", "withdraw banker"), *BANKER_BY_1]
    concluded = audit(
        play, bet("banker", 1000, seat=2, bettor="anna"), bet("banker", 1000, seat=2, bettor="bela")
    )
    assert [(each.check, each.bettor) for each in concluded.findings] == [("late_wager", "carla")]
    assert [each.cents for each in concluded.expected] == [1000, 1000]


def test_631a_8_c_withdrawn_by_one_of_two_persons() -> None:
    # Anna withdrew all she had after the call; Bela's wager on the same spot still lies there.
    play: Play = [
        ("seat2/anna", "place banker"),
        NO_MORE_BETS,
        ("seat2/anna", "withdraw banker"),
        *BANKER_BY_1,
    ]
    concluded = audit(play, bet("banker", 1000, seat=2, bettor="bela"))
    assert [(finding.check, finding.bettor) for finding in concluded.findings] == [("late_wager", "anna")]
    assert owed(concluded, "banker", seat=2) == (1000, 50)


def test_631a_8_c_not_said_when() -> None:
    # A record without the call tells nothing of time.
    concluded = audit([("seat2", "place banker"), *BANKER_BY_1], bet("banker", 1000, seat=2))
    assert concluded.verdict == "clean"


def test_631a_8_b() -> None:
    prove_verbal_wager_by_dealer("631a", "631a.8(b)")
