"""What people do about alerts: each action, each sentence with which one is refused, undoing and merging."""

from typing import Any

import pytest

from projections.casework.cases.case_actions import (
    Acknowledge,
    AddTag,
    Assign,
    Close,
    Escalate,
    Merge,
    Mute,
    Release,
    Reopen,
    Review,
    Second,
    Snooze,
    TakeNext,
    Undo,
    Unmute,
    WriteNote,
)
from projections.casework.cases.case_rules import UNDO_MINUTES, is_sampled
from tests.builders.alerts import EVENING, MINUTE, SECOND, InMemoryQueue, build_alert

SECONDS = 1_000_000


@pytest.fixture
def room() -> InMemoryQueue:
    """Three alerts of three rounds: money twice, and one that is grave."""
    return InMemoryQueue(
        build_alert("m1", "1"),
        build_alert("m2", "2"),
        build_alert("g1", "3", severity="critical", check="late_wager"),
    )


def why(**more: Any) -> dict[str, Any]:
    return {"reason": "seen on camera 4", **more}


def test_who_acknowledges_has_it_and_nobody_else_can(room: InMemoryQueue) -> None:
    room.do(Acknowledge, "m1")
    case = room.case("m1")
    assert (case.owner, case.state, case.acknowledged) == ("ann", "open", EVENING + SECONDS)
    assert room.refused(Acknowledge, "m1", "bob") == "ann has it already."
    assert room.refused(Acknowledge, "m1") == "You have it already."
    assert room.refused(Acknowledge, "none") == "There is no such alert any more."


def test_assigning_is_the_owners_or_a_supervisors(room: InMemoryQueue) -> None:
    room.do(Assign, "m1", to="bob")
    assert room.case("m1").owner == "bob"
    assert room.refused(Assign, "m1", to="cyd") == "bob has it; a supervisor can give it to someone else."
    assert room.refused(Assign, "m1", "bob", to="eve") == ("Nobody here called eve can work on it.")
    assert room.refused(Assign, "m1", "bob", to="bob") == "bob has it already."
    room.do(Assign, "m1", "dee", to="cyd", rights=SECOND)
    assert room.case("m1").owner == "cyd"


def test_what_is_released_is_anybodys_and_was_acknowledged_in_its_time(room: InMemoryQueue) -> None:
    assert room.refused(Release, "m1") == "It is unassigned."
    room.do(Acknowledge, "m1")
    assert room.refused(Release, "m1", "bob") == "ann has it; a supervisor can give it back to the queue."
    room.do(Release, "m1")
    case = room.case("m1")
    assert (case.owner, case.state, case.acknowledged) == (None, "new", EVENING + 2 * SECONDS)
    room.do(Acknowledge, "m1", "bob")
    assert room.case("m1").acknowledged == EVENING + 2 * SECONDS


def test_the_next_is_the_gravest_then_the_newest_and_none_is_given_twice(room: InMemoryQueue) -> None:
    room.come(build_alert("m3", "4", at=EVENING + MINUTE))
    taken = [room.do(TakeNext, None, who).subject for who in ("ann", "bob", "cyd", "dee")]
    assert taken == ["alert:g1", "alert:m3", "alert:m1", "alert:m2"]
    assert room.refused(TakeNext) == "Nothing is unassigned."


def test_the_next_of_a_queue_is_of_that_queue_and_not_hidden(room: InMemoryQueue) -> None:
    room.come(build_alert("small", "5", net_cents=500))
    assert room.do(TakeNext, queue="this_shift").subject == "alert:small"
    assert room.refused(TakeNext, queue="nightly") == "Nothing is unassigned."
    hidden = frozenset({"round:2025-03-01|BAC-1|3"})
    assert room.do(TakeNext, hidden=hidden).subject == "alert:m1"


def test_notes_and_tags_are_kept_and_a_tag_is_taken_away(room: InMemoryQueue) -> None:
    room.do(WriteNote, "m1", "bob", text="<b>called the pit</b>")
    room.do(AddTag, "m1", word="marker")
    room.do(AddTag, "m1", word="marker")
    case = room.case("m1")
    assert [(note.who, note.text) for note in case.notes] == [("bob", "<b>called the pit</b>")]
    assert (case.tags, case.state) == (("marker",), "new")
    room.do(AddTag, "m1", word="marker", off=True)
    assert room.case("m1").tags == ()
    assert room.refused(AddTag, "m1", word="marker", off=True) == "It has no tag marker."


