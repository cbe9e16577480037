"""A notice: the content of a message outside the console about an incident or a finding, and its words."""

from collections.abc import Collection
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from projections.casework.alerts.queues import QueueItem, Sum
from projections.casework.alerts.untaken_incidents import UntakenIncident
from projections.casework.cases.alert import Alert
from projections.catalogue import check_name
from projections.views.time_text import moment_text
from schemas.escalation import Detail, Step
from schemas.values import Micros, dollars, moment

Sort: TypeAlias = Literal["untaken", "finding", "test"]
_SIDES: Final = {"house": "owed to patrons", "patron": "overpaid", None: "difference"}


class Notice(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Content of a message. The fields after `to` are confidential: a target has them if its file allows it.

    `came` and `at` are microseconds UTC: when the console had the first of it, and when it was to be sent;
    `zone` is the house's, in which people read them.
    """

    sort: Sort
    at: Micros
    came: Micros
    table: str | None = None
    checks: tuple[str, ...] = ()
    severity: str | None = None
    alert: str | None = None
    overdue_minutes: int | None = None
    zone: str = "UTC"
    to: tuple[str, ...] = ()
    round: str | None = None
    seats: tuple[int, ...] = ()
    dealer: str | None = None
    sums: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Return its title, which contains nothing confidential.

        >>> came = {"at": 0, "came": 0}
        >>> Notice(sort="untaken", table="BAC-1", checks=("push_paid",), severity="high", **came).title
        'High: push paid as a win, table BAC-1'
        >>> Notice(sort="test", **came).title
        'Test from discardrack'
        """
        if self.sort == "test":
            return "Test from discardrack"
        checks = ", ".join(map(check_name, self.checks))
        return f"{(self.severity or 'alert').capitalize()}: {checks}, table {self.table}"

    def without_details(self) -> "Notice":
        """Return it without anything confidential."""
        return replace(self, round=None, seats=(), dealer=None, sums=())

    def lines(self, link: str | None) -> list[str]:
        """Return its text, line by line, with the link to the console last."""
        if self.sort == "test":
            return ["This is a test. Nothing has happened, and nothing is to be done."]
        late = f", {self.overdue_minutes} min after it was due" if self.overdue_minutes is not None else ""
        text = [f"It came at {moment_text(moment(self.came), self.zone)}."]
        text += [f"Nobody has taken it{late}."] if self.sort == "untaken" else []
        text += [f"For: {', '.join(self.to)}"] if self.to else []
        text += [f"Round {self.round}"] if self.round is not None else []
        text += [f"Seats {', '.join(map(str, self.seats))}"] if self.seats else []
        text += [f"Dealer {self.dealer}"] if self.dealer is not None else []
        text += list(self.sums)
        return [*text, link] if link is not None else text


def link_to(console: str, notice: Notice) -> str:
    """Return the address of the page that a notice is about."""
    path = f"/alerts/{notice.alert}" if notice.alert is not None else "/"
    return console.rstrip("/") + path


def notice_of_incident(
    incident: UntakenIncident, row: QueueItem, step: Step, include: Collection[Detail], now: Micros, zone: str
) -> Notice:
    """Return a step's notice of an incident, of which `row` climbs, with as much as a target may have."""
    overdue = (now - incident.overdue_since()) // 60_000_000
    return Notice(
        sort="untaken",
        at=now,
        came=min(each.came for each in incident.items),
        table=row.alert.table,
        checks=tuple(each.check for each in row.checks),
        severity=row.alert.severity,
        alert=row.alert.id,
        overdue_minutes=overdue if overdue >= 0 else None,
        zone=zone,
        to=step.whom,
        round=row.round if "round" in include else None,
        seats=row.seats if "seats" in include else (),
        dealer=row.alert.dealer if "dealer" in include else None,
        sums=tuple(map(_sum, row.sums)) if "sums" in include else (),
    )


def notice_of_finding(
    alert: Alert, came: Micros, include: Collection[Detail], now: Micros, zone: str
) -> Notice:
    """Return a feed's notice of a finding, with as much as a target may have."""
    cents = alert.comes_to_cents
    money = (_sum(Sum(alert.favours, abs(cents), 1)),) if cents else ()
    return Notice(
        sort="finding",
        at=now,
        came=came,
        table=alert.table,
        checks=(alert.check,),
        severity=alert.severity,
        alert=alert.id,
        zone=zone,
        round=alert.round if "round" in include else None,
        seats=(alert.seat,) if "seats" in include and alert.seat is not None else (),
        dealer=alert.dealer if "dealer" in include else None,
        sums=money if "sums" in include else (),
    )


def _sum(total: Sum) -> str:
    return f"{dollars(total.cents)} {_SIDES[total.favours]}"


encode: Final = msgspec.json.Encoder().encode
decode: Final = msgspec.json.Decoder(Notice).decode
