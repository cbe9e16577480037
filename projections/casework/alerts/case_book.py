"""The book of cases: the actions on the alerts of a queue, for `casework.command_handler`."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final, TypeVar, get_args

from msgspec.structs import replace

from projections.casework.actions import Actor, Done, Refused
from projections.casework.alerts.alert_queue import AlertQueue, first_of, next_of, rest_of_incident
from projections.casework.alerts.queues import is_untouched
from projections.casework.cases.alert import weights
from projections.casework.cases.case_actions import (
    MERGED_AT_ONCE,
    CaseAction,
    Close,
    Joining,
    Merge,
    OnCase,
    Settlement,
    TakeNext,
    alerts_concerned,
    evolve,
)
from projections.casework.cases.case_rules import CaseContext
from projections.casework.cases.case_state import WEIGHT_PREFIX, Case, Cases, alert_of
from schemas.room_settings import CloseReason
from schemas.values import Micros

_RECENT: Final = 20  # stored closings of a person, some of which may be hidden
_J = TypeVar("_J", bound=Joining)


class CaseBook:
    """The cases of a board's alerts, as they were acted on; `checks` gives the severity of each check."""

    kinds: Final = get_args(CaseAction)

    def __init__(self, alert_queue: AlertQueue, checks: Mapping[str, str]) -> None:
        self.alert_queue, self._checks = alert_queue, checks
        self.clear()

    def clear(self) -> None:
        """Clear the state; it is about to be folded again."""
        self.cases = Cases()
        self._closings: defaultdict[str, dict[CloseReason, str]] = defaultdict(dict)

    def prepare(self, action: CaseAction, actor: Actor, now: Micros) -> tuple[CaseAction, dict[str, str]]:
        """Return an action as it is to be done, with how severe the alerts are that it concerns.

        Of what settles a case it is noted what they weigh, too.

        Raises:
            Refused: it cannot be done as things stand.
        """
        if isinstance(action, TakeNext):
            action = self._next(action, actor, now)
        if isinstance(action, Joining) and action.whole_incident:
            action = self._with_incident(action, actor, now)
        alerts_by_id = self.alert_queue.alerts
        tables = {*self.alert_queue.tables, *self.alert_queue.reporting_tables}
        action.refuse(self.cases, CaseContext(actor, now, alerts_by_id, self._checks, tables))
        alerts = alerts_concerned(self.cases, action)
        facts: dict[str, str] = {name: alerts_by_id[name].severity for name in alerts if name in alerts_by_id}
        if isinstance(action, Settlement):
            facts |= {f"{WEIGHT_PREFIX}{name}": as_ for name, as_ in weights(alerts, alerts_by_id).items()}
        return action, facts

    def _next(self, action: TakeNext, actor: Actor, now: Micros) -> TakeNext:
        if action.among is None:
            found = next_of(self.alert_queue, action.queue, self.cases, now, actor.hidden)
        else:
            found = first_of(self.alert_queue, map(alert_of, action.among), self.cases, now, actor.hidden)
        if found is None:
            where = "" if action.among is None else " among what the queue shows"
            raise Refused(f"Nothing is unassigned{where}.", code="nothing_unassigned")
        return replace(action, subject=f"alert:{found}", among=None)

    def _with_incident(self, action: _J, actor: Actor, now: Micros) -> _J:
        alert = self.alert_queue.alerts.get(alert_of(action.subject or ""))
        if alert is None or not (isinstance(action, Merge) or is_untouched(self.cases.case(alert.id))):
            return action  # a row of its own
        rest = rest_of_incident(self.alert_queue, alert, self.cases, now, actor.hidden)
        others = dict.fromkeys([*action.others, *(f"alert:{name}" for name in rest)])
        return replace(action, others=tuple(others)[:MERGED_AT_ONCE])

    def subject_state(self, action: CaseAction) -> Case | None:
        """Return the case that an action is about; None if it is about none."""
        subject = action.subject if isinstance(action, OnCase | TakeNext) else None
        return self.cases.case(alert_of(subject)) if subject is not None else None

    def evolve(self, done: Done[CaseAction]) -> None:
        """Fold what was done."""
        evolve(self.cases, done)
        if isinstance(done.action, Close):
            closings, closing = self._closings[done.who], CloseReason(done.action.outcome, done.action.reason)
            closings.pop(closing, None)
            closings[closing] = done.action.subject
            if len(closings) > _RECENT:
                del closings[next(iter(closings))]

    def recent_closings(self, who: str) -> list[tuple[CloseReason, str]]:
        """Return as what and why a person closed alerts lately, the last first, each with its subject."""
        return list(reversed(self._closings[who].items())) if who in self._closings else []

    def done_to(self, alert: str) -> set[str]:
        """Return the ids of all actions done to an alert, and to the others of its case as it is now.

        Done to an alert is also what was done to its case by the name of another alert in it.
        """
        return {each for name in self.cases.case(alert).alerts for each in self.cases.done.get(name, ())}