def test_it_is_escalated_once_to_each(room: InMemoryQueue) -> None:
    room.do(Escalate, "m1", to="director", **why())
    assert room.case("m1").escalated == "director"
    assert room.case("m1").notes[-1].text == "escalated to the director: seen on camera 4"
    assert room.refused(Escalate, "m1", to="director", **why()) == "It is already escalated to the director."


def test_money_is_closed_by_one_person_and_opened_again(room: InMemoryQueue) -> None:
    room.do(Acknowledge, "m1")
    assert room.refused(Close, "m1", "bob", outcome="false", **why()) == (
        "ann has it; ask them, or a supervisor, to close it."
    )
    assert room.refused(Reopen, "m1", **why()) == "It is not closed."
    room.do(Close, "m1", outcome="corrected", **why())
    case = room.case("m1")
    assert (case.state, case.outcome, case.reason) == ("closed", "corrected", "seen on camera 4")
    assert (case.closed_by, case.closed, case.review) == ("ann", room.now, None)
    for kind, more in ((Acknowledge, {}), (Escalate, why(to="director")), (Snooze, why(minutes=5))):
        assert room.refused(kind, "m1", "bob", **more) == "It was closed by ann as corrected."
    room.do(Reopen, "m1", "bob", **why())
    case = room.case("m1")
    assert (case.state, case.owner, case.outcome, case.closed_by) == ("open", "ann", None, None)


def test_a_critical_one_is_closed_and_opened_again_by_two(room: InMemoryQueue) -> None:
    room.do(Close, "g1", outcome="confirmed", **why())
    assert (room.case("g1").state, room.case("g1").asked) == ("closing", "ann")
    assert room.refused(Close, "g1", outcome="false", **why()) == (
        "It is waiting for a second person; ann asked for one."
    )
    assert room.refused(Second, "g1", "bob", agrees=True, **why()) == (
        "A second person must be a supervisor or the director."
    )
    assert room.refused(Second, "g1", "ann", agrees=True, rights=SECOND, **why()) == (
        "You asked for it yourself; the second person must be someone else."
    )
    room.do(Second, "g1", "dee", agrees=True, rights=SECOND, **why())
    case = room.case("g1")
    assert (case.state, case.closed_by, case.seconded_by) == ("closed", "ann", "dee")
    assert room.refused(Second, "g1", "cyd", agrees=True, rights=SECOND, **why()) == (
        "It is not waiting for a second person."
    )
    room.do(Reopen, "g1", "bob", **why())
    assert room.case("g1").state == "reopening"
    room.do(Second, "g1", "dee", agrees=False, rights=SECOND, **why())
    assert (room.case("g1").state, room.case("g1").closed_by) == ("closed", "ann")
    room.do(Reopen, "g1", "bob", **why())
    room.do(Second, "g1", "dee", agrees=True, rights=SECOND, **why())
    assert room.case("g1").state == "new"


def test_where_the_second_person_does_not_agree_it_stays_open(room: InMemoryQueue) -> None:
    room.do(Acknowledge, "g1")
    room.do(Close, "g1", outcome="false", **why())
    room.do(Second, "g1", "dee", agrees=False, rights=SECOND, reason="look at camera 2 as well")
    case = room.case("g1")
    assert (case.state, case.owner, case.outcome) == ("open", "ann", None)
    assert case.notes[-1].text == "second person did not agree: look at camera 2 as well"
    assert case.disagreed is not None
    assert (case.disagreed.who, case.disagreed.text) == ("dee", "look at camera 2 as well")
    room.do(Close, "g1", outcome="explained", **why())
    assert room.case("g1").disagreed is None


def test_if_the_second_person_disagrees_the_requester_has_the_alert(
    room: InMemoryQueue,
) -> None:
    room.do(Close, "g1", "cyd", outcome="false", **why())
    room.do(Second, "g1", "dee", agrees=False, rights=SECOND, **why())
    case = room.case("g1")
    # They looked at it when they asked, a second after it came.
    assert (case.state, case.owner, case.acknowledged) == ("open", "cyd", EVENING + SECONDS)


