"""The exact enumeration, against figures published by others and against a second routine on small packs."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from math import sqrt
from typing import Any

import pytest
from click.testing import CliRunner, Result

from projections.engine.games.baccarat.proof import finished, pairs_dealt
from projections.engine.games.baccarat.rules import rules_of
from replay.cli import main
from replay.cli.prove import decimal
from schemas.law_text import chapter
from schemas.rulebook import rulebook

COLUMNS = [
    "wager", "option", "decks", "win", "push", "lose", "total", "house_advantage", "decimal", "published",
    "method", "error", "variance",
]  # fmt: skip

# wizardofodds.com/games/baccarat, eight decks: on how many ordered deals each hand wins, and both tie.
EIGHT = {"banker": 2_292_252_566_437_888, "player": 2_230_518_282_592_256, "tie": 475_627_426_473_216}
# The same with six decks, as tabled at wizardofodds.com and casinoexploit.com/baccarat.html.
SIX = {"banker": 403_095_751_234_560, "player": 392_220_492_728_832, "tie": 83_552_962_932_288}

DEALS_OF_EIGHT = 416 * 415 * 414 * 413 * 412 * 411
DEALS_OF_SIX = 312 * 311 * 310 * 309 * 308 * 307

# wizardofodds.com/games/ez-baccarat, eight decks.
DRAGON_7 = 112_633_011_329_024
PANDA_8 = 172_660_763_262_976

# wizardofodds.com/games/baccarat/side-bets, Dragon Bonus, eight decks: deals won by so many points without
# a Natural; both sides have the same number of winning Naturals and of tied ones.
MARGINS = {
    "player": {9: 18_409_431_764_992, 8: 34_097_645_543_424, 7: 89_590_261_473_280,
               6: 141_238_897_317_888, 5: 166_169_165_987_840, 4: 186_780_352_174_080},
    "banker": {9: 15_390_342_909_952, 8: 28_305_092_784_128, 7: 79_517_099_278_336,
               6: 119_200_072_366_080, 5: 157_275_882_332_160, 4: 201_147_167_287_296},
}  # fmt: skip
NATURALS_WON, NATURALS_TIED = 812_685_054_124_032, 89_325_908_267_520

# 631a.13(e), read off the page.
TABLES = {
    "A": {9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1},
    "B": {9: 20, 8: 8, 7: 7, 6: 4, 5: 3, 4: 1},
    "C": {9: 30, 8: 10, 7: 4, 6: 4, 5: 2, 4: 2},
}


def prove(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["prove", *arguments])


def proven(decks: int) -> dict[tuple[str, str | None], dict[str, Any]]:
    answer = prove("baccarat", "--decks", str(decks), "--format", "jsonl")
    assert answer.exit_code == 0, answer.output
    rows = [json.loads(line) for line in answer.stdout.splitlines()]
    found = {(row["wager"], row["option"]): row for row in rows}
    assert len(found) == len(rows)
    return found


@pytest.fixture(scope="module")
def eight() -> dict[tuple[str, str | None], dict[str, Any]]:
    return proven(8)


def counts(row: dict[str, Any]) -> tuple[int, int, int]:
    return row["win"], row["push"], row["lose"]


def test_every_row_counts_every_ordered_deal(eight: dict[tuple[str, str | None], dict[str, Any]]) -> None:
    assert DEALS_OF_EIGHT == 4_998_398_275_503_360
    for row in eight.values():
        assert list(row) == COLUMNS
        assert row["total"] == sum(counts(row)) == DEALS_OF_EIGHT
        assert (row["decks"], row["published"], row["method"], row["error"]) == (8, None, "exact", "0")
        assert row["decimal"] == decimal(Fraction(row["house_advantage"]))


def test_hands_and_ties_of_eight_decks(eight: dict[tuple[str, str | None], dict[str, Any]]) -> None:
    banker, player, tie = EIGHT["banker"], EIGHT["player"], EIGHT["tie"]
    assert counts(eight["banker", "vigorish=5%"]) == (banker, tie, player)
    assert counts(eight["player", None]) == (player, tie, banker)
    assert counts(eight["player", "ez=true"]) == (player, tie, banker)
    assert counts(eight["tie", "tie_odds=8"]) == (tie, 0, banker + player)
    # A Banker that wins is paid 19/20; what is returned earns nothing.
    assert Fraction(eight["banker", "vigorish=5%"]["house_advantage"]) == (
        player - Fraction(19, 20) * banker
    ) / Fraction(DEALS_OF_EIGHT)
    # 1.0579%, 1.2351%, 14.3596%: the figures that every book of the game prints; 9 to 1 on a tie, 4.844%.
    for key, percent in {
        ("banker", "vigorish=5%"): "0.010579",
        ("player", None): "0.012351",
        ("player", "ez=true"): "0.012351",
        ("tie", "tie_odds=8"): "0.143596",
        ("tie", "tie_odds=9"): "0.048440",
    }.items():
        assert round(Fraction(eight[key]["house_advantage"]), 6) == Fraction(percent), key


def test_variance_of_eight_decks(eight: dict[tuple[str, str | None], dict[str, Any]]) -> None:
    banker, player, tie = (Fraction(EIGHT[hand], DEALS_OF_EIGHT) for hand in ("banker", "player", "tie"))
    dragon = Fraction(DRAGON_7, DEALS_OF_EIGHT)
    # Of each wager what it gains with which chance; 19/20 is a win less 5% vigorish.
    gains = {
        ("banker", "vigorish=5%"): {Fraction(19, 20): banker, Fraction(-1): player},
        ("banker", "ez=true"): {Fraction(1): banker - dragon, Fraction(-1): player},
        ("player", None): {Fraction(1): player, Fraction(-1): banker},
        ("tie", "tie_odds=8"): {Fraction(8): tie, Fraction(-1): 1 - tie},
        ("dragon_7", "ez=true"): {Fraction(40): dragon, Fraction(-1): 1 - dragon},
    }
    for key, chances in gains.items():
        mean = sum(gain * chance for gain, chance in chances.items())
        variance = sum(gain**2 * chance for gain, chance in chances.items()) - mean**2
        assert eight[key]["variance"] == decimal(Fraction(variance)), key
    # wizardofodds.com/gambling/house-edge: standard deviations of 0.93, 0.95 and 2.64.
    for key, deviation in {
        ("banker", "vigorish=5%"): 0.93,
        ("player", None): 0.95,
        ("tie", "tie_odds=8"): 2.64,
    }.items():
        assert round(sqrt(float(eight[key]["variance"])), 2) == deviation, key


def test_vigorish_on_a_tie_counts_in_the_variance() -> None:
    rows = [json.loads(line) for line in prove("541", "--format", "jsonl").stdout.splitlines()]
    (row,) = (row for row in rows if row["option"] == "vigorish=25% on tie")
    banker, player, tie = (Fraction(EIGHT[hand], DEALS_OF_EIGHT) for hand in ("banker", "player", "tie"))
    mean = banker - player - tie / 4
    assert row["variance"] == decimal(banker + player + tie / 16 - mean**2)


def test_hands_and_ties_of_six_decks() -> None:
    six = proven(6)
    banker, player, tie = SIX["banker"], SIX["player"], SIX["tie"]
    assert banker + player + tie == DEALS_OF_SIX
    assert counts(six["banker", "vigorish=5%"]) == (banker, tie, player)
    assert counts(six["tie", "tie_odds=8"]) == (tie, 0, banker + player)
    assert {row["total"] for row in six.values()} == {DEALS_OF_SIX}
    # 1.06%, 1.24%, 14.44% (the same pages); Dragon Bonus of table A 2.67% and 9.39% (side bets page).
    for key, percent in {
        ("banker", "vigorish=5%"): "0.0106",
        ("player", None): "0.0124",
        ("tie", "tie_odds=8"): "0.1444",
        ("dragon_bonus_player", "dragon_bonus=A"): "0.0267",
        ("dragon_bonus_banker", "dragon_bonus=A"): "0.0939",
    }.items():
        assert round(Fraction(six[key]["house_advantage"]), 4) == Fraction(percent), key


def test_ez_baccarat(eight: dict[tuple[str, str | None], dict[str, Any]]) -> None:
    banker, player, tie = EIGHT["banker"], EIGHT["player"], EIGHT["tie"]
    assert counts(eight["banker", "ez=true"]) == (banker - DRAGON_7, tie + DRAGON_7, player)
    assert counts(eight["dragon_7", "ez=true"]) == (DRAGON_7, 0, DEALS_OF_EIGHT - DRAGON_7)
    assert counts(eight["panda_8", "ez=true"]) == (PANDA_8, 0, DEALS_OF_EIGHT - PANDA_8)
    # 1.0183%, 7.6113% and 10.1876% on the same page.
    for key, percent in {
        ("banker", "ez=true"): "0.010183",
        ("dragon_7", "ez=true"): "0.076113",
        ("panda_8", "ez=true"): "0.101876",
    }.items():
        assert round(Fraction(eight[key]["house_advantage"]), 6) == Fraction(percent), key


@pytest.mark.parametrize("table", "ABC")
@pytest.mark.parametrize("hand", ["player", "banker"])
def test_dragon_bonus(eight: dict[tuple[str, str | None], dict[str, Any]], hand: str, table: str) -> None:
    row = eight[f"dragon_bonus_{hand}", f"dragon_bonus={table}"]
    won = sum(MARGINS[hand].values()) + NATURALS_WON
    lost = DEALS_OF_EIGHT - won - NATURALS_TIED
    assert counts(row) == (won, NATURALS_TIED, lost)
    # Margins at the table's odds, Naturals even money, all else lost.
    paid = sum(TABLES[table][margin] * deals for margin, deals in MARGINS[hand].items()) + NATURALS_WON
    assert Fraction(row["house_advantage"]) == Fraction(lost - paid, DEALS_OF_EIGHT)


def test_dragon_bonus_published(eight: dict[tuple[str, str | None], dict[str, Any]]) -> None:
    # The page's own last cells: a return of -0.026517 and -0.093731.
    for hand, loss in {"player": "0.026517", "banker": "0.093731"}.items():
        row = eight[f"dragon_bonus_{hand}", "dragon_bonus=A"]
        assert round(Fraction(row["house_advantage"]), 6) == Fraction(loss)


def test_house_money(eight: dict[tuple[str, str | None], dict[str, Any]]) -> None:
    # A hand's second card pairs its first with 31 of the 415 others. Given one pair, the other hand pairs
    # with one of 12 untouched ranks, 32 x 31 ways each, or with the same rank, 30 x 29, of 414 x 413.
    one_hand = Fraction(31, 415)
    both = one_hand * Fraction(12 * 32 * 31 + 30 * 29, 414 * 413)
    only_one = 2 * (one_hand - both)
    row = eight["house_money", "house_money=true"]
    assert Fraction(row["win"], DEALS_OF_EIGHT) == only_one + both
    assert counts(row)[1:] == (0, DEALS_OF_EIGHT - row["win"])
    # 3 to 1 for one pair, 15 to 1 for two, 631a.13(h).
    assert Fraction(row["house_advantage"]) == (1 - only_one - both) - 3 * only_one - 15 * both


@pytest.mark.parametrize(
    ("chapter_of", "choices"),
    [
        ("541", ["5%", "4%", "25% on tie"]),
        ("543", ["5%", "4%", "25% on tie"]),
        ("545", ["5%", "4%"]),
        ("627a", ["5%", "4%", "25% on tie"]),
        ("629a", ["5%", "4%", "25% on tie"]),
    ],
)
def test_vigorish_of_each_chapter(chapter_of: str, choices: list[str]) -> None:
    banker, player, tie = EIGHT["banker"], EIGHT["player"], EIGHT["tie"]
    # What the house keeps of $100 on the Banker over all deals, in dollars: of a win all but the vigorish
    # goes, of a loss the wager comes, of a tie a quarter of it.
    kept = {
        "5%": 100 * player - 95 * banker,
        "4%": 100 * player - 96 * banker,
        "25% on tie": 100 * player - 100 * banker + 25 * tie,
    }
    # 1.0579%, and 0.5993% at 4%: wizardofodds.com/games/baccarat.
    percents = {"5%": "0.010579", "4%": "0.005993", "25% on tie": "0.011438"}
    answer = prove(chapter_of, "--format", "jsonl")
    assert answer.exit_code == 0, answer.output
    rows = {
        row["option"].removeprefix("vigorish="): row
        for row in map(json.loads, answer.stdout.splitlines())
        if row["wager"] == "banker" and row["option"] != "ez=true"
    }
    assert list(rows) == choices
    for choice, row in rows.items():
        assert counts(row) == (banker, tie, player)
        assert Fraction(row["house_advantage"]) == Fraction(kept[choice], 100 * DEALS_OF_EIGHT)
        assert round(Fraction(row["house_advantage"]), 6) == Fraction(percents[choice])


def test_chapters_have_the_wagers_of_their_texts(eight: dict[tuple[str, str | None], dict[str, Any]]) -> None:
    def rows(chapter_of: str) -> dict[tuple[str, str | None], tuple[int, int, int]]:
        told = [json.loads(line) for line in prove(chapter_of, "--format", "jsonl").stdout.splitlines()]
        return {(row["wager"], row["option"]): counts(row) for row in told}

    of_2010, of_2013 = rows("545"), rows("627a")
    assert {wager for wager, _ in of_2010} == {"banker", "player", "tie"}
    # Hands are dealt as in Baccarat, so every wager that it has wins, ties and loses as often.
    assert of_2013.keys() - eight.keys() == {("banker", "vigorish=4%"), ("banker", "vigorish=25% on tie")}
    assert {key: of_2013[key] for key in eight} == {key: counts(row) for key, row in eight.items()}


def test_a_shoe_of_one_batch_of_two() -> None:
    def banker(decks: int) -> dict[str, Any]:
        line = prove("541", "--decks", str(decks), "--format", "jsonl").stdout.splitlines()[0]
        row: dict[str, Any] = json.loads(line)
        return row

    # 541.3(b): of sixteen decks eight are in play, of twelve six.
    assert (banker(16)["decks"], counts(banker(16))) == (16, counts(banker(8)))
    assert counts(banker(12)) == (SIX["banker"], SIX["tie"], SIX["player"])


def hand_of(cards: tuple[str, ...]) -> tuple[int, int, int, int, bool, bool]:
    """Deal six cards by the tableau, worked from 631a.11 once more for this test alone."""
    worth = [0 if card in "TJQK" else 1 if card == "A" else int(card) for card in cards]
    player, banker = (worth[0] + worth[2]) % 10, (worth[1] + worth[3]) % 10
    if player >= 8 or banker >= 8:
        return player, banker, 2, 2, player >= 8, banker >= 8
    if player >= 6:
        if banker >= 6:
            return player, banker, 2, 2, False, False
        return player, (banker + worth[4]) % 10, 2, 3, False, False
    third = worth[4]
    player = (player + third) % 10
    draws_on = {
        0: "0123456789", 1: "0123456789", 2: "0123456789",
        3: "012345679", 4: "234567", 5: "4567", 6: "67", 7: "",
    }  # fmt: skip
    if str(third) in draws_on[banker]:
        return player, (banker + worth[5]) % 10, 3, 3, False, False
    return player, banker, 3, 2, False, False


def dealt(pack: str) -> Iterator[tuple[str, ...]]:
    return permutations(pack, 6)


@pytest.mark.parametrize("pack", ["A23456789K", "3346678TKA", "5588999TTJ", "AA22334477"])
def test_small_packs_dealt_one_by_one(pack: str) -> None:
    rules = rules_of(rulebook("631a", max(chapter("631a").texts), {}))
    ranks = Counter(pack)
    counted: Counter[tuple[int, int, int, int, bool, bool]] = Counter()
    for deal, ways in finished(rules, ranks).items():
        key = (
            deal.player, deal.banker, deal.player_cards, deal.banker_cards,
            deal.player_natural, deal.banker_natural,
        )  # fmt: skip
        counted[key] += ways
    assert counted == Counter(hand_of(cards) for cards in dealt(pack))
    pairs = Counter((cards[0] == cards[2]) + (cards[1] == cards[3]) for cards in dealt(pack))
    assert {n: ways for n, ways in pairs_dealt(ranks).items() if ways} == pairs


def test_three_forms_of_the_same_rows(eight: dict[tuple[str, str | None], dict[str, Any]]) -> None:
    chosen = prove("631a", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(chosen.stdout)))
    assert [(row["wager"], row["option"] or None) for row in rows] == list(eight)
    assert [row["win"] for row in rows] == [str(row["win"]) for row in eight.values()]
    table = prove("baccarat").stdout.splitlines()
    assert len(table) == len(rows) + 2
    assert all(row["house_advantage"] in line for row, line in zip(rows, table[2:], strict=True))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["roulette"], "no game 'roulette' can be enumerated here; known are "),
        (["603a"], "no game '603a'"),
        (["baccarat", "--decks", "5"], "5 decks: Chapter 631a admits 6, 7, 8"),
    ],
)
def test_what_cannot_be_proven(arguments: list[str], says: str) -> None:
    answer = prove(*arguments)
    assert answer.exit_code == 2
    assert answer.stdout == ""
    assert says in answer.stderr
    assert answer.stderr.count("\n") == 1
