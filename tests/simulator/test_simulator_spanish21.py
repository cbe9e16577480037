"""Spanish 21 as it is simulated: its law by hand, its chips conserved, its labels exact, its floor scored."""

from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random

import msgspec
import pytest

from schemas import events
from streams.simulator import faults
from streams.simulator.faults import NONE
from streams.simulator.games import boxes
from streams.simulator.games.hands import Hand, total
from streams.simulator.games.spanish21.play import FAULTS
from streams.simulator.games.spanish21.rules import LEAST_MATCH, additional, fixed, times
from streams.simulator.patrons import Patron
from streams.simulator.plan import options
from streams.simulator.playing import TableDay
from streams.simulator.table import Stake
from tests.builders.simulated_tables import (
    chip_differences,
    events_sent,
    fault_labels,
    finds_every_fault,
    finds_no_fault_wrongly,
    hands_dealt,
    in_true_order,
    misfound_kinds,
    plan_tables,
    play_plans,
    play_tables_of_game,
    stakes_named,
    write_archive,
)


@pytest.fixture(scope="module")
def clean() -> list[TableDay]:
    return play_tables_of_game("551", 6, 6, dict(NONE), "7")


@pytest.fixture(scope="module")
def faulty() -> list[TableDay]:
    often = {kind: min(1.0, 3 * rate) for kind, rate in faults.rates().items()}
    return play_tables_of_game("551", 12, 3, often, "3")


# ── the law, by hand ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("cards", "count"),
    # 551.3(b): pictures 10, an ace 11 or, over 21, 1.
    [("Ah Kd", 21), ("Ah Ad", 12), ("Ah 5d 6c", 12), ("Ah 5d 5c", 21), ("Jh Qd 2c", 22), ("Ah Ad 9c", 21)],
)
def test_551_3_b_values(cards: str, count: int) -> None:
    assert total(cards.split()) == count


@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        ("6h 7s 8c", "3/2"),  # (g)(1)
        ("8h 6h 7h", "2"),  # (g)(2)
        ("7s 8s 6s", "3"),
        ("7h 7s 7c", "3/2"),  # (g)(3)
        ("7d 7d 7d", "2"),  # (g)(4)
        ("7s 7s 7s", "3"),
        ("2h 3h 4h 5h 7d", "3/2"),  # (g)(5)
        ("2h 2d 3h 4h 5h 5d", "2"),  # (g)(6)
        ("Ah Ad 2h 2d 3h 4h 8d", "3"),  # (g)(7): seven, and more
        ("Ah Ad Ac 2h 2d 3h 4h 7d", "3"),
        ("2h 3h 4h 5h 6d", "1"),  # five cards that make 20
        ("Kh 5h 6d", "1"),
        ("Kh 9h", "1"),
    ],
)
def test_551_6_g_what_a_winning_hand_is_paid(cards: str, pays: str) -> None:
    assert additional(cards.split()) == Fraction(pays)


_BLACKJACK, _21, _20, _OVER = "As Kd", "Kd 5s 6c", "Kd Qs", "Kd 6s 8c"


@pytest.mark.parametrize(
    ("cards", "dealer", "gains"),
    [
        (_20, _OVER, "1"),  # 551.6(b)(1)
        (_OVER, _OVER, "-1"),
        (_20, "Kd 9s", "1"),  # (b)(2)
        ("Kd 9s", _20, "-1"),
        (_BLACKJACK, _BLACKJACK, "3/2"),  # (b)(3), 551.2(c)(1)
        (_BLACKJACK, _21, "3/2"),
        (_BLACKJACK, _20, "3/2"),
        ("Kh 5h 6d", _21, "1"),  # (b)(4)
        ("6h 7s 8c", _21, "3/2"),
        ("6h 7s 8c", _BLACKJACK, "-1"),  # (c)
        (_20, _20, "0"),
    ],
)
def test_551_6_b_c_what_a_hand_gains(cards: str, dealer: str, gains: str) -> None:
    assert times(cards.split(), dealer.split(), is_split=False, is_doubled=False) == Fraction(gains)