def test_if_the_second_person_disagrees_to_reopen_the_page_says_who_and_why(
    room: InMemoryQueue,
) -> None:
    room.do(Close, "g1", outcome="confirmed", **why())
    room.do(Second, "g1", "dee", agrees=True, rights=SECOND, **why())
    room.do(Reopen, "g1", "bob", **why())
    room.do(Second, "g1", "dee", agrees=False, rights=SECOND, reason="nothing new on it")
    case = room.case("g1")
    assert case.state == "closed"
    assert case.disagreed is not None
    assert case.disagreed.text == "nothing new on it"


def test_a_critical_alert_stays_so_for_the_case_when_its_finding_is_withdrawn(room: InMemoryQueue) -> None:
    room.do(WriteNote, "g1", text="looking")
    room.come(about=build_alert("g1", "3").about)
    room.do(Close, "g1", outcome="false", **why())
    assert room.case("g1").state == "closing"


def close_sampled(room: InMemoryQueue, name: str, *, sampled: bool) -> None:
    """Close an alert as false at a moment at which it is drawn for another look, or is not."""
    while is_sampled(name, room.now + SECONDS) is not sampled:
        room.now += 1
    room.do(Close, name, outcome="false", **why())


def test_a_sample_of_what_was_closed_as_false_goes_to_another_person(room: InMemoryQueue) -> None:
    close_sampled(room, "m1", sampled=False)
    assert room.refused(Review, "m1", "bob", agrees=True, **why()) == "It is not due for a second look."
    close_sampled(room, "m2", sampled=True)
    assert room.case("m2").review == "due"
    assert room.refused(Review, "m2", agrees=True, **why()) == (
        "You took part in closing it; someone else must take the second look."
    )
    room.do(Review, "m2", "bob", agrees=True, **why())
    assert (room.case("m2").review, room.case("m2").state) == ("agreed", "closed")


def test_the_other_look_opens_it_again(room: InMemoryQueue) -> None:
    close_sampled(room, "m1", sampled=True)
    room.do(Review, "m1", "bob", agrees=False, **why())
    case = room.case("m1")
    assert (case.review, case.state, case.owner) == ("disagreed", "open", "ann")
    assert case.disagreed is not None
    assert (case.disagreed.who, case.disagreed.text) == ("bob", "seen on camera 4")


def test_of_a_critical_one_the_other_look_asks_for_a_second_person(room: InMemoryQueue) -> None:
    room.do(Close, "g1", outcome="false", **why())
    while not is_sampled("g1", room.now + SECONDS):
        room.now += 1
    room.do(Second, "g1", "dee", agrees=True, rights=SECOND, **why())
    room.do(Review, "g1", "bob", agrees=False, **why())
    assert (room.case("g1").state, room.case("g1").asked) == ("reopening", "bob")
    room.do(Second, "g1", "dee", agrees=True, rights=SECOND, **why())
    case = room.case("g1")
    assert (case.state, case.owner, case.review) == ("open", "ann", "disagreed")


def test_what_is_not_what_it_was_closed_as_is_looked_at_again_by_anybody(room: InMemoryQueue) -> None:
    room.do(Close, "m1", outcome="explained", **why())
    room.come(build_alert("m1", "1"))  # a revision that finds the same
    assert room.refused(Review, "m1", agrees=True, **why()) == "It is not due for a second look."
    room.come(build_alert("m1", "1", net_cents=55_000))
    room.do(Review, "m1", agrees=True, **why())
    assert (room.case("m1").state, room.case("m1").review) == ("closed", None)
    assert room.refused(Review, "m1", agrees=True, **why()) == "It is not due for a second look."
    room.come(build_alert("m1", "1", net_cents=560_000, severity="critical"))
    room.do(Review, "m1", agrees=False, **why())
    assert (room.case("m1").state, room.case("m1").asked) == ("reopening", "ann")


def test_a_closed_alert_is_not_changed_by_a_withdrawal_or_a_correction(
    room: InMemoryQueue,
) -> None:
    room.do(Close, "m1", outcome="confirmed", **why())
    room.come(build_alert("m1", "1", put_right=True))
    assert room.refused(Review, "m1", agrees=True, **why()) == "It is not due for a second look."
    room.come(about=build_alert("m1", "1").about)
    assert room.refused(Review, "m1", agrees=True, **why()) == "It is not due for a second look."


