"""Theoretical win: what is known of each wager, for which rules, and what the stakes of a round come to."""

from collections.abc import Iterator, Mapping
from datetime import date
from fractions import Fraction
from itertools import product
from math import comb, sqrt
from typing import Any, Final

import msgspec
import pytest

from projections.engine.games import REGISTRY
from projections.engine.games.baccarat import proof as baccarat
from projections.engine.games.baccarat21 import proof as baccarat21
from projections.engine.games.bonuscraps import proof as bonuscraps
from projections.engine.games.downunder import proof as downunder
from projections.engine.games.downunder.rules import rules_of as downunder_rules
from projections.engine.games.proving import Proof, earned
from projections.engine.games.spanish21 import proof as spanish21
from projections.engine.games.spanish21.rules import rules_of as spanish21_rules
from projections.engine.observation import Key
from replay.cli.prove import proven_of
from replay.proofs.theoretical_win import (
    FILE,
    Advantage,
    Expected,
    advantage_of,
    dump,
    expected,
    left_out,
    load,
    rules_digest,
)
from schemas import law_text
from schemas.house import Span
from schemas.rulebook import Rulebook, rulebook
from schemas.side_wagers import SideWager

ROWS: Final = load(FILE.read_bytes())
AGAIN: Final = "the rules have changed: run make advantages"


def book(chapter: str, options: Mapping[str, Any] | None = None, decks: int | None = None) -> Rulebook:
    return rulebook(chapter, max(law_text.chapter(chapter).texts), options or {}, decks)


def known(
    chapter: str, wager: str, options: Mapping[str, Any] | None = None, decks: int | None = None
) -> Advantage:
    found = advantage_of(book(chapter, options, decks), wager)
    assert found is not None
    return found


# ── the file ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("chapter", REGISTRY)
def test_the_file_is_of_the_rules_in_force(chapter: str) -> None:
    law = law_text.chapter(chapter)
    decks = law.numbers["decks"][min(law.numbers["decks"])].value if "decks" in law.numbers else [None]
    books = [rulebook(chapter, day, {}, number) for day in law.texts for number in decks]
    of_rules = {(each.since, each.decks, rules_digest(each)) for each in books}
    assert {(row.text, row.decks, row.digest) for row in ROWS if row.chapter == chapter} == of_rules, AGAIN


def test_the_file_has_one_row_for_each_choice_in_one_order() -> None:
    keys = {(row.chapter, row.text, row.decks, row.wager, str(row.options)) for row in ROWS}
    assert len(keys) == len(ROWS)
    assert dump(ROWS) == dump(reversed(ROWS)) == FILE.read_bytes()


@pytest.mark.parametrize(
    ("chapter", "proof"),
    [
        ("545", baccarat.proof),
        ("631a", baccarat.proof),
        ("681a", baccarat21.proof),
        ("623a", bonuscraps.proof),
    ],
)
def test_the_file_is_what_the_proofs_say(chapter: str, proof: Proof) -> None:
    assert dump(proven_of(chapter, proof)) == dump(row for row in ROWS if row.chapter == chapter), AGAIN


@pytest.mark.parametrize("decks", [6, 8])
def test_the_file_is_what_side_wagers_beside_a_simulated_one_say(decks: int) -> None:
    spanish = spanish21_rules(book("551", decks=decks))
    down = downunder_rules(book("685a", decks=decks))
    for chapter, wager, gains in [
        ("551", "match_the_dealer", spanish21.matched(spanish, decks)),
        ("551", "insurance", spanish21.insured(spanish, decks)),
        ("685a", "match_the_dealer", downunder.matched(down, decks)),
        ("685a", "insurance", downunder.insured(down, decks)),
    ]:
        row = known(chapter, wager, decks=decks)
        assert (row.house_advantage, row.variance) == earned(gains, 10_000), AGAIN
        assert (row.method, row.error) == ("exact", 0)