@pytest.mark.parametrize(
    ("cards", "dealer", "is_split", "is_doubled", "gains"),
    [
        # 551.1: an ace and a ten after a split are 21 in two cards: no more than a 21 in more.
        (_BLACKJACK, _21, True, False, "0"),
        (_BLACKJACK, _20, True, False, "1"),
        (_BLACKJACK, _BLACKJACK, True, False, "-1"),
        # 551.12(e) takes (h) from a split hand, not (g); 551.11(b) takes both from a doubled one.
        ("6s 7s 8s", _20, True, False, "3"),
        ("6s 7s 8s", _20, False, True, "1"),
        ("6s 7s 8s", _21, False, True, "1"),
    ],
)
def test_551_11_and_12_split_and_doubled(
    cards: str,
    dealer: str,
    is_split: bool,  # noqa: FBT001  pytest gives it by name
    is_doubled: bool,  # noqa: FBT001
    gains: str,
) -> None:
    won = times(cards.split(), dealer.split(), is_split=is_split, is_doubled=is_doubled)
    assert won == Fraction(gains)


@pytest.mark.parametrize(
    ("cards", "up", "cents", "paid"),
    [
        ("7h 7h 7h", "7s", 2500, 500_000),
        ("7h 7h 7h", "7h", 2499, 100_000),
        ("7h 7h 7h", "7s", 500, 100_000),
        ("7h 7h 7h", "7s", 499, 0),
        ("7h 7h 7s", "7s", 2500, 0),
        ("7h 7h 7h", "8h", 2500, 0),
    ],
)
def test_551_6_h_fixed_payouts(cards: str, up: str, cents: int, paid: int) -> None:
    assert fixed(cards.split(), up, cents) == paid


def test_551_12_a_a_pair_is_of_one_value() -> None:
    stake = Stake(Patron(1, None, Random(1)), "wager", 2500)  # noqa: S311  no secret
    assert [Hand("seat1", stake, cards.split()).is_pair for cards in ("8h 8d", "Kh Qd", "8h 7d", "8h")] == [
        True,
        True,
        False,
        False,
    ]


# ── what is played ───────────────────────────────────────────────────────────────────────────────────


def test_every_option_has_a_table() -> None:
    floor = plan_tables("551", 4)
    ways = [options("551", each.ways) for each in floor]
    assert {each.decks for each in floor} == {6, 8}
    assert {each["fixed_payout_others"] for each in ways} == {"each", "once"}
    over = {
        (
            odds["same_suit"] - LEAST_MATCH[each.decks or 0][0],
            odds["different_suit"] - LEAST_MATCH[each.decks or 0][1],
        )
        for each, way in zip(floor, ways, strict=True)
        for odds in [way["match_the_dealer_odds"]]
    }
    assert over == {(0, 0), (1, 1)}


def test_a_floor_without_faults_has_none(clean: list[TableDay]) -> None:
    assert sum(len(day.table.past) for day in clean) > 1200
    assert [day.labels for day in clean] == [[]] * 6


def test_what_the_game_allows_is_done(clean: list[TableDay]) -> None:
    told = [event for day in clean for event in in_true_order(day)]
    words = Counter(event.decision for event in told if isinstance(event, events.HandDecided))
    assert all(
        words[word] > 1 for word in ("stand", "draw", "double", "split", "surrender", "rescue", "dead")
    )
    placed = Counter(
        (event.wager, event.hand is None) for event in told if isinstance(event, events.ChipsPlaced)
    )
    assert all(placed[wager, True] for wager in ("wager", "double_down", "insurance", "match_the_dealer"))
    assert placed["wager", False]
    assert placed["double_down", False]
    assert any(isinstance(event, events.RoundVoided) for event in told)


def test_551_3_a_no_10_lies_on_a_hand(faulty: list[TableDay]) -> None:
    drawn = {
        event.card[0] for day in faulty for event in in_true_order(day) if isinstance(event, events.CardDrawn)
    }
    assert drawn == set("A23456789JQK")


def test_551_12_c_no_seat_has_more_than_three_hands(clean: list[TableDay]) -> None:
    assert {hand.partition(".")[2] for hand in hands_dealt(clean)} == {"", "2", "3"}


def test_chips_are_conserved(clean: list[TableDay], faulty: list[TableDay]) -> None:
    assert [chip_differences(day) for day in (*clean, *faulty)] == [[]] * 18


# ── what goes wrong ──────────────────────────────────────────────────────────────────────────────────


def test_every_kind_occurs_and_is_found_as_its_own_check(faulty: list[TableDay]) -> None:
    assert misfound_kinds(faulty, FAULTS) == []