def test_of_a_critical_one_it_counts_what_the_second_person_agreed_to(room: InMemoryQueue) -> None:
    room.do(Close, "g1", outcome="false", **why())
    room.come(build_alert("g1", "3", severity="critical", check="late_wager", net_cents=20_000))
    while is_sampled("g1", room.now + SECONDS):
        room.now += 1
    room.do(Second, "g1", "dee", agrees=True, rights=SECOND, **why())
    assert room.refused(Review, "g1", "bob", agrees=True, **why()) == "It is not due for a second look."
    room.come(build_alert("g1", "3", severity="critical", check="late_wager"))
    room.do(Review, "g1", agrees=True, **why())


def test_what_was_drawn_for_another_look_cannot_be_closed_past_it(room: InMemoryQueue) -> None:
    close_sampled(room, "m1", sampled=True)
    room.do(Undo, "m1")
    close_sampled(room, "m1", sampled=False)
    assert room.case("m1").review == "due"


def test_one_takes_back_what_one_did_last_within_some_minutes(room: InMemoryQueue) -> None:
    room.do(Acknowledge, "m1")
    room.do(Close, "m1", outcome="corrected", **why())
    assert room.refused(Undo, "m1", "bob") == "The last action on it was not yours to undo."
    room.do(Undo, "m1")
    case = room.case("m1")
    assert (case.state, case.owner, case.outcome) == ("open", "ann", None)
    room.do(Close, "m1", outcome="corrected", **why())
    room.now += UNDO_MINUTES * MINUTE
    assert room.refused(Undo, "m1") == ("It was more than 5 minutes ago; a closed alert can be reopened.")


def test_merged_alerts_are_one_case_and_undone_are_as_they_were(room: InMemoryQueue) -> None:
    room.do(WriteNote, "m2", text="the same patron")
    room.do(AddTag, "g1", word="vip")
    before = {name: room.case(name) for name in ("m1", "m2", "g1")}
    room.do(Merge, "m1", others=("alert:m2", "alert:g1"))
    case = room.case("g1")
    assert case == room.case("m1") == room.case("m2")
    assert (case.key, case.alerts, case.critical, case.tags) == ("m1", ("m1", "m2", "g1"), True, ("vip",))
    room.do(Close, "m2", outcome="corrected", **why())
    assert room.case("m1").state == "closing"
    room.do(Undo, "m1")
    assert room.case("m2").key == "m1"
    assert [note.text for note in before["m2"].notes] == [note.text for note in room.case("m1").notes]


def test_what_one_did_one_after_the_other_is_taken_back_from_the_last(room: InMemoryQueue) -> None:
    room.do(Merge, "m1", others=("alert:m2",))
    room.do(Close, "m1", outcome="corrected", **why())
    room.do(Undo, "m1")
    case = room.case("m2")
    assert (case.key, case.state, case.alerts) == ("m1", "new", ("m1", "m2"))
    room.do(Undo, "m1")
    assert (room.case("m1").alerts, room.case("m2").alerts) == (("m1",), ("m2",))
    assert room.refused(Undo, "m1") == "There is nothing to undo."


def test_past_what_another_did_or_what_is_long_ago_nothing_is_taken_back(room: InMemoryQueue) -> None:
    room.do(WriteNote, "m1", text="ann's")
    room.do(WriteNote, "m1", "bob", text="bob's")
    room.do(Undo, "m1", "bob")
    assert room.refused(Undo, "m1") == "There is nothing to undo."
    room.do(AddTag, "m1", word="vip")
    room.now += UNDO_MINUTES * MINUTE
    room.do(AddTag, "m1", word="slots")
    room.do(Undo, "m1")
    assert room.case("m1").tags == ("vip",)
    assert room.refused(Undo, "m1") == "There is nothing to undo."


def test_merging_itself_is_undone(room: InMemoryQueue) -> None:
    room.do(WriteNote, "m2", text="the same patron")
    room.do(Merge, "m1", others=("alert:m2",))
    room.do(Undo, "m2")
    assert (room.case("m1").alerts, room.case("m2").alerts) == (("m1",), ("m2",))
    assert [note.text for note in room.case("m2").notes] == ["the same patron"]
    assert room.case("m1").notes == ()