def test_pai_gow_counts_whole_deals() -> None:
    deals = comb(32, 4) * comb(28, 4)
    for way in ("best_high", "best_low"):
        row = known("535", "pai_gow", {"house_way": way})
        # A win brings 19/20: from the mean and the square follow the deals won and lost.
        square = row.variance + row.house_advantage**2
        won = (square - row.house_advantage) / (Fraction(19, 20) ** 2 + Fraction(19, 20))
        lost = row.house_advantage + Fraction(19, 20) * won
        assert (won * deals).denominator == (lost * deals).denominator == 1
        assert 0 < won < lost < 1 - won


def test_simulated_rows_say_so() -> None:
    simulated = {(row.chapter, row.wager) for row in ROWS if row.method != "exact"}
    assert simulated == {("551", "wager"), ("685a", "bet")}
    for row in ROWS:
        assert (row.error > 0) == ((row.chapter, row.wager) in simulated) == bool(row.counts_in)
        assert row.error < Fraction(1, 500)


# ── figures that others published ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("chapter", "wager", "options", "percent", "deviation"),
    [
        # wizardofodds.com/gambling/house-edge and /games/baccarat: eight decks.
        ("631a", "banker", {}, "1.0579", "0.93"),
        ("631a", "player", {}, "1.2351", "0.95"),
        ("631a", "tie", {}, "14.3596", "2.64"),
        ("541", "banker", {"vigorish": "4%"}, "0.5993", None),
        ("627a", "tie", {"tie_odds": 9}, "4.8440", None),
        ("631a", "banker", {"ez": True}, "1.0183", None),
        ("631a", "dragon_7", {"ez": True}, "7.6113", None),
        ("631a", "panda_8", {"ez": True}, "10.1876", None),
        ("631a", "dragon_bonus_banker", {"dragon_bonus": "A"}, "9.3731", None),
        # The regulator's own: 5.4% and 4.06%.
        ("681a", "tie", {}, "5.4", None),
        ("685a", "match_the_dealer", {}, "4.06", None),
        # wizardofodds.com/games/craps: 7.76% and 7.46%.
        ("623a", "all_small", {}, "7.76", None),
        ("623a", "all_or_nothing_at_all", {}, "7.46", None),
    ],
)
def test_published(
    chapter: str, wager: str, options: Mapping[str, Any], percent: str, deviation: str | None
) -> None:
    row = known(chapter, wager, options)
    places = len(percent.partition(".")[2])
    assert round(row.house_advantage * 100, places) == Fraction(percent)
    assert deviation is None or round(sqrt(row.variance), 2) == float(deviation)


@pytest.mark.parametrize(
    ("chapter", "wager", "options", "odds"),
    [
        ("631a", "tie", {}, 8),
        ("631a", "dragon_7", {}, 40),
        ("631a", "panda_8", {}, 25),
        ("681a", "tie", {"ace_ace_tie": "value"}, 10),
        ("551", "insurance", {}, 2),
        ("685a", "insurance", {}, 2),
        ("623a", "all_tall", {}, 34),
        ("623a", "all_or_nothing_at_all", {}, 175),
    ],
)
def test_variance_of_all_or_nothing(chapter: str, wager: str, options: Mapping[str, Any], odds: int) -> None:
    # Won at so many to one or lost, the advantage tells the chance, and the chance the variance.
    row = known(chapter, wager, options)
    chance = (1 - row.house_advantage) / (odds + 1)
    assert row.variance == (odds + 1) ** 2 * chance * (1 - chance)


# ── which row ────────────────────────────────────────────────────────────────────────────────────────


