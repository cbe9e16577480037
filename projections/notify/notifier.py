"""The notifier: queues what is due by the escalation file, sends it, and notes the results.

Queueing and sending are separate: the queue outlasts the process, and each target has a thread of its own for
the one message being sent, so that a slow or dead one holds up nothing else.
"""

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache, partial
from typing import Final, Protocol

import structlog
from msgspec import Struct

from projections.casework.alert_watch import AlertQueries
from projections.casework.alerts.queues import QueueItem, row_of
from projections.casework.alerts.untaken_incidents import UntakenIncident
from projections.notification_metrics import AGE, SENT
from projections.notify.channel import SECOND, Answer, Channel
from projections.notify.channels import Notifications
from projections.notify.notice import notice_of_finding, notice_of_incident
from projections.notify.outbox import FEED, Delivery, Outbox, Outcome, TargetState, delivery_id
from schemas.escalation import AnyTarget, Escalation, Plan, PushTarget, Quiet, Step
from schemas.house import House
from schemas.values import Micros, microseconds

_MINUTE: Final = 60 * SECOND
_FIRST_RETRY: Final = 5 * SECOND
_LONGEST_RETRY: Final = 600 * SECOND
_MOST_PUSHED: Final = 8  # messages of one push target that are under way at once
_FEED_WINDOW: Final = 24 * 60 * _MINUTE  # for what came while no process ran
_PRUNED_EVERY: Final = 60 * _MINUTE
_FEED_OVERLAP: Final = 10 * _MINUTE  # for arrivals that are noted a little earlier

_log: Final = structlog.get_logger()


class Account(Struct, frozen=True):
    """An account that may work on alerts, as far as a notifier knows it."""

    name: str
    role: str


class People(Protocol):
    """The people of the console, as far as a notifier asks about them."""

    def accounts(self) -> list[Account]:
        """Return the accounts that may log in and work on alerts."""

    def hidden(self, name: str) -> frozenset[str]:
        """Return what is withheld from an account."""

    def withheld(self) -> list[frozenset[str]]:
        """Return what is withheld from each account from which anything is."""


class PeopleNow:
    """The people as they are at one moment: each is asked for once, however many alerts there are."""

    def __init__(self, people: People) -> None:
        self.accounts: Final = cache(people.accounts)
        self.hidden: Final = cache(people.hidden)
        self.withheld: Final = cache(people.withheld)


def start_thread(work: Callable[[], None]) -> None:
    """Do something in a thread of its own, for which the process does not wait when it ends."""
    threading.Thread(target=work, name="notification", daemon=True).start()


