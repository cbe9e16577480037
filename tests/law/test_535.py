"""Chapter 535, Pai Gow: each provision that decides money or tiles, by its number.

Tiles, ranks and sums are typed from the text, not taken from the law file.
"""

from collections import Counter
from datetime import UTC, date, datetime
from itertools import combinations, pairwise, product
from typing import Any, Final

import pytest

from projections.engine.audit.round_records import to_round
from projections.engine.facts import fact
from projections.engine.games.paigow import PaiGow, proof
from projections.engine.games.paigow.rules import (
    Rules,
    canonical,
    count_of,
    rank_of,
    ranking_on,
    rules_of,
    two,
)
from projections.engine.games.paigow.setting import decides
from projections.engine.observation import Doubt, Key, Round, Wager
from projections.engine.table_layout import lying
from schemas.errors import BadInput
from schemas.house import House
from schemas.law_text import Span, chapter
from schemas.record import RecordWager, RoundRecord
from schemas.rulebook import rulebook
from tests.builders.texts import step_texts, text_of
from tests.law.blackjack_proofs import prove_boxes, prove_no_verbal_wager
from tests.law.dice_proofs import prove_dice_hours, prove_three_dice
from tests.law.layout_proofs import prove_approved, prove_most, prove_point
from tests.law.paigow_table import (
    BANK,
    CO_BANK,
    EVENING,
    HOUSE,
    Play,
    audit,
    bet,
    checks,
    cites,
    found,
    lay,
    owed,
    paid,
    won_by,
)
from tests.law.seating_proofs import prove_seated
from tests.law.settling_proofs import prove_winners_after_hands
from tests.law.tile_proofs import (
    prove_bank_not_first,
    prove_bank_not_twice,
    prove_bank_shakes,
    prove_bank_wagered,
    prove_delivery,
    prove_delivery_submitted,
    prove_hands_set,
    prove_hands_stay,
    prove_idle_tiles,
    prove_shaker,
    prove_shaker_put_away,
    prove_stacks_cut,
    prove_tile_point,
    prove_tiles_cleared,
    prove_tiles_inspected,
    prove_tiles_mixed,
    prove_tiles_mixed_again,
    prove_tiles_remixed,
    prove_tiles_replaced,
    prove_tiles_sealed,
    prove_tiles_spread,
    prove_tiles_turned,
)

PUBLISHED: Final = date(2010, 3, 20)  # 40 Pa.B. 1504
EXPIRED: Final = date(2012, 3, 20)

# 535.4(f), from the first rank down, as printed: the tiles and how many of each.
RANKS: Final = [
    ("6-6", 2), ("1-1", 2), ("4-4", 2), ("1-3", 2), ("5-5", 2), ("3-3", 2), ("2-2", 2), ("5-6", 2),
    ("4-6", 2), ("1-6", 2), ("1-5", 2), ("3-6 4-5", 1), ("2-6 3-5", 1), ("2-5 3-4", 1), ("2-4", 1),
    ("1-4 2-3", 1), ("1-2", 1),
]  # fmt: skip
SET: Final = {canonical(tile): times for tiles, times in RANKS for tile in tiles.split()}

# 535.4(a), from the first rank down, as printed.
PAIRS: Final = [
    ["2-4 1-2"],
    ["6-6 6-6"], ["1-1 1-1"], ["4-4 4-4"], ["1-3 1-3"], ["5-5 5-5"], ["3-3 3-3"], ["2-2 2-2"],
    ["5-6 5-6"], ["4-6 4-6"], ["1-6 1-6"], ["1-5 1-5"],
    ["3-6 4-5"], ["3-5 2-6"], ["3-4 2-5"], ["1-4 2-3"],
    ["6-6 4-5", "6-6 3-6"], ["1-1 4-5", "1-1 3-6"],
    ["6-6 2-6", "6-6 3-5", "6-6 4-4"], ["1-1 2-6", "1-1 3-5", "1-1 4-4"],
]  # fmt: skip

DEALER: Final = lay("dealer", "6-4 6-4", "6-6 5-1")  # tens; 12 + 6 = 18, an 8
GONG: Final = lay("dealer", "1-1 6-2", "6-6 5-1")  # a Gong; 8
ABOVE: Final = lay("seat1", "1-1 1-1", "3-2 2-2")  # twos; 5 + 4 = 9
HIGH_ABOVE: Final = lay("seat1", "1-1 1-1", "6-1 5-5")  # twos; 7 + 10 = 17, a 7
LOW_ABOVE: Final = lay("seat1", "6-1 6-1", "3-2 2-2")  # sevens, below tens; 9
BELOW: Final = lay("seat1", "6-1 5-5", "4-1 6-5")  # 7; 5 + 11 = 16, a 6
POSITIONS: Final = ("dealer", "seat1", "seat2", "seat3", "seat4", "seat5", "seat6", "dead")

BANKED: Final = lay("seat2", "6-4 6-4", "6-6 5-1")
# Copies without a pair: twelve and seven, 19 each, the sevens of a tenth and of a fourteenth rank.
LOW_COPY: Final = [*lay("dealer", "6-4 6-4", "6-6 5-2"), *lay("seat1", "1-1 1-1", "6-6 6-1")]
# An 8 under twos, and a low 1, 4-1 with 5-1, over a zero, 2-2 with 5-1.
ONE_OVER_ZERO: Final = [*lay("dealer", "1-1 1-1", "2-2 5-1"), *lay("seat1", "6-1 6-5", "4-1 5-1")]
THIRD_LOSES: Final = lay("seat3", "6-1 6-5", "5-3 3-3")  # 8; 8 + 6 = 14, a 4
CHIPS: Final = bet(100_000, 2, "bank")


def rules(**options: Any) -> Rules:
    return rules_of(rulebook("535", PUBLISHED, options))


def stacks(first: str) -> Play:
    start = POSITIONS.index(first)
    return [(position, "deal") for position in POSITIONS[start:] + POSITIONS[:start]]


# ── the chapter ──────────────────────────────────────────────────────────────────────────────────────


def test_535_figures() -> None:
    cited = {name: figure.cite for name, figure in chapter("535").numbers_on(PUBLISHED).items()}
    assert cited == {
        "betting_areas": "535.2(b)(1)",
        "tile_ranks": "535.4(f)",
        "tiles_in_set": "535.4(f)",
        "counts_as": "535.4(d)",
        "pairs": "535.4(a)",
        "dealer_plays_together": "535.10(d)(3)",
        "odds": "535.10(k)",
        "vigorish_rate": "535.10(k)",
        "vigorish_rounding_unit": "535.10(k)",
        "co_bank_share": "535.11(r)",
    }
    assert chapter("535").numbers_on(date(2010, 3, 19)) == {}


def test_535_texts() -> None:
    texts = chapter("535").texts
    assert {day: (text.status, text.source, text.until) for day, text in texts.items()} == {
        PUBLISHED: ("temporary", "40 Pa.B. 1504", EXPIRED)
    }


def test_535_wagers() -> None:
    assert {name: (law.since, law.cite, law.offered_with) for name, law in chapter("535").wagers.items()} == {
        "pai_gow": (PUBLISHED, "535.7(a)", None),
        "dealer_wager": (PUBLISHED, "535.11(h)", None),
        "bank": (PUBLISHED, "535.11(a)", "player_bank"),
        "co_bank": (PUBLISHED, "535.11(e)", "co_bank"),
    }


@pytest.mark.parametrize(
    ("option", "cite", "values", "refused"),
    [
        ("vigorish_rounding_cents", "535.10(k)", [0, 25], 20),
        ("player_bank", "535.11(a)", [False, True], 1),
        ("co_bank", "535.11(e)", [False, True], "half"),
        ("house_way", "535.10(d)", ["any", "best_high", "best_low"], "best"),
        ("low_above_high", "535.1", ["by_rank", "lose"], "win"),
        ("abandoned_wager", "535.7(b)", ["lose", "settle"], "return"),
    ],
)
def test_535_options(option: str, cite: str, values: list[object], refused: object) -> None:
    law = chapter("535").options[option]
    assert (law.since, law.cite) == (PUBLISHED, cite)
    assert rulebook("535", PUBLISHED, {}).options[option] == values[0]
    assert [rulebook("535", PUBLISHED, {option: value}).options[option] for value in values] == values
    with pytest.raises(BadInput, match=option):
        rulebook("535", PUBLISHED, {option: refused})


@pytest.mark.parametrize(("day", "verdict"), [(19, "undetermined"), (20, "clean"), (21, "clean")])
def test_535_in_force_from_its_publication(day: int, verdict: str) -> None:
    at = datetime(2010, 3, day, 20, tzinfo=UTC)
    assert audit([*DEALER, *ABOVE], bet(), settled=[paid(2000, 100)], at=at).verdict == verdict


def test_535_held_in_force_by_a_house() -> None:
    at = datetime(2012, 3, 20, 20, tzinfo=UTC)
    play, settled = [*DEALER, *ABOVE], [paid(2000, 100)]
    assert checks(audit(play, bet(), settled=settled, at=at)) == ["not_in_force"]
    house = House(house="holds on", in_force={"535": Span(until=date(2014, 1, 1))})
    assert audit(play, bet(), settled=settled, at=at, house=house).verdict == "clean"


# ── 535.1 to 535.3: hands, areas, tiles ──────────────────────────────────────────────────────────────


def test_535_1() -> None:
    laid_so, laid_the_other_way = lay("seat1", "3-2 2-2", "1-1 1-1"), ABOVE
    assert (
        won_by("535.10(j)", [*DEALER, *laid_so])
        == won_by("535.10(j)", [*DEALER, *laid_the_other_way])
        == 2000
    )
    assert won_by("535.1", [*DEALER, *laid_so], low_above_high="lose") == -2000
    assert won_by("535.10(j)", [*DEALER, *laid_the_other_way], low_above_high="lose") == 2000
    # Equal hands are neither high nor low: 6-6 with 5-5 and 6-6 with 6-4, each a 2 with 6-6.
    even = lay("seat1", "6-6 5-5", "6-6 6-4")
    assert won_by("535.10(g)", [*lay("dealer", "1-1 1-1", "4-4 5-1"), *even], low_above_high="lose") == -2000
    # The Supreme Pair is 2-4 with 1-2, above the sixes; the low hand is a 9 against an 8.
    supreme = lay("seat1", "2-4 1-2", "4-1 2-2")
    assert won_by("535.10(j)", [*lay("dealer", "6-6 6-6", "6-2 5-5"), *supreme]) == 2000
    # A copy is alike in value and in its higher tile; the other may rank otherwise.
    assert won_by("535.10(h)(1)", LOW_COPY) == 0