def test_decks_and_options_select_the_row() -> None:
    assert known("631a", "banker", decks=6).house_advantage != known("631a", "banker").house_advantage
    assert known("631a", "tie", {"tie_odds": "9"}) == known("631a", "tie", {"tie_odds": 9})
    # What bears on nothing changes nothing; the shoe holds one of two batches.
    plain = known("631a", "banker")
    assert known("631a", "banker", {"vigorish_rounding_cents": 25, "dragon_bonus": "B"}) == plain
    assert known("541", "tie", decks=16).house_advantage == known("541", "tie", decks=8).house_advantage
    # With EZ Baccarat no vigorish is taken, whatever was chosen for it.
    assert known("627a", "banker", {"ez": True, "vigorish": "4%"}) == known("627a", "banker", {"ez": True})


@pytest.mark.parametrize(
    ("chapter", "wager", "options", "decks"),
    [
        ("631a", "tie", {"tie_odds": 10}, None),
        ("631a", "tie", {"tie_odds": "17/2"}, None),
        ("631a", "dragon_bonus_player", {}, None),  # no pay table was chosen
        ("631a", "roulette", {}, None),
        ("535", "pai_gow", {}, None),  # the house submitted no one way to set tiles
        ("551", "match_the_dealer", {"match_the_dealer_odds": {"same_suit": 10, "different_suit": 4}}, 6),
        ("685a", "match_the_dealer", {}, 4),  # not to be offered
    ],
)
def test_not_known(chapter: str, wager: str, options: Mapping[str, Any], decks: int | None) -> None:
    assert advantage_of(book(chapter, options, decks), wager) is None


def test_an_earlier_text_has_rows_of_its_own() -> None:
    early = rulebook("631a", date(2013, 6, 1), {"ez": True, "tie_odds": 9})
    assert advantage_of(early, "dragon_7") is None
    tie, banker = advantage_of(early, "tie"), advantage_of(early, "banker")
    assert tie is not None
    assert banker is not None
    assert (tie.text, tie.house_advantage) == (
        date(2012, 5, 19),
        known("631a", "tie", {"tie_odds": 9}).house_advantage,
    )
    # EZ Baccarat was not yet law, so vigorish was taken.
    assert banker.house_advantage == known("631a", "banker").house_advantage


def test_a_text_held_in_force_longer_has_the_same_row() -> None:
    held = rulebook("545", date(2015, 1, 1), {}, None, Span(until=date(2016, 1, 1)))
    assert advantage_of(held, "player") == known("545", "player")


# ── side wagers, by the pay table of the house ───────────────────────────────────────────────────────────


def offering(pays: str, decks: int = 8) -> Rulebook:
    """Return a rulebook with a wager on two cards of one suit, and one on the Player's Hand winning by 9."""
    table = [{"name": "one suit", "if": {"player_first_two": {"same": ["suit"]}}, "pays": pays}]
    by_nine = [{"name": "by 9", "if": {"winner": "player", "margin": 9}, "pays": "30 to 1"}]
    offered = {
        wager: msgspec.convert({"cite": "Board order 12", "paytable": lines}, SideWager)
        for wager, lines in (("suited", table), ("by_nine", by_nine))
    }
    return rulebook("631a", date(2025, 3, 1), {}, decks, offered=offered)


def test_a_side_wager_is_counted_from_its_pay_table_and_the_shoe() -> None:
    # The second card is one of 103 left of the suit of the first, among 415; with six decks of 77 among 311.
    for decks, chance in ((8, Fraction(103, 415)), (6, Fraction(77, 311))):
        found = advantage_of(offering("5/2", decks), "suited")
        assert found is not None
        assert found.house_advantage == 1 - chance * Fraction(7, 2)
        assert found.variance == Fraction(7, 2) ** 2 * chance * (1 - chance)
        assert (found.method, found.error, found.most, found.decks) == ("exact", 0, Fraction(5, 2), decks)


def test_its_stakes_are_in_the_theoretical_win_of_a_round() -> None:
    key: Key = Key(1, None, "suited", None)
    found = expected(offering("5/2"), {key: 1000, Key(1, None, "player", None): 10_000}, [])
    suited = 1000 * (1 - Fraction(103, 415) * Fraction(7, 2))
    assert found.win_cents == suited + 10_000 * known("631a", "player").house_advantage
    assert (found.known_cents, found.unknown_cents, found.unknown_wagers) == (11_000, 0, 0)


