"""Whether an action may be done: by this person, to a case in this state, now; what awaits a person."""

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import Final, NoReturn, assert_never

from msgspec import Struct

from projections.casework.cases.alert import Alert, weights
from projections.casework.cases.case_actions import (
    MOST_ALERTS,
    MOST_TAGS,
    Acknowledge,
    AddTag,
    Assign,
    Close,
    Escalate,
    Having,
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
from projections.casework.cases.case_state import MINUTE, UNDONE_WITHIN, Case, Cases, Muted, alert_of
from schemas.errors import DiscardrackError
from schemas.values import Micros

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Whether an action may be done: by this person, to a case in this state, now. A sentence says why not.

_AHEAD: Final = MINUTE  # that a clock in the room may be before the console's


class Refused(DiscardrackError):
    """An action that cannot be done as things stand; the message is for the person who asked."""


class NotAllowed(DiscardrackError):
    """An action that a role may never do."""


class Actor(Struct, frozen=True):
    """Who acts: in which role and with which rights, whom else there is, and what is hidden from them."""

    name: str
    role: str
    rights: Collection[str]
    people: Collection[str] = ()
    hidden: frozenset[str] = frozenset()


class Around(Struct, frozen=True):
    """What an action is judged by besides the work: the time, the alerts that stand, people, the checks.

    `checks` gives the severity of each check that there is, by its name; `tables` names those that are known.
    """

    now: Micros
    alerts: Mapping[str, Alert]
    people: Collection[str]
    checks: Mapping[str, str]
    tables: Collection[str]


def has_come(at: Micros, now: Micros) -> bool:
    """Return True if a time that a person wrote down has come, by whatever clock in the room they read.

    >>> has_come(60_000_000, 0), has_come(60_000_001, 0)
    (True, False)
    """
    return at <= now + _AHEAD


def refuse(cases: Cases, action: WorkAction, actor: Actor, around: Around) -> None:
    """Let an action pass, or say why it cannot be done.

    Raises:
        Refused: it is not allowed, someone was quicker, or the subject is not known.
    """
    match action:
        case TakeNext():
            return
        case Mute():
            _refuse_mute(cases, action, actor, around)
        case Unmute():
            if action.mute not in cases.mutes or cases.mutes[action.mute].until <= around.now:
                raise Refused("That mute has ended already.")
        case Acknowledge() | Merge():
            _refuse_joining(cases, action, actor, around)
        case Assign() | Release():
            _refuse_having(cases, _case(cases, action.subject, around), action, actor, around)
        case WriteNote() | AddTag() | Escalate() | Snooze():
            _refuse_saying(_case(cases, action.subject, around), action, actor, around)
        case Close() | Reopen() | Second() | Review():
            _refuse_settling(_case(cases, action.subject, around), action, actor, around)
        case Undo():
            _refuse_undo(cases, _case(cases, action.subject, around), actor, around)
        case _:
            assert_never(action)


def _refuse_having(cases: Cases, case: Case, action: Having, actor: Actor, around: Around) -> None:
    _must_be_unsettled(case)
    of_another = case.owner not in (None, actor.name) and "second" not in actor.rights
    match action:
        case Acknowledge():
            if case.owner is not None:
                has = "You have" if case.owner == actor.name else f"{case.owner} has"
                raise Refused(f"{has} it already.")
        case Assign():
            if action.to not in around.people:
                raise Refused(f"There is nobody called {action.to} here who could look after it.")
            if of_another:
                raise Refused(f"{case.owner} has it; a supervisor can give it to someone else.")
            if case.owner == action.to:
                raise Refused(f"{action.to} has it already.")
            _refuse_own_mute(cases, action.to, [case], actor, around)
        case Release():
            if case.owner is None:
                raise Refused("Nobody has it.")
            if of_another:
                raise Refused(f"{case.owner} has it; a supervisor can give it back to the queue.")


def _refuse_saying(case: Case, action: Saying, actor: Actor, around: Around) -> None:
    match action:
        case WriteNote():
            return
        case AddTag():
            if action.off and action.word not in case.tags:
                raise Refused(f"It has no tag {action.word}.")
            if not action.off and len({*case.tags, action.word}) > MOST_TAGS:
                raise Refused(f"It has {MOST_TAGS} tags, the most there can be; take one away first.")
        case Escalate():
            _must_be_unsettled(case)
            if case.escalated == action.to:
                raise Refused(f"It was given to the {action.to} already.")
        case Snooze():
            _must_be_unsettled(case)
            if _is_grave(case, around):
                raise Refused("It is grave; what is grave is never put off.")
            if case.owner == actor.name:
                raise Refused("It is your own case; someone else can put it off, or release it.")


def _refuse_settling(case: Case, action: Settling, actor: Actor, around: Around) -> None:
    match action:
        case Close():
            _must_be_unsettled(case)
            if case.owner not in (None, actor.name) and "second" not in actor.rights:
                raise Refused(f"{case.owner} has it; ask them, or a supervisor, to close it.")
        case Reopen():
            if case.state != "closed":
                raise Refused("It is not closed.")
        case Second():
            _refuse_second(case, actor)
        case Review():
            if case.review != "due" and not case.is_altered(weights(case.closed_as, around.alerts)):
                raise Refused("It does not wait for another look.")
            if case.review == "due" and actor.name in (case.closed_by, case.seconded_by):
                raise Refused("You took part in closing it; the other look must be another person's.")


def _refuse_second(case: Case, actor: Actor) -> None:
    if case.state not in ("closing", "reopening"):
        raise Refused("Nothing of it waits for a second person.")
    if "second" not in actor.rights:
        raise Refused("A second person must be a supervisor or the director.")
    if actor.name == case.asked:
        raise Refused("You asked for it yourself; the second person must be another one.")


def _case(cases: Cases, subject: str, around: Around) -> Case:
    alert = alert_of(subject)
    if not subject.startswith("alert:") or (
        alert not in around.alerts and alert not in cases.case_of and alert not in cases.cases
    ):
        raise Refused("There is no such alert any more.")
    return cases.case(alert)


def _must_be_unsettled(case: Case) -> None:
    if case.state == "closed":
        raise Refused(f"It was closed by {case.closed_by} as {case.outcome}.")
    if case.state in ("closing", "reopening"):
        raise Refused(f"It waits for a second person; {case.asked} asked for it.")


def _refuse_joining(all_cases: Cases, action: Acknowledge | Merge, actor: Actor, around: Around) -> None:
    into = _case(all_cases, action.subject, around)
    if isinstance(action, Acknowledge):
        _refuse_having(all_cases, into, action, actor, around)
    elif not action.others:
        raise Refused(
            "There are no repeats of it that nobody has." if action.repeats else "Say which others."
        )
    cases = [into]
    for subject in action.others:
        other = _case(all_cases, subject, around)
        if other.key in {case.key for case in cases}:
            raise Refused("One of them is in this case already.")
        cases.append(other)
    for case in cases:
        _must_be_unsettled(case)
    _refuse_unlike(action, into, cases, around)
    if sum(len(case.alerts) for case in cases) > MOST_ALERTS:
        raise Refused(f"A case has {MOST_ALERTS:,} alerts at most; merge the rest into another one.")
    if len({tag for case in cases for tag in case.tags}) > MOST_TAGS:
        raise Refused(f"A case has {MOST_TAGS} tags at most; take some of theirs away first.")
    owners = list(dict.fromkeys(case.owner for case in cases if case.owner is not None))
    if len(owners) > 1:
        raise Refused(f"{' and '.join(owners)} have them; all but one must release theirs first.")
    if owners not in ([], [actor.name]) and "second" not in actor.rights:
        raise Refused(f"{owners[0]} has one of them; ask them, or a supervisor, to merge them.")
    owner = actor.name if isinstance(action, Acknowledge) else next(iter(owners), None)
    _refuse_own_mute(all_cases, owner, cases, actor, around)


def _refuse_unlike(action: Acknowledge | Merge, into: Case, cases: Iterable[Case], around: Around) -> None:
    """Refuse what is with two roles, or grave and then put off; what is taken is put off no longer."""
    levels = list(dict.fromkeys(case.escalated for case in cases if case.escalated is not None))
    if len(levels) > 1:
        raise Refused(f"They are with the {' and the '.join(levels)}; escalate them to one of these first.")
    is_put_off = into.snoozed_until is not None and around.now < into.snoozed_until
    if isinstance(action, Merge) and is_put_off and any(_is_grave(case, around) for case in cases):
        raise Refused("It is put off, and what is grave never is; merge it into the grave one instead.")


def _refuse_undo(cases: Cases, case: Case, actor: Actor, around: Around) -> None:
    if case.key not in cases.before:
        raise Refused("There is nothing to undo.")
    before = cases.before[case.key]
    if before.who != actor.name:
        raise Refused("The last thing done to it was not yours to undo.")
    if around.now - before.at > UNDONE_WITHIN * MINUTE:
        raise Refused(f"It was more than {UNDONE_WITHIN} minutes ago; what is closed can be opened again.")
    again = [each for each in before.cases if each.owner == actor.name and each.state != "closed"]
    _refuse_own_mute(cases, actor.name, again, actor, around)


def _refuse_mute(cases: Cases, action: Mute, actor: Actor, around: Around) -> None:
    if action.check is None and action.table is None:
        raise Refused("Say which check or which table.")
    found = (alert.check for alert in around.alerts.values())
    if action.check is not None and action.check not in {*around.checks, *found}:
        _refuse_unknown("check", action.check, around.checks, "the alerts name")
    if action.table is not None and action.table not in around.tables:
        _refuse_unknown("table", action.table, around.tables, "the floor shows")
    if action.check is not None and around.checks.get(action.check) == "grave":
        raise Refused("That check is grave; what is grave is never muted.")
    if action.check is None and action.table is not None and "second" not in actor.rights:
        raise Refused("A whole table can be muted by a supervisor only; what is grave rings all the same.")
    until = around.now + action.minutes * MINUTE
    muted = Muted(
        id=action.id,
        by=actor.name,
        since=around.now,
        until=until,
        reason=action.reason,
        check=action.check,
        table=action.table,
    )
    for case in cases.cases.values():
        if case.owner != actor.name or case.state == "closed":
            continue
        own = (around.alerts[alert] for alert in case.alerts if alert in around.alerts)
        if any(muted.covers(alert.check, alert.table, around.now) for alert in own):
            raise Refused("One of your own cases is among them; release it, or ask someone else to mute.")


def _refuse_unknown(sort: str, name: str, names: Collection[str], elsewhere: str) -> NoReturn:
    matches = [each for each in names if each.casefold() == name.casefold()] or get_close_matches(name, names)
    instead = f"did you mean {' or '.join(matches)}?" if matches else f"{elsewhere} those that there are."
    raise Refused(f"There is no {sort} {name}; {instead}")


def _refuse_own_mute(
    all_cases: Cases, owner: str | None, cases: Iterable[Case], actor: Actor, around: Around
) -> None:
    """Refuse that somebody has what they muted themselves; what is grave no mute silences."""
    alerts = [around.alerts[name] for case in cases for name in case.alerts if name in around.alerts]
    silenced = [alert for alert in alerts if alert.severity != "grave"]
    for muted in all_cases.mutes.values():
        if muted.by == owner and any(muted.covers(each.check, each.table, around.now) for each in silenced):
            whose = "You muted it yourself" if owner == actor.name else f"{owner} muted it"
            raise Refused(f"{whose}: {muted.reason}. End that mute first, or leave it to someone else.")


def _is_grave(case: Case, around: Around) -> bool:
    alerts = (around.alerts[name] for name in case.alerts if name in around.alerts)
    return case.grave or any(alert.severity == "grave" for alert in alerts)


# ── What waits for one person: a decision to agree to, another look, what was escalated to their role ────


def waits_for(case: Case, who: Actor, *, altered: bool = False) -> bool:
    """Return True if a case waits for someone, as far as they may act on it.

    It does where a second person is to agree and they may be that one, where it was drawn for another look
    and they had no part in closing it, where it was closed and is `altered` since, and where it is with their
    role and not settled.

    >>> supervisor = Actor("ann", "supervisor", {"see", "work", "second"})
    >>> waits_for(Case(key="m1", alerts=("m1",), state="closing", asked="bob"), supervisor)
    True
    >>> waits_for(Case(key="m1", alerts=("m1",), state="closing", asked="ann"), supervisor)
    False
    """
    if "work" not in who.rights:
        return False
    if case.state in ("closing", "reopening"):
        return "second" in who.rights and case.asked != who.name
    if case.state == "closed":
        return altered or (case.review == "due" and who.name not in (case.closed_by, case.seconded_by))
    return case.escalated == who.role
