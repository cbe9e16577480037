"""The actions on alerts and their cases, a class each: when it is refused, what it changes, its description.

`refuse` gets the cases and the context: the actor, the time and the present alerts. `apply` decides nothing:
it gets an action that was allowed, with the time, the person and the facts that it needs.
"""

from abc import abstractmethod
from collections.abc import Collection
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta
from msgspec.structs import replace

from projections.casework.actions import MINUTE, Action, ActionId, Actor, Done, Refused, Subject, Words
from projections.casework.cases.alert import weights
from projections.casework.cases.case_rules import (
    MOST_TAGS,
    UNDO_MINUTES,
    CaseContext,
    add_note,
    case_at,
    check_own_mute,
    check_unsettled,
    close_case,
    existing_case,
    give_case,
    has_critical_alert,
    join_cases,
    joined_cases,
    put_case,
    raise_unknown_name,
    remark,
    reopen_case,
    restore_cases,
    stated_weights,
)
from projections.casework.cases.case_state import Case, Cases, InHand, Level, Muted, alert_of
from projections.catalogue import check_name
from schemas.ledgers import table_called
from schemas.room_settings import Outcome
from schemas.values import Micros, Name

LONGEST: Final = 24 * 60  # minutes that something is muted or snoozed
Minutes: TypeAlias = Annotated[int, Meta(ge=1, le=LONGEST)]
Tag: TypeAlias = Annotated[str, Meta(pattern=r"^[\w][\w -]{0,39}\Z")]

QueueName: TypeAlias = Literal["act_now", "this_shift", "nightly"]
MERGED_AT_ONCE: Final = 200
LISTED: Final = 100  # rows of a page of the queue
_Others: TypeAlias = Annotated[tuple[Subject, ...], Meta(max_length=MERGED_AT_ONCE)]


# ── What the actions have in common ───────────────────────────────────────────────────────────────────


class BaseCaseAction(Action, frozen=True, kw_only=True):
    """An action on alerts, of one case, of several or of those that a mute silences."""

    @abstractmethod
    def refuse(self, cases: Cases, context: CaseContext) -> None:
        """Raise Refused if it is not allowed, someone was quicker, or its subject is not known."""

    @abstractmethod
    def apply(self, cases: Cases, done: Done[Any]) -> None:
        """Fold it into the cases, in place."""


class OnCase(BaseCaseAction, frozen=True, kw_only=True):
    """An action on the case of an alert."""

    subject: Subject


class Settlement(OnCase, frozen=True, kw_only=True):
    """An action that closes a case or opens it again; the weights of its alerts are stored with it."""


# ── The owner of a case ─────────────────────────────────────────────────────────────────────────────────


class Acknowledge(OnCase, frozen=True, kw_only=True, tag="acknowledge"):
    """Take the case of an alert.

    With `whole_incident` all other unassigned findings on its round, shoe or account are taken too, as one
    case; `others` are these.
    """

    others: _Others = ()
    whole_incident: bool = False

    def refuse(self, cases: Cases, context: CaseContext) -> None:
        """Raise Refused if someone has it, or it is settled, or it cannot be one case with the others."""
        case = existing_case(cases, self.subject, context)
        check_unsettled(case)
        if case.owner is not None:
            has = "You have" if case.owner == context.actor.name else f"{case.owner} has"
            raise Refused(f"{has} it already.", code="taken")
        parts = joined_cases(cases, case, self.others, context)
        check_own_mute(cases, context.actor.name, parts, context)

    def apply(self, cases: Cases, done: Done[Any]) -> None:
        """Make one case of all that is taken, owned by who took it."""
        join_cases(cases, done, (self.subject, *self.others), owner=done.who)

    def describe(self) -> str:
        """Return that it was acknowledged, with how many others."""
        return f"acknowledged{_with_others(self.others)}"