def test_a_side_wager_without_a_pay_table_or_with_an_open_line_is_not_known() -> None:
    key: Key = Key(1, None, "suited", None)
    cited = rulebook("631a", date(2025, 3, 1), {}, offered={"suited": "Board order 12"})
    for of_house in (cited, offering("undecided")):
        assert advantage_of(of_house, "suited") is None
        found = expected(of_house, {key: 1000}, [])
        assert (found.win_cents, found.unknown_cents, found.unknown_wagers) == (0, 1000, 1)


def choices(chapter: str, decks: int | None) -> Iterator[dict[str, Any]]:
    """Yield every choice among the listed values of the options that affect some wager."""
    law = law_text.chapter(chapter)
    bearing = sorted({name for row in ROWS if row.chapter == chapter for name in row.options})
    listed = {name: law.options[name].listed(decks or 0, {}) for name in bearing}
    named = {name: values for name, values in listed.items() if values is not None}
    for values in product(*named.values()):
        yield dict(zip(named, values, strict=True))


@pytest.mark.parametrize(
    ("chapter", "unknown"),
    [
        ("535", {"pai_gow", "dealer_wager", "bank", "co_bank"}),
        ("541", set()),
        ("543", set()),
        ("545", set()),
        ("551", {"double_down"}),
        ("623a", {"pass", "dont_pass", "come", "dont_come", "lay", "fire"}),
        ("627a", {"dragon_bonus_player", "dragon_bonus_banker"}),
        ("629a", {"dragon_bonus_player", "dragon_bonus_banker"}),
        ("631a", {"dragon_bonus_player", "dragon_bonus_banker"}),
        ("681a", set()),
        ("685a", {"double_down", "match_the_dealer"}),
    ],
)
def test_every_wager_of_every_chapter(chapter: str, unknown: set[str]) -> None:
    law = law_text.chapter(chapter)
    decks = law.numbers["decks"][min(law.numbers["decks"])].value if "decks" in law.numbers else [None]
    for number in decks:
        for chosen in choices(chapter, number):
            of_house = book(chapter, chosen, number)
            missing = {wager for wager in law.wagers if advantage_of(of_house, wager) is None}
            assert missing <= unknown, (number, chosen)
            if chapter in ("627a", "629a", "631a"):
                assert bool(missing) == (chosen["dragon_bonus"] is None)
            if chapter == "535":
                assert ("pai_gow" in missing) == (chosen["house_way"] == "any")
            if chapter == "685a":
                assert ("match_the_dealer" in missing) == (number in (4, 5))


@pytest.mark.parametrize(
    ("chapter", "proof"), [("631a", baccarat.proof), ("681a", baccarat21.proof), ("623a", bonuscraps.proof)]
)
def test_nothing_else_bears_on_a_wager(chapter: str, proof: Proof) -> None:
    law, day = law_text.chapter(chapter), max(law_text.chapter(chapter).texts)
    bearing = {name for row in ROWS if row.chapter == chapter for name in row.options}
    usual = book(chapter)
    tried = 0
    for name, option in law.options.items():
        other = {
            "minimum_wager_cents": [500],
            "maximum_wager_cents": [10_000],
            "house_money_portion": ["1/2"],
        }
        values = option.listed(usual.decks, usual.options) or other.get(name, [])
        for value in [] if name in bearing else values:

            def book_of(options: Mapping[str, Any], decks: int | None, also: Any = (name, value)) -> Rulebook:
                return rulebook(chapter, day, {**dict([also]), **options}, decks)

            for row in proof(book_of, None):
                mine = advantage_of(book_of(row.hangs_on, None), row.wager)
                assert mine is not None
                assert (mine.house_advantage, mine.variance) == (row.house_advantage, row.variance), (
                    name,
                    value,
                )
                tried += 1
    assert tried


