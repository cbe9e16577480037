"""What an escalation file says is sent: the steps, who gets them, what stops or delays one, what is in it."""

from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from projections.casework.cases.case_actions import Acknowledge, Escalate, Merge, Mute, Release, Snooze
from projections.notify.outbox import Subscription
from schemas.escalation import Feed, Plan, Quiet, Step, WebhookTarget
from tests.builders.alerts import EVENING, MINUTE, build_alert
from tests.builders.notifications import HOOK, PHONES, NotifiedRoom, build_plan

WHY = {"reason": "seen on camera 4"}
GRAVE = {"check": "late_wager", "severity": "critical", "net_cents": 0}
STEPS = (
    Step(overdue_minutes=0, role="operator", targets=("hook",)),
    Step(overdue_minutes=5, role="supervisor", targets=("hook",)),
    Step(overdue_minutes=15, people=("dana",), targets=("hook",)),
)
BY_ROLE = build_plan(*STEPS)


def build_room(folder: Path, *plans: Plan) -> NotifiedRoom:
    """Make a room by whose file an overdue alert goes to operators, supervisors and Dana."""
    return NotifiedRoom(folder, *(plans or (BY_ROLE,)))


def told(room: NotifiedRoom) -> list[tuple[str, ...]]:
    """Return to whom each message was."""
    return [each.notice.to for each in room.sent()]


def test_each_step_is_sent_once_when_its_minutes_are_over(tmp_path: Path) -> None:
    """Money is to be taken within 5 minutes; the steps are 0, 5 and 15 minutes after that."""
    room = build_room(tmp_path)
    room.room.come(build_alert("x"))
    counts = []
    for minutes in (4, 5, 5.1, 9, 10, 10.1, 19, 20.1, 21, 600):
        room.step_at(minutes)
        counts.append(len(room.sent()))
    assert counts == [0, 0, 1, 1, 1, 2, 2, 3, 3, 3]
    assert told(room) == [("operator",), ("supervisor",), ("dana",)]
    assert [each.notice.overdue_minutes for each in room.sent()] == [0, 5, 15]


def test_a_step_may_count_from_when_an_alert_came(tmp_path: Path) -> None:
    room = build_room(tmp_path, build_plan(Step(untaken_minutes=1, targets=("hook",))))
    room.room.come(build_alert("x"))
    room.step_at(0.9)
    assert not room.sent()
    room.step_at(1)
    assert [each.notice.overdue_minutes for each in room.sent()] == [None]


def test_one_hand_is_one_message(tmp_path: Path) -> None:
    room = build_room(tmp_path)
    room.room.come(*(build_alert(f"x{seat}", seat=seat, check="push_paid") for seat in (1, 2, 3)))
    room.step_at(6)
    (message,) = room.sent()
    assert message.notice.checks == ("push_paid",)


def test_who_takes_it_ends_its_steps(tmp_path: Path) -> None:
    room = build_room(tmp_path)
    room.room.come(build_alert("x"))
    room.step_at(6)
    room.room.do(Acknowledge, "x")
    room.step_at(600)
    assert told(room) == [("operator",)]


def test_what_is_given_back_climbs_again_from_then(tmp_path: Path) -> None:
    room = build_room(tmp_path)
    room.room.come(build_alert("x"))
    room.step_at(6)
    room.room.do(Acknowledge, "x")
    room.step_at(60)
    room.room.do(Release, "x")
    room.step_at(61)
    assert told(room) == [("operator",), ("operator",)]
    room.step_at(66)
    assert told(room)[2:] == [("supervisor",)]


def test_an_escalated_or_merged_unassigned_alert_is_not_sent_twice(tmp_path: Path) -> None:
    room = build_room(tmp_path)
    room.room.come(build_alert("x"), build_alert("y", seat=2))
    room.room.come(build_alert("z", "2"))
    room.step_at(6)
    assert len(room.sent()) == 2  # two rounds
    room.room.do(Escalate, "x", to="supervisor", **WHY)
    room.room.do(Merge, "y", others=("alert:z",))
    room.step_at(7)
    assert len(room.sent()) == 2