@pytest.mark.parametrize("seat", [1, 6, 7])
def test_535_2_b_1(seat: int) -> None:
    concluded = audit(DEALER, bet(seat=seat))
    assert ("wager_not_permitted" in checks(concluded)) is (seat > 6)
    if seat > 6:
        assert cites(concluded) == ("535.2(b)(1)",)
        with pytest.raises(BadInput, match="takes no part"):
            audit([("seat7", "deal")])


def test_535_2() -> None:
    at_all = audit(DEALER, *(bet(seat=seat) for seat in range(1, 8)))
    assert [each.seat for each in at_all.findings if each.check == "wager_not_permitted"] == [7]


def test_535_2_b() -> None:
    assert rules().areas == len(POSITIONS) - 2 == 6
    assert "wager_not_permitted" in checks(audit([*DEALER, *ABOVE], bet(seat=7)))


def test_535_2_b_2() -> None:
    # The Dead Hand lies to the left of the dealer: the eighth in the count, after seat 6.
    assert checks(audit([("dice", "2-3-3"), *stacks("dead"), *DEALER, *ABOVE], bet())) == []
    assert checks(audit([("dice", "2-2-3"), *stacks("seat6"), *DEALER, *ABOVE], bet())) == []


@pytest.mark.parametrize("tile", sorted(SET))
def test_535_3(tile: str) -> None:
    """A hand of one tile more than the set holds, beside as many as it holds."""
    for times, surplus in ((SET[tile], []), (SET[tile] + 1, ["card_not_in_deck"])):
        seen = [(f"seat{n + 1}.high", tile) for n in range(times)]
        wagers = [bet(seat=n + 1) for n in range(times)]
        assert [check for check in checks(audit(seen, *wagers)) if check != "data_missing"] == surplus


def test_535_3_a() -> None:
    assert sum(ranking_on(PUBLISHED).in_set.values()) == sum(SET.values()) == 32
    # A third twelve makes them 33.
    more = audit([*DEALER, *lay("seat1", "6-6 6-6", "3-2 2-2")], bet(), settled=[paid(2000, 100)])
    assert checks(more) == ["card_not_in_deck"]


def test_535_3_c() -> None:
    assert ranking_on(PUBLISHED).in_set == SET
    concluded = audit([*DEALER, *lay("seat1", "6-6 6-6", "3-2 2-2")], bet(), settled=[paid(2000, 100)])
    assert found(concluded) == [("card_not_in_deck", "seat1.high")]
    assert cites(concluded) == ("535.3(c)", "535.4(f)")


# ── 535.4: ranks ─────────────────────────────────────────────────────────────────────────────────────


def rank(tiles: str) -> Any:
    return rank_of(ranking_on(PUBLISHED), two(map(canonical, tiles.split())))


def test_535_4() -> None:
    """Every hand of two tiles that the set holds, by how often each pair comes."""
    tiles = [tile for tile, times in SET.items() for _ in range(times)]
    dealt = Counter(rank(f"{one} {other}").pair for one, other in combinations(tiles, 2))
    assert dealt.total() == 32 * 31 // 2
    # One way for each pair of two single tiles or of two alike; 2 x 2 for a Wong, 2 x (1 + 1 + 2) for a Gong.
    assert dealt == {**dict.fromkeys(range(5, 21), 1), 4: 4, 3: 4, 2: 8, 1: 8, 0: 496 - 16 - 24}
    test_535_4_a()
    test_535_4_c_2()
    test_535_4_d_rank_with_the_count()
    test_535_4_f()


def test_535_4_a() -> None:
    ranked = [[rank(tiles) for tiles in alike] for alike in PAIRS]
    assert all(len(set(alike)) == 1 for alike in ranked)
    assert all(above[0] > below[0] for above, below in pairwise(ranked))
    called = [count_of(ranking_on(PUBLISHED), [*map(canonical, alike[0].split())]) for alike in PAIRS]
    assert called[0] == "Supreme Pair"
    assert called[1:12] == [f"Matched Pair, rank {place}" for place in range(2, 13)]
    assert called[12:16] == [f"Mixed Pair, rank {place}" for place in range(13, 17)]
    assert called[16:] == ["Wong, rank 17", "Wong, rank 18", "Gong, rank 19", "Gong, rank 20"]
    best_without = rank("6-6 1-6")  # 19: a 9 with the highest tile
    assert (best_without.pair, best_without.value) == (0, 9)
    assert ranked[-1][0] > best_without
    assert (
        won_by("535.10(h)(2)", [*lay("dealer", "6-6 5-4", "5-5 6-5"), *lay("seat1", "1-1 6-3", "3-2 3-1")])
        == 0
    )


@pytest.mark.parametrize(
    ("mine", "theirs"),
    # Of the same Gong an eight of the third rank, 4-4, is worth as much as one of the thirteenth.
    [("1-1 5-3", "1-1 6-2"), ("6-6 5-4", "6-6 6-3"), ("6-6 4-4", "6-6 6-2"), ("1-1 5-3", "1-1 4-4")],
)
def test_535_4_b(mine: str, theirs: str) -> None:
    play = [*lay("dealer", theirs, "5-5 5-1"), *lay("seat1", mine, "6-1 6-5")]  # 6 below 8
    assert won_by("535.10(h)(2)", play) == 0
    play = [*lay("dealer", theirs, "6-1 6-5"), *lay("seat1", mine, "6-1 6-5")]
    assert won_by("535.10(g)", play) == -2000
    play = [*lay("dealer", "3-3 3-3", theirs), *lay("seat1", "5-5 5-5", mine)]
    assert won_by("535.10(h)(1)", play) == 0
    # The bank wins it as the dealer does: he has 8 below his Wong or Gong, and the bank 6.
    dealer, bank = lay("dealer", mine, "6-1 6-5"), lay("seat2", theirs, "5-5 5-1")
    concluded = banked(dealer, bank, wagers=[bet(1000, 0, "dealer_wager")])
    assert owed(concluded, 0, "dealer_wager") == (0, 0)


@pytest.mark.parametrize(
    ("tiles", "value", "less"),
    [
        ("3-2 2-2", 9, "6-6 5-1"),
        ("6-1 6-5", 8, "6-6 4-1"),
        ("3-3 6-5", 7, "6-6 3-1"),
        ("6-1 6-3", 6, "4-4 6-1"),
        ("6-2 6-1", 5, "4-4 5-1"),
        ("6-3 4-1", 4, "6-6 6-5"),
        ("6-2 4-1", 3, "6-6 6-4"),
        ("5-2 4-1", 2, "3-1 6-1"),
        ("5-1 4-1", 1, "3-1 3-3"),
    ],
)
def test_535_4_c(tiles: str, value: int, less: str) -> None:
    """A value ranks above the next lower one, though that has the higher tile."""
    assert (rank(tiles).pair, rank(tiles).value) == (0, value)
    assert (rank(less).pair, rank(less).value) == (0, value - 1)
    twos = lay("seat1", "3-3 3-3" if "3-3" not in tiles + less else "5-5 5-5", tiles)
    assert (
        won_by("535.10(j)", [*lay("dealer", "2-2 2-2" if "2-2" not in tiles else "6-4 6-4", less), *twos])
        == 2000
    )


def test_535_4_c_1() -> None:
    assert rank("1-1 3-3").value == 8


def test_535_4_c_2() -> None:
    assert rank("5-6 1-6").value == 8


@pytest.mark.parametrize(
    ("tiles", "value", "rank_of_tile"),
    [
        ("2-4 2-5", 3, 14),  # 6 + 7, not 3 + 7 = 10
        ("2-4 1-3", 7, 4),  # 3 + 4, not 6 + 4 = 10
        ("2-4 2-3", 8, 16),  # 3 + 5 with a 2-4 of rank 17; 6 + 5 = 11 is less
        ("1-2 2-3", 8, 16),  # 3 + 5; 6 + 5 = 11 is less
        ("1-2 1-6", 3, 10),  # 6 + 7, not 3 + 7 = 10
        ("1-2 3-3", 9, 6),  # 3 + 6; 6 + 6 = 12 is less
        ("1-2 2-6", 4, 13),  # 6 + 8; 3 + 8 = 11 is less
        ("2-4 5-6", 7, 8),  # 6 + 11; 3 + 11 = 14 is less
    ],
)
def test_535_4_d(tiles: str, value: int, rank_of_tile: int) -> None:
    assert (rank(tiles).pair, rank(tiles).value, -rank(tiles).tile) == (0, value, rank_of_tile)
    for tile in tiles.split():
        if tile in ("2-4", "1-2"):
            assert set(ranking_on(PUBLISHED).counts[tile]) == {(3, 17), (6, 15)}


def test_535_4_d_rank_with_the_count() -> None:
    counts = ranking_on(PUBLISHED).counts
    assert set(counts["2-4"]) == set(counts["1-2"]) == {(3, 17), (6, 15)}
    assert all(len(ways) == 1 for tile, ways in counts.items() if tile not in ("2-4", "1-2"))
    # 8 by a sixteenth tile and a 3 is a copy of the same, whichever tile counts 3.
    play = [*lay("dealer", "6-4 6-4", "4-1 2-4"), *lay("seat1", "1-1 1-1", "3-2 1-2")]
    assert won_by("535.10(h)(1)", play) == 0


def test_535_4_e() -> None:
    low, lower = "6-1 6-2", "5-1 5-4"  # 15 each, by a tenth and by an eleventh tile
    assert won_by("535.10(j)", [*lay("dealer", "6-4 6-4", lower), *lay("seat1", "1-1 1-1", low)]) == 2000
    assert won_by("535.10(h)(1)", [*lay("dealer", "6-4 6-4", low), *lay("seat1", "1-1 1-1", lower)]) == 0


def test_535_4_f() -> None:
    counts = ranking_on(PUBLISHED).counts
    assert ranking_on(PUBLISHED).in_set == SET
    for place, (tiles, _) in enumerate(RANKS, 1):
        for tile in tiles.split():
            assert place in {each for _, each in counts[canonical(tile)]}
    # The higher tile alone counts: with the same value the hand of the higher rank wins.
    singles = {canonical(tile): place for place, (tiles, _) in enumerate(RANKS, 1) for tile in tiles.split()}
    plain = [tile for tile in SET if tile not in ("2-4", "1-2")]
    hands = [f"{one} {other}" for one, other in combinations(plain, 2) if rank(f"{one} {other}").pair == 0]
    for mine, theirs in product(hands, repeat=2):
        if rank(mine).value == rank(theirs).value:
            tops = [min(singles[tile] for tile in hand.split()) for hand in (mine, theirs)]
            assert (rank(mine) > rank(theirs)) is (tops[0] < tops[1])
    # With a twelve and an unseen tile seat 1 has above 8 only a Wong, a Gong or 19. All eights and sevens lie
    # elsewhere; of the two nines the one does not stand for the other.
    play = [*DEALER, *lay("seat1", "1-1 1-1", "6-6"), *lay("seat2", "4-4 4-4", "6-1 6-1")]
    play += [*lay("seat3", "6-2 5-3", "5-2 4-3"), *lay("seat4", "6-3 2-2", "5-5 3-3")]
    everyone = [bet(seat=seat) for seat in (1, 2, 3, 4, 5)]
    assert owed(audit(play, *everyone)) == (None, None)
    assert owed(audit([*play, *lay("seat5", "5-4 2-2", "5-5 3-3")], *everyone)) == (0, 0)