def test_a_case_has_no_more_alerts_and_tags_than_go_into_one_record() -> None:
    room = InMemoryQueue(*(build_alert(f"m{n}", str(n)) for n in range(1_002)))
    for first in range(1, 1_000, 200):
        others = range(first, min(first + 200, 1_000))
        room.do(Merge, "m0", others=tuple(f"alert:m{n}" for n in others))
    assert len(room.case("m0").alerts) == 1_000
    assert room.refused(Merge, "m0", others=("alert:m1000",)) == (
        "A case has at most 1,000 alerts; merge the rest into another."
    )
    for n in range(50):
        room.do(AddTag, "m1000", word=f"w{n}")
    room.do(AddTag, "m1000", word="w7")
    assert room.refused(AddTag, "m1000", word="w50") == (
        "It has 50 tags, the most there can be; remove one first."
    )
    room.do(AddTag, "m1001", word="w50")
    assert room.refused(Merge, "m1001", others=("alert:m1000",)) == (
        "A case has at most 50 tags; remove some of theirs first."
    )


def test_who_may_merge(room: InMemoryQueue) -> None:
    assert room.refused(Merge, "m1") == "Say which others."
    assert room.refused(Merge, "m1", others=("alert:m1",)) == "One of them is in this case already."
    room.do(Acknowledge, "m1")
    room.do(Acknowledge, "m2", "bob")
    assert room.refused(Merge, "m1", others=("alert:m2",)) == (
        "ann and bob have them; all but one must release theirs first."
    )
    room.do(Release, "m2", "bob")
    assert room.refused(Merge, "m2", "bob", others=("alert:m1",)) == (
        "ann has one of them; ask them, or a supervisor, to merge them."
    )
    room.do(Merge, "m2", others=("alert:m1",))
    assert (room.case("m2").owner, room.case("m2").state) == ("ann", "open")
    room.do(Close, "m2", outcome="corrected", **why())
    assert room.refused(Merge, "g1", others=("alert:m2",)) == "It was closed by ann as corrected."


def test_what_is_with_two_roles_becomes_one_case_when_it_is_with_one(room: InMemoryQueue) -> None:
    room.do(Escalate, "m1", to="supervisor", **why())
    room.do(Escalate, "m2", to="director", **why())
    says = "They are escalated to the supervisor and the director; escalate them to one of these first."
    assert room.refused(Merge, "m1", others=("alert:m2", "alert:g1")) == says
    assert room.refused(Acknowledge, "m1", others=("alert:m2",)) == says
    room.do(Merge, "m1", others=("alert:g1",))  # with nobody: it goes to the supervisor with the first
    assert room.case("g1").escalated == "supervisor"
    room.do(Escalate, "m1", to="director", **why())
    room.do(Merge, "m1", others=("alert:m2",))
    case = room.case("m2")
    assert (case.escalated, set(case.alerts)) == ("director", {"m1", "m2", "g1"})
    said = [note.text for note in case.notes]
    assert said == [
        f"escalated to the {role}: seen on camera 4" for role in ("supervisor", "director", "director")
    ]


def test_what_nobody_has_of_a_round_is_merged_together_and_nothing_else() -> None:
    room = one_hand()
    room.do(Acknowledge, "m2", "bob")
    done = room.do(Merge, "m0", whole_incident=True)
    assert isinstance(done, Merge)
    assert done.others == ("alert:m1",)
    refused = room.refused(Merge, "m0", whole_incident=True)
    assert refused == "Nothing else found there is unassigned."


def test_a_snoozed_alert_is_nobodys_own_nor_critical(room: InMemoryQueue) -> None:
    room.do(Snooze, "m1", minutes=10, **why())
    case = room.case("m1")
    assert (case.snoozed_until, case.snoozed_by) == (room.now + 10 * MINUTE, "ann")
    assert case.snoozed_why == why()["reason"]
    said = room.refused(Snooze, "g1", minutes=10, **why())
    assert said == "It is critical; critical alerts are never snoozed."
    room.do(Acknowledge, "m2")
    assert room.refused(Snooze, "m2", minutes=10, **why()) == (
        "It is your own case; release it, or ask someone else to snooze it."
    )
    room.do(Acknowledge, "m1", "bob")
    case = room.case("m1")
    assert (case.snoozed_until, case.snoozed_by, case.snoozed_why) == (None, None, None)


