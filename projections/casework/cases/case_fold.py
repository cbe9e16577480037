"""The fold of what people did about alerts into the work as it stands.

`evolve` is given what was already found allowed (see `deciding`), with the time, the person, and what the
board knew of the alerts concerned; it decides nothing.
"""

import hashlib
from typing import Any, Final, assert_never

from msgspec.structs import replace

from projections.casework.cases.case_actions import (
    Acknowledge,
    AddTag,
    Assign,
    Close,
    Escalate,
    Joining,
    Merge,
    Mute,
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
from projections.casework.cases.case_state import (
    MINUTE,
    UNDONE_WITHIN,
    WEIGHS,
    Before,
    Case,
    Cases,
    Done,
    InHand,
    Muted,
    Remark,
    alert_of,
    concerned,
)
from schemas.values import Micros

_SAMPLED: Final = 5  # of so many cases closed as false, one goes to another person


def evolve(cases: Cases, done: Done[WorkAction]) -> None:
    """Fold one action into the work, in place."""
    before = concerned(cases, done.action)
    _fold(cases, done)
    for alert in {*before, *concerned(cases, done.action)}:
        cases.done.setdefault(alert, {})[done.action.id] = done.at
        has, worked = cases.case(alert).in_hand_of, cases.in_hand.get(alert, ())
        if has != (worked[-1].who if worked else None):
            cases.in_hand[alert] = (*worked, InHand(has, done.at, done.who))


def _fold(cases: Cases, done: Done[WorkAction]) -> None:
    action = done.action
    match action:
        case Mute():
            cases.mutes[action.id] = Muted(
                id=action.id,
                by=done.who,
                since=done.at,
                until=done.at + action.minutes * MINUTE,
                reason=action.reason,
                check=action.check,
                table=action.table,
            )
        case Unmute():
            muted = cases.mutes[action.mute]
            cases.mutes[action.mute] = replace(muted, until=min(muted.until, done.at))
        case Acknowledge() | TakeNext() | Merge():
            _join(cases, done, action)
        case Undo():
            _undo(cases, done, action)
        case Assign() | Release():
            _put(cases, done, _had(_weighed_case(cases, done, action.subject), action, done))
        case WriteNote() | AddTag() | Escalate() | Snooze():
            case = _with_history(_weighed_case(cases, done, action.subject), action, done)
            _put(cases, done, case)
            if isinstance(action, Escalate) and case.grave:
                cases.called.append(done.at)
        case Close() | Reopen() | Second() | Review():
            _put(cases, done, _settled(_weighed_case(cases, done, action.subject), action, done))
        case _:
            assert_never(action)


def _had(case: Case, action: Assign | Release, done: Done[Any]) -> Case:
    match action:
        case Assign():
            return _owned(case, action.to, done.at)
        case Release():
            return replace(case, owner=None, state="new")


def _with_history(case: Case, action: Saying, done: Done[Any]) -> Case:
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
            until = done.at + action.minutes * MINUTE
            return replace(said, snoozed_until=until, snoozed_by=done.who, snoozed_why=action.reason)


def _settled(case: Case, action: Settling, done: Done[Any]) -> Case:
    match action:
        case Close():
            requested = replace(
                case,
                outcome=action.outcome,
                reason=action.reason,
                asked=done.who,
                disagreed=None,
                acknowledged=case.acknowledged if case.acknowledged is not None else done.at,
            )
            return replace(requested, state="closing") if case.grave else _closed(requested, done, None)
        case Reopen():
            noted = _noted(case, done, f"to be opened again: {action.reason}")
            requested = replace(noted, asked=done.who, disagreed=None)
            return replace(requested, state="reopening") if case.grave else _opened_again(requested)
        case Second():
            return _seconded(case, action, done)
        case Review():
            looked = _noted(case, done, f"looked at again: {action.reason}")
            if action.agrees:
                agreed = "agreed" if looked.review == "due" else looked.review
                return replace(looked, review=agreed, closed_as=_weighed(done))
            requested = replace(
                looked, review="disagreed", asked=done.who, disagreed=_remark(done, action.reason)
            )
            return replace(requested, state="reopening") if case.grave else _opened_again(requested)


def _remark(done: Done[Any], text: str) -> Remark:
    return Remark(done.who, done.at, text)


def _noted(case: Case, done: Done[Any], text: str) -> Case:
    return replace(case, notes=(*case.notes, _remark(done, text)))


def _owned(case: Case, owner: str, at: Micros) -> Case:
    return replace(
        case,
        owner=owner,
        state="open",
        acknowledged=case.acknowledged if case.acknowledged is not None else at,
        snoozed_until=None,
        snoozed_by=None,
        snoozed_why=None,
    )


def _closed(case: Case, done: Done[Any], second: str | None) -> Case:
    sampled = case.sampled or (case.outcome == "false" and sampled_for_review(case.key, done.at))
    return replace(
        case,
        state="closed",
        closed_by=case.asked,
        closed=done.at,
        seconded_by=second,
        closed_as=_weighed(done),
        sampled=sampled,
        review="due" if sampled else None,
    )


def _weighed(done: Done[Any]) -> dict[str, str]:
    """Return what the alerts weigh about which somebody decides."""
    return {name.removeprefix(WEIGHS): as_ for name, as_ in done.facts.items() if name.startswith(WEIGHS)}


def _opened_again(case: Case) -> Case:
    """Open a case again: who had it has it, or where somebody did not agree, who wanted it closed."""
    owner = case.owner
    if owner is None and case.disagreed is not None:
        owner = case.closed_by or case.asked
    return replace(
        case,
        owner=owner,
        state="open" if owner is not None else "new",
        outcome=None,
        reason=None,
        asked=None,
        closed_by=None,
        closed=None,
        seconded_by=None,
        closed_as={},
        review="disagreed" if case.review == "disagreed" else None,
    )


def _seconded(case: Case, action: Second, done: Done[Any]) -> Case:
    agrees = "agreed" if action.agrees else "did not agree"
    case = _noted(case, done, f"second person {agrees}: {action.reason}")
    if not action.agrees:
        case = replace(case, disagreed=_remark(done, action.reason))
    if case.state == "closing":
        return _closed(case, done, done.who) if action.agrees else _opened_again(case)
    return _opened_again(case) if action.agrees else replace(case, state="closed", asked=None)


def _weighed_case(cases: Cases, done: Done[Any], subject: str) -> Case:
    """Return the case of a subject, with what is known now of how grave its alert is."""
    case = cases.case(alert_of(subject))
    grave = case.grave or any(done.facts.get(alert) == "grave" for alert in case.alerts)
    return replace(case, grave=grave)


def _put(cases: Cases, done: Done[Any], case: Case) -> None:
    before = _weighed_case(cases, done, done.action.subject)
    _keep(cases, replace(case, changed=done.at), Before((before,), done.who, done.at))


def _keep(cases: Cases, case: Case, before: Before) -> None:
    last = cases.before.get(case.key)
    follows = last is not None and last.who == before.who and before.at - last.at <= UNDONE_WITHIN * MINUTE
    cases.before[case.key] = replace(before, earlier=last) if follows else before
    cases.cases[case.key] = case
    for alert in case.alerts:
        cases.case_of[alert] = case.key


def _join(cases: Cases, done: Done[Any], action: Joining) -> None:
    """Make one case of those that an action is about, which may be one, and let who takes it have it."""
    subjects = [each for each in (action.subject, *action.others) if each is not None]
    cases_by_key = {case.key: case for case in (_weighed_case(cases, done, each) for each in subjects)}
    if not cases_by_key:  # nothing was there to be taken
        return
    into, *others = cases_by_key.values()
    for other in others:
        cases.cases.pop(other.key, None)
        cases.before.pop(other.key, None)
    parts = (into, *others)
    joined = replace(into, changed=done.at) if not others else _merged(parts, done.at)
    if not isinstance(action, Merge):
        joined = _owned(joined, done.who, done.at)
    _keep(cases, joined, Before(parts, done.who, done.at))


def _merged(parts: tuple[Case, ...], at: Micros) -> Case:
    into = parts[0]
    return replace(
        into,
        alerts=tuple(alert for case in parts for alert in case.alerts),
        grave=any(case.grave for case in parts),
        notes=tuple(sorted((note for case in parts for note in case.notes), key=lambda note: note.at)),
        tags=tuple(dict.fromkeys(tag for case in parts for tag in case.tags)),
        owner=next((case.owner for case in parts if case.owner is not None), None),
        state="open" if any(case.state == "open" for case in parts) else "new",
        acknowledged=min(
            (case.acknowledged for case in parts if case.acknowledged is not None), default=None
        ),
        escalated=next((case.escalated for case in parts if case.escalated is not None), None),
        sampled=any(case.sampled for case in parts),
        changed=at,
    )


def _undo(cases: Cases, done: Done[Any], action: Undo) -> None:
    now = _weighed_case(cases, done, action.subject)
    before = cases.before.pop(now.key)
    del cases.cases[now.key]
    for case in before.cases:
        # What was drawn for another look stays drawn, else one would close it until it is not.
        cases.cases[case.key] = replace(case, changed=done.at, sampled=case.sampled or now.sampled)
        for alert in case.alerts:
            cases.case_of[alert] = case.key
    if before.earlier is not None:
        cases.before[now.key] = before.earlier


def sampled_for_review(case: str, at: Micros) -> bool:
    """Return True if a case that is closed as false at a moment goes to another person: every fifth, by hash.

    Nobody at a page chooses the microsecond, so nobody chooses what is looked at again.

    >>> sum(sampled_for_review("0a1b", at) for at in range(1000)) in range(160, 240)
    True
    """
    return hashlib.sha256(f"{case} {at}".encode()).digest()[0] % _SAMPLED == 0