# By kind: what is lacking for a unit of the stake, or of what was owed on it.
_LACKING = {
    "surrendered_whole": Fraction(-1, 2),  # 551.9(a)(1)
    "surrendered_to_blackjack": Fraction(1, 2),  # 551.9(a)(2)
    "blackjack_returned": Fraction(-3, 2),  # 551.6(b)(3)
    "blackjack_paid_6_to_5": Fraction(6, 5) - Fraction(3, 2),  # 551.2(c)(1)
    "insurance_paid_even": Fraction(-1),  # 551.10(c)
    "insurance_left": Fraction(1),
    "rescued_for_nothing": Fraction(1),  # 551.11(d)
    "rescued_double_collected": Fraction(-1),
    "blackjack_took_double": Fraction(-1),  # 551.11(c), 551.12(d)
    "twenty_one_returned": Fraction(-1),  # 551.6(b)(4), at least
}


def test_labels_of_money_say_by_how_much(faulty: list[TableDay]) -> None:
    weighed = Counter[str]()
    for day, label in fault_labels(faulty):
        if label.fault not in _LACKING or label.primary is None:
            continue
        lacking = [int(stake.cents * _LACKING[label.fault]) for stake in stakes_named(day, label)]
        assert label.delta_cents is not None
        exact = label.fault != "twenty_one_returned"
        assert label.delta_cents in lacking if exact else label.delta_cents <= max(lacking)
        weighed[label.fault] += 1
    assert set(weighed) == set(_LACKING)


def test_551_6_h_fixed_payouts_go_to_all_at_the_table(clean: list[TableDay]) -> None:
    paid = 0
    for day in clean:
        for past in day.table.past:
            fixed_ones = sorted(
                (stake.gain for stake in past.stakes.values() if stake.wager == "fixed_payout"), reverse=True
            )
            if fixed_ones:
                assert fixed_ones[0] in (100_000, 500_000)
                assert fixed_ones[1:] == [5000] * (len(fixed_ones) - 1)
                wagers = sum(stake.wager == "wager" and stake.hand is None for stake in past.stakes.values())
                assert len(fixed_ones) == wagers
                paid += 1
    assert paid > 1


def test_551_16_b_two_10s_played_on_name_each_stake_that_was_moved(faulty: list[TableDay]) -> None:
    found = [(day, label) for day, label in fault_labels(faulty) if label.fault == "tens_played_on"]
    assert found
    for day, label in found:
        stakes = day.table.past[int(label.round or 0) - 1].stakes.values()
        moved = sum(stake.gain != 0 for stake in stakes)
        named = Counter(each.check for each in label.follows)
        assert named.pop("announced_wrong") == 1
        assert named.total() == moved
        assert set(named) <= {"push_collected", "push_paid", "paid_too_much"}


def test_a_floor_of_the_game_is_scored(tmp_path: Path) -> None:
    write_archive(play_tables_of_game("551", 2, 3, faults.rates(), "scored"), tmp_path)
    finds_every_fault(tmp_path, more_than=20)


def test_under_sensor_faults_no_round_gets_a_wrong_verdict(tmp_path: Path) -> None:
    write_archive(play_tables_of_game("551", 2, 3, faults.rates(sensors=True), "sensed"), tmp_path)
    finds_no_fault_wrongly(tmp_path)


def test_a_10_is_left_in_no_shoe_that_keeps_an_order() -> None:
    """It would end the order before it shows."""
    (plan,) = plan_tables("551", 1)
    plan = msgspec.structs.replace(plan, devices=plan.devices | {"pit": "F-101"})
    (day,) = play_plans([plan], 6, {**NONE, "slug": 1.0}, "7")
    tens: dict[str, int] = {}
    for event in in_true_order(day):
        if isinstance(event, events.ShoeLoaded):
            shoe = event.shoe
            tens[shoe] = 0
        elif isinstance(event, events.CardDrawn | events.CardDiscarded):
            tens[shoe] += event.card[0] == "T"
    _, *slugs = tens.values()
    assert len(slugs) == len(fault_labels([day])) > 10
    assert not any(slugs), tens


def test_a_10_behind_a_card_that_lay_face_up_is_removed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """551.16(b): no 10 comes to a hand, also not behind a card that 551.16(a) sends to the rack."""
    monkeypatch.setattr(boxes, "_FACE_UP", 1.0)  # the first card of every round
    days = play_tables_of_game("551", 3, 4, dict(NONE), "7")
    in_rack = [
        event.card for day in days for event in events_sent(day) if isinstance(event, events.CardDiscarded)
    ]
    dealt = [event.card for day in days for event in events_sent(day) if isinstance(event, events.CardDrawn)]
    assert sum(card[0] == "T" for card in in_rack) > 10
    assert [card for card in dealt if card[0] == "T"] == []