def test_a_case_with_a_critical_alert_in_it_is_never_snoozed(room: InMemoryQueue) -> None:
    room.do(Merge, "m1", others=("alert:g1",))
    assert room.refused(Snooze, "m1", "bob", minutes=10, **why()) == (
        "It is critical; critical alerts are never snoozed."
    )


def test_a_critical_alert_is_not_snoozed_by_being_merged_into_a_snoozed_case(room: InMemoryQueue) -> None:
    room.do(Snooze, "m1", minutes=10, **why())
    assert room.refused(Merge, "m1", others=("alert:m2", "alert:g1")) == (
        "It is snoozed, and critical alerts never are; merge it into the critical one instead."
    )
    room.do(Merge, "g1", others=("alert:m1",))
    assert (room.case("m1").alerts, room.case("m1").snoozed_until) == (("g1", "m1"), None)
    room.do(Snooze, "m2", minutes=10, **why())
    room.do(Acknowledge, "m2", others=("alert:g1",))  # who takes it sees it
    room.do(Undo, "m2")
    room.now += 10 * MINUTE
    room.do(Merge, "m2", others=("alert:g1",))  # its ten minutes are over


def test_a_check_is_muted_until_its_time_or_until_somebody_ends_it(room: InMemoryQueue) -> None:
    mute = room.do(Mute, check="paid_too_much", table="BAC-1", minutes=30, **why())
    muting = room.book.cases.mute_of
    assert muting("paid_too_much", "BAC-1", room.now + 30 * MINUTE - 1) is not None
    assert muting("paid_too_much", "BAC-1", room.now + 30 * MINUTE) is None
    assert muting("paid_too_much", "BAC-2", room.now) is muting("paid_too_little", "BAC-1", room.now) is None
    room.do(Unmute, None, "bob", mute=mute.id)
    assert muting("paid_too_much", "BAC-1", room.now) is None
    assert room.refused(Unmute, mute=mute.id) == "That mute has ended already."
    assert room.refused(Unmute, mute="0" * 32) == "That mute has ended already."


def test_a_critical_alert_is_never_muted_nor_ones_own_case(room: InMemoryQueue) -> None:
    assert room.refused(Mute, minutes=5, **why()) == "Say which check or which table."
    assert room.refused(Mute, check="late_wager", minutes=5, **why()) == (
        "That check is critical; critical alerts are never muted."
    )
    assert room.refused(Mute, table="BAC-1", minutes=5, **why()) == (
        "Only a supervisor can mute a whole table; critical alerts ring anyway."
    )
    room.do(Acknowledge, "m1")
    own = "One of your own cases is among them; release it, or ask someone else to mute."
    assert room.refused(Mute, check="paid_too_much", minutes=5, **why()) == own
    assert room.refused(Mute, table="BAC-1", minutes=5, rights=SECOND, **why()) == own
    room.do(Mute, None, "bob", check="paid_too_much", minutes=5, **why())
    room.do(Close, "m1", outcome="corrected", **why())
    room.do(Mute, check="paid_too_much", minutes=5, **why())


def test_a_check_that_there_is_not_is_not_muted(room: InMemoryQueue) -> None:
    # The sentence names what comes near to what was typed, the nearest first.
    assert room.refused(Mute, check="paid_to_much", minutes=5, **why()) == (
        "There is no check paid_to_much; did you mean paid_too_much?"
    )
    assert room.refused(Mute, check="qqq", table="BAC-1", minutes=5, **why()) == (
        "There is no check qqq; the alerts name those that there are."
    )
    assert room.book.cases.mutes == {}


def test_a_table_that_there_is_not_is_not_muted(room: InMemoryQueue) -> None:
    near = "There is no table bac-1; did you mean BAC-1?"
    assert room.refused(Mute, table="bac-1", minutes=5, rights=SECOND, **why()) == near
    assert room.refused(Mute, check="paid_too_much", table="BAK-1", minutes=5, **why()) == (
        "There is no table BAK-1; did you mean BAC-1?"
    )
    assert room.refused(Mute, table="wheel", minutes=5, rights=SECOND, **why()) == (
        "There is no table wheel; the floor shows those that there are."
    )
    assert room.book.cases.mutes == {}


