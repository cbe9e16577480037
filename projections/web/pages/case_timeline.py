"""The one timeline of an alert's case: the hand, what was found of it and when it rang, what people did.

What happened at the table has the floor's clock, what was found and done the wall's. On a live floor they are
one; a recorded floor that plays on has its own, and what happened comes before what was found of it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from projections.casework.alerts.alert_arrival import Arrival
from projections.casework.disputes.dispute_state import Dispute
from projections.catalogue import check_name
from projections.engine.findings import FindingBase, Severity
from projections.views.hand_replay import ReplayStep, event_of
from projections.web.records.record_links import AlertLabel
from projections.web.records.record_views import RecordView
from schemas.events import CardSeen, InventoryCounted, RoundOpened, StackSeen
from schemas.values import Micros, moment

EntryKind: TypeAlias = Literal[
    "opened", "event", "found", "rang", "done", "called", "answered", "in_dispute", "ruled", "dispute_closed"
]
_SECOND_READINGS: Final = (CardSeen, StackSeen, InventoryCounted)  # which add nothing new


class CaseEntry(Struct, frozen=True, kw_only=True):
    """Entry of a case's timeline: when, by which clock, of which kind, and what the kind is about.

    `what` is a device's report or a person's action, in words, and `who` did it. `alert` is the finding, with
    its check and seat, or the other alert of the case that the action concerns. For a device's report `marks`
    are the checks whose finding it caused.
    """

    at: datetime
    clock: Literal["floor", "wall"]
    kind: EntryKind
    who: str | None = None
    what: str = ""
    alert: str | None = None
    called: str | None = None
    severity: Severity | None = None
    queue: str | None = None
    dispute: str | None = None
    marks: tuple[str, ...] = ()


class HistoryLine(Struct, frozen=True):
    """Entry of an alert's history: when, by whom, what; `to` if it was to another alert of the case."""

    at: datetime
    who: str
    what: str
    to: AlertLabel | None


def case_timeline(entries: Iterable[CaseEntry], *, has_own_clock: bool) -> list[CaseEntry]:
    """Return entries in the order of time; those of a floor with a clock of its own come first.

    >>> at = datetime(2025, 3, 1)
    >>> rang = CaseEntry(at=at, clock="wall", kind="rang")
    >>> opened = CaseEntry(at=at.replace(hour=1), clock="floor", kind="opened")
    >>> [each.kind for each in case_timeline([opened, rang], has_own_clock=False)]
    ['rang', 'opened']
    >>> [each.kind for each in case_timeline([opened, rang], has_own_clock=True)]
    ['opened', 'rang']
    """
    return sorted(entries, key=lambda each: (has_own_clock and each.clock == "wall", each.at))


def hand_entries(
    record: RecordView, steps: Sequence[ReplayStep] = (), reports: Sequence[str] = ()
) -> Iterator[CaseEntry]:
    """Yield what happened of a round: its events as far as they are known, or else when it was opened.

    `reports` are the events of the steps in words, names masked.
    """
    marks: dict[int, list[FindingBase[Any]]] = {}
    events = [step.event for step in steps]
    for found in record.findings if events else ():
        marks.setdefault(event_of(found, events), []).append(found)
    for place, (step, report) in enumerate(zip(steps, reports, strict=True)):
        if isinstance(step.event, _SECOND_READINGS) and place not in marks:
            continue
        yield CaseEntry(
            at=moment(step.at),
            clock="floor",
            kind="opened" if isinstance(step.event, RoundOpened) else "event",
            what=report,
            marks=tuple(dict.fromkeys(each.check for each in marks.get(place, ()))),
        )
    if not steps and record.round is not None and record.at is not None:
        yield CaseEntry(at=record.at, clock="floor", kind="opened")


def found_entries(
    findings: Iterable[FindingBase[Any]], arrivals: Mapping[str, Arrival], others: Mapping[str, AlertLabel]
) -> Iterator[CaseEntry]:
    """Yield when each finding of a round and each other alert of the case came, and if it rang."""
    labels = {name: label.called for name, label in others.items()}
    labels |= {each.id: _called(each) for each in findings}
    for name, called in labels.items():
        if (arrival := arrivals.get(name)) is None:
            continue
        found = CaseEntry(
            at=moment(arrival.came),
            clock="wall",
            kind="found",
            alert=name,
            called=called,
            severity=arrival.severity,
            queue=arrival.queue,
        )
        yield found
        if arrival.rang:
            yield replace(found, kind="rang")


def _called(finding: FindingBase[Any]) -> str:
    seat = f", seat {finding.seat}" if isinstance(finding.seat, int) else ""
    return f"{check_name(finding.check)}{seat}"


def done_entries(history: Iterable[HistoryLine]) -> Iterator[CaseEntry]:
    """Yield what people did with the case."""
    for each in history:
        to = each.to
        yield CaseEntry(
            at=each.at,
            clock="wall",
            kind="done",
            who=each.who,
            what=each.what,
            alert=to.id if to is not None else None,
            called=to.called if to is not None else None,
        )


def dispute_entries(disputes: Iterable[Dispute]) -> Iterator[CaseEntry]:
    """Yield the calls, the rulings and the ends of the disputes about a hand."""
    for each in disputes:
        moments: list[tuple[EntryKind, Micros | None, Literal["floor", "wall"]]] = [
            ("called", each.call.called, "floor"),
            ("answered", each.call.answered, "floor"),
            ("in_dispute", each.opened, "wall"),
            ("ruled", each.ruling.ruled if each.ruling is not None else None, "floor"),
            ("dispute_closed", each.closed, "wall"),
        ]
        for kind, at, clock in moments:
            if at is not None:
                yield CaseEntry(at=moment(at), clock=clock, kind=kind, dispute=each.name)
