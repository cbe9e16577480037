"""The queues: the queue and order of each alert, the sums of several, and the rows of each queue."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from datetime import date
from typing import Final, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import replace

from projections.casework.actions import MINUTE
from projections.casework.cases.alert import SENDER_REFUSED, Alert
from projections.casework.cases.case_actions import QueueName
from projections.casework.cases.case_state import Case, Level
from projections.catalogue import KINDS, is_of_vigorish
from projections.engine.findings import Side, severity_rank
from schemas.events import Source
from schemas.room_settings import Due, RoomSettings
from schemas.values import Micros

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# The queue of an alert: what can still be put right, what is for this shift, what waits for the night.

Order: TypeAlias = tuple[int, int, int, int, str]
QUEUES: Final[tuple[QueueName, ...]] = get_args(QueueName)  # the most urgent first
# A camera looks at what others read as well: without it less is proven, and nothing is wrong.
_DEALT: Final = frozenset[Source]({"shoe", "reader", "tiles", "dice"})


def queue_of(alert: Alert, floor_now: Micros, today: date, room_settings: RoomSettings) -> QueueName:
    """Return the queue of an alert when the floor's clocks show `floor_now`, of gaming day `today`.

    `act_now`: a proven mismatch of a round that is critical or of at least the room's money floor, not yet
    made good, whose round was opened so lately that the patron is likely to be there. `this_shift`: the other
    proven mismatches of the shift, but those of data. `nightly`: what is undetermined or was put right,
    accounts of a day, and what is older. What came from somebody who may not send it is to be acted on for as
    long as a shift.
    """
    if alert.weight != "mismatch" or alert.put_right or alert.severity == "data":
        return "nightly"
    if alert.account is not None and alert.check != SENDER_REFUSED:
        return "nightly"
    if alert.at is None:
        return "this_shift" if alert.gaming_date == today else "nightly"
    age = floor_now - alert.at
    if alert.account is not None:
        return "act_now" if age <= room_settings.shift_minutes * MINUTE else "nightly"
    of_weight = alert.severity == "critical" or abs(alert.comes_to_cents or 0) >= room_settings.floor_cents
    if alert.round is not None and of_weight and age <= room_settings.act_within_minutes * MINUTE:
        return "act_now"
    return "this_shift" if age <= room_settings.shift_minutes * MINUTE else "nightly"


def due_times(alert: Alert, queue: QueueName, room_settings: RoomSettings) -> Due:
    """Return how many minutes there are to take and to close an alert that comes into a queue.

    They depend on its severity; what is left to the night has the times of `data`, as nobody waits at the
    table.
    """
    if queue == "nightly":
        return room_settings.due.data
    by_severity = {
        "critical": room_settings.due.critical,
        "high": room_settings.due.high,
        "medium": room_settings.due.medium,
    }
    return by_severity.get(alert.severity, room_settings.due.data)


def order_of(alert: Alert, overdue_since: Micros | None = None) -> Order:
    """Sort within a queue: what is overdue, then the most severe, among these the newest.

    Of what is overdue the most severe comes first too, and among these what has been so for longest.
    """
    mismatch = 0 if alert.weight == "mismatch" else 1
    time = -(alert.at or 0) if overdue_since is None else overdue_since
    return int(overdue_since is None), mismatch, severity_rank(alert.severity), time, alert.id


def rests_on(alert: Alert) -> frozenset[Source]:
    """Return what must have been read for an alert to be believed.

    What a round owes follows from what was dealt, and what it paid from the chips.
    """
    kind = KINDS.get(alert.check)
    is_of_money = kind is not None and kind.severity == "by_amount"
    return _DEALT | {"chips"} if is_of_money and alert.round is not None else frozenset()


# ── What several alerts that are looked at together come to: each wager once, each side apart ─────────

_SIGN: Final[dict[Side | None, int]] = {"patron": 1, "house": -1}
_ORDER: Final[tuple[Side | None, ...]] = ("house", "patron", None)


class Sum(Struct, frozen=True, gc=False):
    """Sum of `count` wagers, or of findings without a wager, on one side: `cents` in all, without a sign.

    What favours the house is owed to patrons, what favours the patron was overpaid. A difference that favours
    nobody, as one of a count, has no side.
    """

    favours: Side | None
    cents: int
    count: int


def sums_of(alerts: Iterable[Alert]) -> tuple[Sum, ...]:
    """Return the sums of alerts: one for each side, what is owed to patrons first.

    A wager counts once, by its payment and its vigorish together, however many checks found it. What was put
    right, or is not proven, is owed by nobody and left out; so is a difference of zero.

    >>> from datetime import date
    >>> common = {"run": "r", "about": "a", "gaming_date": date(2025, 3, 1), "table": "T", "chapter": "631a",
    ...     "weight": "mismatch", "severity": "high", "message": "", "seat": 1}
    >>> found = [("short", "tie", 4_000, "house"), ("over", "pair", 2_500, "patron"),
    ...     ("vigorish_wrong", "pair", 500, "house"), ("again", "tie", 4_000, "house")]
    >>> made = [Alert(id=of, check=of, wager=wager, net_cents=by, favours=side, **common)
    ...     for of, wager, by, side in found]
    >>> [(each.favours, each.cents, each.count) for each in sums_of(made)]
    [('house', 4000, 1), ('patron', 2000, 1)]
    """
    of_play: dict[Hashable, int] = {}
    of_vigorish: dict[Hashable, int] = {}
    by_side: dict[Side | None, list[int]] = {"house": [], "patron": [], None: []}
    for alert in alerts:
        if alert.put_right or alert.weight != "mismatch":
            continue
        cents = abs(alert.comes_to_cents or 0)
        if alert.favours is None:
            by_side[None] += [cents] * (cents > 0)
            continue
        part, wager = of_vigorish if is_of_vigorish(alert.check) else of_play, alert.on
        if cents > abs(part.get(wager, 0)):
            part[wager] = cents * _SIGN[alert.favours]
    for each in of_play.keys() | of_vigorish.keys():
        if net := of_play.get(each, 0) + of_vigorish.get(each, 0):
            by_side["patron" if net > 0 else "house"].append(abs(net))
    return tuple(Sum(side, sum(by_side[side]), len(by_side[side])) for side in _ORDER if by_side[side])


# ── An alert as a queue shows it at a moment ──────────────────────────────────────────────────────────


class CheckCount(Struct, frozen=True, gc=False):
    """Count of the findings of a check in an incident."""

    check: str
    count: int


class QueueItem(Struct, frozen=True, kw_only=True, gc=False):
    """An alert as a queue shows it at a moment, with the case it is in.

    As a row it stands for an incident: `others` counts what else is in it, `checks` are the kinds of all,
    the most severe first, `seats` those concerned, and `sums` what they come to together; it is
    `critical` if one of them is.
    It is `overdue` where nobody has it though it was to be taken by now, and it does not wait for the night.
    `silenced` says why it does not ring though it would; `put_off` is
    it where someone does not want to see it for a while. `due` is until when someone must have taken it, or
    where that is done, closed it, with a second person where it takes one. What was `withdrawn` is found no
    more; what is `altered` was closed as something else than it is now. It has `climbed` to the roles that it
    waits for as nobody took it. `round` is that of all that
    its row stands for, None where these are of several or of none.
    """

    alert: Alert
    case: Case
    queue: QueueName
    came: Micros
    due: Micros
    others: int = 0
    checks: tuple[CheckCount, ...] = ()
    seats: tuple[int, ...] = ()
    sums: tuple[Sum, ...] = ()
    round: str | None = None
    critical: bool = False
    silenced: str | None = None
    overdue: bool = False
    put_off: bool = False
    withdrawn: bool = False
    altered: bool = False
    climbed: tuple[Level, ...] = ()

    @property
    def look_again(self) -> bool:
        """Return True if somebody is to look at it again: drawn for it, or not what it was closed as."""
        return self.altered or self.case.review == "due"

    @property
    def order(self) -> Order:
        """Sort what is overdue first, then the most severe, among these the newest."""
        return order_of(self.alert, self.due if self.overdue else None)


# ── The rows of a queue: an incident each, which is a round, a shoe, an account, or a case ────────────


def incidents_of(items: Iterable[QueueItem], *, every: bool = False) -> Iterator[list[QueueItem]]:
    """Yield the alerts of each incident: a case, or the unassigned alerts of a round, a shoe or an account.

    With `every` each alert is one.
    """
    alone: dict[Hashable, QueueItem] = {}  # nearly all: a list for each would be thousands
    together: dict[Hashable, list[QueueItem]] = {}
    for each in items:
        key = each.alert.id if every else incident_key(each.alert, each.case, put_off=each.put_off)
        first = alone.setdefault(key, each)
        if first is not each:
            together.setdefault(key, [first]).append(each)
    for key, each in alone.items():
        yield together.get(key) or [each]


def incident_key(alert: Alert, case: Case, *, put_off: bool) -> Hashable:
    """Return what an alert shares with the others of its incident."""
    return (put_off, alert.about) if is_untouched(case) else case.key


def is_untouched(case: Case) -> bool:
    """Return True if nobody has a case, and it was neither merged nor given to a role."""
    return case.state == "new" and len(case.alerts) == 1 and case.escalated is None


def row_of(incident: list[QueueItem]) -> QueueItem:
    """Return the row of an incident: its most severe and newest alert, in the most urgent of their queues.

    It is due when the first of them is. An alert alone is its row as it is.
    """
    if len(incident) == 1:
        return incident[0]
    first, *others = sorted(incident, key=lambda each: (QUEUES.index(each.queue), each.order))
    counts = Counter(each.alert.check for each in (first, *others))
    return replace(
        first,
        others=len(others),
        checks=tuple(CheckCount(check, count) for check, count in counts.items()),
        seats=tuple(sorted({each.alert.seat for each in incident if each.alert.seat is not None})),
        sums=sums_of(each.alert for each in incident if not each.withdrawn),
        critical=any(each.case.critical or each.alert.severity == "critical" for each in incident),
        round=first.round if all(each.alert.about == first.alert.about for each in others) else None,
        due=min(each.due for each in incident),
        overdue=any(each.overdue for each in incident),
        climbed=max((each.climbed for each in incident), key=len),
    )


def rows_of(items: Iterable[QueueItem], *, every: bool = False) -> list[QueueItem]:
    """Return a row for each incident, in no order."""
    return [row_of(incident) for incident in incidents_of(items, every=every)]


def is_open(item: QueueItem) -> bool:
    """Return True if an alert is neither closed nor snoozed: what the queues contain and count."""
    return not (item.put_off or item.case.state == "closed")
