"""Rings of alerts: on arrival, when one becomes more urgent, and when what silenced it has ended."""

from collections.abc import Callable, Collection
from typing import Final, TypeAlias

from msgspec.structs import replace

from projections.casework.actions import MINUTE
from projections.casework.alerts.alert_arrival import Arrival, is_more_urgent, new_arrival
from projections.casework.alerts.alert_queue import AlertQueue, is_hidden
from projections.casework.alerts.queues import order_of, sums_of
from projections.casework.cases.alert import Alert
from projections.casework.cases.case_state import Cases
from projections.engine.findings import severity_rank
from schemas.values import Micros

_Ids: TypeAlias = Collection[str]
_THIRD: Final = 3


def note_arrival(
    alert_queue: AlertQueue,
    alert: Alert,
    cases: Cases,
    now: Micros,
    judged: Micros | None = None,
    *,
    quiet: bool = False,
) -> Arrival | None:
    """Note how an alert came and whether it rings; None if it is no more urgent than when it came.

    `judged` is when it was concluded, if known: alerts of a lost store are noted as they came there. If it is
    `quiet`, nothing rings, and what has come before does not come again.
    """
    queue, before = alert_queue.queue_of(alert, cases, now), alert_queue.arrivals.get(alert.id)
    alert_queue.schedule_moves(alert, queue)
    noted = None
    at = alert_queue.arrival_time(judged, now) if judged is not None else now
    if before is None:
        # What something was done to and no store knows is of one that was lost: it came by then.
        at = min(at, cases.first_action_time(alert.id, now))
    into = alert_queue.queue_at(alert, at) if at < now else queue
    if before is None or (not quiet and is_more_urgent(alert, into, before)):
        rang = not quiet and _rings(alert_queue, alert, cases, now)
        into, at = (queue, now) if rang else (into, at)
        noted = new_arrival(alert, into, at, alert_queue.settings, before, rang=rang)
        alert_queue.record_arrival(noted)
    silenced = alert_queue.silence_reason(alert, cases, now) is not None
    if queue == "act_now" and silenced and not alert_queue.arrivals[alert.id].rang:
        alert_queue.suppressed.add(alert.id)
    return noted


def release_suppressed(alert_queue: AlertQueue, put_off: _Ids, cases: Cases, now: Micros) -> list[Arrival]:
    """Ring the alerts that are silenced no longer, are still in "act now" and have no owner; return these.

    `put_off` are the alerts whose postponement has just ended: they ring again even if they rang on arrival.
    Of several at one moment only the most severe rings, and another for those from whom it is withheld.
    """
    names = alert_queue.suppressed | set(put_off)
    alerts = [alert_queue.alerts[name] for name in names if name in alert_queue.alerts]
    unassigned = [alert for alert in alerts if _is_free(alert_queue, alert, cases, now)]
    alert_queue.suppressed = {
        each.id for each in unassigned if alert_queue.silence_reason(each, cases, now) is not None
    }
    rang: list[Arrival] = []
    for alert in sorted(unassigned, key=order_of):
        if not _rings(alert_queue, alert, cases, now, again=alert.id in put_off):
            continue
        before = alert_queue.arrivals[alert.id]
        arrival = replace(before, coming=before.coming + 1, came=now, rang=True)
        if _known_by_one(alert_queue, [each.id for each in rang], alert, cases):
            alert_queue.recent_rings.note_covered(arrival)
        else:
            alert_queue.record_arrival(arrival)
            rang.append(arrival)
    return rang


def overdue_to_ring(alert_queue: AlertQueue, cases: Cases, now: Micros) -> set[str]:
    """Return what is heard again now, as it can still be put right, is overdue and still taken by nobody.

    One rings at once when it becomes overdue, and all together at the room's pace as long as any is.
    """
    alerts = {
        alert.id
        for alert in alert_queue.overdue(cases, now)
        if alert_queue.queue_of(alert, cases, now) == "act_now"
        and alert_queue.silence_reason(alert, cases, now) is None
    }
    paced = now >= alert_queue.overdue_rung_at + alert_queue.settings.overdue_every_minutes * MINUTE
    if alerts <= alert_queue.overdue_rung and not (alerts and paced):
        alert_queue.overdue_rung = alerts
        return set()
    alert_queue.overdue_rung, alert_queue.overdue_rung_at = alerts, now
    return alerts