def backoff(name: str, attempts: int) -> Micros:
    """Return how long to wait after so many attempts: twice as long each time, ten minutes at most.

    A fifth more or less, by the message's own id, keeps many from coming back at one moment.

    >>> [backoff("msg_00", number) // 1_000_000 for number in (1, 2, 3, 9)], backoff("msg_ff", 1)
    ([4, 8, 16, 480], 5992000)
    """
    doubled = min(_LONGEST_RETRY, _FIRST_RETRY << min(attempts - 1, 20))
    return doubled * (8_000 + int(name[-2:], 16) * 4_000 // 256) // 10_000


def quiet_until(plan: Plan, target: str, severity: str, now: Micros, house: House) -> Micros | None:
    """Return when the quiet hours end in which a message to a target would fall; None if in none."""
    ends = [
        _end_of(quiet, house.local(now))
        for quiet in plan.quiet
        if severity in quiet.severities and (quiet.targets is None or target in quiet.targets)
    ]
    return max((microseconds(end) for end in ends if end is not None), default=None)


def _end_of(quiet: Quiet, local: datetime) -> datetime | None:
    """Return when quiet hours end in which a local time is; None if it is in none."""
    hour = local.strftime("%H:%M")
    over_midnight = quiet.since > quiet.until
    within = hour >= quiet.since or hour < quiet.until if over_midnight else quiet.since <= hour < quiet.until
    if not within:
        return None
    day = local.date() + timedelta(days=over_midnight and hour >= quiet.since)
    hours, minutes = map(int, quiet.until.split(":"))
    return datetime(day.year, day.month, day.day, hours, minutes, tzinfo=local.tzinfo)


class Notifier:
    """Sends an escalation file's messages about unassigned alerts; `step` is called again and again.

    `clock` returns the time; `run` runs an attempt, in parallel to everything else.
    """

    def __init__(
        self,
        escalation: Escalation,
        channels: Mapping[str, Channel],
        outbox: Outbox,
        alerts: AlertQueries,
        people: People,
        house: House,
        clock: Callable[[], Micros],
        run: Callable[[Callable[[], None]], object] = start_thread,
    ) -> None:
        self.escalation, self.outbox, self.channels = escalation, outbox, channels
        self._alerts, self._source, self._house = alerts, people, house
        self._people = PeopleNow(people)
        self._clock, self._run = clock, run
        self._lock = threading.Lock()
        self._in_flight: set[tuple[str, str]] = set()
        self._queued: set[str] = set()  # ids that need not be looked for in the file again
        self._untaken: dict[tuple[str, Micros], UntakenIncident] = {}
        self._fed_until = 0
        self._pruned_at = 0
        self._failing: dict[str, str] = {}

    def take_house(self, house: House, left_out: Mapping[str, str]) -> None:  # noqa: ARG002  of a protocol
        """Use a changed house file from now on."""
        self._house = house

    def take_notifications(self, notifications: Notifications) -> None:
        """Use a changed escalation file, and its channels, from now on; what is on its way stays so."""
        with self._lock:
            self.escalation, self.channels = notifications.escalation, notifications.channels

    def step(self) -> None:
        """Queue what has become due, and begin to send what can be sent now."""
        now, self._people = self._clock(), PeopleNow(self._source)
        self._queue(now)
        self._dispatch(now)
        if now >= self._pruned_at + _PRUNED_EVERY:
            self._prune(now)
        oldest = self.outbox.oldest()
        for target in {*self.escalation.targets, *oldest}:
            AGE.labels(target).set(max(0, now - oldest.get(target, now)) / SECOND)

    def _prune(self, now: Micros) -> None:
        self._pruned_at = now
        self.outbox.prune(now)
        with self._lock:
            self._queued.clear()  # the file has those that matter

    # ── what is due ───────────────────────────────────────────────────────────────────────────────────

    def _queue(self, now: Micros) -> None:
        incidents = self._alerts.untaken_incidents(now)
        self._untaken = {incident.key: incident for incident in incidents}
        deliveries = {
            each.id: each
            for each in (*self._steps_due(incidents, now), *self._feeds_due(now))
            if each.id not in self._queued
        }
        settled = self.outbox.settled_ids(deliveries)
        self.outbox.add(each for name, each in deliveries.items() if name not in settled)
        with self._lock:
            self._queued |= deliveries.keys()

    def _steps_due(self, incidents: Iterable[UntakenIncident], now: Micros) -> Iterator[Delivery]:
        plan = self.escalation.plan_on(self._house.gaming_date(now))
        if plan is None:
            return
        for incident in incidents:
            items = [each for each in incident.items if _climbs(each, plan)]
            # What waited before there was a file was for the room that had none.
            is_new = any(max(each.came, incident.since) >= self.outbox.made for each in items)
            if incident.silenced or not is_new:
                continue
            for step in plan.steps:
                if _is_due(step, incident, now):
                    yield from self._deliveries(step, plan, incident, items, now)

    def _deliveries(
        self, step: Step, plan: Plan, incident: UntakenIncident, items: list[QueueItem], now: Micros
    ) -> Iterator[Delivery]:
        row = row_of(items)
        audience = self._audience(step.whom)
        for name in self.escalation.targets_of(step):
            target = self.escalation.targets[name]
            for recipient in self._recipients(target, audience, incident.items):
                notice = notice_of_incident(incident, row, step, target.include, now, self._house.zone)
                start = quiet_until(plan, name, row.alert.severity, now, self._house) or now
                yield Delivery(
                    id=delivery_id(incident.about, incident.since, step.key, name, recipient),
                    target=name,
                    recipient=recipient,
                    step=step.key,
                    about=incident.about,
                    since=incident.since,
                    notice=notice,
                    queued=now,
                    due=start,
                    until=start + target.deadline_minutes * _MINUTE,
                )

    def _feeds_due(self, now: Micros) -> Iterator[Delivery]:
        if not self.escalation.feeds:
            return
        since = max(self.outbox.made - 1, (self._fed_until or now - _FEED_WINDOW) - _FEED_OVERLAP)
        self._fed_until = now
        for alert, came in self._alerts.arrivals_after(since):
            feeds = [each for each in self.escalation.feeds if each.covers(alert.severity, alert.check)]
            names = dict.fromkeys(name for each in feeds for name in each.targets)
            if self._is_hidden_from_any([alert.id], None):
                continue
            for name in names:
                target = self.escalation.targets[name]
                yield Delivery(
                    id=delivery_id("finding", alert.id, name),
                    target=name,
                    recipient=None,
                    step=FEED,
                    about=alert.about,
                    since=0,
                    notice=notice_of_finding(alert, came.came, target.include, now, self._house.zone),
                    queued=now,
                    due=now,
                    until=now + target.deadline_minutes * _MINUTE,
                )

    def _audience(self, whom: Collection[str]) -> list[str] | None:
        """Return the accounts of some roles and names; None if nobody in particular is meant."""
        if not whom:
            return None
        return [each.name for each in self._people.accounts() if each.role in whom or each.name in whom]

    def _recipients(
        self, target: AnyTarget, audience: list[str] | None, items: Iterable[QueueItem]
    ) -> Iterator[str | None]:
        """Yield the browsers that a message goes to; of any other target one None, unless it is withheld.

        What is withheld from one of those for whom it is does not go where several may read it.
        """
        alerts = [each.alert.id for each in items]
        if not isinstance(target, PushTarget):
            if not self._is_hidden_from_any(alerts, audience):
                yield None
            return
        allowed = set(audience) if audience is not None else {each.name for each in self._people.accounts()}
        for each in self.outbox.subscriptions():
            if each.account in allowed and not self._is_hidden_from_any(alerts, [each.account]):
                yield each.id

    def _is_hidden_from_any(self, alerts: Collection[str], accounts: Collection[str] | None) -> bool:
        """Return True if one of some alerts is withheld from one of some accounts, or from any at all."""
        withheld = self._people.withheld() if accounts is None else map(self._people.hidden, accounts)
        return any(
            self._alerts.is_hidden(f"alert:{name}", hidden)
            for hidden in withheld
            if hidden
            for name in alerts
        )

    # ── sending ───────────────────────────────────────────────────────────────────────────────────────

    def _dispatch(self, now: Micros) -> None:
        """Send each receiver's messages one after another, in parallel to all others."""
        lanes: dict[tuple[str, str], list[Delivery]] = {}
        for delivery in self.outbox.due(now):
            lanes.setdefault(delivery.lane, []).append(delivery)
        for lane, deliveries in lanes.items():
            with self._lock:
                under_way = sum(target == lane[0] for target, _ in self._in_flight)
                if lane in self._in_flight or under_way >= _MOST_PUSHED:
                    continue
                self._in_flight.add(lane)
            self._run(partial(self._send, lane, deliveries))

    def _send(self, lane: tuple[str, str], deliveries: Iterable[Delivery]) -> None:
        """Send a receiver's messages until one fails; the others are tried at the next step."""
        try:
            for delivery in deliveries:
                if not self._is_settled(delivery, self._clock()) and not self._attempt(delivery):
                    break
        finally:
            with self._lock:
                self._in_flight.discard(lane)

    def _is_settled(self, delivery: Delivery, now: Micros) -> bool:
        """Note what ends a message, or has it wait, without an attempt; return True if something does."""
        incident = self._untaken.get((delivery.about, delivery.since))
        of_step = delivery.notice.sort == "untaken"
        target = self.escalation.targets.get(delivery.target)
        ended: tuple[Outcome, str] | None = None
        if of_step and incident is None:
            ended = "stopped", "somebody took it, or it stands no more"
        elif target is None:
            ended = "failed", "the file has no such target any more"
        elif delivery.recipient is not None and not self._may_receive(delivery):
            ended = "stopped", "the browser is subscribed no more"
        elif delivery.attempts and now > delivery.until:
            ended = "failed", f"given up after {target.deadline_minutes} min"
        elif of_step and incident is not None and self._is_withheld(delivery, incident):
            ended = "withheld", "it is withheld from somebody who may read it there"
        if ended is not None:
            self._end(delivery, now, *ended)
        return ended is not None or (of_step and self._must_wait(delivery, incident, now))

    def _must_wait(self, delivery: Delivery, incident: UntakenIncident | None, now: Micros) -> bool:
        """Return True if an incident is silenced now, or its message falls into quiet hours."""
        if incident is None or incident.silenced:
            return True
        plan = self.escalation.plan_on(self._house.gaming_date(now))
        severity = delivery.notice.severity or ""
        end = quiet_until(plan, delivery.target, severity, now, self._house) if plan is not None else None
        if end is not None:
            minutes = self.escalation.targets[delivery.target].deadline_minutes
            self.outbox.postpone(delivery, end, end + minutes * _MINUTE)
        return end is not None

    def _end(self, delivery: Delivery, now: Micros, outcome: Outcome, why: str) -> None:
        self.outbox.note(delivery, now, outcome, why)
        SENT.labels(delivery.target, outcome).inc()
        if outcome in ("stopped", "withheld"):  # it may have to be sent after all
            with self._lock:
                self._queued.discard(delivery.id)

    def _may_receive(self, delivery: Delivery) -> bool:
        subscription = self.outbox.subscription(str(delivery.recipient))
        return subscription is not None and subscription.account in {
            each.name for each in self._people.accounts()
        }

    def _is_withheld(self, delivery: Delivery, incident: UntakenIncident) -> bool:
        alerts = [each.alert.id for each in incident.items]
        if delivery.recipient is not None:
            subscription = self.outbox.subscription(delivery.recipient)
            return subscription is not None and self._is_hidden_from_any(alerts, [subscription.account])
        return self._is_hidden_from_any(alerts, self._audience(delivery.notice.to))

    def _attempt(self, delivery: Delivery) -> bool:
        """Make an attempt, and note its result; return True if the message was delivered."""
        subscription = self.outbox.subscription(delivery.recipient) if delivery.recipient else None
        started = self._clock()
        try:
            answer = self.channels[delivery.target].send(delivery.id, delivery.notice, started, subscription)
        except Exception as error:  # noqa: BLE001  a library's fault ends one attempt, not the sending
            answer = Answer("retry", f"failed: {type(error).__name__}")
        self._note(delivery, answer, started)
        return answer.result == "delivered"

    def _note(self, delivery: Delivery, answer: Answer, started: Micros) -> None:
        target, now = self.escalation.targets.get(delivery.target), self._clock()
        if target is None:
            return  # the file was changed meanwhile, and the next step ends the message
        until = delivery.until if delivery.attempts else started + target.deadline_minutes * _MINUTE
        due = now + max(answer.wait or 0, backoff(delivery.id, delivery.attempts + 1))
        outcome: Outcome = "delivered"
        if answer.wait is not None:
            self.outbox.hold(delivery.lane, now + answer.wait)
        if answer.result == "gone":
            outcome = "failed"
            if delivery.recipient is not None:
                self.outbox.unsubscribe(delivery.recipient)
        elif answer.result == "retry":
            outcome = "retry" if due <= until else "failed"
        detail = f"{answer.detail}; given up" if outcome == "failed" else answer.detail
        self.outbox.note(delivery, now, outcome, detail, due if outcome == "retry" else None, until)
        SENT.labels(delivery.target, outcome).inc()
        self._tell(delivery.target, answer.detail if outcome != "delivered" else None)

    def _tell(self, target: str, failure: str | None) -> None:
        """Log when a target begins to fail, and when it works again."""
        with self._lock:
            before = self._failing.pop(target, None)
            if failure is not None:
                self._failing[target] = failure
        if failure is not None and failure != before:
            _log.warning("notification_failed", target=target, reason=failure)
        elif failure is None and before is not None:
            _log.info("notification_target_works", target=target)

    def targets(self) -> list[TargetState]:
        """Return how each target of the file stands, and others for which something waits."""
        stored = {each.target: each for each in self.outbox.targets()}
        unused = {name: TargetState(name, 0, None, None, None) for name in self.escalation.targets}
        return [
            each
            for name, each in sorted((unused | stored).items())
            if name in self.escalation.targets or each.queued
        ]


def _climbs(item: QueueItem, plan: Plan) -> bool:
    return plan.covers(item.alert.severity, item.alert.check)


def _is_due(step: Step, incident: UntakenIncident, now: Micros) -> bool:
    if step.overdue_minutes is not None:
        return now > incident.overdue_since() + step.overdue_minutes * _MINUTE
    return now >= incident.untaken_since() + (step.untaken_minutes or 0) * _MINUTE