def test_535_4_g() -> None:
    play = [*lay("dealer", "6-4 6-4", "5-4 5-3"), *lay("seat1", "1-1 1-1", "6-3 6-2")]  # 17, a twelfth tile
    assert won_by("535.10(h)(1)", play) == 0
    assert won_by("535.10(h)(1)", LOW_COPY) == 0
    play = [*lay("dealer", "6-4 6-4", "6-6 5-5"), *lay("seat1", "1-1 1-1", "6-6 6-5")]  # 22; 23
    assert won_by("535.10(j)", play) == 2000
    # High hands of 9 with a ten, 5-5; 18 above 16.
    theirs, mine = ("5-5 5-4", "4-1 6-5"), ("5-5 6-3", "6-1 6-5")
    assert won_by("535.10(h)(2)", [*lay("dealer", *theirs), *lay("seat1", *mine)]) == 0
    concluded = banked(lay("dealer", *mine), lay("seat2", *theirs), wagers=[bet(1000, 0, "dealer_wager")])
    assert owed(concluded, 0, "dealer_wager") == (0, 0)


# ── 535.7: wagers ────────────────────────────────────────────────────────────────────────────────────


def test_535_7() -> None:
    placed: Play = [("seat1", "place pai_gow"), ("dealer", "no_more_bets"), *DEALER, *ABOVE]
    assert audit(placed, bet(), settled=[paid(2000, 100)]).verdict == "clean"
    test_535_7_a()
    test_535_7_b()
    test_535_7_c("increase")


def test_535_7_a() -> None:
    concluded = audit([*DEALER, *ABOVE], bet(wager="player"))
    assert checks(concluded) == ["wager_not_permitted"]
    assert cites(concluded) == ("535.7(a)",)
    assert owed(concluded, wager="player") == (None, None)
    prove_no_verbal_wager("535", "535.7(a)")


def test_535_7_b() -> None:
    play: Play = [("seat1", "left"), *DEALER, *ABOVE]
    assert won_by("535.7(b)", play) == -2000
    assert won_by("535.10(j)", play, abandoned_wager="settle") == 2000
    assert cites(audit(DEALER, bet(seat=0))) == ("535.7(b)",)
    assert cites(banked(BANKED, wagers=[bet(seat=0)])) == ("535.7(b)",)


@pytest.mark.parametrize("move", ["place", "increase", "withdraw"])
def test_535_7_c(move: str) -> None:
    word, closed = ("seat1", f"{move} pai_gow"), ("dealer", "no_more_bets")
    late = audit([closed, word, *DEALER, *ABOVE], bet())
    assert checks(late) == ["late_wager"]
    assert cites(late) == ("535.7(c)",)
    assert owed(late) == (None, None)
    assert checks(audit([word, closed, *DEALER, *ABOVE], bet())) == []


# ── 535.8: the dice and the stacks ───────────────────────────────────────────────────────────────────


def start(total: int, first: str, *before: tuple[str, str], **options: Any) -> list[str]:
    """Return the findings of a round whose dice came to a total and whose first stack went to a position."""
    dice = next(f"{a}-{b}-{c}" for a, b, c in product(range(1, 7), repeat=3) if a + b + c == total)
    hands = BANKED if options else DEALER
    wagers = [bet(), CHIPS] if options else [bet()]
    return checks(audit([*before, ("dice", dice), *stacks(first), *hands, *ABOVE], *wagers, **options))


def test_535_8() -> None:
    for total in range(3, 19):
        right = [position for position in POSITIONS if start(total, position) == []]
        assert right == [POSITIONS[(total - 1) % 8]]


def test_535_8_b() -> None:
    for dice, first in (("1-1-1", "seat2"), ("6-1-2", "dealer"), ("2-6-1", "dealer"), ("6-6-6", "seat1")):
        assert checks(audit([("dice", dice), *stacks(first), *DEALER, *ABOVE], bet())) == []
        after = POSITIONS[(POSITIONS.index(first) + 1) % 8]
        wrong = audit([("dice", dice), *stacks(after), *DEALER, *ABOVE], bet())
        assert checks(wrong) == ["void_not_called"]
    for dice in ("3-4", "3-4-7", "3-4-0", "3-4-5-6"):
        with pytest.raises(BadInput, match="three dice"):
            audit([("dice", dice)])


@pytest.mark.parametrize(
    ("total", "first"), [(3, "seat2"), (7, "seat6"), (8, "dead"), (10, "seat1"), (16, "dead"), (18, "seat1")]
)
def test_535_8_c(total: int, first: str) -> None:
    assert start(total, first) == []
    assert start(total + 1 if total < 18 else 17, first) == ["void_not_called"]


def test_535_8_c_1() -> None:
    assert [start(9, each) for each in POSITIONS] == [[], *[["void_not_called"]] * 7]  # the dealer's alone


def test_535_8_c_2() -> None:
    assert [each for each in POSITIONS if start(15, each) != ["void_not_called"]] == ["seat6"]
    assert start(15, "seat6") == []


def test_535_8_d() -> None:
    right = stacks("seat2")
    for dealt, check, who in (
        (right, None, None),
        ([right[0], right[2], right[1], *right[3:]], "card_order_wrong", "seat4"),
        (right[:-1], "card_missing", "seat1"),
        ([*right, ("seat5", "deal")], "card_extra", "seat5"),
        ([right[0], *reversed(right[1:])], "card_order_wrong", "seat1"),
    ):
        concluded = audit([("dice", "1-1-1"), *dealt, *DEALER, *ABOVE], bet())
        assert found(concluded) == ([(check, who)] if check else [])
        assert owed(concluded) == ((None, None) if check else (2000, 100))
        if check:
            assert cites(concluded) == ("535.8(d)",)


def test_535_8_e() -> None:
    concluded = audit([*DEALER, *ABOVE, *lay("seat4", "5-5 5-5", "6-1 6-5")], bet(), settled=[paid(0)])
    assert found(concluded) == [("void_not_called", "seat4")]
    assert owed(concluded) == (0, 0)


# ── 535.10: setting, comparing, paying ───────────────────────────────────────────────────────────────


def test_535_10() -> None:
    """One round: a winner, a tie, a loser and a surrender, paid and collected rightly."""
    play: Play = [
        *DEALER,
        ("seat4", "surrender"),
        *ABOVE,
        ("seat1", "win"),
        *lay("seat2", "4-4 4-4", "6-1 6-2"),
        ("seat2", "tie"),
        *lay("seat3", "6-5 5-5", "5-1 5-4"),
        ("seat3", "lose"),
    ]
    settled = [paid(2000, 100), paid(0, seat=2), paid(-2000, seat=3), paid(-2000, seat=4)]
    concluded = audit(play, *(bet(seat=seat) for seat in (1, 2, 3, 4)), settled=settled)
    assert (concluded.verdict, concluded.findings, concluded.notes) == ("clean", (), ())


def test_535_10_a() -> None:
    concluded = audit([*DEALER, *lay("seat1", "1-1 1-1 3-2", "2-2")], bet())
    assert found(concluded) == [("card_extra", "seat1.high")]
    assert "535.10(a)" in cites(concluded)
    assert owed(concluded) == (None, None)


def test_535_10_c() -> None:
    assert checks(audit([*ABOVE, *DEALER], bet())) == ["card_order_wrong"]


SUPREME: Final = lay("dealer", "2-4 1-2", "6-6 6-6")
NINE, EIGHT, SEVEN = (
    lay("dealer", "6-1 1-1", "5-5 6-5"),  # 9 and 1
    lay("dealer", "6-1 6-5", "1-1 5-5"),  # 8 and 2
    lay("dealer", "6-1 5-5", "1-1 6-5"),  # 7 and 3
)


def set_rightly(hands: Play, **options: Any) -> bool:
    wrong = checks(audit(hands, **options))
    assert wrong in ([], ["hand_set_wrongly"])
    return not wrong


@pytest.mark.parametrize(
    ("way", "right"),
    [("any", [True, True, True]), ("best_high", [True, False, False]), ("best_low", [False, False, True])],
)
def test_535_10_d(way: str, right: list[bool]) -> None:
    assert [set_rightly(hands, house_way=way) for hands in (NINE, EIGHT, SEVEN)] == right


def test_535_10_d_1() -> None:
    assert set_rightly(SUPREME)
    for way in ("any", "best_high", "best_low"):
        assert not set_rightly(lay("dealer", "2-4 6-6", "1-2 6-6"), house_way=way)
        assert set_rightly(lay("dealer", "1-2 2-4", "6-6 5-4"), house_way=way)
    assert cites(audit(lay("dealer", "2-4 6-6", "1-2 6-6"))) == ("535.12(f)", "535.10(d)")


@pytest.mark.parametrize("tiles", [tiles for alike in PAIRS[1:] for tiles in alike])
def test_535_10_d_2(tiles: str) -> None:
    one, other = tiles.split()
    a, b = next(
        pair
        for pair in (("6-1", "5-5"), ("6-4", "3-3"), ("6-5", "2-2"), ("5-1", "6-4"))
        if rank(f"{one} {pair[0]}").pair == rank(f"{other} {pair[1]}").pair == 0
        and rank(f"{one} {pair[1]}").pair == rank(f"{other} {pair[0]}").pair == 0
    )
    assert set_rightly(lay("dealer", tiles, f"{a} {b}"))
    assert not set_rightly(lay("dealer", f"{one} {a}", f"{other} {b}"))


@pytest.mark.parametrize(
    ("high", "low", "right"),
    [
        ("4-4 5-5", "3-3 2-2", True),  # 8 and 0
        ("4-4 3-3", "5-5 2-2", False),  # 4 and 4
        ("3-3 5-5", "4-4 2-2", False),  # 6 and 2
        ("6-5 1-2", "6-4 5-1", True),  # 7 by 1-2 as a 6
        ("6-5 6-4", "1-2 5-1", True),  # 1 and 9
        ("6-5 5-1", "6-4 1-2", True),  # 7 and 6
    ],
)
def test_535_10_d_3(high: str, low: str, right: bool) -> None:  # noqa: FBT001  a row of the table
    assert set_rightly(lay("dealer", high, low)) is right