def _is_free(alert_queue: AlertQueue, alert: Alert, cases: Cases, now: Micros) -> bool:
    return alert_queue.queue_of(alert, cases, now) == "act_now" and cases.case(alert.id).state == "new"


def _rings(alert_queue: AlertQueue, alert: Alert, cases: Cases, now: Micros, *, again: bool = False) -> bool:
    """Return True if an alert rings; one that rings `again` is no repeat of itself.

    Undetermined ones never ring, nor assigned ones, nor repeats of an alert that rang a while ago, is still
    present and not closed. But an alert that somebody may not know of silences nothing that this person may
    know of: a person who hears neither would not look.
    """
    if (
        not _is_free(alert_queue, alert, cases, now)
        or alert_queue.silence_reason(alert, cases, now) is not None
    ):
        return False
    since = now - alert_queue.settings.repeats_minutes * MINUTE
    before = [
        earlier
        for each in alert_queue.recent_rings.repeated_by(alert, since)
        if (not again or each.id != alert.id)
        if (earlier := alert_queue.alerts.get(each.id)) is not None and cases.case(each.id).state != "closed"
    ]
    others = [each.id for each in before if not _is_louder(alert_queue, alert, each)]
    if not _known_by_one(alert_queue, others, alert, cases):
        return True
    in_the_round = any(alert_queue.alerts[each].about == alert.about for each in others)
    return not in_the_round and is_third(mistakes_of_dealer(alert_queue, alert, since))


def _is_louder(alert_queue: AlertQueue, alert: Alert, earlier: Alert) -> bool:
    """Return True if an alert is heard though an earlier one rang: it is critical, or so much larger.

    In one round something critical is heard beside what is not; of money in it the larger is the alert's
    own. Two rounds are weighed against each other as wholes.
    """
    of_one_round = alert.about == earlier.about
    if alert.severity == "critical" and not (earlier.severity == "critical" and of_one_round):
        return True
    if earlier.severity == "critical" and alert.severity != "critical":
        return False
    money, before = (
        abs(each.comes_to_cents or 0) if of_one_round else _in_round(alert_queue, each)
        for each in (alert, earlier)
    )
    return money > 0 and 100 * money >= alert_queue.settings.larger_percent * before


def _in_round(alert_queue: AlertQueue, alert: Alert) -> int:
    """Return the cents of all wrong wagers of an alert's round, those of both sides."""
    found = (alert_queue.alerts[name] for name in alert_queue.alerts_about.get(alert.about, ()))
    return sum(each.cents for each in sums_of(found) if each.favours is not None)


def mistakes_of_dealer(
    alert_queue: AlertQueue, alert: Alert, since: Micros, hides: Callable[[Alert], bool] = lambda _: False
) -> int:
    """Count the rounds in which an alert's dealer erred after a moment so that somebody had to act now.

    Its own round is one of them. 0 if the dealer is not known; what is hidden is not counted.
    """
    if alert.dealer is None:
        return 0
    alerts = (alert_queue.alerts[name] for name in alert_queue.alerts_by_dealer[alert.dealer])
    rounds = {
        each.about
        for each in alerts
        if (noted := alert_queue.arrivals.get(each.id)) is not None
        and noted.queue == "act_now"
        and noted.came > since
        and not hides(each)
    }
    return len(rounds | {alert.about})


def is_third(mistakes: int) -> bool:
    """Return True for every third mistake of a dealer.

    >>> [count for count in range(8) if is_third(count)]
    [3, 6]
    """
    return mistakes > 0 and mistakes % _THIRD == 0


def loudest_first(alert: Alert) -> tuple[int, int, str]:
    """Sort what comes at one moment: of a round the most severe is heard, and of these the largest."""
    return severity_rank(alert.severity), -abs(alert.comes_to_cents or 0), alert.id


def _known_by_one(alert_queue: AlertQueue, rang: Collection[str], alert: Alert, cases: Cases) -> bool:
    """Return True if all who may know of an alert may know of one of others, which rang."""
    withheld = list(alert_queue.embargoed_subjects()) if rang else []
    of_whom = [hidden for hidden in withheld if not is_hidden(alert, alert_queue, cases, hidden)]
    return any(
        alert_heard is None
        or not any(is_hidden(alert_heard, alert_queue, cases, hidden) for hidden in of_whom)
        for alert_heard in map(alert_queue.find, rang)
    )