# ── the stakes of a round ────────────────────────────────────────────────────────────────────────────


def key(seat: int, wager: str, hand: str | None = None) -> Key:
    return Key(seat, None, wager, hand)


def test_one_stake() -> None:
    row = known("631a", "tie")
    found = expected(book("631a"), {key(1, "tie"): 2500}, [])
    assert found.win_cents == 2500 * row.house_advantage
    assert round(found.win_cents) == 359  # 14.36% of $25
    assert round(found.variance) == round(2500**2 * row.variance)
    assert (found.error_cents, found.known_cents, found.unknown_cents) == (0, 2500, 0)


def test_seats_that_share_the_hands_stray_together() -> None:
    apart = expected(book("631a"), {key(1, "banker"): 3000}, [])
    seats = {key(seat, "banker"): 1000 for seat in (1, 2, 3)}
    assert expected(book("631a"), seats, []) == apart


# wizardofodds.com/games/baccarat, eight decks: how often each hand wins.
BANKER_WINS: Final = Fraction(2_292_252_566_437_888, 4_998_398_275_503_360)
PLAYER_WINS: Final = Fraction(2_230_518_282_592_256, 4_998_398_275_503_360)


TIES: Final = 1 - BANKER_WINS - PLAYER_WINS  # the rest are ties


@pytest.mark.parametrize(("banker", "player"), [(1000, 1000), (5000, 100), (0, 700), (2500, 7500)])
def test_variance_of_opposed_wagers_is_that_of_the_round(banker: int, player: int) -> None:
    stakes = {key(1, "banker"): banker, key(2, "player"): player}
    on_banker, on_player = Fraction(19, 20) * banker - player, player - banker
    mean = BANKER_WINS * on_banker + PLAYER_WINS * on_player
    exact = BANKER_WINS * on_banker**2 + PLAYER_WINS * on_player**2 - mean**2
    found = expected(book("631a"), stakes, [])
    assert found.win_cents == -mean
    # What is proven is rounded up to a billionth of the stakes' squares.
    assert 0 <= found.variance - exact <= Fraction((banker + player) ** 2, 10**9)


def test_player_and_tie() -> None:
    # With $100 on Player and $10 on a tie at 8 to 1.
    on_banker, on_player, on_tie = -11_000, 9_000, 8_000
    mean = BANKER_WINS * on_banker + PLAYER_WINS * on_player + TIES * on_tie
    square = BANKER_WINS * on_banker**2 + PLAYER_WINS * on_player**2 + TIES * on_tie**2
    found = expected(book("631a"), {key(1, "player"): 10_000, key(1, "tie"): 1_000}, [])
    assert 0 <= found.variance - (square - mean**2) <= Fraction(11_000**2, 10**9)


def test_without_a_proven_covariance_the_deviation_is_never_too_small() -> None:
    # Banker hangs on the vigorish and a tie on its odds: how both stray together is not kept.
    on_banker, on_player, on_tie = Fraction(19, 20) * 1000 - 500, -1000 - 500, 8 * 500
    mean = BANKER_WINS * on_banker + PLAYER_WINS * on_player + TIES * on_tie
    square = BANKER_WINS * on_banker**2 + PLAYER_WINS * on_player**2 + TIES * on_tie**2
    found = expected(book("631a"), {key(1, "banker"): 1000, key(1, "tie"): 500}, [])
    assert found.variance > square - mean**2
    # As if both always strayed together: the sum of the standard deviations.
    deviations = 1000 * sqrt(known("631a", "banker").variance) + 500 * sqrt(known("631a", "tie").variance)
    assert float(found.variance) == pytest.approx(deviations**2)


