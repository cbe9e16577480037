"""A ledger's entries in order: numbers, clocks, holes, corrections, gaming days, and what is refused."""

from datetime import date
from random import Random
from typing import Any

import pytest

from projections.programmes.ledgers.checks import doubt_identity
from projections.programmes.ledgers.entries import EntryHole, OrderedLedger, order_entries
from schemas import events as e
from schemas import ledgers as l
from schemas.events import EventId
from tests.builders.ledger_day import DAY, HOUSE, NEXT, at, micros
from tests.builders.texts import text_of

NOON = micros(at(12))
MINUTE = 60_000_000


def cash(seq: int, cents: int = 100, *, epoch: int = 1, when: int | None = None, device: str = "CG-1") -> Any:
    """Pay cash for chips, by default so many minutes past noon as the number says."""
    moment = NOON + seq * MINUTE if when is None else when
    return l.ChipsCashed(device=device, epoch=epoch, seq=seq, at=moment, cents=cents)


def closed(seq: int, day: date = DAY, device: str = "CG-1", when: int | None = None) -> Any:
    moment = micros(at(29)) if when is None else when
    return l.LedgerClosed(device=device, epoch=1, seq=seq, at=moment, date=day)


def correct(seq: int, mistaken: int, instead: Any = None) -> Any:
    name = EventId("CG-1", 1, mistaken)
    moment = NOON + seq * MINUTE
    return l.EntryCorrected(device="CG-1", epoch=1, seq=seq, at=moment, mistaken=name, instead=instead)


def cage(*entries: Any) -> OrderedLedger:
    return order_entries("cage", entries, HOUSE)


def doubts(found: OrderedLedger, day: date = DAY) -> list[str]:
    return [text_of(each) for each in found.doubts(day)]


def sums(found: OrderedLedger, day: date = DAY) -> list[int]:
    return [each.cents for each in found.days.get(day, ()) if isinstance(each, l.ChipsCashed)]


# ── order ────────────────────────────────────────────────────────────────────────────────────────────


def test_entries_stand_in_the_order_of_their_numbers_however_they_came() -> None:
    entries = [cash(n, n) for n in range(1, 9)]
    Random(1).shuffle(entries)  # noqa: S311  any order will do
    assert sums(cage(*entries)) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_within_a_device_the_number_decides_and_not_the_clock() -> None:
    assert sums(cage(cash(1, 10, when=NOON + MINUTE), cash(2, 20, when=NOON))) == [10, 20]


def test_a_new_epoch_comes_after_the_one_before() -> None:
    assert sums(cage(cash(1, 20, epoch=2, when=NOON + 9 * MINUTE), cash(1, 10))) == [10, 20]


def test_between_devices_their_clocks_decide() -> None:
    house = HOUSE.__class__(house="two", ledgers={"cage": ["CG-1", "CG-2"]})
    entries = [cash(1, 10), cash(1, 20, device="CG-2", when=NOON), cash(2, 30)]
    assert sums(order_entries("cage", entries, house)) == [20, 10, 30]


def test_a_number_that_comes_twice_counts_once() -> None:
    assert sums(cage(cash(1, 10), cash(1, 10), cash(2, 20))) == [10, 20]


# ── holes ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_hole_is_named_and_leaves_the_day_open() -> None:
    found = cage(cash(1), cash(4), closed(5))
    assert found.holes == (EntryHole("CG-1", 1, 2, 3, DAY, DAY),)
    assert doubts(found) == ["entries 2-3 of device CG-1 (epoch 1) are missing"]


def test_a_hole_may_lie_in_each_day_between_its_ends() -> None:
    found = cage(cash(1), closed(2), cash(4, when=micros(at(36))), closed(5, NEXT, when=micros(at(53))))
    assert [each.since for each in found.holes] == [DAY]
    missing = "entry 3 of device CG-1 (epoch 1) is missing"
    assert (doubts(found), doubts(found, NEXT)) == ([missing], [missing])


def test_a_record_that_begins_later_has_no_hole_before_it_and_is_not_whole() -> None:
    later, whole = cage(cash(7), closed(8)), cage(cash(1), closed(2))
    assert (later.holes, doubts(later), later.is_complete) == ((), [], False)
    assert (whole.holes, doubts(whole), whole.is_complete) == ((), [], True)


def test_a_new_epoch_begins_with_one() -> None:
    assert cage(cash(1), cash(3, epoch=2)).holes == (EntryHole("CG-1", 2, 1, 2, DAY, DAY),)


def test_a_day_that_was_not_closed_is_open() -> None:
    assert doubts(cage(cash(1))) == ["it is not closed for the day"]
    assert doubts(cage()) == ["it is not closed for the day"]


# ── corrections ──────────────────────────────────────────────────────────────────────────────────────


def test_an_entry_that_never_happened_is_struck_out() -> None:
    found = cage(cash(1, 10), cash(2, 20), correct(3, 1))
    assert (sums(found), found.holes, found.refused) == ([20], (), ())


def test_what_happened_instead_stands_in_its_place() -> None:
    instead = cash(9, 15, when=NOON)
    assert sums(cage(cash(1, 10), cash(2, 20), correct(3, 1, instead))) == [15, 20]


