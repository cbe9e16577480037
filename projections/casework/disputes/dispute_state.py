"""The disputes as they stand: the fold of what was done. Times are microseconds UTC, sums whole cents."""

from collections.abc import Collection, Iterable
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from projections.casework.cases.case_state import Done, Remark
from projections.casework.disputes.dispute_actions import (
    About,
    Acceptance,
    Bundle,
    Call,
    DisputeAction,
    DisputeBundle,
    DisputeClose,
    DisputeNote,
    DisputeOpen,
    DisputeReopen,
    DisputeReview,
    DisputeRule,
    Findings,
    Footage,
    Outcome,
    PartAction,
    Referral,
    Ruling,
    name_of,
    subject_of,
)
from projections.engine.identity import id_of_round, id_of_table_day
from projections.engine.observation import is_name
from schemas.values import Micros

State: TypeAlias = Literal["open", "closed"]

_HOUR: Final = 3_600_000_000  # microseconds


class Review(Struct, frozen=True, kw_only=True):
    """The second review of a ruling: by whom, when, and whether it agrees."""

    who: str
    at: Micros
    agrees: bool
    text: str


class Dispute(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A dispute. `ruled_in_log_by` is who wrote the ruling down, who need not be the one who ruled it."""

    name: str
    opened: Micros
    opened_by: str
    about: About
    call: Call
    state: State = "open"
    footage: Footage = Footage()
    findings: Findings | None = None
    ruling: Ruling | None = None
    ruled_in_log_by: str | None = None
    acceptance: Acceptance | None = None
    referral: Referral | None = None
    review: Review | None = None
    bundles: tuple[Bundle, ...] = ()
    notes: tuple[Remark, ...] = ()
    outcome: Outcome | None = None
    outcome_text: str | None = None
    closed: Micros | None = None
    closed_by: str | None = None


class Disputes(Struct):
    """All disputes by their names, and what was done to each, in order.

    `tied` are the subjects of all that each has ever belonged to: its history goes on telling of that.
    """

    disputes: dict[str, Dispute] = field(default_factory=dict)
    done: dict[str, list[Done[Any]]] = field(default_factory=dict)
    tied: dict[str, frozenset[str]] = field(default_factory=dict)


def evolve(disputes: Disputes, done: Done[DisputeAction]) -> None:
    """Fold one action into the disputes, in place."""
    name = name_of(done.action.subject or "")
    stands = after(disputes.disputes.get(name), done)
    # What it is tied to first: who asks meanwhile is told too little rather than too much.
    disputes.tied[name] = disputes.tied.get(name, frozenset()) | subjects_of(stands)
    disputes.disputes[name] = stands
    disputes.done.setdefault(name, []).append(done)


def after(before: Dispute | None, done: Done[DisputeAction]) -> Dispute:
    """Return a dispute as it stands after an action; before the first there is none."""
    action = done.action
    if isinstance(action, DisputeOpen):
        name = name_of(action.subject or "")
        return Dispute(name=name, opened=done.at, opened_by=done.who, about=action.about, call=action.call)
    if before is None:
        raise LookupError(f"{action.subject} was never opened")
    match action:
        case DisputeReview():
            review = Review(who=done.who, at=done.at, agrees=action.agrees, text=action.text)
            return replace(before, review=review)
        case DisputeNote():
            return _noted(before, done, action.text)
        case DisputeBundle():
            return replace(before, bundles=(*before.bundles, action.bundle))
        case DisputeClose() | DisputeReopen():
            return _settled(before, action, done)
        case _:
            return _with_part(before, action, done.who)


def _noted(before: Dispute, done: Done[Any], text: str) -> Dispute:
    return replace(before, notes=(*before.notes, Remark(done.who, done.at, text)))


def _settled(before: Dispute, action: DisputeClose | DisputeReopen, done: Done[Any]) -> Dispute:
    if isinstance(action, DisputeClose):
        return replace(
            before,
            state="closed",
            outcome=action.outcome,
            outcome_text=action.text,
            closed=done.at,
            closed_by=done.who,
        )
    return replace(
        _noted(before, done, f"opened again: {action.reason}"),
        state="open",
        outcome=None,
        outcome_text=None,
        closed=None,
        closed_by=None,
    )


def _with_part(before: Dispute, action: PartAction, who: str) -> Dispute:
    changed: dict[str, Any] = {action.part: getattr(action, action.part)}
    if isinstance(action, DisputeRule):
        changed |= {"ruled_in_log_by": who, "review": None}
    return replace(before, **changed)


def is_hidden(disputes: Disputes, name: str, hidden: Collection[str]) -> bool:
    """Return True if a dispute is hidden: it is embargoed itself, or what it belongs to, or once did, is."""
    return not disputes.tied[name].isdisjoint(hidden)


def subjects_of(dispute: Dispute) -> set[str]:
    """Return what a dispute goes by and what it belongs to: its alerts, its rounds, its day at the table."""
    return {subject_of(dispute.name), *hands_of(dispute.about), day_of(dispute.about)}


def hands_of(about: About) -> set[str]:
    """Return the subjects of the rounds and the alerts that are disputed.

    >>> from datetime import date
    >>> about = About(table="T", gaming_date=date(2025, 3, 1), rounds=("17",), claim="won", alerts=("1f",))
    >>> sorted(hands_of(about)), day_of(about)
    (['alert:1f', 'round:2025-03-01|T|17'], 'table-day:2025-03-01|T')
    """
    rounds = {id_of_round(about.gaming_date, about.table, number) for number in about.rounds}
    return {*(f"alert:{alert}" for alert in about.alerts), *(f"round:{each}" for each in rounds)}


def day_of(about: About) -> str:
    """Return the subject of the table's day on which the hand was."""
    return f"table-day:{id_of_table_day(about.gaming_date, about.table)}"


def people_in(dispute: Dispute, accounts: Collection[str]) -> dict[str, str]:
    """Return the patron and the people of the floor whom a dispute names, each with that role.

    The accounts of the `room` are left out: whoever works there is no secret in it. So is a letter on a spot.
    """
    patron = dispute.about.patron
    names = (
        (patron if patron is not None and is_name(patron) else None, "patron"),
        (dispute.about.supervisor, "floorperson"),
        (dispute.call.caller, "caller"),
        (dispute.ruling.ruled_by if dispute.ruling is not None else None, "person"),
    )
    return {name: role for name, role in names if name is not None and name not in accounts}


def footage_due(disputes: Iterable[Dispute], now: Micros, hours: int) -> list[Dispute]:
    """Return the disputes whose footage is to be preserved now, what is overwritten first before the rest.

    That is footage nobody preserved which is overwritten within so many hours or has been, of any dispute,
    and of an open one footage of which nobody said yet how long it is kept; these come last.
    """
    to_preserve = [each for each in disputes if each.footage.preserved is None]
    due_soon = [
        (expires, each.name, each)
        for each in to_preserve
        if (expires := each.footage.expires) is not None and expires <= now + hours * _HOUR
    ]
    unsaid = [
        (each.opened, each.name, each)
        for each in to_preserve
        if each.footage.expires is None and each.state == "open"
    ]
    return [each for *_, each in (*sorted(due_soon, key=_first), *sorted(unsaid, key=_first))]


def _first(due: tuple[Micros, str, Dispute]) -> tuple[Micros, str]:
    return due[:2]
