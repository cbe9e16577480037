"""Pai Gow as it is simulated: its law by hand, its chips conserved, its labels exact, its floor scored."""

from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import TypeVar

import pytest

from schemas import events
from streams.simulator import faults
from streams.simulator.faults import NONE
from streams.simulator.games.paigow.layouts import FAULTS, lay_out
from streams.simulator.games.paigow.rules import (
    CIRCLE,
    SET,
    Hand,
    Ways,
    against,
    compare,
    first_stack,
    house_ways,
    is_zero,
    surplus_of,
    vigorish,
    worth,
)
from streams.simulator.games.paigow.wagers import MAIN, Bank, centre, cover
from streams.simulator.labels import SensorLabel
from streams.simulator.patrons import Patron
from streams.simulator.playing import TableDay
from streams.simulator.table import Key
from tests.builders.simulated_tables import (
    chip_differences,
    count_inventories,
    doubled_rates,
    fault_labels,
    finds_every_fault,
    in_true_order,
    misfound_kinds,
    play_tables_of_game,
    write_archive,
)

_Told = TypeVar("_Told", bound=events.Reported)


@pytest.fixture(scope="session")
def clean() -> list[TableDay]:
    return play_tables_of_game("535", 6, 5, dict(NONE), "7")


@pytest.fixture(scope="session")
def faulty() -> list[TableDay]:
    return play_tables_of_game("535", 12, 4, doubled_rates(), "7")


def _hand(tiles: str) -> Hand:
    one, other = tiles.split()
    return one, other


# ── the law, by hand ─────────────────────────────────────────────────────────────────────────────────


def test_535_3_and_4_f_the_set() -> None:
    # Eleven kinds come twice and ten once; with the Supreme Pair they are 16 pairs.
    counted = Counter(SET)
    assert (len(SET), sorted(counted.values())) == (32, [1] * 10 + [2] * 11)
    assert {tile for tile, count in counted.items() if count == 1} == {
        *("6-3", "5-4", "6-2", "5-3", "5-2", "4-3", "4-1", "3-2", "2-4", "1-2")
    }
    assert surplus_of(["6-6", "2-4", "6-6"]) is None
    assert surplus_of(["6-6", "2-4", "6-6", "2-4"]) == "2-4"


def test_535_4_a_the_pairs_from_the_first_rank_down() -> None:
    matched = ("6-6", "1-1", "4-4", "3-1", "5-5", "3-3", "2-2", "6-5", "6-4", "6-1", "5-1")
    ranked = (
        ("2-4 1-2",),
        *((f"{tile} {tile}",) for tile in matched),
        *(("6-3 5-4",), ("5-3 6-2",), ("4-3 5-2",), ("4-1 3-2",)),
        ("6-6 5-4", "6-6 6-3"),
        ("1-1 5-4", "1-1 6-3"),
        ("6-6 6-2", "6-6 5-3", "6-6 4-4"),
        ("1-1 6-2", "1-1 5-3", "1-1 4-4"),
    )
    assert len(ranked) == 20
    worths = [{worth(_hand(pair)) for pair in alike} for alike in ranked]
    assert all(len(each) == 1 for each in worths)
    in_order = [next(iter(each)) for each in worths]
    assert in_order == sorted(set(in_order), reverse=True)
    # Nothing else of two tiles is a pair, and the lowest pair is above the highest value.
    paired = {frozenset(_hand(pair)) for alike in ranked for pair in alike}
    others = [hand for hand in combinations(SET, 2) if frozenset(hand) not in paired]
    assert len(others) + sum(frozenset(hand) in paired for hand in combinations(SET, 2)) == 496
    assert all(worth(hand) < in_order[-1] for hand in others)


@pytest.mark.parametrize(
    ("tiles", "value"),
    # The text's own two examples; 535.4(d): the 1-2 as 3 or 6, the 2-4 as 6 or 3, whichever is better.
    [
        ("1-1 3-3", 8),
        ("6-5 6-1", 8),
        ("5-5 6-4", 0),
        ("1-2 1-1", 8),
        ("1-2 5-1", 9),
        ("2-4 3-3", 9),
        ("2-4 2-2", 7),
        ("2-4 6-1", 3),
    ],
)
def test_535_4_c_d_values(tiles: str, value: int) -> None:
    assert worth(_hand(tiles))[:2] == (0, value)
    assert is_zero(_hand(tiles)) is (value == 0)


