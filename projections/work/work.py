"""The work as it stands: cases, who has them, what is muted; the fold of what was done.

`evolve` is given what was already found allowed (see `deciding`), with the time, the person, and what the
board knew of the alerts concerned; it decides nothing. Times are microseconds UTC.
"""

import hashlib
from collections.abc import Mapping
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar, assert_never

from msgspec import Struct, field
from msgspec.structs import replace

from projections.work.actions import (
    Acknowledge,
    AddTag,
    Assign,
    Close,
    Escalate,
    Having,
    Level,
    Merge,
    Mute,
    OnCase,
    Outcome,
    Release,
    Reopen,
    Review,
    Saying,
    Second,
    Settling,
    Snooze,
    TakeNext,
    Undo,
    Unmute,
    WorkAction,
    WriteNote,
)
from schemas.values import Micros

_Action = TypeVar("_Action")
State: TypeAlias = Literal["new", "open", "closing", "closed", "reopening"]

MINUTE: Final = 60_000_000  # microseconds
_SAMPLED: Final = 5  # of so many cases closed as false, one goes to another person


class Remark(Struct, frozen=True):
    """What someone said about a case, and when."""

    who: str
    at: Micros
    text: str


class Case(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One or more alerts that people look after together; `key` is the first alert's finding id.

    `asked` is who asked for what waits for a second person. `review` tells of the sample of cases closed as
    false. `changed` is when something was last done to it, `grave` whether one of its alerts is.
    """

    key: str
    alerts: tuple[str, ...]
    grave: bool = False
    state: State = "new"
    owner: str | None = None
    acknowledged: Micros | None = None
    changed: Micros | None = None
    notes: tuple[Remark, ...] = ()
    tags: tuple[str, ...] = ()
    escalated: Level | None = None
    outcome: Outcome | None = None
    reason: str | None = None
    asked: str | None = None
    closed_by: str | None = None
    closed: Micros | None = None
    seconded_by: str | None = None
    review: Literal["due", "agreed", "disagreed"] | None = None
    snoozed_until: Micros | None = None
    snoozed_by: str | None = None


class Muted(Struct, frozen=True, kw_only=True):
    """Alerts that do not ring: of a check, of a table, or of a check at a table."""

    id: str
    by: str
    since: Micros
    until: Micros
    reason: str
    check: str | None = None
    table: str | None = None

    def covers(self, check: str, table: str, now: Micros) -> bool:
        """Tell whether an alert is meant by it at a moment."""
        return now < self.until and self.check in (None, check) and self.table in (None, table)


class Done(Struct, Generic[_Action], frozen=True, kw_only=True):
    """An action that was done, by whom and when; `facts` is what had to be known to do it.

    For an action on a case these are the severities of its alerts, by their ids.
    """

    action: _Action
    who: str
    at: Micros
    facts: Mapping[str, str] = {}


class Work(Struct):
    """All cases by their key, in which case an alert is, what is muted, and what was last done to each."""

    cases: dict[str, Case] = field(default_factory=dict)
    case_of: dict[str, str] = field(default_factory=dict)
    mutes: dict[str, Muted] = field(default_factory=dict)
    before: dict[str, tuple[Case, str, Micros]] = field(default_factory=dict)

    def case(self, alert: str) -> Case:
        """Give the case of an alert; one that nobody touched is a new one of its own."""
        key = self.case_of.get(alert, alert)
        return self.cases.get(key) or Case(key=alert, alerts=(alert,))

    def muting(self, check: str, table: str, now: Micros) -> Muted | None:
        """Give what mutes an alert at a moment, if anything does."""
        return next((each for each in self.mutes.values() if each.covers(check, table, now)), None)


def alert_of(subject: str) -> str:
    """Read the finding's id from a subject.

    >>> alert_of("alert:0a1b")
    '0a1b'
    """
    return subject.removeprefix("alert:")


def evolve(work: Work, done: Done[WorkAction]) -> None:
    """Fold one action into the work, in place."""
    action = done.action
    match action:
        case Mute():
            work.mutes[action.id] = Muted(
                id=action.id,
                by=done.who,
                since=done.at,
                until=done.at + action.minutes * MINUTE,
                reason=action.reason,
                check=action.check,
                table=action.table,
            )
        case Unmute():
            muted = work.mutes[action.mute]
            work.mutes[action.mute] = replace(muted, until=min(muted.until, done.at))
        case TakeNext():
            if action.subject is not None:
                _put(work, done, _owned(_known(work, done, action.subject), done.who, done.at))
        case Merge():
            _merge(work, done, action)
        case Undo():
            before, _, _ = work.before.pop(_known(work, done, action.subject).key)
            work.cases[before.key] = replace(before, changed=done.at)
        case Acknowledge() | Assign() | Release():
            _put(work, done, _had(_known(work, done, action.subject), action, done))
        case WriteNote() | AddTag() | Escalate() | Snooze():
            _put(work, done, _said(_known(work, done, action.subject), action, done))
        case Close() | Reopen() | Second() | Review():
            _put(work, done, _settled(_known(work, done, action.subject), action, done))
        case _:
            assert_never(action)


def _had(case: Case, action: Having, done: Done[Any]) -> Case:
    match action:
        case Acknowledge():
            return _owned(case, done.who, done.at)
        case Assign():
            return _owned(case, action.to, done.at)
        case Release():
            return replace(case, owner=None, state="new")


def _said(case: Case, action: Saying, done: Done[Any]) -> Case:
    match action:
        case WriteNote():
            return _noted(case, done, action.text)
        case AddTag():
            others = tuple(tag for tag in case.tags if tag != action.word)
            return replace(case, tags=others if action.off else (*others, action.word))
        case Escalate():
            said = _noted(case, done, f"escalated to the {action.to}: {action.reason}")
            return replace(said, escalated=action.to)
        case Snooze():
            said = _noted(case, done, f"put off for {action.minutes} minutes: {action.reason}")
            return replace(said, snoozed_until=done.at + action.minutes * MINUTE, snoozed_by=done.who)


def _settled(case: Case, action: Settling, done: Done[Any]) -> Case:
    match action:
        case Close():
            asked = replace(case, outcome=action.outcome, reason=action.reason, asked=done.who)
            return replace(asked, state="closing") if case.grave else _closed(asked, done, None)
        case Reopen():
            asked = replace(_noted(case, done, f"to be opened again: {action.reason}"), asked=done.who)
            return replace(asked, state="reopening") if case.grave else _opened_again(asked)
        case Second():
            return _seconded(case, action, done)
        case Review():
            looked = _noted(case, done, f"looked at again: {action.reason}")
            if action.agrees:
                return replace(looked, review="agreed")
            return replace(_opened_again(looked), review="disagreed")


def _noted(case: Case, done: Done[Any], text: str) -> Case:
    return replace(case, notes=(*case.notes, Remark(done.who, done.at, text)))


def _owned(case: Case, owner: str, at: Micros) -> Case:
    return replace(
        case,
        owner=owner,
        state="open",
        acknowledged=case.acknowledged if case.acknowledged is not None else at,
        snoozed_until=None,
        snoozed_by=None,
    )


def _closed(case: Case, done: Done[Any], second: str | None) -> Case:
    sampled = case.outcome == "false" and sampled_for_review(done.action.id)
    return replace(
        case,
        state="closed",
        closed_by=case.asked,
        closed=done.at,
        seconded_by=second,
        review="due" if sampled else None,
        acknowledged=case.acknowledged if case.acknowledged is not None else done.at,
    )


def _opened_again(case: Case) -> Case:
    return replace(
        case,
        state="open" if case.owner is not None else "new",
        outcome=None,
        reason=None,
        asked=None,
        closed_by=None,
        closed=None,
        seconded_by=None,
        review=None,
    )


def _seconded(case: Case, action: Second, done: Done[Any]) -> Case:
    agrees = "agreed" if action.agrees else "did not agree"
    case = _noted(case, done, f"second person {agrees}: {action.reason}")
    if case.state == "closing":
        return _closed(case, done, done.who) if action.agrees else _opened_again(case)
    if action.agrees:
        return _opened_again(case)
    return replace(case, state="closed", asked=None)


def _known(work: Work, done: Done[Any], subject: str) -> Case:
    """Give the case of a subject, with what is known now of how grave its alert is."""
    case = work.case(alert_of(subject))
    grave = case.grave or any(done.facts.get(alert) == "grave" for alert in case.alerts)
    return replace(case, grave=grave)


def _put(work: Work, done: Done[Any], case: Case) -> None:
    subject = done.action.subject if isinstance(done.action, OnCase | TakeNext) else None
    before = _known(work, done, subject) if subject is not None else case
    work.before[case.key] = (before, done.who, done.at)
    work.cases[case.key] = replace(case, changed=done.at)
    for alert in case.alerts:
        work.case_of[alert] = case.key


def _merge(work: Work, done: Done[Any], action: Merge) -> None:
    into = _known(work, done, action.subject)
    for subject in action.others:
        other = _known(work, done, subject)
        if other.key == into.key:
            continue
        work.cases.pop(other.key, None)
        work.before.pop(other.key, None)
        into = replace(
            into,
            alerts=(*into.alerts, *other.alerts),
            grave=into.grave or other.grave,
            notes=tuple(sorted((*into.notes, *other.notes), key=lambda note: note.at)),
            tags=tuple(dict.fromkeys((*into.tags, *other.tags))),
        )
    _put(work, done, into)
    work.before.pop(into.key, None)


def sampled_for_review(action_id: str) -> bool:
    """Tell whether a case closed as false by this action goes to another person: every fifth, by its hash.

    >>> sum(sampled_for_review(f"{n:032x}") for n in range(1000)) in range(160, 240)
    True
    """
    return hashlib.sha256(action_id.encode()).digest()[0] % _SAMPLED == 0