def test_what_is_found_no_more_is_not_sent_and_is_when_it_is_found_again(tmp_path: Path) -> None:
    room = build_room(tmp_path)
    room.runs = False
    alert = build_alert("x")
    room.room.come(alert)
    room.step_at(6)
    room.restart()
    room.runs = True
    room.room.come(about=alert.about)
    room.step_at(7)
    assert (room.sent(), room.states()) == ([], [("overdue 0: operator", "stopped")])
    room.room.come(alert)
    room.step_at(8)
    assert told(room) == [("operator",)]


@pytest.mark.parametrize(
    ("more", "sent"),
    [({"net_cents": 500}, 0), ({"severity": "medium"}, 0), ({"check": "push_paid"}, 0), (GRAVE, 1)],
)
def test_a_plan_says_which_severities_and_checks_climb(
    more: dict[str, object], sent: int, tmp_path: Path
) -> None:
    plan = build_plan(*STEPS[:1], checks=("late_wager", "paid_too_much"))
    room = build_room(tmp_path, plan)
    room.room.come(build_alert("x", **more))
    room.step_at(6)
    assert len(room.sent()) == sent


def test_the_plan_of_the_gaming_day_is_in_force(tmp_path: Path) -> None:
    """21:20 EST on March 1 is of that gaming day; the next begins at 06:00."""
    later = build_plan(Step(overdue_minutes=0, role="director", targets=("hook",)), since=date(2025, 3, 2))
    room = build_room(tmp_path, build_plan(*STEPS[:1]), later)
    room.room.come(build_alert("x"))
    room.step_at(6)
    room.step_at(8 * 60)  # 05:20
    assert told(room) == [("operator",)]
    room.step_at(9 * 60)
    assert told(room) == [("operator",), ("director",)]


@pytest.mark.parametrize("at", ["muted", "snoozed"])
def test_what_is_silenced_waits_until_that_ends(at: str, tmp_path: Path) -> None:
    room = build_room(tmp_path)
    room.room.come(build_alert("x"))
    if at == "muted":
        room.room.do(Mute, check="paid_too_much", minutes=30, **WHY)
    else:
        room.room.do(Snooze, "x", minutes=30, **WHY)
    room.step_at(29)
    assert not room.sent()
    room.step_at(31)
    assert told(room) == [("operator",), ("supervisor",), ("dana",)]


def test_in_quiet_hours_money_waits_and_a_critical_alert_does_not(tmp_path: Path) -> None:
    """21:20 EST is within 21:00 to 06:30; the hours end 550 minutes later."""
    plan = build_plan(STEPS[0], quiet=(Quiet(since="21:00", until="06:30", severities=("high",)),))
    room = build_room(tmp_path, plan)
    room.room.come(build_alert("money"))
    room.room.come(build_alert("grave", "2", **GRAVE))
    room.step_at(6)
    assert [each.notice.alert for each in room.sent()] == ["grave"]
    room.step_at(549)
    assert len(room.sent()) == 1
    room.step_at(550)
    assert [each.notice.alert for each in room.sent()] == ["grave", "money"]


def test_quiet_hours_may_be_of_some_targets(tmp_path: Path) -> None:
    quiet = Quiet(since="21:00", until="06:30", severities=("high",), targets=("mail",))
    plan = build_plan(Step(overdue_minutes=0, targets=("mail", "hook")), quiet=(quiet,))
    room = NotifiedRoom(tmp_path, plan, targets={"mail": HOOK, "hook": HOOK})
    room.room.come(build_alert("x"))
    room.step_at(6)
    assert (len(room.sent("mail")), len(room.sent("hook"))) == (0, 1)