def test_535_4_e_f_equal_values_go_by_the_highest_tile() -> None:
    # All of value 3, from the highest tile down.
    threes = ["6-6 6-5", "1-1 6-5", "4-4 4-1", "3-1 6-3", "3-3 4-3", "2-2 6-3", "6-1 5-1"]
    worths = [worth(_hand(tiles)) for tiles in threes]
    assert [each[1] for each in worths] == [3] * len(threes)
    assert worths == sorted(worths, reverse=True)
    # 535.4(g): the same highest tile is a copy, whatever lies beside it.
    assert worth(_hand("6-6 4-1")) == worth(_hand("6-6 3-2"))
    # 535.4(d): 1-2 beside 4-1 counts 3, so the 4-1 is the highest tile; 2-4 beside it counts 3 likewise.
    assert worth(_hand("1-2 4-1")) == worth(_hand("2-4 3-2"))


@pytest.mark.parametrize(
    ("high", "low", "result"),
    [
        ("1-1 1-1", "5-3 6-5", "win"),  # 9 above the dealer's 8
        ("1-1 1-1", "6-5 6-1", "tie"),  # 8 below the dealer's 8 with 6-6
        ("1-1 1-1", "6-6 5-1", "tie"),  # a copy is the dealer's: 535.4(g)
        ("6-4 6-4", "5-3 6-5", "tie"),  # the pair is a copy: 535.4(b), 535.10(h)(2)
        ("6-4 6-4", "6-6 5-1", "lose"),
        ("6-1 6-1", "6-5 5-2", "lose"),
        ("1-1 1-1", "5-5 6-4", "tie"),  # zero: 535.10(h)(1)
    ],
)
def test_535_10_g_h_j_against_the_dealers_pair_of_tens_and_8(high: str, low: str, result: str) -> None:
    dealer = (_hand("6-4 6-4"), _hand("6-6 5-1"))
    assert compare((_hand(high), _hand(low)), dealer) == result


def test_535_10_g_a_zero_loses_even_to_a_lower_zero() -> None:
    dealer = (_hand("1-1 1-1"), _hand("6-4 5-5"))
    player = (_hand("6-5 6-5"), _hand("6-6 4-4"))
    assert compare(player, dealer) == "tie"  # 6-6 with 4-4 is a Gong and no zero
    assert worth(_hand("3-1 3-3")) > worth(_hand("6-4 5-5"))
    assert compare((_hand("6-5 6-5"), _hand("3-1 3-3")), dealer) == "lose"


def test_a_low_hand_above_the_high_one() -> None:
    dealer = (_hand("6-4 6-4"), _hand("6-6 5-1"))
    player = (_hand("5-3 6-5"), _hand("1-1 1-1"))
    assert against(player, dealer, Ways()) == "win"
    assert against(player, dealer, Ways(low_above_high="lose")) == "lose"


@pytest.mark.parametrize(
    ("tiles", "way", "highs"),
    [
        ("2-4 6-6 1-2 6-6", "any", ["2-4 1-2"]),  # (d)(1)
        # (d)(2): a Wong and a Gong either way, of 12 and 2 or of 2 and 12; the Wong is the higher.
        ("6-6 1-1 5-4 6-2", "any", ["6-6 5-4", "1-1 5-4"]),
        ("6-6 1-1 5-4 6-2", "best_high", ["6-6 5-4"]),
        ("6-6 1-1 5-4 6-2", "best_low", ["1-1 5-4"]),
        ("6-4 2-2 6-1 3-2", "any", ["2-2 3-2"]),  # (d)(3): 9 above 7; no other way makes 7, 8 or 9
        ("5-5 6-4 4-4 2-2", "any", ["4-4 5-5", "4-4 6-4"]),  # two ways to an 8 above a 4
        ("5-5 6-4 4-4 2-2", "best_high", ["4-4 5-5", "4-4 6-4"]),
        ("5-5 6-4 4-4 2-2", "best_low", ["4-4 6-4"]),
        ("6-6 6-5 5-5 6-4", "any", ["6-6 6-4"]),  # (d)(4): the highest with the lowest
    ],
)
def test_535_10_d_the_dealers_ways(tiles: str, way: str, highs: list[str]) -> None:
    ways = {name: Ways(house_way=name) for name in ("any", "best_high", "best_low")}
    found = {frozenset(high) for high, _ in house_ways(tiles.split(), ways[way])}
    assert found == {frozenset(_hand(high)) for high in highs}


def test_535_8_c_and_11_j_who_gets_the_first_stack() -> None:
    # The text's examples: 9 the dealer, 15 the sixth wagering position; 8 is the Dead Hand.
    assert [first_stack(total) for total in (9, 15, 8, 3, 18)] == [
        "dealer",
        "seat6",
        "dead",
        "seat2",
        "seat1",
    ]
    # A bank in seat 6 is number one, the Dead Hand two, the dealer three.
    assert [first_stack(total, "seat6") for total in (9, 10, 3)] == ["seat6", "dead", "dealer"]