def test_535_10_d_4() -> None:
    # 12 and 10, the highest and the lowest; 2 and 11 are left. No two of them make nine, eight or seven.
    assert set_rightly(lay("dealer", "1-1 6-5", "6-6 6-4"))
    assert not set_rightly(lay("dealer", "6-6 1-1", "6-5 6-4"))
    assert not set_rightly(lay("dealer", "6-6 6-5", "1-1 6-4"))


def test_535_10_e() -> None:
    assert won_by("535.10(e)", [*DEALER, ("seat1", "surrender")]) == -2000
    # It is given up though his hands, which were to stay face down, are then shown and win.
    assert owed(audit([*DEALER, ("seat1", "surrender"), *ABOVE], bet())) == (-2000, 0)
    for play in (
        [("seat1", "surrender"), *DEALER],
        [*DEALER[:1], ("seat1", "surrender"), *DEALER[1:]],
        [*DEALER[:3], ("seat1", "surrender"), *DEALER[3:]],  # his low hand lacks a tile: it is not set
        [*DEALER, *ABOVE, ("seat1", "surrender")],
        [*DEALER, *ABOVE[:1], ("seat1", "surrender")],
    ):
        concluded = audit(play, bet())
        assert found(concluded) == [("decision_not_allowed", "seat1")]
        assert cites(concluded) == ("535.10(e)",)
        assert owed(concluded) == (None, None)
    # Who had chosen to play on with a tile that was shown (535.12(d)) gives up too early once, not twice.
    shown: Play = [("seat1", "exposed"), ("seat1", "play")]
    concluded = audit([*shown, ("seat1", "surrender"), *DEALER], bet())
    assert found(concluded) == [("decision_not_allowed", "seat1")]
    assert found(audit([*shown, *DEALER, ("seat1", "surrender")], bet())) == []
    # Hands that are set anew were set before (535.12(f)); those that nobody turned up again stay set.
    again = [*DEALER, ("seat1", "surrender"), ("dealer", "reset"), *DEALER]
    assert found(audit(again, bet())) == []
    # Said again once his hands lie open, it was said before.
    twice = audit([*DEALER, ("seat1", "surrender"), *ABOVE, ("seat1", "surrender")], bet())
    assert (found(twice), owed(twice)) == ([], (-2000, 0))
    # Another player's hands, opened too early, are not the dealer's.
    early = [*lay("seat2", "4-4 4-4", "6-1 6-2"), ("seat1", "surrender"), *DEALER]
    concluded = audit(early, bet(), bet(seat=2))
    assert ("decision_not_allowed", "seat1") in found(concluded)
    assert owed(concluded) == (None, None)
    # It is the dealer who collects the wager: of a bank the text says nothing.
    test_535_11_o_what_is_open_leaves_the_bank_open()


@pytest.mark.parametrize(("hands", "says"), [(ABOVE, "win"), (HIGH_ABOVE, "tie"), (BELOW, "lose")])
def test_535_10_f(hands: Play, says: str) -> None:
    for word in ("win", "lose", "tie"):
        concluded = audit([*DEALER, *hands, ("seat1", word)], bet())
        assert checks(concluded) == ([] if word == says else ["announced_wrong"])
        if word != says:
            assert cites(concluded)[0] == "535.10(f)"
    second = lay("seat2", "4-4 4-4", "6-3 5-5")
    assert checks(audit([*DEALER, *hands, *second], bet(), bet(seat=2))) == []
    concluded = audit([*DEALER, *second, *hands], bet(), bet(seat=2))
    assert found(concluded) == [("card_order_wrong", "seat1")]
    assert cites(concluded) == ("535.10(f)",)


def test_535_10_g() -> None:
    assert won_by("535.10(g)", [*DEALER, *BELOW]) == -2000
    assert won_by("535.10(g)", [*GONG, *lay("seat1", "1-1 5-3", "6-6 5-1")]) == -2000  # two copies
    assert won_by("535.10(g)", [*GONG, *lay("seat1", "1-1 5-3", "6-1 5-5")]) == -2000  # a copy and a 7
    # A zero above the dealer's zero, 3-1 with 3-3 against 2-2 with 5-1: lost all the same.
    zero = lay("seat1", "6-1 6-5", "3-1 3-3")
    assert won_by("535.10(g)", [*lay("dealer", "1-1 1-1", "2-2 5-1"), *zero]) == -2000
    assert won_by("535.10(h)(2)", ONE_OVER_ZERO) == 0
    test_535_10_g_a_pair_is_no_zero()


def test_535_10_g_a_pair_is_no_zero() -> None:
    for low in ("5-5 5-5", "4-1 3-2", "1-1 4-4", "6-6 6-2"):  # 20, 10, 10 and 20 spots
        high = "6-6 6-6" if low == "1-1 4-4" else "1-1 1-1" if low == "5-5 5-5" else "4-4 4-4"
        assert won_by("535.10(j)", [*lay("dealer", "6-4 6-4", "6-1 1-1"), *lay("seat1", high, low)]) == 2000


def test_535_10_h() -> None:
    for hands in (HIGH_ABOVE, LOW_ABOVE):
        tie = audit([*DEALER, *hands], bet(), settled=[paid(0)])
        assert (tie.verdict, owed(tie)) == ("clean", (0, 0))
    test_535_10_h_1()


def test_535_10_h_1() -> None:
    assert won_by("535.10(h)(1)", [*DEALER, *HIGH_ABOVE]) == 0
    assert won_by("535.10(h)(1)", [*DEALER, *lay("seat1", "1-1 1-1", "6-6 5-1")]) == 0  # a copy
    zero = lay("seat1", "6-6 6-6", "3-1 3-3")
    assert won_by("535.10(h)(1)", [*lay("dealer", "1-1 1-1", "2-2 5-1"), *zero]) == 0


def test_535_10_h_2() -> None:
    assert won_by("535.10(h)(2)", [*GONG, *lay("seat1", "1-1 5-3", "3-2 2-2")]) == 0  # a copy, and 9
    assert won_by("535.10(h)(2)", [*DEALER, *LOW_ABOVE]) == 0
    assert won_by("535.10(h)(2)", ONE_OVER_ZERO) == 0


def test_535_10_i() -> None:
    for hands in (HIGH_ABOVE, LOW_ABOVE):
        for settled, check in ((0, []), (2000, ["push_paid"]), (-2000, ["push_collected"])):
            assert checks(audit([*DEALER, *hands], bet(), settled=[paid(settled)])) == check


def test_535_10_j() -> None:
    prove_winners_after_hands("535.10(j)")
    assert won_by("535.10(j)", [*DEALER, *ABOVE]) == 2000
    # Over the dealer's zero, 2-2 with 5-1, a 1 is enough.
    one = lay("seat1", "6-6 6-6", "4-1 5-1")
    assert won_by("535.10(j)", [*lay("dealer", "1-1 1-1", "2-2 5-1"), *one]) == 2000
    # Not with one hand above, nor with one above and a copy.
    for play in ([*DEALER, *HIGH_ABOVE], [*DEALER, *LOW_ABOVE], LOW_COPY):
        assert owed(audit(play, bet())) == (0, 0)
    assert owed(audit([*GONG, *lay("seat1", "1-1 5-3", "6-6 5-1")], bet())) == (-2000, 0)  # two copies
    for settled, check in ((2000, []), (-2000, ["winner_collected"]), (0, ["paid_too_little"])):
        vigorish = 100 if settled > 0 else 0
        assert checks(audit([*DEALER, *ABOVE], bet(), settled=[paid(settled, vigorish)])) == check


@pytest.mark.parametrize(
    ("won", "exact", "rounded"),
    [
        (2000, 100, 100),
        (500, 25, 25),
        (520, 26, 50),
        (1050, 52, 75),  # 52.5
        (1000, 50, 50),
        (1001, 50, 75),  # 50.05
        (100, 5, 25),
        (1, 0, 25),
        (1_000_000, 50_000, 50_000),
    ],
)
def test_535_10_k(won: int, exact: int, rounded: int) -> None:
    play = [*DEALER, *ABOVE]
    assert won_by("535.10(k)", play, bet(won)) == won
    assert owed(audit(play, bet(won))) == (won, exact)
    assert owed(audit(play, bet(won), vigorish_rounding_cents=25)) == (won, rounded)
    for hands in (HIGH_ABOVE, LOW_ABOVE):
        assert owed(audit([*DEALER, *hands], bet(won))) == (0, 0)


def test_535_10_k_none_but_of_what_is_won() -> None:
    assert owed(audit([*DEALER, *HIGH_ABOVE], bet(), vigorish_rounding_cents=25)) == (0, 0)
    assert owed(audit([*DEALER, *BELOW], bet(), vigorish_rounding_cents=25)) == (-2000, 0)


# ── 535.11: a player's bank ──────────────────────────────────────────────────────────────────────────

TAKEN: Final[Play] = [("seat2", "bank")]
HALF: Final[Play] = [("seat2", "co_bank")]
SHARED: Final = bet(100_000, 2, "co_bank")
DEALER_ABOVE: Final = lay("dealer", "1-1 1-1", "3-2 2-2")


def banked(*hands: Play, wagers: Any, **options: Any) -> Any:
    play = [*TAKEN, *(act for hand in hands for act in hand)]
    return audit(play, CHIPS, *wagers, **{**BANK, **options})


def test_535_11() -> None:
    """The losing 50.00 pays 10.00 to the dealer and 20.00 to seat 1; 20.00 are left, less 5%."""
    play = [*TAKEN, *DEALER_ABOVE, *BANKED, *lay("seat1", "4-4 4-4", "6-3 5-5"), *THIRD_LOSES]
    wagers = [CHIPS, bet(1000, 0, "dealer_wager"), bet(), bet(5000, 3)]
    settled = [
        paid(2000, 100, 2, "bank"),
        paid(1000, 0, 0, "dealer_wager"),
        paid(2000, 100),
        paid(-5000, 0, 3),
    ]
    concluded = audit(play, *wagers, settled=settled, **BANK)
    assert (concluded.verdict, concluded.findings, concluded.notes) == ("clean", (), ())
    # One that ties goes back, and the bank has nothing of it.
    tied = banked(BANKED, HIGH_ABOVE, wagers=[bet()])
    assert owed(tied) == owed(tied, 2, "bank") == (0, 0)


