"""Down Under Blackjack as it is simulated: its law by hand, its chips conserved, its labels exact."""

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from schemas import events
from streams.simulator import faults
from streams.simulator.faults import NONE
from streams.simulator.games.downunder.play import FAULTS
from streams.simulator.games.downunder.rules import Ways, dealer_total, range_of, times
from streams.simulator.games.hands import match
from streams.simulator.playing import TableDay
from tests.builders.simulated_tables import (
    chip_differences,
    doubled_rates,
    fault_labels,
    finds_every_fault,
    finds_no_fault_wrongly,
    hands_dealt,
    in_true_order,
    misfound_kinds,
    plan_tables,
    play_tables_of_game,
    stakes_named,
    write_archive,
)


@pytest.fixture(scope="module")
def clean() -> list[TableDay]:
    return play_tables_of_game("685a", 6, 5, dict(NONE), "7")


@pytest.fixture(scope="module")
def faulty() -> list[TableDay]:
    return play_tables_of_game("685a", 12, 4, doubled_rates(), "7")


# ── the law, by hand ─────────────────────────────────────────────────────────────────────────────────


def test_685a_1_value_ranges() -> None:
    named = {rank: range_of(rank + "c") for rank in "A23456789TJQK"}
    assert {rank for rank, name in named.items() if name == "small"} == set("2345")
    assert {rank for rank, name in named.items() if name == "medium"} == set("6789")
    assert {rank for rank, name in named.items() if name == "large"} == set("TJQKA")


@pytest.mark.parametrize(
    ("cards", "literal", "as_players"),
    # 685a.3(d)(3): an ace 11 unless that makes more than 22 (or, where the house says so, than 21).
    [
        ("Ac Ad", 22, 12),
        ("Ac 5d 6d", 22, 12),
        ("Ac 6d", 17, 17),
        ("Ac 5d 7d", 13, 13),
        ("Ac Ad 9c", 21, 21),
        ("Kc 6d 6c", 22, 22),
    ],
)
def test_685a_3_d_3_the_dealers_aces(cards: str, literal: int, as_players: int) -> None:
    assert dealer_total(cards.split(), Ways()) == literal
    assert dealer_total(cards.split(), Ways(dealer_ace_limit=21)) == as_players


_BLACKJACK, _20, _22, _OVER = "As Kd", "Kd Qs", "Kd 6s 6c", "Kd 6s 7c"


@pytest.mark.parametrize(
    ("cards", "dealer", "gains"),
    [
        (_BLACKJACK, _BLACKJACK, "0"),  # 685a.7(h)(1)
        (_20, _BLACKJACK, "-1"),  # (h)(2)
        (_BLACKJACK, _20, "3/2"),  # (i)(1), 685a.11(a)
        (_BLACKJACK, _22, "3/2"),
        (_20, _22, "1"),  # (n)(1): two Large cards
        ("Ah Ad", _22, "1"),
        ("9h 5d 7d", _22, "1"),  # a hard 21
        ("Ah 3d 7d", _22, "1"),  # a soft 21
        ("Kh 8d", _22, "0"),
        ("Kh 4d 6d", _22, "0"),
        ("Kh 6d 6h", _22, "-1"),  # (q)(1) before (n)(1)
        ("2h 3d", _OVER, "1"),  # (o)(1)
        (_OVER, _OVER, "-1"),
        (_20, "Kd 9s", "1"),  # (o)(2)
        (_20, "Qd Js", "0"),  # (p)
        ("Kh 9h", _20, "-1"),  # (q)(2)
    ],
)
def test_685a_7_what_a_hand_gains(cards: str, dealer: str, gains: str) -> None:
    assert times(cards.split(), dealer.split(), Ways(), is_split=False) == Fraction(gains)


@pytest.mark.parametrize(
    ("cards", "dealer", "ways", "gains"),
    [
        # 685a.1: an ace and a ten after a split are no Blackjack, but a 21.
        (_BLACKJACK, _20, Ways(), "1"),
        (_BLACKJACK, _22, Ways(), "1"),
        (_20, _22, Ways(), "0"),  # what two "original" cards are after a split, the house says
        (_20, _22, Ways(large_after_split=True), "1"),
        ("Kh 6d 6h", _22, Ways(bust_on_22="return"), "0"),
        ("Kh 6d 6h", _OVER, Ways(bust_on_22="return"), "-1"),
    ],
)
def test_685a_10_and_the_houses_readings(cards: str, dealer: str, ways: Ways, gains: str) -> None:
    assert times(cards.split(), dealer.split(), ways, is_split=True) == Fraction(gains)


def test_685a_7_f_a_ten_value_card_matches_its_own_rank() -> None:
    assert match(["Kd", "Qd"], "Kd") == [True]
    assert match(["Td", "Jd"], "Kd") == []
    assert match(["5d", "5c"], "5d") == [True, False]


# ── what is played ───────────────────────────────────────────────────────────────────────────────────