@pytest.mark.parametrize(
    ("won", "exact", "rounded"),
    [(2500, 125, 125), (2600, 130, 150), (2550, 127, 150), (50, 2, 25), (0, 0, 0), (-2500, 0, 0)],
)
def test_535_10_k_vigorish(won: int, exact: int, rounded: int) -> None:
    assert (vigorish(won, 0), vigorish(won, 25)) == (exact, rounded)


def test_535_11_o_r_what_the_centre_leaves() -> None:
    patron = _patron()
    alone, shared = Bank(patron, shared=False), Bank(patron, shared=True)
    # $50 lost to the centre, $10 and $20 paid from it: $20 is left. Without the loser $30 are lacking.
    gains: dict[Key, int] = {
        (0, None, "dealer_wager", None): 1000,
        (1, None, MAIN, None): 2000,
        (3, None, MAIN, None): -5000,
    }
    assert (centre(gains, alone), centre(gains, shared)) == (2000, 1000)
    del gains[3, None, MAIN, None]
    assert (centre(gains, alone), centre(gains, shared)) == (-3000, -1500)
    assert cover(123_400) >= 123_400


def _patron() -> Patron:
    return play_tables_of_game("535", 1, 1, dict(NONE), "7")[0].table.past[0].stakes.popitem()[1].patron


# ── what is played ───────────────────────────────────────────────────────────────────────────────────


def _of(day: TableDay, kind: type[_Told]) -> list[_Told]:
    return [event for event in in_true_order(day) if isinstance(event, kind)]


def test_a_table_without_faults_has_none(clean: list[TableDay]) -> None:
    assert [day.labels for day in clean] == [[]] * len(clean)
    assert sum(len(day.table.past) for day in clean) > 500


def test_every_way_of_the_house_has_a_table() -> None:
    submitted = [lay_out(index).ways for index in range(6)]
    for name, choices in (
        ("vigorish_rounding_cents", {0, 25}),
        ("player_bank", {False, True}),
        ("co_bank", {False, True}),
        ("house_way", {"any", "best_high", "best_low"}),
        ("low_above_high", {"by_rank", "lose"}),
        ("abandoned_wager", {"lose", "settle"}),
    ):
        assert {getattr(ways, name) for ways in submitted} == choices


def test_what_seldom_happens_happens(clean: list[TableDay]) -> None:
    told = Counter(type(event) for day in clean for event in in_true_order(day))
    for kind in (
        events.RollCancelled,
        events.RoundVoided,
        events.HandReset,
        events.HandExposed,
        events.BankTaken,
    ):
        assert told[kind] > 1
    said = Counter(event.decision for day in clean for event in _of(day, events.HandDecided))
    assert {"surrender", "void", "play"} <= set(said)
    assert {event.co_bank for day in clean for event in _of(day, events.BankTaken)} == {False, True}


def test_no_tile_lies_twice(clean: list[TableDay]) -> None:
    for day in clean:
        lying: dict[str, list[tuple[str, str]]] = {}
        for event in in_true_order(day):
            if isinstance(event, events.TileLaid):
                lying.setdefault(event.round, []).append((event.hand.split(".")[0], event.tile))
            elif isinstance(event, events.HandReset):
                lying[event.round] = [each for each in lying[event.round] if each[0] != event.position]
        for tiles in lying.values():
            assert surplus_of([tile for _, tile in tiles]) is None
            assert set(Counter(position for position, _ in tiles).values()) == {4}


def test_stacks_go_round_from_where_the_dice_say(clean: list[TableDay]) -> None:
    dealt = 0
    for day in clean:
        void = {event.round for event in _of(day, events.RoundVoided)}
        banks = {event.round: f"seat{event.seat}" for event in _of(day, events.BankTaken)}
        rolls = {event.round: event.dice for event in _of(day, events.DiceRolled)}  # the last one counts
        stacks: dict[str, list[str]] = {}
        for event in _of(day, events.TilesDealt):
            stacks.setdefault(event.round, []).append(event.position)
        for number, order in stacks.items():
            total = sum(map(int, rolls[number].split("-")))
            if number not in void:
                assert order[0] == first_stack(total, banks.get(number, "dealer"))
                dealt += 1
            place = CIRCLE.index(order[0])
            assert order == [*CIRCLE[place:], *CIRCLE[:place]]
    assert dealt > 500


def test_535_11_b_c_d_who_may_bank(clean: list[TableDay]) -> None:
    for day in clean:
        banks = {event.round: event.seat for event in _of(day, events.BankTaken)}
        assert "1" not in banks
        for number, seat in banks.items():
            assert banks.get(str(int(number) + 1)) != seat
            current = day.table.past[int(number) - 1]
            shown = next(stake for key, stake in current.stakes.items() if "bank" in key[2])
            against_it = sum(stake.cents for stake in current.stakes.values() if stake.wager == MAIN)
            assert shown.patron.seat == seat
            assert shown.cents >= against_it
            assert (seat, None, MAIN, None) not in current.stakes