def test_a_correction_may_be_corrected() -> None:
    assert sums(cage(cash(1, 10), correct(2, 1), correct(3, 2))) == [10]
    again = correct(3, 2, correct(2, 1, cash(1, 12)))
    assert sums(cage(cash(1, 10), correct(2, 1), again)) == [12]


def test_the_latest_of_two_corrections_holds() -> None:
    assert sums(cage(cash(1, 10), correct(2, 1, cash(1, 11)), correct(3, 1, cash(1, 12)))) == [12]


def test_a_correction_of_a_missing_entry_is_reported() -> None:
    found = cage(cash(1, 10), correct(2, 9), closed(3))
    assert sums(found) == [10]
    assert doubts(found) == ["a correction names entry CG-1 1/9, which is not here"]


def test_a_correction_that_puts_in_another_ledger_s_entry_is_refused() -> None:
    strange = l.BoxEmptied(device="CG-1", epoch=1, seq=1, at=NOON, box="B-1")
    found = cage(cash(1, 10), correct(2, 1, strange), closed(3))
    assert sums(found) == [10]
    assert doubts(found) == ["a correction of entry CG-1 1/1 puts in what is no entry of cage"]


# ── strangers ────────────────────────────────────────────────────────────────────────────────────────


def test_a_device_that_does_not_keep_the_ledger_is_refused_once() -> None:
    found = cage(cash(1, 10), cash(1, 20, device="CG-9"), cash(2, 30, device="CG-9"), closed(2))
    assert sums(found) == [10]
    assert doubts(found) == ["device CG-9 does not keep cage by the house file"]


@pytest.mark.parametrize(
    ("event", "name"),
    [
        (l.BoxEmptied(device="CG-1", epoch=1, seq=2, at=NOON, box="B-1"), "BoxEmptied"),
        (e.DealerRelieved(device="CG-1", epoch=1, seq=2, at=NOON, dealer="D-1"), "DealerRelieved"),
    ],
)
def test_what_is_no_entry_of_the_ledger_is_refused(event: Any, name: str) -> None:
    found = cage(cash(1, 10), event)
    assert sums(found) == [10]
    ((day, said),) = found.refused
    assert (day, text_of(said)) == (DAY, f"device CG-1 reported {name}, which is no entry of cage")


def test_a_finding_keeps_the_name_of_its_doubt_whatever_the_words_are() -> None:
    strange = l.BoxEmptied(device="CG-1", epoch=1, seq=1, at=NOON, box="B-1")
    entries = [cash(1), cash(3), correct(4, 99), correct(5, 1, strange), cash(9)]
    foreign = e.DealerRelieved(device="CG-1", epoch=1, seq=10, at=NOON, dealer="D-1")
    found = cage(*entries, foreign, cash(1, device="CG-9"))
    assert sorted(doubt_identity(each) for each in found.doubts(DAY)) == [
        "a correction names entry CG-1 1/99, which is not here",
        "a correction of entry CG-1 1/1 puts in what is no entry of cage",
        "device CG-1 reported DealerRelieved, which is no entry of cage",
        "device CG-9 does not keep cage by the house file",
        "entries 6-8 of device CG-1 (epoch 1) are missing",
        "entry 2 of device CG-1 (epoch 1) is missing",
        "it is not closed for the day",
    ]


# ── gaming days ──────────────────────────────────────────────────────────────────────────────────────


def test_the_cage_s_entries_belong_to_the_gaming_day_of_their_moment() -> None:
    entries = [cash(1, 10, when=micros(at(5, 59))), cash(2, 20, when=micros(at(6)))]
    entries += [cash(3, 30, when=micros(at(29, 59))), cash(4, 40, when=micros(at(30)))]
    found = cage(*entries)
    assert [sums(found, day) for day in (date(2025, 3, 2), DAY, NEXT)] == [[10], [20, 30], [40]]


def emptied(seq: int, hour: int) -> Any:
    return l.BoxEmptied(device="CR-1", epoch=1, seq=seq, at=micros(at(hour)), box=f"B-{seq}")


def boxes(found: OrderedLedger, day: date) -> list[str]:
    return [each.box for each in found.days.get(day, ()) if isinstance(each, l.BoxEmptied)]


def test_what_the_count_room_enters_belongs_to_the_day_that_is_closed_next() -> None:
    entries = [emptied(1, 20), emptied(2, 32), closed(3, device="CR-1", when=micros(at(33)))]
    entries += [emptied(4, 44), emptied(5, 56), closed(6, NEXT, "CR-1", micros(at(57)))]
    found = order_entries("count_room", entries, HOUSE)
    assert (boxes(found, DAY), boxes(found, NEXT)) == (["B-1", "B-2"], ["B-4", "B-5"])
    assert found.closed == {DAY, NEXT}


def test_a_count_that_goes_on_belongs_to_the_day_after_the_last_that_was_closed() -> None:
    entries = [closed(1, device="CR-1", when=micros(at(33))), emptied(2, 44), emptied(3, 56)]
    found = order_entries("count_room", entries, HOUSE)
    assert boxes(found, NEXT) == ["B-2", "B-3"]
    assert doubts(found, NEXT) == ["it is not closed for the day"]