@pytest.mark.parametrize("chapter", ["541", "545", "627a", "631a"])
@pytest.mark.parametrize("decks", [6, 8])
def test_no_covariance_is_more_than_it_can_be(chapter: str, decks: int) -> None:
    rows = [row for row in ROWS if (row.chapter, row.decks) == (chapter, decks)]
    of = {(row.wager, row.text): row for row in rows if not row.options}
    pairs = [
        (row, of[other, row.text], covariance)
        for row in rows
        for other, covariance in row.beside.items()
        if (other, row.text) in of
    ]
    assert {row.wager for row, _, _ in pairs} >= {"banker", "tie"}
    for row, other, covariance in pairs:
        assert covariance**2 <= row.variance * other.variance
        if (row.wager, other.wager) == ("banker", "player"):
            assert covariance < -Fraction(4, 5)


def test_doubles_and_splits_are_counted_with_the_first_stake() -> None:
    for chapter, wager in [("551", "wager"), ("685a", "bet")]:
        first = expected(book(chapter), {key(1, wager): 1000}, [])
        assert first.known_cents == 1000
        assert first.error_cents > 0
        grown = {
            key(1, wager): 1000,
            key(1, "double_down"): 1000,
            key(1, wager, "seat1.2"): 1000,
            key(1, "double_down", "seat1.2"): 1000,
        }
        assert expected(book(chapter), grown, [("seat1", "split")]) == first


def test_what_is_not_known_is_counted_apart() -> None:
    stakes = {key(1, "pass"): 1500, key(1, "all_tall"): 200}
    found = expected(book("623a"), stakes, [("shooter", "seat1")])
    assert (found.known_cents, found.unknown_cents, found.unknown_wagers) == (200, 1500, 1)
    assert left_out(book("623a"), stakes, [("shooter", "seat1")]) == {key(1, "pass")}
    assert found.win_cents == 200 * known("623a", "all_tall").house_advantage
    # A simulated wager that is not known leaves its double unknown too.
    lost = expected(book("631a"), {key(1, "bet"): 100, key(1, "double_down"): 100}, [])
    assert (lost.known_cents, lost.unknown_cents) == (0, 200)


def test_against_a_players_bank_nothing_is_known() -> None:
    of_house = book("535", {"house_way": "best_high", "player_bank": True, "co_bank": True})
    stakes = {key(1, "pai_gow"): 2000, key(3, "pai_gow"): 5000}
    assert expected(of_house, stakes, [("seat1", "win")]).known_cents == 7000
    for bank in ("bank", "co_bank"):
        found = expected(of_house, stakes, [("seat2", bank), ("dice", "4-3-2")])
        assert found == Expected(unknown_cents=7000, unknown_wagers=2)


def test_rounds_add_up() -> None:
    one = expected(book("631a"), {key(1, "banker"): 10_000}, [])
    other = expected(book("551"), {key(1, "wager"): 4000, key(2, "fire"): 300}, [])
    day = one + other + Expected()
    assert day.win_cents == one.win_cents + other.win_cents
    assert day.variance == one.variance + other.variance
    assert day.error_cents == other.error_cents
    assert (day.known_cents, day.unknown_cents, day.unknown_wagers) == (14_000, 300, 1)


def test_interval() -> None:
    # A hundred rounds of $100 on the Banker: $105.79, and 1.96 times ten standard deviations of $92.74.
    one = expected(book("631a"), {key(1, "banker"): 10_000}, [])
    low, high = sum([one] * 100, Expected()).interval()
    assert low == pytest.approx(10_579 - 1.96 * 10 * 9274, abs=20)
    assert high == pytest.approx(10_579 + 1.96 * 10 * 9274, abs=20)
    # What a simulation leaves open widens it by as much.
    wide = Expected(win_cents=Fraction(10), variance=Fraction(100), error_cents=Fraction(7, 2))
    assert wide.interval() == (-14, 34)  # 10 -+ (19.6 + 3.5), outward to whole cents