def test_the_centre_is_emptied(clean: list[TableDay]) -> None:
    """What players and dealer win and lose against a bank adds up to the bank's, or to half of it."""
    banked = 0
    for day in clean:
        for current in day.table.past:
            bank = next((stake for stake in current.stakes.values() if "bank" in stake.wager), None)
            if bank is not None and any(stake.gain for stake in current.stakes.values()):
                others = sum(stake.gain for stake in current.stakes.values() if stake is not bank)
                assert bank.gain * (2 if bank.wager == "co_bank" else 1) == -others
                banked += 1
    assert banked > 50


def test_chips_are_conserved(clean: list[TableDay], faulty: list[TableDay]) -> None:
    assert [chip_differences(day) for day in (*clean, *faulty)] == [[]] * 18
    assert count_inventories(clean) > 100
    assert count_inventories(faulty) > 100


def test_what_the_dealers_wager_wins_is_read_once_and_so_not_misread() -> None:
    """The tray is the same whatever is read of it: see the chips that are conserved, above."""
    days = play_tables_of_game("535", 3, 3, {**NONE, "stack_misread": 1.0}, "7")
    assert (
        sum(
            label.sensor == "stack_misread"
            for day in days
            for label in day.labels
            if isinstance(label, SensorLabel)
        )
        > 100
    )
    told = 0
    for day in days:
        dealers = [event for event in _of(day, events.ChipsPaid) if event.seat == 0]
        true = [each for each in day.table.script.happenings if each.kind is events.ChipsPaid]
        assert [each.cents for each in dealers] == [
            each.fields["cents"] for each in true if each.fields["seat"] == 0
        ]
        told += len(dealers)
    assert told > 0


# ── what goes wrong ──────────────────────────────────────────────────────────────────────────────────


def test_every_kind_occurs_and_is_found_as_its_own_check(faulty: list[TableDay]) -> None:
    assert misfound_kinds(faulty, FAULTS) == []


def test_labels_name_a_finding_once_a_round(faulty: list[TableDay]) -> None:
    for day in faulty:
        rounds = [label.round for _, label in fault_labels([day])]
        assert len(rounds) == len(set(rounds))
    assert all(label.primary is not None for _, label in fault_labels(faulty))


def test_labels_of_money_say_by_how_much(faulty: list[TableDay]) -> None:
    seen = Counter[str]()
    for day, label in fault_labels(faulty):
        if label.primary is None or label.round is None:
            continue
        current = day.table.past[int(label.round) - 1]
        key = (label.primary.seat, None, label.primary.wager, None)
        stake = current.stakes.get(key)  # type: ignore[arg-type]  # UNSET is no key
        if label.fault in ("copy_paid", "zero_paid"):
            assert stake is not None
            assert label.delta_cents == stake.gain == stake.cents
        elif label.fault in ("copy_returned", "zero_returned"):
            assert stake is not None
            assert (label.delta_cents, stake.gain) == (stake.cents, 0)
        elif label.fault == "surrender_halved":
            assert stake is not None
            assert label.delta_cents == stake.cents + stake.gain == stake.cents - stake.cents // 2
        elif label.fault == "pai_gow_vigorish_not_taken":
            assert stake is not None
            assert stake.vigorish == 0
            assert label.delta_cents in (-vigorish(stake.gain, 0), -vigorish(stake.gain, 25))
        else:
            continue
        seen[label.fault] += 1
    assert len(seen) == 6


def test_a_round_that_ought_to_be_void_names_each_stake_that_was_moved(faulty: list[TableDay]) -> None:
    moved = 0
    for day, label in fault_labels(faulty):
        if label.fault in ("first_stack_misplaced", "cancelled_roll_used", "exposed_and_played"):
            current = day.table.past[int(label.round or 0) - 1]
            named = {(each.seat, each.wager, each.check) for each in label.follows}
            assert named == {
                (stake.patron.seat, stake.wager, "push_paid" if stake.gain > 0 else "push_collected")
                for stake in current.stakes.values()
                if stake.gain
            }
            moved += len(named)
    assert moved > 10


def test_what_a_payment_leaves_in_the_centre_is_the_banks(faulty: list[TableDay]) -> None:
    followed = 0
    for _, label in fault_labels(faulty):
        if label.fault in ("copy_paid", "zero_paid") and label.follows:
            (bank,) = label.follows
            assert bank.wager in ("bank", "co_bank")
            followed += 1
    assert followed > 0


def test_a_floor_of_the_game_is_scored(tmp_path: Path) -> None:
    write_archive(play_tables_of_game("535", 2, 3, faults.rates(), "four"), tmp_path)
    finds_every_fault(tmp_path, more_than=15)