class TakeNext(BaseCaseAction, frozen=True, kw_only=True, tag="take_next"):
    """Take the first unassigned case of a queue; its alert is written into `subject`.

    With `among` it is the first of these, in their order: what a page shows. `whole_incident` and `others`
    are those of Acknowledge.
    """

    queue: QueueName | None = None
    among: Annotated[tuple[Subject, ...], Meta(max_length=LISTED)] | None = None
    subject: Subject | None = None
    others: _Others = ()
    whole_incident: bool = False

    def refuse(self, cases: Cases, context: CaseContext) -> None:
        """Raise nothing: only what may be taken was chosen."""

    def apply(self, cases: Cases, done: Done[Any]) -> None:
        """Make one case of all that is taken, if there is any, owned by who took it."""
        if self.subject is not None:
            join_cases(cases, done, (self.subject, *self.others), owner=done.who)

    def describe(self) -> str:
        """Return that it was taken, with how many others."""
        return f"taken as the next{_with_others(self.others)}"


class Assign(OnCase, frozen=True, kw_only=True, tag="assign"):
    """Assign the case to a person."""

    to: Name

    def refuse(self, cases: Cases, context: CaseContext) -> None:
        """Raise Refused if it is settled, another's, or theirs already, or they do not exist or muted it."""
        case = existing_case(cases, self.subject, context)
        check_unsettled(case)
        if self.to not in context.actor.people:
            raise Refused(
                f"Nobody here called {self.to} can work on it.",
                code="unknown_person",
                field="to",
            )
        if _is_of_another(case, context.actor):
            raise Refused(f"{case.owner} has it; a supervisor can give it to someone else.", code="not_yours")
        if case.owner == self.to:
            raise Refused(f"{self.to} has it already.", code="unchanged", field="to")
        check_own_mute(cases, self.to, [case], context)

    def apply(self, cases: Cases, done: Done[Any]) -> None:
        """Set the owner."""
        put_case(cases, done, give_case(case_at(cases, done, self.subject), self.to, done.at))

    def describe(self) -> str:
        """Return to whom it was given."""
        return f"assigned to {self.to}"


class Release(OnCase, frozen=True, kw_only=True, tag="release"):
    """Return the case to the queue, without an owner."""

    def refuse(self, cases: Cases, context: CaseContext) -> None:
        """Raise Refused if it is settled, another's or unassigned."""
        case = existing_case(cases, self.subject, context)
        check_unsettled(case)
        if case.owner is None:
            raise Refused("It is unassigned.", code="unassigned")
        if _is_of_another(case, context.actor):
            raise Refused(
                f"{case.owner} has it; a supervisor can give it back to the queue.", code="not_yours"
            )

    def apply(self, cases: Cases, done: Done[Any]) -> None:
        """Make it unassigned, as new."""
        put_case(cases, done, replace(case_at(cases, done, self.subject), owner=None, state="new"))

    def describe(self) -> str:
        """Return that it was given back."""
        return "returned to the queue"


# ── What is written on a case, and by whom it is to be seen ───────────────────────────────────────────


class WriteNote(OnCase, frozen=True, kw_only=True, tag="note"):
    """Write a remark on the case."""

    text: Words

    def refuse(self, cases: Cases, context: CaseContext) -> None:
        """Raise Refused if there is no such alert."""
        existing_case(cases, self.subject, context)

    def apply(self, cases: Cases, done: Done[Any]) -> None:
        """Add the remark."""
        put_case(cases, done, add_note(case_at(cases, done, self.subject), done, self.text))

    def describe(self) -> str:
        """Return the remark."""
        return f"noted: {self.text}"


class AddTag(OnCase, frozen=True, kw_only=True, tag="tag"):
    """Add a word by which the case can be found; with `off` remove it."""

    word: Tag
    off: bool = False

    def refuse(self, cases: Cases, context: CaseContext) -> None:
        """Raise Refused if the tag to remove is not there, or there would be too many."""
        case = existing_case(cases, self.subject, context)
        if self.off and self.word not in case.tags:
            raise Refused(f"It has no tag {self.word}.", code="unchanged", field="word")
        if not self.off and len({*case.tags, self.word}) > MOST_TAGS:
            raise Refused(
                f"It has {MOST_TAGS} tags, the most there can be; remove one first.",
                code="too_many",
                field="word",
            )

    def apply(self, cases: Cases, done: Done[Any]) -> None:
        """Add the tag as the last, or remove it."""
        case = case_at(cases, done, self.subject)
        others = tuple(tag for tag in case.tags if tag != self.word)
        put_case(cases, done, replace(case, tags=others if self.off else (*others, self.word)))

    def describe(self) -> str:
        """Return which tag was added or removed."""
        return f"tag {self.word} {'removed' if self.off else 'added'}"