def test_nobody_takes_is_given_or_has_again_what_they_muted(room: InMemoryQueue) -> None:
    mute = room.do(Mute, check="paid_too_much", minutes=30, **why())
    yourself = "You muted it yourself: seen on camera 4. End that mute first, or leave it to someone else."
    assert room.refused(Acknowledge, "m1") == yourself
    assert room.refused(Assign, "m1", to="ann") == yourself
    given = "ann muted it: seen on camera 4. End that mute first, or leave it to someone else."
    assert room.refused(Assign, "m1", "bob", to="ann") == given
    room.do(Acknowledge, "g1")  # what is grave no mute silences
    assert room.refused(Merge, "g1", others=("alert:m1",)) == yourself
    room.do(Acknowledge, "m1", "bob")
    room.do(Release, "m1", "bob")
    room.do(Unmute, mute=mute.id)
    room.do(Acknowledge, "m1")


def test_what_was_released_and_then_muted_is_not_had_again_by_undoing(room: InMemoryQueue) -> None:
    room.do(Acknowledge, "m1")
    room.do(Release, "m1")
    room.do(Mute, check="paid_too_much", minutes=30, **why())
    assert room.refused(Undo, "m1").startswith("You muted it yourself: ")
    room.do(WriteNote, "m1", text="left to bob")
    room.do(Undo, "m1")  # the note alone
    assert room.case("m1").owner is None


def one_hand() -> InMemoryQueue:
    """Three findings of a round, and one of the same check in the round after it."""
    room = InMemoryQueue(build_alert("other", "9", at=EVENING - 1))
    room.come(*(build_alert(f"m{n}", "8") for n in range(3)))
    return room


def test_acknowledging_a_row_takes_all_its_alerts_and_undo_releases_them() -> None:
    room = one_hand()
    room.do(Acknowledge, "m2", whole_incident=True)
    case = room.case("m0")
    assert (case.owner, case.alerts) == ("ann", ("m2", "m0", "m1"))
    assert room.case("other").state == "new"
    assert room.refused(Acknowledge, "m1", "bob", whole_incident=True) == "ann has it already."
    room.do(Undo, "m1")
    assert [(room.case(f"m{n}").state, room.case(f"m{n}").alerts) for n in range(3)] == [
        ("new", (f"m{n}",)) for n in range(3)
    ]


def test_what_stands_for_itself_is_not_taken_with_the_others_of_its_round() -> None:
    room = one_hand()
    room.do(Escalate, "m1", "bob", to="supervisor", **why())
    room.do(Snooze, "m0", "bob", minutes=9, reason="break")
    room.do(Acknowledge, "m2", whole_incident=True)
    assert room.case("m2").alerts == ("m2",)
    # Nor does it take anything with it.
    room.come(*(build_alert(f"m{n}", "8") for n in range(4)))
    room.do(Acknowledge, "m1", "cyd", whole_incident=True)
    assert (room.case("m1").alerts, room.case("m3").state) == (("m1",), "new")


def test_others_that_somebody_has_cannot_be_acknowledged_with_it(room: InMemoryQueue) -> None:
    room.do(Acknowledge, "m2", "bob")
    assert room.refused(Acknowledge, "m1", others=("alert:m2",)) == (
        "bob has one of them; ask them, or a supervisor, to merge them."
    )


def test_the_next_of_what_is_shown_is_the_first_of_it_that_nobody_has() -> None:
    room = one_hand()
    shown = ("alert:other", "alert:m2", "alert:gone")
    taken = room.do(TakeNext, among=shown, whole_incident=True)
    assert (taken.subject, taken.among, taken.others) == ("alert:other", None, ())
    taken = room.do(TakeNext, None, "bob", among=shown, whole_incident=True)
    assert (taken.subject, taken.others) == ("alert:m2", ("alert:m0", "alert:m1"))
    assert (room.case("m0").owner, room.case("m0").key) == ("bob", "m2")
    for among in (shown, ()):
        assert room.refused(TakeNext, among=among) == ("Nothing is unassigned among what the queue shows.")


def test_the_next_of_what_is_shown_is_nothing_withheld_or_silenced() -> None:
    room = one_hand()
    room.come(build_alert("away", "1", table="BAC-2"))
    room.do(Mute, table="BAC-2", minutes=9, rights=SECOND, reason="training")
    hidden, among = frozenset({"alert:m2"}), ("alert:away", "alert:m2", "alert:m1")
    taken = room.do(TakeNext, among=among, hidden=hidden, whole_incident=True)
    assert (taken.subject, taken.others) == ("alert:m1", ("alert:m0",))
