"""The rules that several actions on cases share: why one is refused, and how a case changes."""

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import Any, Final, NoReturn

from msgspec.structs import replace

from projections.casework.actions import MINUTE, Actor, Context, Done, Refused, Remark
from projections.casework.cases.alert import Alert
from projections.casework.cases.case_state import WEIGHT_PREFIX, Before, Case, Cases, Level, alert_of
from schemas.values import Micros

UNDO_MINUTES: Final = 5  # minutes within which a person can take an action back
# Of one case: an action on all of it must go into one record of Kafka.
MOST_ALERTS: Final = 1_000
MOST_TAGS: Final = 50
# As actions have it; the second word is that of an earlier build.
_CRITICAL: Final = frozenset({"critical", "grave"})
_SEVERITY_WITHIN: Final = re.compile(r"^(\w+) (?:grave|money|procedure|data)\b")
_SAMPLED: Final = 5  # of so many cases closed as false, one goes to another person

# ── Reasons to refuse an action; a sentence explains them to the person ──────────────────────────────────


class CaseContext(Context, frozen=True):
    """Context of an action on alerts besides the cases: who acts, when, and the open alerts.

    `checks` gives how each check that there is is ranked, by its name; `tables` names those that are known.
    """

    alerts: Mapping[str, Alert]
    checks: Mapping[str, str]
    tables: Collection[str]


def existing_case(cases: Cases, subject: str, context: CaseContext) -> Case:
    """Return the case of a subject.

    Raises:
        Refused: there is no such alert.
    """
    alert = alert_of(subject)
    if not subject.startswith("alert:") or (
        alert not in context.alerts and alert not in cases.case_of and alert not in cases.cases
    ):
        raise Refused("There is no such alert any more.", code="gone")
    return cases.case(alert)


def check_unsettled(case: Case) -> None:
    """Raise Refused if a case is closed, or waits for a second person."""
    if case.state == "closed":
        raise Refused(f"It was closed by {case.closed_by} as {case.outcome}.", code="closed")
    if case.state in ("closing", "reopening"):
        raise Refused(f"It is waiting for a second person; {case.asked} asked for one.", code="waiting")


def joined_cases(
    cases: Cases,
    into: Case,
    others: Iterable[str],
    context: CaseContext,
    *,
    keeps_snooze: bool = False,
) -> list[Case]:
    """Return the cases to be merged, `into` first; raise Refused if they cannot be.

    With `keeps_snooze` the merged case is snoozed if `into` is.
    """
    parts = [into]
    for subject in others:
        other = existing_case(cases, subject, context)
        if other.key in {case.key for case in parts}:
            raise Refused("One of them is in this case already.", code="unchanged", field="others")
        parts.append(other)
    for case in parts:
        check_unsettled(case)
    levels = list(dict.fromkeys(case.escalated for case in parts if case.escalated is not None))
    if len(levels) > 1:
        raise Refused(
            f"They are escalated to the {' and the '.join(levels)}; escalate them to one of these first.",
            code="escalated_apart",
            field="others",
        )
    is_put_off = into.snoozed_until is not None and context.now < into.snoozed_until
    if keeps_snooze and is_put_off and any(has_critical_alert(case, context) for case in parts):
        raise Refused(
            "It is snoozed, and critical alerts never are; merge it into the critical one instead.",
            code="critical",
            field="others",
        )
    if sum(len(case.alerts) for case in parts) > MOST_ALERTS:
        raise Refused(
            f"A case has at most {MOST_ALERTS:,} alerts; merge the rest into another.",
            code="too_many",
            field="others",
        )
    if len({tag for case in parts for tag in case.tags}) > MOST_TAGS:
        raise Refused(
            f"A case has at most {MOST_TAGS} tags; remove some of theirs first.",
            code="too_many",
            field="others",
        )
    owners = list(dict.fromkeys(case.owner for case in parts if case.owner is not None))
    if len(owners) > 1:
        raise Refused(
            f"{' and '.join(owners)} have them; all but one must release theirs first.",
            code="not_yours",
            field="others",
        )
    if owners not in ([], [context.actor.name]) and "second" not in context.actor.rights:
        raise Refused(
            f"{owners[0]} has one of them; ask them, or a supervisor, to merge them.",
            code="not_yours",
            field="others",
        )
    return parts


def check_own_mute(cases: Cases, owner: str | None, parts: Iterable[Case], context: CaseContext) -> None:
    """Raise Refused if somebody would have what they muted themselves; what is critical no mute silences."""
    alerts = [context.alerts[name] for case in parts for name in case.alerts if name in context.alerts]
    silenced = [alert for alert in alerts if alert.severity != "critical"]
    for muted in cases.mutes.values():
        if muted.by == owner and any(muted.covers(each.check, each.table, context.now) for each in silenced):
            whose = "You muted it yourself" if owner == context.actor.name else f"{owner} muted it"
            raise Refused(
                f"{whose}: {muted.reason}. End that mute first, or leave it to someone else.", code="own_mute"
            )


def raise_unknown_name(kind: str, name: str, names: Collection[str], elsewhere: str) -> NoReturn:
    """Raise Refused for a name that does not exist, with those that may be meant."""
    matches = [each for each in names if each.casefold() == name.casefold()] or get_close_matches(name, names)
    instead = f"did you mean {' or '.join(matches)}?" if matches else f"{elsewhere} those that there are."
    raise Refused(f"There is no {kind} {name}; {instead}", code=f"unknown_{kind}", field=kind)