class Escalate(OnCase, frozen=True, kw_only=True, tag="escalate"):
    """Hand the case up to a role, with the reason."""

    to: Level
    reason: Words

    def refuse(self, cases: Cases, context: CaseContext) -> None:
        """Raise Refused if it is settled, or with that role already."""
        case = existing_case(cases, self.subject, context)
        check_unsettled(case)
        if case.escalated == self.to:
            raise Refused(f"It is already escalated to the {self.to}.", code="unchanged", field="to")

    def apply(self, cases: Cases, done: Done[Any]) -> None:
        """Note the role; a critical case rings for it."""
        case = add_note(case_at(cases, done, self.subject), done, self.describe())
        put_case(cases, done, replace(case, escalated=self.to))
        if case.critical:
            cases.called.append(done.at)

    def describe(self) -> str:
        """Return to which role it was handed up, and why."""
        return f"escalated to the {self.to}: {self.reason}"


class Snooze(OnCase, frozen=True, kw_only=True, tag="snooze"):
    """Snooze the case for some minutes, with the reason."""

    minutes: Minutes
    reason: Words

    def refuse(self, cases: Cases, context: CaseContext) -> None:
        """Raise Refused if it is settled, critical, or the person's own."""
        case = existing_case(cases, self.subject, context)
        check_unsettled(case)
        if has_critical_alert(case, context):
            raise Refused("It is critical; critical alerts are never snoozed.", code="critical")
        if case.owner == context.actor.name:
            raise Refused(
                "It is your own case; release it, or ask someone else to snooze it.", code="own_case"
            )

    def apply(self, cases: Cases, done: Done[Any]) -> None:
        """Note until when, by whom and why it is snoozed."""
        case = add_note(case_at(cases, done, self.subject), done, self.describe())
        until = done.at + self.minutes * MINUTE
        snoozed = replace(case, snoozed_until=until, snoozed_by=done.who, snoozed_why=self.reason)
        put_case(cases, done, snoozed)

    def describe(self) -> str:
        """Return for how long it was snoozed, and why."""
        return f"snoozed for {self.minutes} minutes: {self.reason}"


# ── One case of several ───────────────────────────────────────────────────────────────────────────────


class Merge(OnCase, frozen=True, kw_only=True, tag="merge"):
    """Merge an alert's case with those of others.

    With `whole_incident` these are all other unassigned findings on its round, shoe or account. `others` are
    these.
    """

    others: _Others = ()
    whole_incident: bool = False

    def refuse(self, cases: Cases, context: CaseContext) -> None:
        """Raise Refused if there are no others, or they cannot be one case."""
        case = existing_case(cases, self.subject, context)
        if not self.others:
            if self.whole_incident:
                raise Refused("Nothing else found there is unassigned.", code="nothing_unassigned")
            raise Refused("Say which others.", code="missing", field="others")
        parts = joined_cases(cases, case, self.others, context, keeps_snooze=True)
        owner = next((part.owner for part in parts if part.owner is not None), None)
        check_own_mute(cases, owner, parts, context)

    def apply(self, cases: Cases, done: Done[Any]) -> None:
        """Make one case of them, with the owner that one of them had."""
        join_cases(cases, done, (self.subject, *self.others))

    def describe(self) -> str:
        """Return with how many others it was merged."""
        return f"merged with {len(self.others)} more"


