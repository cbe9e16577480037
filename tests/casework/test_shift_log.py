"""The surveillance log: entries that stay as they were made, lines of what was done, shifts signed by two."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from projections.casework.actions import NotAllowed
from projections.casework.cases.case_actions import Close, Mute, Reopen, Second, Unmute
from projections.casework.cases.case_state import Cases
from projections.casework.command_handler import Answer
from projections.casework.disputes.dispute_actions import DisputeNote, DisputeOpen
from projections.casework.disputes.dispute_book import DisputeBook
from projections.casework.shift_log import (
    EntryKind,
    Line,
    LogBook,
    LogEntry,
    LogHandover,
    LogTakeover,
    Shift,
    Signature,
    Written,
    lines,
)
from tests.builders.alerts import build_alert
from tests.builders.disputes import ABOUT, CALL
from tests.builders.staffed_room import EVENING, MINUTE, StaffedRoom, build_actor

GOES: Final = "Nobody has signed this shift over yet; the person leaving signs first."


@pytest.fixture
def book() -> LogBook:
    return LogBook()


@pytest.fixture
def room(tmp_path: Path, book: LogBook) -> Iterator[StaffedRoom]:
    manned = StaffedRoom(tmp_path / "store.duckdb", [book, DisputeBook()])
    yield manned
    manned.store.close()


def entry(
    room: StaffedRoom, what: str, kind: EntryKind = "note", at: int = EVENING, who: str = "ann", **more: Any
) -> Answer:
    corrects = more.pop("corrects", None)
    written = Written(kind=kind, at=at, what=what, **more)
    return room.act(LogEntry(id=room.new_id(), entry=written, corrects=corrects), who)


def written(room: StaffedRoom, book: LogBook, shift: int | None = None) -> list[Line]:
    """Return the lines of a shift, or of all."""
    acts = room.desk.acts()
    return lines(acts, book.entries(), lambda number, _at: shift in (None, number))


def says(room: StaffedRoom, book: LogBook, shift: int | None = None) -> list[str]:
    return [line.what for line in written(room, book, shift)]


def test_entries_stand_in_the_order_in_which_things_happened_each_with_when_it_was_written(
    room: StaffedRoom, book: LogBook
) -> None:
    entry(room, "camera 17 is out", "outage", EVENING - MINUTE, until=EVENING, informed="FL-2-1")
    entry(room, "K. Ott of the Board", "visitor", EVENING - 3 * MINUTE)
    entry(room, "box of BAC-105 exchanged", "drop", EVENING + 3 * MINUTE, table="BAC-105")
    told = [(line.what, line.at, line.written) for line in written(room, book)]
    assert told == [
        ("K. Ott of the Board", EVENING - 3 * MINUTE, EVENING + 2 * MINUTE),
        ("camera 17 is out", EVENING - MINUTE, EVENING + MINUTE),
        ("box of BAC-105 exchanged", EVENING + 3 * MINUTE, EVENING + 3 * MINUTE),
    ]
    outage = written(room, book)[1]
    assert (outage.kind, outage.until, outage.informed, outage.who) == ("outage", EVENING, "FL-2-1", "ann")


def test_actions_on_alerts_and_disputes_are_lines_of_the_log_by_themselves(
    room: StaffedRoom, book: LogBook
) -> None:
    mute = Mute(id=room.new_id(), check="missettled", table="BAC-101", minutes=30, reason="reader exchanged")
    room.act(mute)
    room.act(Unmute(id=room.new_id(), mute=mute.id), "bob")
    subject = room.act(DisputeOpen(id=room.new_id(), about=ABOUT, call=CALL)).subject
    room.act(DisputeNote(id=room.new_id(), subject=subject, text="he waits at the table"), "cyd")
    assert [(line.kind, line.who, line.table, line.what) for line in written(room, book)] == [
        ("alert", "ann", "BAC-101", "missettled at BAC-101 muted for 30 minutes: reader exchanged"),
        ("alert", "bob", None, "mute ended early"),
        ("dispute", "ann", None, "opened: Player won and his chips were taken"),
        ("dispute", "cyd", None, "noted: he waits at the table"),
    ]


def test_a_critical_alert_is_not_listed_as_closed_before_a_second_person_agreed(
    room: StaffedRoom, book: LogBook
) -> None:
    for number, severity in (("1", "critical"), ("2", "high")):
        standing = build_alert(severity, number, severity=severity)
        room.desk.alert_queue.replace_alerts(standing.about, [standing], Cases())

    def close(subject: str) -> None:
        room.act(Close(id=room.new_id(), subject=subject, outcome="confirmed", reason="seen"))

    def second(why: str, *, agrees: bool) -> None:
        asked = Second(id=room.new_id(), subject="alert:critical", agrees=agrees, reason=why)
        room.act(asked, "bob", rights=("see", "work", "second"))

    close("alert:critical")
    second("not as I see it", agrees=False)
    close("alert:critical")
    second("so it is", agrees=True)
    room.act(Reopen(id=room.new_id(), subject="alert:critical", reason="a letter came"))
    second("so it did", agrees=True)
    close("alert:high")
    room.act(Reopen(id=room.new_id(), subject="alert:high", reason="a letter came"))
    assert says(room, book) == [
        "asked to close as confirmed; waiting for a second person: seen",
        "second person did not agree: not as I see it",
        "asked to close as confirmed; waiting for a second person: seen",
        "second person agreed: so it is",
        "asked to reopen; waiting for a second person: a letter came",
        "second person agreed: so it did",
        "closed as confirmed: seen",
        "reopened: a letter came",
    ]


def test_a_correction_is_a_later_entry_and_both_stay(room: StaffedRoom, book: LogBook) -> None:
    entry(room, "visitor of the Bord", "visitor")
    wrong = written(room, book)[0].id
    entry(room, "visitor of the Board", "visitor", who="bob", corrects=wrong)
    first, second = written(room, book)
    assert (first.what, first.who, first.corrected_by) == ("visitor of the Bord", "ann", second.id)
    assert (second.what, second.who, second.corrects) == ("visitor of the Board", "bob", wrong)


def test_what_was_corrected_is_corrected_again_by_its_correction(room: StaffedRoom, book: LogBook) -> None:
    entry(room, "a")
    first = written(room, book)[0].id
    entry(room, "b", who="bob", corrects=first)
    again = LogEntry(id=room.new_id(), entry=Written(kind="note", at=EVENING, what="c"), corrects=first)
    assert room.refused(again) == "bob corrected it already; correct that entry."
    second = written(room, book)[1].id
    entry(room, "c", corrects=second)
    assert says(room, book) == ["a", "b", "c"]


def test_what_is_no_entry_is_not_corrected(room: StaffedRoom, book: LogBook) -> None:
    mute = Mute(id=room.new_id(), check="missettled", minutes=30, reason="reader exchanged")
    room.act(mute)
    entry(room, "seen by few")
    withheld = written(room, book)[0].id
    for corrects, hidden in ((mute.id, ()), ("f" * 32, ()), (withheld, {f"log:{withheld}"})):
        correction = LogEntry(
            id=room.new_id(), entry=Written(kind="note", at=EVENING, what="x"), corrects=corrects
        )
        assert room.refused(correction, hidden=hidden) == "There is no such entry to correct."


@pytest.mark.parametrize(
    ("times", "refused"),
    [
        ({"at": EVENING + 3 * MINUTE}, "That time is in the future."),
        ({"at": EVENING, "until": EVENING + 3 * MINUTE}, "That time is in the future."),
        ({"at": EVENING, "until": EVENING - 1}, "It cannot have ended before it began."),
    ],
)
def test_an_entry_is_of_what_happened(room: StaffedRoom, times: dict[str, int], refused: str) -> None:
    # It is entered a minute later, and a clock in the room may be ahead by one more.
    told = LogEntry(id=room.new_id(), entry=Written(kind="note", what="x", **times))
    assert room.refused(told) == refused
    entry(room, "x", at=EVENING + 3 * MINUTE)


def handed(room: StaffedRoom, goes: str = "ann", comes: str = "bob", **remarks: str) -> None:
    room.act(LogHandover(id=room.new_id(), to=comes, **remarks), goes)


def test_a_shift_is_closed_by_two_signatures_and_what_comes_then_is_of_the_next(
    room: StaffedRoom, book: LogBook
) -> None:
    entry(room, "before")
    handed(room, remarks="camera 17 is out")
    entry(room, "between")
    room.act(LogTakeover(id=room.new_id(), remarks="seen"), "bob")
    entry(room, "after")
    assert book.shifts() == [
        Shift(
            number=1,
            handed=Signature("ann", EVENING + 2 * MINUTE, "camera 17 is out"),
            to="bob",
            taken=Signature("bob", EVENING + 4 * MINUTE, "seen"),
        ),
        Shift(number=2, holder="bob", begun=EVENING + 4 * MINUTE),
    ]
    assert says(room, book, 1) == [
        "before",
        "between",
        "shift signed over to bob: camera 17 is out",
        "shift taken over: seen",
    ]
    assert says(room, book, 2) == ["after"]


def test_a_correction_of_a_closed_shift_is_an_entry_of_the_one_that_runs(
    room: StaffedRoom, book: LogBook
) -> None:
    entry(room, "visitor of the Bord", "visitor")
    wrong = written(room, book)[0].id
    handed(room)
    room.act(LogTakeover(id=room.new_id()), "bob")
    entry(room, "visitor of the Board", "visitor", who="bob", corrects=wrong)
    old = next(line for line in written(room, book, 1) if line.id == wrong)
    (new,) = written(room, book, 2)
    assert (old.what, old.corrected_by) == ("visitor of the Bord", new.id)
    assert (new.corrects, new.shift) == (wrong, 2)


def test_the_two_who_sign_are_two_people(room: StaffedRoom, book: LogBook) -> None:
    own = LogHandover(id=room.new_id(), to="ann")
    assert room.refused(own) == "You cannot hand the log over to yourself."
    stranger = LogHandover(id=room.new_id(), to="zed")
    assert room.refused(stranger) == "Nobody here called zed can take the log over."
    takes = LogTakeover(id=room.new_id())
    assert room.refused(takes, "bob") == GOES
    handed(room)
    assert room.refused(takes, "ann") == "You signed it over; someone else must take it over."
    assert room.refused(takes, "cyd") == "ann signed it over to bob."
    assert len(book.shifts()) == 1
    handed(room, comes="cyd")
    room.act(takes, "cyd")
    assert [shift.holder for shift in book.shifts()] == [None, "cyd"]


def test_whose_shift_it_is_hands_it_over_or_a_supervisor_does(room: StaffedRoom, book: LogBook) -> None:
    handed(room)
    room.act(LogTakeover(id=room.new_id()), "bob")
    hands = LogHandover(id=room.new_id(), to="cyd")
    assert room.refused(hands, "ann") == "bob has the shift; they or a supervisor must hand it over."
    room.act(hands, "ann", rights=("log", "second"))
    assert book.shifts()[-1].to == "cyd"
    assert room.refused(LogTakeover(id=room.new_id()), "bob") == "ann signed it over to cyd."


def test_who_has_not_the_right_enters_and_signs_nothing(room: StaffedRoom) -> None:
    for action in (
        LogEntry(id=room.new_id(), entry=Written(kind="note", at=EVENING, what="x")),
        LogHandover(id=room.new_id(), to="bob"),
        LogTakeover(id=room.new_id()),
    ):
        with pytest.raises(NotAllowed, match="it needs the right to log"):
            room.desk.act(action, build_actor("ann", ["see", "work"]), EVENING)


def test_all_of_it_is_there_after_a_restart(room: StaffedRoom, book: LogBook) -> None:
    entry(room, "before", table="BAC-105")
    handed(room)
    room.act(LogTakeover(id=room.new_id()), "bob")
    entry(room, "after")
    kept = written(room, book), book.shifts()
    book.clear()
    room.again()
    assert (written(room, book), book.shifts()) == kept