def test_a_message_has_nothing_confidential_unless_its_target_may_have_it(tmp_path: Path) -> None:
    trusted = replace(HOOK, include=("round", "seats", "sums", "dealer"))
    assert isinstance(trusted, WebhookTarget)
    plan = build_plan(Step(overdue_minutes=0, targets=("hook", "trusted")))
    room = NotifiedRoom(tmp_path, plan, targets={"hook": HOOK, "trusted": trusted})
    room.room.come(build_alert("x", number="17", seat=4, bettor="anna", patron="P-900", wager="tie"))
    room.step_at(6)
    (plain,), (full,) = room.sent(), room.sent("trusted")
    link = "https://surveillance.example.com/alerts/x"
    assert plain.notice.lines(link) == [
        "It came at 03/01/2025 9:20:00 PM EST.",
        "Nobody has taken it, 1 min after it was due.",
        link,
    ]
    assert full.notice.lines(link)[2:-1] == ["Round 17", "Seats 4", "Dealer D-17", "$100.00 overpaid"]
    for each in (plain, full):
        assert "anna" not in repr(each.notice)
        assert "P-900" not in repr(each.notice)


def test_what_waited_before_there_was_a_file_is_not_sent(tmp_path: Path) -> None:
    room = build_room(tmp_path)
    room.room.now = EVENING - MINUTE
    room.room.come(build_alert("old", at=EVENING - MINUTE))
    room.room.now = EVENING
    room.room.come(build_alert("new", "2"))
    room.step_at(30)
    assert {each.notice.alert for each in room.sent()} == {"new"}


# ── people ───────────────────────────────────────────────────────────────────────────────────────────


def build_subscription(account: str) -> Subscription:
    """Make a browser of somebody."""
    return Subscription(f"browser of {account}", account, "phone", "https://p.example", "k", "a", 0)


def test_a_push_target_reaches_the_browsers_of_the_role_and_the_people(tmp_path: Path) -> None:
    steps = (
        Step(overdue_minutes=0, role="supervisor", targets=("phones",)),
        Step(overdue_minutes=5, people=("ann",), targets=("phones",)),
        Step(overdue_minutes=15, targets=("phones",)),
    )
    room = NotifiedRoom(tmp_path, build_plan(*steps), targets={"phones": PHONES})
    for account in ("ann", "sue", "gone"):
        room.outbox.subscribe(build_subscription(account))
    room.room.come(build_alert("x"))
    reached = []
    for minutes in (6, 11, 21):
        room.step_at(minutes)
        found = [each.subscription.account for each in room.sent("phones") if each.subscription is not None]
        reached.append(sorted(found))
        room.sent("phones").clear()
    assert reached == [["sue"], ["ann"], ["ann", "sue"]]  # `gone` has no account any more


def test_what_is_withheld_from_somebody_does_not_reach_them(tmp_path: Path) -> None:
    steps = (
        Step(overdue_minutes=0, targets=("phones", "hook")),
        Step(overdue_minutes=0, role="supervisor", targets=("hook",)),
        Step(overdue_minutes=0, role="operator", targets=("hook",)),
    )
    room = NotifiedRoom(tmp_path, build_plan(*steps), targets={"phones": PHONES, "hook": HOOK})
    for account in ("ann", "sue"):
        room.outbox.subscribe(build_subscription(account))
    room.people.subjects["sue"] = frozenset({"alert:x"})
    room.room.come(build_alert("x"))
    room.step_at(6)
    phones = [each.subscription.account for each in room.sent("phones") if each.subscription is not None]
    assert phones == ["ann"]
    assert told(room) == [("operator",)]  # where everybody may read it, or Sue, it does not go
    room.people.subjects.clear()
    room.step_at(7)
    assert len(room.sent()) == 3


# ── every finding ────────────────────────────────────────────────────────────────────────────────────


def test_a_feed_has_each_finding_once_whoever_takes_it(tmp_path: Path) -> None:
    room = NotifiedRoom(tmp_path, feeds=(Feed(targets=("hook",), severities=("critical", "high")),))
    room.room.come(build_alert("x"), build_alert("y", seat=2))
    room.room.do(Acknowledge, "x")
    room.room.come(build_alert("note", "2", severity="medium"))
    room.step_at(1)
    room.restart()
    room.room.come(build_alert("z", "3"))
    room.step_at(2)
    room.step_at(60)
    assert [each.notice.alert for each in room.sent()] == ["x", "y", "z"]
    assert {each.notice.sort for each in room.sent()} == {"finding"}