class Undo(OnCase, frozen=True, kw_only=True, tag="undo"):
    """Undo what the person did last to the case, a moment ago."""

    def refuse(self, cases: Cases, context: CaseContext) -> None:
        """Raise Refused if there is nothing to undo, or it was another's, or too long ago."""
        case = existing_case(cases, self.subject, context)
        if case.key not in cases.before:
            raise Refused("There is nothing to undo.", code="nothing_to_undo")
        before = cases.before[case.key]
        if before.who != context.actor.name:
            raise Refused("The last action on it was not yours to undo.", code="not_yours")
        if context.now - before.at > UNDO_MINUTES * MINUTE:
            raise Refused(
                f"It was more than {UNDO_MINUTES} minutes ago; a closed alert can be reopened.",
                code="too_late",
            )
        own = [each for each in before.cases if each.owner == context.actor.name and each.state != "closed"]
        check_own_mute(cases, context.actor.name, own, context)

    def apply(self, cases: Cases, done: Done[Any]) -> None:
        """Restore the cases that there were before."""
        restore_cases(cases, case_at(cases, done, self.subject), done.at)

    def describe(self) -> str:
        """Return that the last action was undone."""
        return "undid the last action"


# ── How a case is settled ─────────────────────────────────────────────────────────────────────────────


class Close(Settlement, frozen=True, kw_only=True, tag="close"):
    """Close the case, as what and why. A second person must agree if one of its alerts is critical."""

    outcome: Outcome
    reason: Words

    def refuse(self, cases: Cases, context: CaseContext) -> None:
        """Raise Refused if it is settled, or another's."""
        case = existing_case(cases, self.subject, context)
        check_unsettled(case)
        if _is_of_another(case, context.actor):
            raise Refused(f"{case.owner} has it; ask them, or a supervisor, to close it.", code="not_yours")

    def apply(self, cases: Cases, done: Done[Any]) -> None:
        """Close it, or a critical one ask for a second person."""
        case = case_at(cases, done, self.subject)
        requested = replace(
            case,
            outcome=self.outcome,
            reason=self.reason,
            asked=done.who,
            disagreed=None,
            acknowledged=case.acknowledged if case.acknowledged is not None else done.at,
        )
        settled = replace(requested, state="closing") if case.critical else close_case(requested, done)
        put_case(cases, done, settled)

    def describe(self) -> str:
        """Return as what it was closed, and why."""
        return f"closed as {self.outcome}: {self.reason}"

    def describe_waiting(self) -> str:
        """Return as what it is to be closed, and why."""
        return f"asked to close as {self.outcome}; waiting for a second person: {self.reason}"


class Reopen(Settlement, frozen=True, kw_only=True, tag="reopen"):
    """Open a closed case again. A second person must agree if one of its alerts is critical."""

    reason: Words

    def refuse(self, cases: Cases, context: CaseContext) -> None:
        """Raise Refused if it is not closed."""
        if existing_case(cases, self.subject, context).state != "closed":
            raise Refused("It is not closed.", code="not_closed")

    def apply(self, cases: Cases, done: Done[Any]) -> None:
        """Open it again, or a critical one ask for a second person."""
        noted = add_note(case_at(cases, done, self.subject), done, f"to be reopened: {self.reason}")
        requested = replace(noted, asked=done.who, disagreed=None)
        put_case(cases, done, _reopening(requested))

    def describe(self) -> str:
        """Return that it was opened again, and why."""
        return f"reopened: {self.reason}"

    def describe_waiting(self) -> str:
        """Return that it is to be opened again, and why."""
        return f"asked to reopen; waiting for a second person: {self.reason}"