def test_every_option_has_a_table() -> None:
    floor = plan_tables("685a", 6)
    assert {each.decks for each in floor} == {4, 5, 6, 8}
    ways = [each.ways for each in floor]
    for name, choices in (
        ("dealer_ace_limit", {21, 22}),
        ("large_after_split", {True, False}),
        ("bust_on_22", {"collect", "return"}),
        ("match_the_dealer_pays", {"each", "best"}),
    ):
        assert {getattr(each, name) for each in ways} == choices


def test_a_floor_without_faults_has_none(clean: list[TableDay]) -> None:
    assert sum(len(day.table.past) for day in clean) > 1000
    assert [day.labels for day in clean] == [[]] * 6


def test_what_the_game_allows_is_done(clean: list[TableDay]) -> None:
    told = [event for day in clean for event in in_true_order(day)]
    words = Counter(event.decision for event in told if isinstance(event, events.HandDecided))
    assert all(words[word] for word in ("stand", "draw", "double", "split", "even_money", "dead"))
    assert words["surrender"] == 0
    called = Counter(event.outcome for event in told if isinstance(event, events.OutcomeAnnounced))
    assert all(called[outcome] > 1 for outcome in ("blackjack", "bust", "17", "18", "19", "20", "21", "22"))


def test_685a_7_h_the_light_shows_the_second_cards_range(clean: list[TableDay]) -> None:
    shown = 0
    for day in clean:
        dealers: dict[str, list[str]] = {}
        for event in in_true_order(day):
            if isinstance(event, events.CardDrawn) and event.hand == "dealer":
                dealers.setdefault(event.round, []).append(event.card)
            elif isinstance(event, events.RangeIndicated):
                assert len(dealers[event.round]) == 2
                assert event.range == range_of(dealers[event.round][1])
                shown += 1
    assert shown > 1000


def test_685a_7_h_no_card_after_a_dealers_blackjack(clean: list[TableDay]) -> None:
    ended = 0
    for day in clean:
        told = in_true_order(day)
        blackjacks = {
            event.round
            for event in told
            if isinstance(event, events.OutcomeAnnounced) and event.outcome == "blackjack"
        }
        cards = Counter((event.round, event.hand) for event in told if isinstance(event, events.CardDrawn))
        assert {count for (number, _), count in cards.items() if number in blackjacks} <= {2}
        ended += len(blackjacks)
    assert ended > 10


def test_685a_6_e_no_match_with_four_or_five_decks(clean: list[TableDay]) -> None:
    for day in clean:
        placed = any(
            stake.wager == "match_the_dealer" for past in day.table.past for stake in past.stakes.values()
        )
        assert placed is (day.table.plan.decks in (6, 8))


def test_685a_10_c_no_seat_has_more_than_two_hands(clean: list[TableDay]) -> None:
    assert {hand.partition(".")[2] for hand in hands_dealt(clean)} == {"", "2"}


def test_chips_are_conserved(clean: list[TableDay], faulty: list[TableDay]) -> None:
    assert [chip_differences(day) for day in (*clean, *faulty)] == [[]] * 18


# ── what goes wrong ──────────────────────────────────────────────────────────────────────────────────


def test_every_kind_occurs_and_is_found_as_its_own_check(faulty: list[TableDay]) -> None:
    assert misfound_kinds(faulty, FAULTS) == []


# By kind: what is lacking for a unit of the stake.
_LACKING = {
    "paid_on_22": Fraction(1),  # 685a.7(n)(1)
    "large_not_paid_on_22": Fraction(-1),
    "over_returned_on_22": Fraction(1),  # 685a.7(q)(1)
    "even_money_paid_3_to_2": Fraction(1, 2),
    "blackjack_paid_against_blackjack": Fraction(3, 2),  # 685a.7(h)(1)
    "blackjack_paid_6_to_5": Fraction(6, 5) - Fraction(3, 2),  # 685a.11(a)
    "insurance_paid_even": Fraction(-1),  # 685a.11(b)
    "insurance_left": Fraction(1),
}


def test_labels_of_money_say_by_how_much(faulty: list[TableDay]) -> None:
    weighed = Counter[str]()
    for day, label in fault_labels(faulty):
        if label.fault not in _LACKING or label.primary is None:
            continue
        assert label.delta_cents in [
            int(stake.cents * _LACKING[label.fault]) for stake in stakes_named(day, label)
        ]
        weighed[label.fault] += 1
    assert set(weighed) == set(_LACKING)


def test_a_floor_of_the_game_is_scored(tmp_path: Path) -> None:
    write_archive(play_tables_of_game("685a", 2, 3, faults.rates(), "scored"), tmp_path)
    finds_every_fault(tmp_path, more_than=20)


def test_under_sensor_faults_no_round_gets_a_wrong_verdict(tmp_path: Path) -> None:
    write_archive(play_tables_of_game("685a", 2, 3, faults.rates(sensors=True), "sensed"), tmp_path)
    finds_no_fault_wrongly(tmp_path)
