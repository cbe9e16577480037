"""The steps of a dispute: which are done, which comes next, for whom it waits and since when."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from projections.casework.disputes.dispute_actions import (
    DisputeCall,
    DisputeClose,
    DisputeFootage,
    DisputeOpen,
    DisputeReopen,
    DisputeReview,
    DisputeRule,
    OnDispute,
)
from projections.casework.disputes.dispute_book import DisputeBook
from projections.casework.disputes.dispute_state import FootagePart, RulingPart
from projections.casework.disputes.dispute_steps import Step
from tests.builders.disputes import ABOUT, CALL
from tests.builders.staffed_room import EVENING, MINUTE, StaffedRoom

RULING: Final = RulingPart(text="pay him", ruled_by="R. Ames", ruled=EVENING)
PRESERVED: Final = FootagePart(preserved=EVENING, reference="R-17")


@pytest.fixture
def book() -> DisputeBook:
    return DisputeBook()


@pytest.fixture
def room(tmp_path: Path, book: DisputeBook) -> Iterator[StaffedRoom]:
    staffed = StaffedRoom(tmp_path / "store.duckdb", [book])
    staffed.act(DisputeOpen(id=staffed.new_id(), about=replace(ABOUT, supervisor="FL-2-1"), call=CALL))
    yield staffed
    staffed.store.close()


def does(room: StaffedRoom, kind: type[OnDispute], who: str = "ann", **fields: Any) -> None:
    room.act(kind(id=room.new_id(), subject="dispute:000001", **fields), who)


def states(book: DisputeBook) -> str:
    """Return the state of each step by its first letter: d(one), n(ext), a(head), l(eft out)."""
    return "".join(step.state[0] for step in book.steps("000001"))


def waits(book: DisputeBook) -> Step | None:
    return book.next_step("000001")


def test_each_step_waits_for_who_takes_it_since_the_one_before_was_done(
    room: StaffedRoom, book: DisputeBook
) -> None:
    # The room's clock goes on by a minute with each action: opened at 1, then 2 to 6.
    assert states(book) == "dnaaaa"
    assert waits(book) == Step(name="footage", state="next", party="surveillance", since=EVENING + MINUTE)
    does(room, DisputeFootage, footage=PRESERVED)
    assert states(book) == "ddnaaa"
    does(room, DisputeCall, call=replace(CALL, answered=EVENING + MINUTE), who="bob")
    assert states(book) == "dddnaa"
    assert waits(book) == Step(
        name="ruling", state="next", party="floor_supervisor", person="FL-2-1", since=EVENING + 3 * MINUTE
    )
    does(room, DisputeRule, ruling=RULING)
    assert waits(book) == Step(name="paid", state="next", party="table_or_cage", since=EVENING + 4 * MINUTE)
    does(room, DisputeRule, ruling=replace(RULING, paid_cents=55_000))
    assert waits(book) == Step(name="closed", state="next", party="surveillance", since=EVENING + 5 * MINUTE)
    does(room, DisputeClose, outcome="claim upheld", who="bob")
    assert states(book) == "dddddd"
    assert waits(book) is None
    assert [(step.who, step.at) for step in book.steps("000001")] == [
        ("ann", EVENING + MINUTE),
        ("ann", EVENING + 2 * MINUTE),
        ("bob", EVENING + 3 * MINUTE),
        ("ann", EVENING + 4 * MINUTE),
        ("ann", EVENING + 5 * MINUTE),
        ("bob", EVENING + 6 * MINUTE),
    ]


def test_steps_left_out_before_the_ruling_or_the_closing_are_no_longer_due(
    room: StaffedRoom, book: DisputeBook
) -> None:
    does(room, DisputeRule, ruling=RULING)
    assert states(book) == "dlldna"
    does(room, DisputeClose, outcome="claim withdrawn")
    assert states(book) == "dlldld"


def test_a_closed_dispute_that_is_opened_again_waits_since_then(room: StaffedRoom, book: DisputeBook) -> None:
    does(room, DisputeRule, ruling=replace(RULING, paid_cents=0))
    does(room, DisputeClose, outcome="claim upheld")
    does(room, DisputeReopen, reason="a letter came")
    assert states(book) == "dllddn"
    found = waits(book)
    assert found is not None
    assert found.since == EVENING + 4 * MINUTE


def test_a_ruling_that_the_second_reviewer_rejects_waits_for_who_ruled(
    room: StaffedRoom, book: DisputeBook
) -> None:
    does(room, DisputeFootage, footage=PRESERVED)
    does(room, DisputeCall, call=replace(CALL, answered=EVENING + MINUTE))
    does(room, DisputeRule, ruling=replace(RULING, paid_cents=55_000))
    does(room, DisputeReview, "bob", agrees=False, text="it was a tie")
    assert states(book) == "dddnda"
    assert waits(book) == Step(
        name="ruling", state="next", party="floor_supervisor", person="R. Ames", since=EVENING + 5 * MINUTE
    )
    does(room, DisputeReview, "cyd", agrees=True, text="it was none")
    assert states(book) == "dddddn"