class Second(Settlement, frozen=True, kw_only=True, tag="second"):
    """Agree, as the second person, to what another requested, or disagree and give the reason."""

    agrees: bool
    reason: Words | None = None

    def refuse(self, cases: Cases, context: CaseContext) -> None:
        """Raise Refused if nothing was requested, the person may not agree, or disagrees without a reason."""
        case = existing_case(cases, self.subject, context)
        if case.state not in ("closing", "reopening"):
            raise Refused("It is not waiting for a second person.", code="not_waiting")
        if "second" not in context.actor.rights:
            raise Refused("A second person must be a supervisor or the director.", code="not_second")
        if context.actor.name == case.asked:
            raise Refused(
                "You asked for it yourself; the second person must be someone else.", code="same_person"
            )
        if not self.agrees and self.reason is None:
            raise Refused("Say why you do not agree.", code="missing", field="reason")

    def apply(self, cases: Cases, done: Done[Any]) -> None:
        """Close it or open it again, as was asked for, or leave it as it was before."""
        case = add_note(case_at(cases, done, self.subject), done, self.describe())
        if not self.agrees:
            case = replace(case, disagreed=remark(done, self.reason or ""))
        if case.state == "closing":
            settled = close_case(case, done, second=done.who) if self.agrees else reopen_case(case)
        else:
            settled = reopen_case(case) if self.agrees else replace(case, state="closed", asked=None)
        put_case(cases, done, settled)

    def describe(self) -> str:
        """Return whether the second person agreed, and why if a reason was given."""
        why = f": {self.reason}" if self.reason is not None else ""
        return f"second person {'agreed' if self.agrees else 'did not agree'}{why}"


class Review(Settlement, frozen=True, kw_only=True, tag="review"):
    """Record whether a case was rightly closed: one sampled of those closed as false, or altered since."""

    agrees: bool
    reason: Words

    def refuse(self, cases: Cases, context: CaseContext) -> None:
        """Raise Refused if it waits for no review, or the person took part in closing it."""
        case = existing_case(cases, self.subject, context)
        if case.review != "due" and not case.is_altered(weights(case.closed_as, context.alerts)):
            raise Refused("It is not due for a second look.", code="not_waiting")
        if case.review == "due" and context.actor.name in (case.closed_by, case.seconded_by):
            raise Refused(
                "You took part in closing it; someone else must take the second look.", code="same_person"
            )

    def apply(self, cases: Cases, done: Done[Any]) -> None:
        """Leave it closed, as what its alerts weigh now; or open it again, if critical by a second person."""
        case = add_note(case_at(cases, done, self.subject), done, f"looked at again: {self.reason}")
        if self.agrees:
            review = "agreed" if case.review == "due" else case.review
            put_case(cases, done, replace(case, review=review, closed_as=stated_weights(done)))
            return
        disagreed = remark(done, self.reason)
        requested = replace(case, review="disagreed", asked=done.who, disagreed=disagreed)
        put_case(cases, done, _reopening(requested))

    def describe(self) -> str:
        """Return whether who looked again agreed, and why."""
        return f"{self._verdict()}: {self.reason}"

    def describe_waiting(self) -> str:
        """Return the same, where opening it again waits for a second person."""
        return f"{self._verdict()}; waiting for a second person: {self.reason}"

    def _verdict(self) -> str:
        return f"looked at again, {'agreed' if self.agrees else 'did not agree'}"


# ── What does not ring ────────────────────────────────────────────────────────────────────────────────


class Mute(BaseCaseAction, frozen=True, kw_only=True, tag="mute"):
    """Silence the alerts of a check, of a table, or of a check at a table for some minutes."""

    check: Name | None = None
    table: Name | None = None
    minutes: Minutes
    reason: Words

    def refuse(self, cases: Cases, context: CaseContext) -> None:
        """Raise Refused if it names nothing known, or silences what may not be silenced."""
        if self.check is None and self.table is None:
            raise Refused("Say which check or which table.", code="missing", field="check")
        found = (alert.check for alert in context.alerts.values())
        if self.check is not None and self.check not in {*context.checks, *found}:
            raise_unknown_name("check", self.check, context.checks, "the alerts name")
        if self.table is not None and self.table not in context.tables:
            raise_unknown_name("table", self.table, context.tables, "the floor shows")
        if self.check is not None and context.checks.get(self.check) == "critical":
            raise Refused(
                "That check is critical; critical alerts are never muted.", code="critical", field="check"
            )
        if self.check is None and self.table is not None and "second" not in context.actor.rights:
            raise Refused(
                "Only a supervisor can mute a whole table; critical alerts ring anyway.",
                code="not_second",
                field="table",
            )
        muted = self._muted(context.actor.name, context.now)
        for case in cases.cases.values():
            if case.owner != context.actor.name or case.state == "closed":
                continue
            own = (context.alerts[name] for name in case.alerts if name in context.alerts)
            if any(muted.covers(alert.check, alert.table, context.now) for alert in own):
                raise Refused(
                    "One of your own cases is among them; release it, or ask someone else to mute.",
                    code="own_case",
                )

    def _muted(self, who: str, at: Micros) -> Muted:
        return Muted(
            id=self.id,
            by=who,
            since=at,
            until=at + self.minutes * MINUTE,
            reason=self.reason,
            check=self.check,
            table=self.table,
        )

    def apply(self, cases: Cases, done: Done[Any]) -> None:
        """Add the mute."""
        cases.mutes[self.id] = self._muted(done.who, done.at)

    def describe(self) -> str:
        """Return what was muted, where, for how long and why."""
        muted = " at ".join(mute_scope(self.check, self.table))
        return f"{muted} muted for {self.minutes} minutes: {self.reason}"