def test_535_11_a() -> None:
    for options, check in (
        (BANK, []),
        ({}, ["wager_not_offered"]),
        ({"co_bank": True}, ["wager_not_offered"]),
    ):
        for wagers in ([CHIPS, bet(seat=3)], [bet(seat=3)]):
            concluded = audit([*TAKEN, *BANKED, *THIRD_LOSES], *wagers, **options)
            assert checks(concluded) == check
            assert owed(concluded, 3) == ((-2000, 0) if options == BANK else (None, None))
            if check:
                assert cites(concluded) == ("535.11(a)",)


def test_535_11_c() -> None:
    concluded = audit([*DEALER, *ABOVE], CHIPS, bet(), **BANK)
    assert cites(concluded) == ("535.11(c)",)
    assert owed(concluded) == (2000, 100)  # the dealer banks, and loses to seat 1
    twice = audit([*TAKEN, ("seat4", "bank"), *BANKED, *THIRD_LOSES], CHIPS, bet(seat=3), **BANK)
    assert cites(twice) == ("535.11(c)",)
    assert owed(twice, 3) == (None, None)
    prove_bank_not_twice("535.11(c)")


def test_535_11_d() -> None:
    covered = bet(5000, 2, "bank")  # two other players with 25.00 each
    others = [bet(2500), bet(2500, 3)]
    hands = [*TAKEN, *BANKED, *lay("seat1", "4-4 4-4", "6-3 5-5"), *THIRD_LOSES]
    assert checks(audit(hands, covered, *others, **BANK)) == []
    assert checks(audit(hands, bet(4900, 2, "bank"), *others, **BANK)) == ["wager_not_permitted"]


def test_535_11_d_2() -> None:
    for chips, check in ((2000, []), (1999, ["wager_not_permitted"])):
        shown = bet(chips, 2, "bank")
        concluded = audit([*TAKEN, *BANKED, *THIRD_LOSES], shown, bet(seat=3), **BANK)
        assert checks(concluded) == check
        assert owed(concluded, 3) == (-2000, 0)
        assert owed(concluded, 2, "bank") == ((None, None) if check else (2000, 100))
    # What the bank wagers himself, which he may not, is no other player's.
    himself = audit([*TAKEN, *BANKED, *THIRD_LOSES], bet(2000, 2, "bank"), bet(500, 2), bet(seat=3), **BANK)
    assert [each.wager for each in himself.findings] == ["pai_gow"]
    for chips, check in ((1000, []), (999, ["wager_not_permitted"])):
        shown = bet(chips, 2, "co_bank")
        assert checks(audit([*HALF, *BANKED, *THIRD_LOSES], shown, bet(seat=3), **CO_BANK)) == check


@pytest.mark.parametrize("move", ["place", "increase"])
def test_535_11_d_2_is_confirmed_before_the_round(move: str) -> None:
    """Chips of 20.00 cover seat 3's 20.00; what seat 1 adds after "no more bets" came later."""
    late: Play = [("dealer", "no_more_bets"), ("seat1", f"{move} pai_gow")]
    wagers = [bet(2000, 2, "bank"), bet(1500), bet(seat=3)]
    concluded = audit([*TAKEN, *late, *BANKED, *THIRD_LOSES], *wagers, **BANK)
    assert proven(concluded) == [("late_wager", 1)]
    short = audit([*TAKEN, *late, *BANKED, *THIRD_LOSES], bet(1999, 2, "bank"), *wagers[1:], **BANK)
    assert proven(short) == [("late_wager", 1), ("wager_not_permitted", 2)]


def test_535_11_d_2_only_what_may_lie_there_is_to_be_covered() -> None:
    # The dealer's wager on a player's spot, which only a player may make, 535.7(b).
    wagers = [bet(2000, 2, "bank"), bet(500, 0), bet(seat=3)]
    assert proven(audit([*TAKEN, *BANKED, *THIRD_LOSES], *wagers, **BANK)) == [("wager_not_permitted", 0)]


def proven(concluded: Any) -> list[tuple[str, Any]]:
    return sorted((each.check, each.seat) for each in concluded.findings if each.weight == "mismatch")


def test_535_11_e() -> None:
    assert checks(audit([*HALF, *BANKED, *THIRD_LOSES], SHARED, bet(seat=3), **CO_BANK)) == []
    refused = audit([*HALF, *BANKED, *THIRD_LOSES], SHARED, bet(seat=3), **BANK)
    assert (checks(refused), cites(refused)) == (["wager_not_offered"], ("535.11(e)",))
    split = lay("seat2", "6-6 6-4", "5-1 6-4")  # tens parted: a player may, the dealer may not
    assert found(audit([*HALF, *split], SHARED, **CO_BANK)) == [("hand_set_wrongly", "seat2")]
    assert "535.11(e)" in cites(audit([*HALF, *split], SHARED, **CO_BANK))
    assert checks(audit([*TAKEN, *split], CHIPS, **BANK)) == []
    against_it = audit([*HALF, *DEALER_ABOVE, *BANKED], SHARED, bet(1000, 0, "dealer_wager"), **CO_BANK)
    assert checks(against_it) == ["wager_not_permitted"]
    assert "535.11(e)" in cites(against_it)


def test_535_11_f() -> None:
    concluded = banked(BANKED, wagers=[bet(seat=2)])
    assert (checks(concluded), cites(concluded)) == (["wager_not_permitted"], ("535.11(f)",))
    assert owed(concluded, 2) == (None, None)


def test_535_11_h() -> None:
    wager = bet(1000, 0, "dealer_wager")
    assert checks(banked(DEALER_ABOVE, BANKED, wagers=[wager])) == []
    for concluded in (
        audit(DEALER, wager, **BANK),
        audit([*HALF, *DEALER_ABOVE, *BANKED], SHARED, wager, **CO_BANK),
        banked(BANKED, wagers=[bet(1000, 1, "dealer_wager")]),
    ):
        assert checks(concluded) == ["wager_not_permitted"]
        assert "535.11(h)" in cites(concluded)


def test_535_11_j() -> None:
    for total in range(3, 19):
        right = [place for place in POSITIONS if start(total, place, *TAKEN, **BANK) == []]
        assert right == [POSITIONS[(POSITIONS.index("seat2") + total - 1) % 8]]
    concluded = audit([*TAKEN, ("dice", "3-3-3"), *stacks("dealer"), *BANKED], CHIPS, **BANK)
    assert cites(concluded) == ("535.12(c)", "535.11(j)")


def test_535_11_k() -> None:
    wrong = [("dice", "3-3-3"), *[(place, "deal") for place in ("seat2", "seat1", *POSITIONS[3:], "dealer")]]
    concluded = audit([*TAKEN, *wrong, *BANKED], CHIPS, **BANK)
    assert found(concluded) == [("card_order_wrong", "seat1")]
    assert cites(concluded) == ("535.11(k)",)
    right = [("dice", "3-3-3"), *stacks("seat2")]
    assert checks(audit([*TAKEN, *right, *BANKED], CHIPS, **BANK)) == []
    for stacks_dealt, check in ((right[:-1], "card_missing"), ([*right, ("seat3", "deal")], "card_extra")):
        odd = audit([*TAKEN, *stacks_dealt, *BANKED], CHIPS, **BANK)
        assert (checks(odd), cites(odd)) == ([check], ("535.11(k)",))


def test_535_11_l() -> None:
    concluded = banked(BANKED, THIRD_LOSES, wagers=[])
    assert found(concluded) == [("void_not_called", "seat3")]
    # Tiles of the dealer's, who makes no wager, decide nothing.
    assert checks(banked(DEALER_ABOVE, BANKED, wagers=[])) == []


