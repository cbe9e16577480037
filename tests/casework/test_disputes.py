"""A dispute from the call to its closing: every part filled in, changed with a reason alone, never lost."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from projections.casework.actions import NotAllowed
from projections.casework.disputes.dispute_actions import (
    DisputeAbout,
    DisputeAcceptance,
    DisputeBundle,
    DisputeCall,
    DisputeClose,
    DisputeFindings,
    DisputeFootage,
    DisputeNote,
    DisputeOpen,
    DisputeRefer,
    DisputeReopen,
    DisputeReview,
    DisputeRule,
    OnDispute,
)
from projections.casework.disputes.dispute_book import DisputeBook, history_steps
from projections.casework.disputes.dispute_state import (
    AboutPart,
    BundleRecord,
    FindingsPart,
    FootagePart,
    ReferralPart,
    RulingPart,
    footage_due,
)
from projections.web.auth.masking import Masking
from tests.builders.disputes import ABOUT, CALL
from tests.builders.staffed_room import EVENING, MINUTE, StaffedRoom, build_actor
from tests.builders.texts import text_of

HOUR: Final = 60 * MINUTE

RULING: Final = RulingPart(text="pay him", ruled_by="R. Ames", ruled=EVENING, paid_cents=55_000)


@pytest.fixture
def book() -> DisputeBook:
    return DisputeBook()


@pytest.fixture
def room(tmp_path: Path, book: DisputeBook) -> Iterator[StaffedRoom]:
    manned = StaffedRoom(tmp_path / "store.duckdb", [book])
    yield manned
    manned.store.close()


def opened(room: StaffedRoom, about: AboutPart = ABOUT) -> str:
    """Open a dispute and give its subject."""
    return room.act(DisputeOpen(id=room.new_id(), about=about, call=CALL)).subject


def on(room: StaffedRoom, kind: type[OnDispute], subject: str = "dispute:000001", **fields: Any) -> OnDispute:
    return kind(id=room.new_id(), subject=subject, **fields)


def test_a_dispute_is_named_by_the_id_that_opened_it_and_numbers_nothing(
    room: StaffedRoom, book: DisputeBook
) -> None:
    assert [opened(room), opened(room)] == ["dispute:000001", "dispute:000002"]
    assert room.act(DisputeOpen(id="000001" + "f" * 26, about=ABOUT, call=CALL)).subject == "dispute:000001f"
    assert [each.name for each in book.all()] == ["000001f", "000002", "000001"]


def test_the_same_opening_sent_twice_opens_one(room: StaffedRoom, book: DisputeBook) -> None:
    opening = DisputeOpen(id=room.new_id(), about=ABOUT, call=CALL)
    assert room.act(opening) == room.act(opening)
    assert len(book.all()) == 1


def test_what_was_left_open_is_filled_in_without_a_reason(room: StaffedRoom, book: DisputeBook) -> None:
    opened(room)
    answered = replace(CALL, answered=EVENING + MINUTE, answered_by="bob")
    room.act(on(room, DisputeCall, call=answered))
    room.act(on(room, DisputeFootage, footage=FootagePart(requested=EVENING, requested_by="ann")))
    whole = FootagePart(
        requested=EVENING, requested_by="ann", preserved=EVENING + MINUTE, preserved_by="bob",
        reference="R-17", expires=EVENING + 72 * HOUR, clock_offset_ms=-1_500,
    )  # fmt: skip
    room.act(on(room, DisputeFootage, footage=whole))
    found = book.one("000001")
    assert found is not None
    assert (found.call, found.footage) == (answered, whole)


CHANGED: Final[list[tuple[type[OnDispute], str, Struct | str, Struct | str, str]]] = [
    (DisputeAbout, "about", ABOUT, replace(ABOUT, claim_cents=27_500), "claim cents"),
    (DisputeCall, "call", CALL, replace(CALL, called=EVENING - MINUTE), "called"),
    (DisputeFindings, "findings", FindingsPart(text="collected"), FindingsPart(text="paid"), "text"),
    (DisputeRule, "ruling", RULING, replace(RULING, paid_cents=None), "paid cents"),
    (DisputeAcceptance, "acceptance", "accepted", "not accepted", "answer"),
    (
        DisputeRefer,
        "referral",
        ReferralPart(to="K. Ott", at=EVENING),
        ReferralPart(to="L. Fox", at=EVENING),
        "to",
    ),
]


@pytest.mark.parametrize(("kind", "part", "first", "then", "field"), CHANGED)
def test_what_stood_is_changed_with_a_reason_and_both_stay_in_the_history(
    room: StaffedRoom,
    book: DisputeBook,
    kind: type[OnDispute],
    part: str,
    first: Struct | str,
    then: Struct | str,
    field: str,
) -> None:
    opened(room)
    if part not in ("about", "call"):
        room.act(on(room, kind, **{part: first}))
    assert room.refused(on(room, kind, **{part: first})) == "It already says that."
    silent = on(room, kind, **{part: then})
    assert room.refused(silent) == f"It stood otherwise ({field}); say why it is changed."
    room.act(on(room, kind, **{part: then, "why": "misheard"}))
    assert getattr(book.one("000001"), part) == then
    last = list(history_steps(book.done("000001")))[-1]
    assert (last.who, last.why) == ("ann", "misheard")
    ((name, before, after),) = [(each.name, each.before, each.after) for each in last.changes]
    was, now = (first, then) if isinstance(first, str) else (getattr(first, name), getattr(then, name))
    assert (name, before, after) == (field.replace(" ", "_") if field != "answer" else "", was, now)


def test_a_reason_where_nothing_that_stood_changes_is_refused(room: StaffedRoom) -> None:
    opened(room)
    filled = on(room, DisputeCall, call=replace(CALL, answered=EVENING), why="because")
    assert room.refused(filled) == "No earlier entry is changed; leave the reason out."


@pytest.mark.parametrize(
    ("kind", "part", "says"),
    [
        (DisputeCall, {"call": replace(CALL, answered_by="bob")}, "Say when the call was answered."),
        (
            DisputeCall,
            {"call": replace(CALL, answered=EVENING - 1)},
            "It cannot have been answered before it was called.",
        ),
        (
            DisputeCall,
            {"call": replace(CALL, answered=EVENING + HOUR)},
            "The time it was answered is in the future.",
        ),
        (
            DisputeFootage,
            {"footage": FootagePart(preserved=EVENING)},
            "Say under which reference the footage was preserved.",
        ),
        (
            DisputeFootage,
            {"footage": FootagePart(preserved_by="ann")},
            "Say when the footage was preserved.",
        ),
        (
            DisputeFootage,
            {"footage": FootagePart(requested=EVENING, preserved=EVENING - 1, reference="R-17")},
            "It cannot have been preserved before it was asked for.",
        ),
        (
            DisputeFindings,
            {"findings": FindingsPart(text="seen", began=EVENING, ended=EVENING - 1)},
            "It cannot have been ended before it was begun.",
        ),
        (
            DisputeRule,
            {"ruling": replace(RULING, ruled=EVENING + HOUR)},
            "The time it was ruled is in the future.",
        ),
        (
            DisputeRefer,
            {"referral": ReferralPart(to="K. Ott", at=EVENING + HOUR)},
            "The time it was referred is in the future.",
        ),
    ],
)
def test_what_cannot_be_is_refused(room: StaffedRoom, kind: type[OnDispute], part: Any, says: str) -> None:
    opened(room)
    assert room.refused(on(room, kind, **part)) == says


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        (DisputeAbout, {"about": replace(ABOUT, patron=Masking(b"key").name("patron", "anna")), "why": "x"}),
        (DisputeAbout, {"about": replace(ABOUT, claim="patron ·1a2b3c says that she won"), "why": "x"}),
        (DisputeRule, {"ruling": replace(RULING, ruled_by="·1a2b3c")}),
    ],
)
def test_a_mask_is_never_written_down_in_the_place_of_a_name(
    room: StaffedRoom, kind: type[OnDispute], part: Any
) -> None:
    room.act(DisputeOpen(id=room.new_id(), about=ABOUT, call=CALL))
    said = room.refused(on(room, kind, **part))
    assert said.endswith(" stands for a name that you do not see; write the name, or leave that field alone.")
    assert said.removeprefix("patron ").startswith("·")


def test_a_time_may_be_ahead_by_the_minute_that_a_clock_in_the_room_may_be(room: StaffedRoom) -> None:
    opened(room)
    at = room.now + MINUTE  # the time at which the next action is done
    late = replace(RULING, ruled=at + MINUTE + 1)
    assert "is in the future" in room.refused(on(room, DisputeRule, ruling=late))
    at = room.now + MINUTE
    room.act(on(room, DisputeRule, ruling=replace(RULING, ruled=at + MINUTE)))


def test_it_is_closed_once_it_was_ruled(room: StaffedRoom, book: DisputeBook) -> None:
    opened(room)
    closing = on(room, DisputeClose, outcome="claim upheld")
    assert room.refused(closing) == "Nothing was ruled yet; write the ruling down before it is closed."
    room.act(on(room, DisputeRule, ruling=RULING))
    room.act(on(room, DisputeClose, outcome="claim upheld", text="paid at the table"), "bob")
    found = book.one("000001")
    assert found is not None
    assert (found.state, found.outcome, found.closed_by) == ("closed", "claim upheld", "bob")


def test_a_closed_one_is_opened_again_before_it_is_changed_but_its_footage_and_notes_are_not_bound(
    room: StaffedRoom, book: DisputeBook
) -> None:
    opened(room)
    assert room.refused(on(room, DisputeReopen, reason="too soon")) == "It is not closed."
    room.act(on(room, DisputeRule, ruling=RULING))
    room.act(on(room, DisputeClose, outcome="claim upheld"))
    accepting = on(room, DisputeAcceptance, acceptance="accepted")
    assert room.refused(accepting) == "It was closed by ann: claim upheld. Open it again first."
    assert "Open it again first." in room.refused(on(room, DisputeClose, outcome="claim withdrawn"))
    room.act(on(room, DisputeNote, text="he wrote a letter"))
    room.act(on(room, DisputeFootage, footage=FootagePart(expires=EVENING + HOUR)))
    room.act(on(room, DisputeReopen, reason="a letter came"))
    room.act(on(room, DisputeAcceptance, acceptance="not accepted"))
    found = book.one("000001")
    assert found is not None
    assert (found.state, found.outcome, found.closed) == ("open", None, None)
    assert [each.text for each in found.notes] == ["he wrote a letter", "reopened: a letter came"]


def test_the_second_reviewer_is_neither_who_ruled_nor_who_wrote_the_ruling_down(
    room: StaffedRoom, book: DisputeBook
) -> None:
    opened(room)
    review = on(room, DisputeReview, agrees=True, text="the cards say so")
    assert room.refused(review, "bob") == "There is no ruling to review yet."
    room.act(on(room, DisputeRule, ruling=replace(RULING, ruled_by="cyd")))
    said = "You made or recorded the ruling; the second reviewer must be someone else."
    assert room.refused(review, "ann") == said
    assert room.refused(review, "cyd") == said
    room.act(review, "bob")
    found = book.one("000001")
    assert found is not None
    assert found.review is not None
    assert (found.review.who, found.review.agrees) == ("bob", True)


def test_while_the_second_reviewer_does_not_agree_it_is_not_closed_and_a_new_ruling_begins_again(
    room: StaffedRoom, book: DisputeBook
) -> None:
    opened(room)
    room.act(on(room, DisputeRule, ruling=RULING))
    room.act(on(room, DisputeReview, agrees=False, text="it was a tie"), "bob")
    refused = room.refused(on(room, DisputeClose, outcome="claim upheld"))
    assert refused.startswith("The second reviewer, bob, does not agree with the ruling; ")
    room.act(on(room, DisputeRule, ruling=replace(RULING, text="a push"), why="bob is right"))
    found = book.one("000001")
    assert found is not None
    assert found.review is None
    room.act(on(room, DisputeClose, outcome="claim not upheld"))
    assert [text_of(each.says) for each in history_steps(book.done("000001"))] == [
        "opened: Player won and his chips were taken",
        "ruled by R. Ames: pay him",
        "second review, does not agree: it was a tie",
        "ruled by R. Ames: a push (changed: bob is right)",
        "closed: claim not upheld",
    ]


def test_a_bundle_is_written_down_once_with_its_digest(room: StaffedRoom, book: DisputeBook) -> None:
    opened(room)
    bundle = BundleRecord(name="dispute.zip", sha256="ab" * 32)
    room.act(on(room, DisputeBundle, bundle=bundle))
    assert room.refused(on(room, DisputeBundle, bundle=bundle)) == "That bundle is already recorded."
    found = book.one("000001")
    assert found is not None
    assert found.bundles == (bundle,)


@pytest.mark.parametrize("name", ["out/dispute.zip", "a\\b.zip", "a\nb.zip", ""])
def test_a_bundle_is_named_without_folders(name: str) -> None:
    told = {"action": "dispute-bundle", "id": "0" * 32, "subject": "dispute:000001"}
    told["bundle"] = {"name": name, "sha256": "ab" * 32}  # type: ignore[assignment]
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(told, DisputeBundle)


def test_what_is_not_there_or_withheld_cannot_be_acted_on(room: StaffedRoom, book: DisputeBook) -> None:
    opened(room)
    gone = "There is no such dispute any more."
    assert room.refused(on(room, DisputeNote, "dispute:000009", text="x")) == gone
    alert = "alert:c1e9224b9bfb23cb"
    again = DisputeOpen(id=room.new_id(), about=ABOUT, call=CALL)
    assert room.refused(again, hidden={alert}) == "There is no such alert any more."
    embargoed = on(room, DisputeNote, text="x")
    assert room.refused(embargoed, hidden={"dispute:000001"}) == gone
    assert room.refused(on(room, DisputeNote, text="x"), hidden={alert}) == gone
    assert book.all({alert}) == book.all({"dispute:000001"}) == []
    assert book.one("000001", {alert}) is None


def test_who_has_not_the_right_does_nothing(room: StaffedRoom) -> None:
    with pytest.raises(NotAllowed, match="it needs the right to dispute"):
        room.desk.act(
            DisputeOpen(id=room.new_id(), about=ABOUT, call=CALL),
            build_actor("ann", ["see", "work"]),
            EVENING,
        )


def test_all_of_it_is_there_after_a_restart(room: StaffedRoom, book: DisputeBook) -> None:
    opened(room)
    room.act(on(room, DisputeRule, ruling=RULING))
    room.act(on(room, DisputeReview, agrees=True, text="seen"), "bob")
    room.act(on(room, DisputeClose, outcome="claim upheld"))
    before, history = book.all(), book.done("000001")
    book.clear()
    assert book.all() == []
    room.again()
    assert (book.all(), book.done("000001")) == (before, history)


def test_footage_that_nobody_preserved_is_due_before_it_is_overwritten(
    room: StaffedRoom, book: DisputeBook
) -> None:
    kept: dict[str, FootagePart] = {
        "gone": FootagePart(expires=EVENING - HOUR),
        "soon": FootagePart(expires=EVENING + 24 * HOUR),
        "later": FootagePart(expires=EVENING + 24 * HOUR + 1),
        "safe": FootagePart(expires=EVENING + HOUR, preserved=EVENING, reference="R-17"),
    }
    names = {}
    for said, footage in kept.items():
        subject = opened(room)
        names[subject.removeprefix("dispute:")] = said
        room.act(on(room, DisputeFootage, subject, footage=footage))
    names[opened(room).removeprefix("dispute:")] = "unsaid"
    due = footage_due(book.all(), EVENING, 24)
    assert [names[each.name] for each in due] == ["gone", "soon", "unsaid"]


def test_footage_of_a_closed_dispute_is_still_due_if_its_end_of_storage_is_known(
    room: StaffedRoom, book: DisputeBook
) -> None:
    for footage in (FootagePart(expires=EVENING + HOUR), None):
        subject = opened(room)
        if footage is not None:
            room.act(on(room, DisputeFootage, subject, footage=footage))
        room.act(on(room, DisputeRule, subject, ruling=RULING))
        room.act(on(room, DisputeClose, subject, outcome="claim upheld"))
    assert [each.footage.expires for each in footage_due(book.all(), EVENING, 2)] == [EVENING + HOUR]


def test_what_a_part_keeps_stays_as_it_stands_whatever_it_says(room: StaffedRoom, book: DisputeBook) -> None:
    opened(room)
    masked = replace(ABOUT, patron="patron ·1a2b3c", claim_cents=27_500, supervisor="FL-2-1")
    keep = tuple(name for name in AboutPart.__struct_fields__ if name not in ("claim_cents", "supervisor"))
    room.act(on(room, DisputeAbout, about=masked, keep=keep, why="half of it"))
    found = book.one("000001")
    assert found is not None
    assert found.about == replace(ABOUT, claim_cents=27_500, supervisor="FL-2-1")
    last = list(history_steps(book.done("000001")))[-1]
    assert {each.name: (each.before, each.after) for each in last.changes} == {
        "claim_cents": (55_000, 27_500),
        "supervisor": (None, "FL-2-1"),
    }
    unknown = on(room, DisputeAbout, about=masked, keep=("seating",))
    assert room.refused(unknown) == "There is no field seating to keep."


@pytest.mark.parametrize(
    "subject",
    ["dispute:000001", "round:2025-03-01|BAC-105|484", "table-day:2025-03-01|BAC-105"],
)
def test_it_is_gone_for_whom_its_round_or_its_table_s_day_is_withheld_from(
    room: StaffedRoom, book: DisputeBook, subject: str
) -> None:
    opened(room)
    assert book.all({subject}) == []
    assert len(book.all({"round:2025-03-01|BAC-105|485"})) == 1
