"""What was taken or closed later than it was due, or is not yet although it is due."""

from collections.abc import Container, Iterable
from typing import Literal, TypeAlias

from msgspec import Struct

from projections.casework.alerts.alert_arrival import Came
from projections.casework.cases.case_state import Cases
from projections.engine.findings import Severity
from schemas.values import Micros

Step: TypeAlias = Literal["taken", "closed"]


class Breach(Struct, frozen=True, kw_only=True):
    """An alert that was not taken, or not closed, when it was due.

    `done` is when it was after all, None where it still is not. `who` is who took it late, or had it when it
    was due to be closed, else who had it next; None where nobody has.
    """

    alert: str
    about: str
    table: str
    check: str
    severity: Severity
    step: Step
    due: Micros
    done: Micros | None
    who: str | None

    def late(self, now: Micros) -> int:
        """Return by how many whole minutes it was, or is, over its time."""
        return ((self.done if self.done is not None else now) - self.due) // 60_000_000


def breaches(came: Iterable[Came], cases: Cases, alerts: Container[str], now: Micros) -> list[Breach]:
    """Find what was over its time among alerts, by the work on them, in the order of their due times.

    `came` is how each came the last time. A case that was opened again is as open as before. Of what stands
    no more and was never touched nothing was due any more.
    """
    found: list[Breach] = []
    for each in came:
        case = cases.case(each.id)
        if each.id not in alerts and case.changed is None:
            continue
        taken, who = _taken(cases, each.id)
        if _is_over(each.taken_due, taken, now):
            found.append(_breach(each, "taken", each.taken_due, taken, who))
        closed = case.closed if case.state == "closed" else None
        if _is_over(each.closed_due, closed, now):
            had = cases.had(each.id, each.closed_due)
            who = had.who if had is not None else None
            found.append(_breach(each, "closed", each.closed_due, closed, who))
    return sorted(found, key=lambda breach: (breach.due, breach.alert, breach.step))


def _taken(cases: Cases, alert: str) -> tuple[Micros | None, str | None]:
    """Return when an alert was taken in hand, and by whom.

    Who gives it to another has done so, not who was given it. One that was put into a case which somebody had
    already was taken as that was done.
    """
    acknowledged = cases.case(alert).acknowledged
    had = cases.had(alert, acknowledged) if acknowledged is not None else None
    if acknowledged is None or had is None:
        return None, None
    return max(acknowledged, had.since), had.by


def _is_over(due: Micros, done: Micros | None, now: Micros) -> bool:
    return (done if done is not None else now) > due


def _breach(each: Came, step: Step, due: Micros, done: Micros | None, who: str | None) -> Breach:
    return Breach(
        alert=each.id,
        about=each.about,
        table=each.table,
        check=each.check,
        severity=each.severity,
        step=step,
        due=due,
        done=done,
        who=who,
    )