@pytest.mark.parametrize(
    ("hands", "gain"),
    [
        (DEALER_ABOVE, 1000),
        (lay("dealer", "1-1 1-1", "6-1 5-5"), 0),  # 7 below 8
        (lay("dealer", "6-1 5-5", "4-1 6-5"), -1000),
        (lay("dealer", "1-1 1-1", "6-6 5-1"), 0),  # a copy below
        (lay("dealer", "1-1 1-1", "3-1 3-3"), 0),  # a zero below 8
    ],
)
def test_535_11_n(hands: Play, gain: int) -> None:
    concluded = banked(hands, BANKED, wagers=[bet(1000, 0, "dealer_wager")])
    assert owed(concluded, 0, "dealer_wager") == (gain, 0)
    assert owed(concluded, 2, "bank") == (-gain, max(-gain, 0) // 20)
    wrong = audit(
        [*TAKEN, *hands, *BANKED],
        CHIPS,
        bet(1000, 0, "dealer_wager"),
        settled=[paid(-gain, max(-gain, 0) // 20, 2, "bank"), paid(gain + 1, 0, 0, "dealer_wager")],
        **BANK,
    )
    assert "535.11(n)" in cites(wrong)
    # A copy of the bank's high hand is not above it: Gongs of a two and an eight, over 8 and 6.
    dealer, bank = lay("dealer", "1-1 5-3", "6-1 6-5"), lay("seat2", "1-1 6-2", "5-5 5-1")
    copied = banked(dealer, bank, wagers=[bet(1000, 0, "dealer_wager")])
    assert owed(copied, 0, "dealer_wager") == (0, 0)
    test_535_11_n_zero_is_not_said()
    test_535_11_n_hands_of_the_dealer_that_may_be_set_anew_in_two_ways("6-4 6-1/3-3 6-2", "by_rank")


def test_535_11_n_zero_is_not_said() -> None:
    bank = lay("seat2", "1-1 1-1", "2-2 5-1")  # twos; a zero with a seventh tile
    for high, gain in (("6-6 6-6", None), ("6-5 6-1", None), ("6-6 6-6", 1000)):
        low = "3-1 3-3" if gain is None else "4-1 5-1"  # a zero with a fourth tile; a 1
        concluded = banked(lay("dealer", high, low), bank, wagers=[bet(1000, 0, "dealer_wager")])
        assert owed(concluded, 0, "dealer_wager")[0] == gain
        assert concluded.verdict == ("undetermined" if gain is None else "clean")


@pytest.mark.parametrize("laid", ["6-4 6-1/3-3 6-2", "3-3 6-2/6-4 6-1"])
@pytest.mark.parametrize("low_above_high", ["by_rank", "lose"])
def test_535_11_n_hands_of_the_dealer_that_may_be_set_anew_in_two_ways(
    laid: str, low_above_high: str
) -> None:
    # 10 and 10 are 0. 8 with either of them is 8, over 4 with the other: 535.10(d)(3) admits both, and with
    # 535.12(f) each is due. The bank has 17, a 7, and 6 with 8, a 4 whose higher tile ranks sixth: below a 4
    # with the fifth, 10 (5-5), and above one with the seventh, 4 (2-2). The dealer wins one way and ties the
    # other, by what he chooses: no text is silent, unless on what hands laid the wrong way round cost.
    high, low = laid.split("/")
    dealer, bank = lay("dealer", "5-5 6-4", "4-4 2-2"), lay("seat2", high, low)
    concluded = banked(dealer, bank, wagers=[bet(1000, 0, "dealer_wager")], low_above_high=low_above_high)
    assert owed(concluded, 0, "dealer_wager") == (None, None)
    crossed = low_above_high == "lose" and high == "3-3 6-2"
    assert checks(concluded) == ["hand_set_wrongly", *["text_silent"] * crossed]


@pytest.mark.parametrize(
    ("lost", "won", "gain", "vigorish", "rounded"),
    [
        (5000, 2000, 3000, 150, 150),
        (2000, 2000, 0, 0, 0),
        (2000, 5000, -3000, 0, 0),
        (2001, 1000, 1001, 50, 75),  # 50.05
    ],
)
def test_535_11_o(lost: int, won: int, gain: int, vigorish: int, rounded: int) -> None:
    hands = (BANKED, lay("seat1", "4-4 4-4", "6-3 5-5"), THIRD_LOSES)
    wagers = [bet(won), bet(lost, 3)]
    concluded = banked(*hands, wagers=wagers)
    assert owed(concluded) == (won, won // 20)
    assert owed(concluded, 3) == (-lost, 0)
    assert owed(concluded, 2, "bank") == (gain, vigorish)
    rounding = banked(*hands, wagers=wagers, vigorish_rounding_cents=25)
    assert owed(rounding, 2, "bank") == (gain, rounded)
    # The dealer's 10.00 are paid from there too.
    dealers = bet(1000, 0, "dealer_wager")
    with_dealer = banked(DEALER_ABOVE, *hands, wagers=[dealers, *wagers])
    assert owed(with_dealer, 2, "bank")[0] == gain - 1000
    # Who ties, by one hand above or with a copy of the bank's Gong and 8 over 6, gets his wager back.
    bank, copy = lay("seat2", "1-1 6-2", "5-5 5-1"), lay("seat1", "1-1 5-3", "6-1 6-5")
    for tied in (banked(BANKED, HIGH_ABOVE, wagers=[bet()]), banked(bank, copy, wagers=[bet()])):
        assert owed(tied) == owed(tied, 2, "bank") == (0, 0)
    play = [*TAKEN, *(act for hand in hands for act in hand)]
    settled = [paid(won, won // 20), paid(-lost, 0, 3), paid(gain + 1, vigorish, 2, "bank")]
    assert "535.11(o)" in cites(audit(play, CHIPS, *wagers, settled=settled, **BANK))


def test_535_11_o_what_is_open_leaves_the_bank_open() -> None:
    surrendered = audit([*TAKEN, *BANKED, ("seat3", "surrender")], CHIPS, bet(seat=3), **BANK)
    assert owed(surrendered, 3) == owed(surrendered, 2, "bank") == (None, None)
    assert surrendered.verdict == "undetermined"


def test_535_11_o_is_due_without_chips_shown() -> None:
    concluded = audit([*TAKEN, *BANKED, *THIRD_LOSES], bet(seat=3), **BANK)
    assert owed(concluded, 2, "bank") == (2000, 100)


def test_535_11_o_hands_laid_the_wrong_way_round() -> None:
    """What they cost a bank where the house has them lose, no text says; by rank they cost nothing."""
    crossed = lay("seat2", "6-6 5-1", "6-4 6-4")
    wagers = [bet(1000, 0, "dealer_wager"), bet(seat=3)]
    for options, dealers, thirds in (({}, 1000, -2000), ({"low_above_high": "lose"}, None, None)):
        concluded = banked(DEALER_ABOVE, crossed, THIRD_LOSES, wagers=wagers, **options)
        assert owed(concluded, 0, "dealer_wager")[0] == dealers
        assert owed(concluded, 3)[0] == thirds


def test_535_11_p() -> None:
    play = [*TAKEN, *DEALER_ABOVE, *BANKED]
    wagers = [CHIPS, bet(1000, 0, "dealer_wager")]
    settled = [paid(-1000, 0, 2, "bank"), paid(1000, 50, 0, "dealer_wager")]
    concluded = audit(play, *wagers, settled=settled, **BANK)
    assert checks(concluded) == ["vigorish_unauthorized"]
    assert "535.11(p)" in cites(concluded)


def test_535_11_q() -> None:
    play = [*TAKEN, *BANKED, *lay("seat1", "4-4 4-4", "6-3 5-5")]
    settled = [paid(2001, 100), paid(-2000, 0, 2, "bank")]
    concluded = audit(play, CHIPS, bet(), settled=settled, **BANK)
    assert owed(concluded) == (2000, 100)
    assert {"535.10(k)", "535.11(q)"} <= set(cites(concluded))
    # In accordance with 535.10: 26 cents of 5.20, or the next 25; a co-bank is a bank.
    for options, due in (({}, 26), ({"vigorish_rounding_cents": 25}, 50)):
        assert owed(audit(play, CHIPS, bet(520), **BANK, **options)) == (520, due)
        co_banked = [*HALF, *play[len(TAKEN) :]]
        assert owed(audit(co_banked, SHARED, bet(520), **CO_BANK, **options)) == (520, due)


@pytest.mark.parametrize(
    ("lost", "won", "gain", "vigorish", "rounded"),
    [
        (5000, 2000, 1500, 75, 75),
        (5000, 2980, 1010, 50, 75),  # 50.5
        (2000, 5000, -1500, 0, 0),
        (2000, 2000, 0, 0, 0),
        (2001, 2000, None, None, None),
    ],
)
def test_535_11_r(lost: int, won: int, gain: int | None, vigorish: int | None, rounded: int | None) -> None:
    play = [*HALF, *BANKED, *lay("seat1", "4-4 4-4", "6-3 5-5"), *THIRD_LOSES]
    concluded = audit(play, SHARED, bet(won), bet(lost, 3), **CO_BANK)
    assert owed(concluded, 2, "co_bank") == (gain, vigorish)
    rounding = audit(play, SHARED, bet(won), bet(lost, 3), vigorish_rounding_cents=25, **CO_BANK)
    assert owed(rounding, 2, "co_bank") == (gain, rounded)
    tied = audit([*HALF, *BANKED, *HIGH_ABOVE], SHARED, bet(), **CO_BANK)
    assert owed(tied) == owed(tied, 2, "co_bank") == (0, 0)
    assert owed(concluded, 3) == (-lost, 0)
    if gain is not None and vigorish is not None:
        settled = [paid(won, won // 20), paid(-lost, 0, 3), paid(gain + 1, vigorish, 2, "co_bank")]
        assert "535.11(r)" in cites(audit(play, SHARED, bet(won), bet(lost, 3), settled=settled, **CO_BANK))


def test_603a_21_a_no_coupon_against_a_bank() -> None:
    house = House(house="holds on", in_force={"535": Span(until=date(2020, 1, 1))})
    in_2014: dict[str, Any] = {"at": datetime(2014, 1, 1, 20, tzinfo=UTC), "house": house}
    coupon = bet(coupon=1000)
    # Against the dealer it wins with the chips: 30.00, and 5% of that.
    assert owed(audit([*DEALER, *ABOVE], coupon, **in_2014)) == (3000, 150)
    assert owed(audit([*DEALER, *BELOW], coupon, **in_2014)) == (-2000, 0)
    hands = lay("seat1", "4-4 4-4", "6-3 5-5")
    concluded = audit([*TAKEN, *BANKED, *hands], CHIPS, coupon, **in_2014, **BANK)
    assert checks(concluded) == ["coupon_not_permitted"]
    assert cites(concluded) == ("603a.21(a)",)
    assert owed(concluded) == (2000, 100)


# ── 535.12: irregularities ───────────────────────────────────────────────────────────────────────────


def test_535_12() -> None:
    concluded = audit([("dealer", "void")], bet(), settled=[paid(0)])
    of_bank = audit([*TAKEN, ("dealer", "void")], bet(seat=3), **BANK)
    assert owed(of_bank, 2, "bank") == (0, 0)  # its chips were not seen
    assert (concluded.verdict, owed(concluded)) == ("clean", (0, 0))
    test_535_12_a("seat1", right=True)
    test_535_12_b()
    test_535_12_c()
    test_535_12_d()
    test_535_12_e("dead")
    test_535_12_f()


@pytest.mark.parametrize(("first", "right"), [("seat1", True), ("dealer", False)])
def test_535_12_a(first: str, right: bool) -> None:  # noqa: FBT001  a row of the table
    play = [("dice", "3-3-3"), ("dealer", "no_roll"), ("dice", "4-3-3"), *stacks(first), *DEALER, *ABOVE]
    assert checks(audit(play, bet())) == ([] if right else ["void_not_called"])


def test_535_12_b() -> None:
    # The one roll was cancelled: where the stacks had to begin is not known.
    play = [("dice", "3-3-3"), ("dealer", "no_roll"), *stacks("seat1"), *DEALER, *ABOVE]
    assert checks(audit(play, bet())) == []
    assert checks(audit([play[0], *play[2:]], bet())) == ["void_not_called"]


def test_535_12_c() -> None:
    wrong: Play = [("dice", "3-3-3"), *stacks("seat1")]
    called = audit([*wrong, ("dealer", "void")], bet(), settled=[paid(0)])
    assert (called.verdict, owed(called)) == ("clean", (0, 0))
    played = audit([*wrong, *DEALER, *BELOW], bet(), settled=[paid(-2000)])
    assert checks(played) == ["void_not_called", "push_collected"]
    assert owed(played) == (0, 0)
    assert cites(audit([*wrong, *DEALER, *BELOW], bet())) == ("535.12(c)", "535.8(c)")
    # A bank is number one, so that a 9 comes to him.
    astray: Play = [("dice", "3-3-3"), *stacks("dealer")]
    of_bank = banked(astray, BANKED, THIRD_LOSES, wagers=[bet(seat=3)])
    assert cites(of_bank) == ("535.12(c)", "535.11(j)")
    assert owed(of_bank, 3) == owed(of_bank, 2, "bank") == (0, 0)


def test_535_12_d() -> None:
    shown: Play = [("seat1", "exposed")]
    assert won_by("535.12(d)", [*shown, ("seat1", "void"), *DEALER]) == 0
    assert won_by("535.10(j)", [*shown, ("seat1", "play"), *DEALER, *ABOVE]) == 2000
    assert won_by("535.10(j)", [*shown, *DEALER, *ABOVE]) == 2000  # he did not choose to void it
    against_bank = banked([("seat3", "exposed"), ("seat3", "void")], BANKED, wagers=[bet(seat=3)])
    assert owed(against_bank, 3) == owed(against_bank, 2, "bank") == (0, 0)
    unasked = audit([("seat1", "void"), *DEALER], bet())
    # He decides without looking at his other tiles: once he plays the hand out, he may have.
    played_first: Play = [*shown, ("seat1", "play")]
    late = audit([*played_first, ("seat1", "void"), *DEALER], bet())
    said_again = audit([*played_first, ("seat1", "void"), ("seat1", "void"), *DEALER], bet())
    for wrong in (unasked, late, said_again):
        assert found(wrong) == [("decision_not_allowed", "seat1")]
        assert cites(wrong) == ("535.12(d)",)
        assert owed(wrong) == (None, None)
    assert won_by("535.12(d)", [*played_first, *shown, ("seat1", "void"), *DEALER]) == 0  # another was shown


@pytest.mark.parametrize(
    "play",
    [
        [*DEALER, *ABOVE, ("seat1", "exposed"), ("seat1", "void")],
        [("seat1", "exposed"), *DEALER, *ABOVE, ("seat1", "void")],
        [("seat1", "exposed"), *DEALER, *ABOVE[:1], ("seat1", "void")],  # one tile, of the hand he has set
        [("seat1", "exposed"), *DEALER, *BELOW, ("seat1", "void")],  # when he sees that it loses
        [("seat1", "exposed"), ("seat1", "void"), ("seat1", "play"), *DEALER, *BELOW, ("seat1", "void")],
    ],
)
def test_535_12_d_a_hand_that_was_set_and_laid_open_is_not_voided(play: Play) -> None:
    # "Without looking at his unexposed tiles": he looked at all four when he set them, 535.10(a).
    concluded = audit(play, bet())
    assert found(concluded) == [("decision_not_allowed", "seat1")]
    assert cites(concluded) == ("535.12(d)",)
    assert owed(concluded) == (None, None)


def test_535_12_d_a_hand_that_was_surrendered_is_not_voided() -> None:
    # 535.10(e): the dealer collects its wager and its tiles at once.
    concluded = audit([("seat1", "exposed"), *DEALER, ("seat1", "surrender"), ("seat1", "void")], bet())
    assert found(concluded) == [("decision_not_allowed", "seat1")]
    assert cites(concluded) == ("535.12(d)",)
    assert owed(concluded) == (None, None)


def test_535_12_d_another_players_open_hands_are_not_his() -> None:
    early = [("seat1", "exposed"), *lay("seat2", "4-4 4-4", "6-1 6-2"), ("seat1", "void"), *DEALER]
    concluded = audit(early, bet(), bet(seat=2))
    assert ("decision_not_allowed", "seat1") not in found(concluded)
    assert owed(concluded) == (0, 0)


def test_535_12_d_a_void_said_again_once_the_tiles_lie_open_was_said_in_time() -> None:
    twice: Play = [("seat1", "exposed"), ("seat1", "void"), *DEALER, *ABOVE, ("seat1", "void")]
    concluded = audit(twice, bet(), settled=[paid(0)])
    assert (found(concluded), owed(concluded)) == ([], (0, 0))


def test_535_12_d_each_tile_that_is_exposed_gives_the_option_again() -> None:
    late: Play = [("seat1", "exposed"), ("seat1", "play"), ("seat1", "void")]
    anew = audit([*late, ("seat1", "exposed"), ("seat1", "void"), *DEALER], bet(), settled=[paid(0)])
    assert (found(anew), owed(anew)) == ([], (0, 0))
    # He did not use the option that the second tile gave him: what he said before it was not his to say.
    unused = audit([*late, ("seat1", "exposed"), *DEALER], bet())
    assert (found(unused), owed(unused)) == ([("decision_not_allowed", "seat1")], (None, None))
    played_on = audit([*late, ("seat1", "exposed"), ("seat1", "play"), *DEALER, *ABOVE], bet())
    assert (found(played_on), owed(played_on)) == ([], (2000, 100))


def test_535_12_d_there_is_no_option_before_a_tile_is_exposed() -> None:
    early: Play = [("seat1", "void"), ("seat1", "exposed")]
    concluded = audit([*early, *DEALER], bet())
    assert found(concluded) == [("decision_not_allowed", "seat1")]
    assert cites(concluded) == ("535.12(d)",)
    assert owed(concluded) == (None, None)
    asked = audit([*early, ("seat1", "void"), *DEALER], bet(), settled=[paid(0)])
    assert (found(asked), owed(asked)) == ([], (0, 0))


@pytest.mark.parametrize("position", ["dealer", "dead", "seat4"])
def test_535_12_e(position: str) -> None:
    concluded = audit([(position, "exposed"), *DEALER, *ABOVE], bet())
    assert found(concluded) == [("void_not_called", position)]
    assert cites(concluded) == ("535.12(e)",)
    assert owed(concluded) == (0, 0)
    assert checks(audit([(position, "exposed"), ("dealer", "void")], bet(), settled=[paid(0)])) == []
    if position == "seat4":  # with a wager there it is the player's choice, (d)
        assert (
            checks(audit([(position, "exposed"), *DEALER, *ABOVE, ("seat4", "left")], bet(), bet(seat=4)))
            == []
        )
        laid = audit([*DEALER, *ABOVE, *lay("seat4", "3-1 3-1", "6-2 4-4")], bet())
        assert (found(laid), cites(laid)) == ([("void_not_called", "seat4")], ("535.12(e)",))
        assert owed(laid) == (0, 0)
    if position == "dealer":  # also where he wagers against a bank
        concluded = banked(
            [("dealer", "exposed")], DEALER_ABOVE, BANKED, wagers=[bet(1000, 0, "dealer_wager")]
        )
        assert found(concluded) == [("void_not_called", "dealer")]
        assert owed(concluded, 0, "dealer_wager") == owed(concluded, 2, "bank") == (0, 0)
    # A bank's position has a wager though its chips were not seen, and so has one that withdrew it too late.
    shown: Play = [*TAKEN, ("seat2", "exposed"), ("seat2", "play")]
    played = audit([*shown, *BANKED, *THIRD_LOSES], bet(seat=3), **BANK)
    assert (checks(played), owed(played, 3)) == ([], (-2000, 0))
    test_535_12_e_a_wager_withdrawn_too_late_was_there()


def test_535_12_e_a_wager_withdrawn_too_late_was_there() -> None:
    play: Play = [("dealer", "no_more_bets"), ("seat1", "withdraw pai_gow"), *DEALER, *ABOVE]
    assert checks(audit(play)) == ["late_wager"]


@pytest.mark.parametrize(("wager", "is_void"), [("tiger_pair", True), ("pai_gow", False)])
def test_535_12_e_a_wager_in_doubt_beside_pai_gow_is_none(wager: str, is_void: bool) -> None:  # noqa: FBT001  a case
    # Seat 4 has shown a tile. Whether it had a Pai Gow Wager decides, and no other that it may have had.
    key = Key(4, None, wager, None)
    observed = Round(
        "PG-1",
        "1",
        EVENING.date(),
        0,
        play=[("seat4", "exposed"), *DEALER, *ABOVE],
        wagers={Key(1, None, "pai_gow", None): Wager(2000)},
        doubts=[Doubt("data_missing", key, fact("fold.restarted", device="C"))],
    )
    judged = PaiGow().adjudicate(observed, rulebook("535", EVENING.date(), {}), (), ())
    assert [(each.check, each.who) for each in judged.defects] == [("void_not_called", "seat4")] * is_void


def test_535_12_d_of_a_bank_is_not_said() -> None:
    shown: Play = [("seat2", "exposed")]
    voided = banked(shown, [("seat2", "void")], wagers=[bet(seat=3)])
    assert (voided.verdict, owed(voided, 3), owed(voided, 2, "bank")) == (
        "undetermined",
        (None, None),
        (None, None),
    )
    laid_all_the_same = banked(shown, [("seat2", "void")], BANKED, THIRD_LOSES, wagers=[bet(seat=3)])
    assert owed(laid_all_the_same, 3) == (None, None)
    played = banked(shown, [("seat2", "play")], BANKED, THIRD_LOSES, wagers=[bet(seat=3)])
    assert owed(played, 3) == (-2000, 0)


def test_535_12_f() -> None:
    wrong, right = lay("dealer", "6-6 6-1", "5-4 5-1"), lay("dealer", "6-6 5-4", "6-1 5-1")  # a Wong, and 3
    low_of_five = lay("seat1", "3-1 3-1", "6-2 4-4")  # above the Wong; 16, a 6
    paid_rightly = [paid(2000, 100)]
    assert checks(audit([*wrong, *low_of_five], bet(), settled=paid_rightly)) == ["hand_set_wrongly"]
    in_time = audit([*wrong, ("dealer", "reset"), *right, *low_of_five], bet(), settled=paid_rightly)
    assert in_time.verdict == "clean"
    # Two ways of 8 over 4 remain; a 4 between them is won by one and tied by the other.
    open_still = [*lay("dealer", "5-5 6-4", "4-4 2-2"), *lay("seat1", "6-6 6-6", "3-3 6-2")]
    assert owed(audit(open_still, bet())) == (None, None)
    assert owed(audit(open_still, bet(), house_way="best_low")) == (0, 0)
    set_anew = Round("PG-1", "1", EVENING.date(), 0, play=[*wrong, ("dealer", "reset"), *right, *low_of_five])
    layout = {each.hand: [piece.face for piece in each.pieces] for each in lying("535", set_anew, None)}
    assert (layout["dealer.high"], layout["dealer.low"]) == (["6-6", "5-4"], ["6-1", "5-1"])
    assert layout["seat1.high"] == ["3-1", "3-1"]
    other_tiles = audit([*wrong, ("dealer", "reset"), *DEALER, *ABOVE], bet())
    assert found(other_tiles) == [("card_extra", "dealer")]
    assert owed(other_tiles) == (None, None)


# ── tiles that no one saw ────────────────────────────────────────────────────────────────────────────


def test_535_unseen_tiles_matter_only_where_they_do() -> None:
    lost = audit([*SUPREME, *lay("seat1", "1-1 1-1", "3-3")], bet(), settled=[paid(-2000)])
    assert lost.verdict == "clean"
    hangs = audit([*DEALER, *lay("seat1", "1-1 1-1", "6-3")], bet(), settled=[paid(2000, 100)])
    assert (hangs.verdict, checks(hangs), owed(hangs)) == ("undetermined", ["data_missing"], (None, None))
    assert "seat 1 low hand" in text_of(hangs.findings[0].message)


def test_535_unseen_tiles_are_among_those_that_the_set_still_holds() -> None:
    # 6-5 makes more than 8 with 6-6 on top only with the other 6-5 (a pair), 6-2 or 5-3 (9).
    player, second = lay("seat1", "1-1 1-1", "6-5"), lay("seat2", "4-4 4-4", "6-5 5-5")
    third = lay("seat3", "3-3 3-3", "6-2 5-3")
    assert owed(audit([*DEALER, *player, *second], bet(), bet(seat=2))) == (None, None)
    everyone = [bet(), bet(seat=2), bet(seat=3)]
    assert owed(audit([*DEALER, *player, *second, *third], *everyone)) == (0, 0)


@pytest.mark.parametrize(("seen", "open_still"), [("4-4 6-1", False), ("5-2 6-1", True)])
def test_535_two_unseen_tiles_are_both_among_them(seen: str, open_still: bool) -> None:  # noqa: FBT001  a row
    # Over the Supreme Pair there is nothing; over fours only eights, twos and twelves. The twos are the
    # player's other hand, one twelve lies with seat 2, and one eight or none.
    dealer, player = lay("dealer", "2-4 1-2", "3-1 3-1"), lay("seat1", "1-1 1-1", "")
    concluded = audit([*dealer, *player, *lay("seat2", "6-6 3-2", seen)], bet(), bet(seat=2))
    assert owed(concluded) == ((None, None) if open_still else (-2000, 0))


# ── as it is told ────────────────────────────────────────────────────────────────────────────────────


def told(play: Play, **options: Any) -> list[tuple[str, str]]:
    wagers = [RecordWager(1, "pai_gow", 2000)]
    record = RoundRecord("PG-1", "1", "535", EVENING, play, wagers, options=options)
    return step_texts(PaiGow().reasons(to_round(record, HOUSE), rulebook("535", PUBLISHED, options)))


def test_535_explained_step_by_step() -> None:
    hands = lay("seat1", "6-6 5-4", "5-5 3-1")
    assert told([("dice", "3-3-3"), *stacks("dealer"), *DEALER, *hands]) == [
        ("The dice total 9: the first stack goes to dealer.", "535.8(c)"),
        ("dealer high hand 6-4 6-4: Matched Pair, rank 10.", "535.4(a)"),
        ("dealer low hand 6-6 5-1: value 8.", "535.4(c)"),
        ("seat1 high hand 6-6 5-4: Wong, rank 17.", "535.4(a)"),
        ("seat1 low hand 5-5 3-1: value 4.", "535.4(c)"),
        ("seat1: high hand below, low hand below the dealer's: the wager loses.", "535.10(g)"),
    ]
    assert told([*TAKEN, ("dice", "3-3-3"), *BANKED], **BANK)[:2] == [
        ("seat2 is the bank.", "535.11(c)"),
        ("The dice total 9: the first stack goes to seat2.", "535.11(j)"),
    ]
    assert told([("dealer", "void")]) == [
        ("All hands were called void: every wager is returned.", "535.12(e)")
    ]


def test_535_explains_what_was_wrong() -> None:
    wrong = [("dealer.high", "6-6"), ("dealer.high", "6-1"), ("dealer.low", "5-4"), ("dealer.low", "5-1")]
    (said,) = [each for each, cite in told([*wrong, *ABOVE]) if cite == "535.12(f)"]
    assert said.endswith(
        "; set anew, they are high hand 5-4 6-6 (Wong, rank 17) and low hand 5-1 6-1 (value 3)."
    )
    right = lay("dealer", "6-6 5-4", "6-1 5-1")
    assert told([*wrong, ("dealer", "reset"), *right])[-1] == (
        "The dealer's hands were set anew, and count as they lie.",
        "535.12(f)",
    )
    assert told([("dead", "exposed"), *DEALER, *ABOVE]) == [
        ("A tile of dead was exposed, and the hands were not called void.", "535.12(e)"),
        ("The hands are void: every wager is returned.", "535.12(e)"),
    ]


# ── the enumeration ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("way", ["best_high", "best_low"])
def test_prove_counts_as_single_tiles_do(way: str) -> None:
    """Eleven tiles dealt one by one, against the count that deals tiles of a kind at once."""
    some = {"6-6": 2, "1-1": 1, "4-4": 1, "5-4": 1, "6-4": 2, "2-2": 1, "2-4": 1, "1-2": 1, "6-1": 1}
    of_the_house = rules(house_way=way)
    tiles = [tile for tile, times in some.items() for _ in range(times)]
    set_so = {
        four: proof.set_by_house(of_the_house, tuple(tiles[n] for n in four))
        for four in combinations(range(len(tiles)), 4)
    }
    one_by_one = Counter(
        decides(player, house)[0]
        for (mine, player), (theirs, house) in product(set_so.items(), repeat=2)
        if not set(mine) & set(theirs)
    )
    assert one_by_one.total() == 330 * 35
    assert proof.results(of_the_house, some, {}) == one_by_one


def test_535_2_b_3() -> None:
    prove_point("535", "logo", "535.2(b)(3)")


def test_535_2_c() -> None:
    prove_point("535", "box_places", "535.2(c)")


def test_535_2_d_1() -> None:
    prove_point("535", "shaker_capacity", "535.2(d)(1)")


def test_535_2_d_2() -> None:
    prove_point("535", "shaker_logo", "535.2(d)(2)")


def test_535_3_b() -> None:
    prove_tile_point("tile_size", "535.3(b)(1)")


def test_535_3_b_1() -> None:
    prove_tile_point("tile_size", "535.3(b)(1)")


def test_535_3_b_2() -> None:
    prove_tile_point("tile_surface", "535.3(b)(2)")


def test_535_3_b_3() -> None:
    prove_tile_point("tile_backs", "535.3(b)(3)")


def test_535_3_b_4() -> None:
    prove_tile_point("tile_finish", "535.3(b)(4)")


def test_535_3_b_5() -> None:
    prove_tile_point("tile_marks", "535.3(b)(5)")


def test_535_3_b_6() -> None:
    prove_tile_point("tile_spots", "535.3(b)(6)")


def test_535_3_d() -> None:
    prove_tiles_sealed("535.3(d)")


def test_535_6() -> None:
    prove_tiles_inspected("535.6(a)")
    prove_tiles_mixed("535.6(d)")


def test_535_6_a() -> None:
    prove_tiles_inspected("535.6(a)")


def test_535_6_a_1() -> None:
    prove_tile_point("sixteen_pairs", "535.6(a)(1)", is_asked=True)


def test_535_6_a_2() -> None:
    prove_tile_point("tiles_alike", "535.6(a)(2)", is_asked=True)


def test_535_6_a_3() -> None:
    prove_tile_point("backs_and_sides", "535.6(a)(3)", is_asked=True)


def test_535_6_a_3_i() -> None:
    prove_tiles_replaced("535.6(a)(3)(i)", "535.6(a)(3)(ii)")


def test_535_6_a_3_ii() -> None:
    prove_tiles_replaced("535.6(a)(3)(i)", "535.6(a)(3)(ii)")


def test_535_6_b() -> None:
    prove_tiles_spread("535.6(b)")


def test_535_6_c() -> None:
    prove_tiles_turned("535.6(c)")


def test_535_6_d() -> None:
    prove_tiles_mixed("535.6(d)")


def test_535_6_e() -> None:
    prove_tiles_remixed("535.6(e)")


def test_535_6_f() -> None:
    prove_tiles_mixed_again("535.6(f)")


def test_535_6_g() -> None:
    prove_idle_tiles("535.6(g)")


def test_535_8_a() -> None:
    prove_shaker("535.8(a)")


def test_535_8_f() -> None:
    prove_shaker_put_away("535.8(f)")


def test_535_11_m() -> None:
    prove_shaker_put_away("535.11(m)", bank=3)


def test_535_9() -> None:
    prove_delivery("jung_quat", "535.9(a)(4)")


def test_535_9_a() -> None:
    prove_delivery_submitted("535.9(a)")


def test_535_9_a_1() -> None:
    prove_delivery("house_way_left", "535.9(a)(1)")


def test_535_9_a_2() -> None:
    prove_delivery("cup_say_right", "535.9(a)(2)")


def test_535_9_a_3() -> None:
    prove_delivery("cup_say_left", "535.9(a)(3)")


def test_535_9_a_4() -> None:
    prove_delivery("jung_quat", "535.9(a)(4)")


def test_535_9_a_5() -> None:
    prove_delivery("chee_yee", "535.9(a)(5)")


def test_535_9_a_6() -> None:
    prove_delivery("pin_say_right", "535.9(a)(6)")


def test_535_9_a_7() -> None:
    prove_delivery("pin_say_left", "535.9(a)(7)")


def test_535_9_a_8() -> None:
    prove_delivery("dragon_head_right", "535.9(a)(8)")


def test_535_9_a_9() -> None:
    prove_delivery("dragon_head_left", "535.9(a)(9)")


def test_535_11_b() -> None:
    prove_bank_not_first("535.11(b)")


def test_535_11_d_1() -> None:
    prove_bank_wagered("535.11(d)(1)")


def test_535_11_g() -> None:
    prove_stacks_cut("535.11(g)", "535.11(g)(1)", "535.11(g)(2)")


def test_535_11_g_1() -> None:
    prove_stacks_cut("535.11(g)", "535.11(g)(1)", "535.11(g)(2)")


def test_535_11_g_2() -> None:
    prove_stacks_cut("535.11(g)", "535.11(g)(1)", "535.11(g)(2)")


def test_535_11_i() -> None:
    prove_bank_shakes("535.11(i)")


def test_535_13_b() -> None:
    prove_hands_set("535.13(b)")
    prove_hands_stay("535.10(b)", "535.13(b)")


def test_535_10_b() -> None:
    prove_hands_stay("535.10(b)", "535.13(b)")


def test_535_7_b_seated() -> None:
    prove_seated("535", "pai_gow", "535.7(b)", stays=False)


def test_535_13() -> None:
    prove_boxes("535", "535.13(a)", 2, "pai_gow", is_printed=True)
    prove_hands_set("535.13(b)")


def test_535_13_a() -> None:
    prove_boxes("535", "535.13(a)", 2, "pai_gow", is_printed=True)


def test_535_5_c() -> None:
    prove_dice_hours("535.5(c)", 24)


def test_535_5_a() -> None:
    prove_three_dice("535.5(a)")


def test_535_5() -> None:
    prove_three_dice("535.5(a)")
    prove_dice_hours("535.5(c)", 24)


def test_535_2_a() -> None:
    prove_most("535", "positions", 6, "535.2(a)")


def test_535_10_l() -> None:
    prove_tiles_cleared("535.10(l)")


def test_535_2_b_approved() -> None:
    prove_approved("535", "layout", "535.2(b)")


def test_535_2_d() -> None:
    prove_approved("535", "shaker", "535.2(d)")