class Unmute(BaseCaseAction, frozen=True, kw_only=True, tag="unmute"):
    """End a mute early; `mute` is the id of the action that began it."""

    mute: ActionId

    def refuse(self, cases: Cases, context: CaseContext) -> None:
        """Raise Refused if the mute has ended."""
        if self.mute not in cases.mutes or cases.mutes[self.mute].until <= context.now:
            raise Refused("That mute has ended already.", code="ended")

    def apply(self, cases: Cases, done: Done[Any]) -> None:
        """End the mute now, unless it has ended already."""
        muted = cases.mutes[self.mute]
        cases.mutes[self.mute] = replace(muted, until=min(muted.until, done.at))

    def describe(self) -> str:
        """Return that the mute was ended."""
        return "mute ended early"


Joining: TypeAlias = Acknowledge | TakeNext | Merge
CaseAction: TypeAlias = (
    Joining
    | Assign
    | Release
    | WriteNote
    | AddTag
    | Escalate
    | Snooze
    | Undo
    | Close
    | Reopen
    | Second
    | Review
    | Mute
    | Unmute
)


def evolve(cases: Cases, done: Done[CaseAction]) -> None:
    """Fold an action that was done into the cases, in place; note what was done to each alert concerned."""
    before = alerts_concerned(cases, done.action)
    done.action.apply(cases, done)
    for alert in {*before, *alerts_concerned(cases, done.action)}:
        cases.done.setdefault(alert, {})[done.action.id] = done.at
        owner, in_hand = cases.case(alert).in_hand_of, cases.in_hand.get(alert, ())
        if owner != (in_hand[-1].who if in_hand else None):
            cases.in_hand[alert] = (*in_hand, InHand(owner, done.at, done.who))


def alerts_concerned(cases: Cases, action: CaseAction) -> list[str]:
    """Return the alerts of the cases that an action is about, as these are now."""
    subject = action.subject if isinstance(action, OnCase | TakeNext) else None
    others = action.others if isinstance(action, Joining) else ()
    subjects = [alert_of(each) for each in (subject, *others) if each is not None]
    return [alert for name in subjects for alert in cases.case(name).alerts]


def mute_scope(check: str | None, table: str | None) -> tuple[str, str]:
    """Return what a mute silences, and where. What is critical rings at a table that is muted.

    >>> mute_scope(None, "BAC-101"), mute_scope("push_paid", None)
    (('all that is not critical', 'BAC-101'), ('push paid as a win', 'every table'))
    """
    what = check_name(check) if check is not None else "all that is not critical"
    return what, table_called(table) if table is not None else "every table"


def _is_of_another(case: Case, actor: Actor) -> bool:
    return case.owner not in (None, actor.name) and "second" not in actor.rights


def _with_others(others: Collection[str]) -> str:
    return f", with {len(others)} more" if others else ""


def _reopening(case: Case) -> Case:
    return replace(case, state="reopening") if case.critical else reopen_case(case)