def has_critical_alert(case: Case, context: CaseContext) -> bool:
    """Return True if one of a case's alerts is or was critical."""
    alerts = (context.alerts[name] for name in case.alerts if name in context.alerts)
    return case.critical or any(alert.severity == "critical" for alert in alerts)


# ── How a case changes ────────────────────────────────────────────────────────────────────────────────


def case_at(cases: Cases, done: Done[Any], subject: str) -> Case:
    """Return the case of a subject as an action finds it: critical if one of its alerts is or was."""
    case = cases.case(alert_of(subject))
    critical = case.critical or any(done.facts.get(alert) in _CRITICAL for alert in case.alerts)
    return replace(case, critical=critical)


def put_case(cases: Cases, done: Done[Any], case: Case) -> None:
    """Store a case as an action left it; Undo can restore what the action found."""
    before = case_at(cases, done, done.action.subject)
    _store(cases, replace(case, changed=done.at), Before((before,), done.who, done.at))


def _store(cases: Cases, case: Case, before: Before) -> None:
    last = cases.before.get(case.key)
    follows = last is not None and last.who == before.who and before.at - last.at <= UNDO_MINUTES * MINUTE
    cases.before[case.key] = replace(before, earlier=last) if follows else before
    cases.cases[case.key] = case
    for alert in case.alerts:
        cases.case_of[alert] = case.key


def join_cases(cases: Cases, done: Done[Any], subjects: Iterable[str], owner: str | None = None) -> None:
    """Merge the cases of some subjects, which may be one; assign it to `owner`, if there is one."""
    into, *others = {case.key: case for case in (case_at(cases, done, each) for each in subjects)}.values()
    for other in others:
        cases.cases.pop(other.key, None)
        cases.before.pop(other.key, None)
    parts = (into, *others)
    joined = replace(into, changed=done.at) if not others else _merged(parts, done.at)
    if owner is not None:
        joined = give_case(joined, owner, done.at)
    _store(cases, joined, Before(parts, done.who, done.at))


def _merged(parts: tuple[Case, ...], at: Micros) -> Case:
    into = parts[0]
    return replace(
        into,
        alerts=tuple(alert for case in parts for alert in case.alerts),
        critical=any(case.critical for case in parts),
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


def restore_cases(cases: Cases, case: Case, at: Micros) -> None:
    """Restore the cases that there were before the last action on a case."""
    before = cases.before.pop(case.key)
    del cases.cases[case.key]
    for each in before.cases:
        # A sampled case stays so; otherwise a person could close it again until it is not.
        cases.cases[each.key] = replace(each, changed=at, sampled=each.sampled or case.sampled)
        for alert in each.alerts:
            cases.case_of[alert] = each.key
    if before.earlier is not None:
        cases.before[case.key] = before.earlier


def give_case(case: Case, owner: str, at: Micros) -> Case:
    """Return a case with an owner from a moment on: open, and no longer snoozed."""
    return replace(
        case,
        owner=owner,
        state="open",
        acknowledged=case.acknowledged if case.acknowledged is not None else at,
        snoozed_until=None,
        snoozed_by=None,
        snoozed_why=None,
    )


def close_case(case: Case, done: Done[Any], second: str | None = None) -> Case:
    """Return a case closed as was asked for; `second` is who agreed to it."""
    sampled = case.sampled or (case.outcome == "false" and is_sampled(case.key, done.at))
    return replace(
        case,
        state="closed",
        closed_by=case.asked,
        closed=done.at,
        seconded_by=second,
        closed_as=stated_weights(done),
        sampled=sampled,
        review="due" if sampled else None,
    )


def reopen_case(case: Case) -> Case:
    """Return a case opened again: who had it has it, or if somebody disagreed, who wanted it closed."""
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


def add_note(case: Case, done: Done[Any], text: str) -> Case:
    """Return a case with another note."""
    return replace(case, notes=(*case.notes, remark(done, text)))


def remark(done: Done[Any], text: str) -> Remark:
    """Return a text as a remark of who did something."""
    return Remark(done.who, done.at, text)


def stated_weights(done: Done[Any]) -> dict[str, str]:
    """Return the weights of the alerts about which an action decides, by their ids.

    An earlier build wrote the severity in between, which changes with the house's thresholds.
    """
    facts = done.facts.items()
    return {
        name.removeprefix(WEIGHT_PREFIX): _SEVERITY_WITHIN.sub(r"\1", fact)
        for name, fact in facts
        if name.startswith(WEIGHT_PREFIX)
    }


def is_sampled(case: str, at: Micros) -> bool:
    """Return True if a case that is closed as false at a moment goes to another person: every fifth, by hash.

    Nobody at a page can choose the microsecond, so nobody chooses what is reviewed.

    >>> sum(is_sampled("0a1b", at) for at in range(1000)) in range(160, 240)
    True
    """
    return hashlib.sha256(f"{case} {at}".encode()).digest()[0] % _SAMPLED == 0


# ── What waits for one person: a decision to agree to, a review, what was escalated to their role ─────


def waits_for(case: Case, who: Actor, *, altered: bool = False, climbed: Collection[Level] = ()) -> bool:
    """Return True if a case waits for someone, as far as they may act on it.

    It does if a second person is to agree and they may be that one; if it was sampled for a review and they
    had no part in closing it; if it was closed and is `altered` since; and if it is assigned to their role,
    or has `climbed` to it because nobody took it, and is not settled.

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
    return who.role in (case.escalated, *climbed)
