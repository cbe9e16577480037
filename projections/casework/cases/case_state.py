"""The state of casework: cases, their owners, and mutes. Times are microseconds UTC."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

from projections.casework.actions import Remark
from schemas.room_settings import Outcome
from schemas.values import Micros

State: TypeAlias = Literal["new", "open", "closing", "closed", "reopening"]
Level: TypeAlias = Literal["supervisor", "director", "investigator"]

WEIGHT_PREFIX: Final = "weighs "  # of the facts of an action that give an alert's weight, before its id


class Case(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Case: one or more alerts that people work on together; `key` is the first alert's finding id.

    `asked` is who asked for what waits for a second person. `review` tells of the sample of cases closed as
    false; one that was `sampled` once stays so, however it is closed in the end. `closed_as` is what each
    alert weighed as somebody decided about it. `disagreed` is what another
    person said who did not agree to what was asked for last. `changed` is when something was last done to it,
    `critical` whether one of its alerts is.
    """

    key: str
    alerts: tuple[str, ...]
    critical: bool = False
    state: State = "new"
    owner: str | None = None
    acknowledged: Micros | None = None
    changed: Micros | None = None
    notes: tuple[Remark, ...] = ()
    tags: tuple[str, ...] = ()
    escalated: Level | None = None
    outcome: Outcome | None = None
    reason: str | None = None
    asked: str | None = None
    closed_by: str | None = None
    closed: Micros | None = None
    seconded_by: str | None = None
    closed_as: Mapping[str, str] = {}
    disagreed: Remark | None = None
    sampled: bool = False
    review: Literal["due", "agreed", "disagreed"] | None = None
    snoozed_until: Micros | None = None
    snoozed_by: str | None = None
    snoozed_why: str | None = None

    @property
    def in_hand_of(self) -> str | None:
        """Return who is responsible: the owner; if it has none, who requested to close it."""
        return self.owner or (self.asked if self.state == "closing" else self.closed_by)

    def is_altered(self, weighs: Mapping[str, str]) -> bool:
        """Return True if something that was closed weighs otherwise now; `weighs` are its alerts that stand.

        >>> case = Case(key="m1", alerts=("m1",), state="closed", closed_as={"m1": "proven money 500"})
        >>> case.is_altered({"m1": "proven money 500"}), case.is_altered({}), case.is_altered({"m1": "x"})
        (False, False, True)
        """
        if self.state != "closed":
            return False
        return any(self.closed_as.get(alert, now) != now for alert, now in weighs.items())


class Muted(Struct, frozen=True, kw_only=True):
    """Alerts that do not ring: of a check, of a table, or of a check at a table."""

    id: str
    by: str
    since: Micros
    until: Micros
    reason: str
    check: str | None = None
    table: str | None = None

    def covers(self, check: str, table: str, now: Micros) -> bool:
        """Return True if an alert is meant by it at a moment."""
        return now < self.until and self.check in (None, check) and self.table in (None, table)


class Before(Struct, frozen=True):
    """State before the last action on a case, which may have been several, and who did it.

    `earlier` is what the same person did to it before that and can undo next.
    """

    cases: tuple[Case, ...]
    who: str
    at: Micros
    earlier: "Before | None" = None


class InHand(Struct, frozen=True, gc=False):
    """Assignment of an alert from a moment on: to whom, None for nobody, and `by` whom it was made."""

    who: str | None
    since: Micros
    by: str


class Cases(Struct):
    """All cases by their key, in which case an alert is, what is muted, and what was last done to each.

    `called` are the moments at which something critical was escalated, which is heard by whom it waits for.
    `done` tells of each alert when which actions were done to it or to its case, by their ids, in order, and
    `in_hand` who had it, from its first to its last.
    """

    cases: dict[str, Case] = field(default_factory=dict)
    case_of: dict[str, str] = field(default_factory=dict)
    mutes: dict[str, Muted] = field(default_factory=dict)
    before: dict[str, Before] = field(default_factory=dict)
    called: list[Micros] = field(default_factory=list)
    done: dict[str, dict[str, Micros]] = field(default_factory=dict)
    in_hand: dict[str, tuple[InHand, ...]] = field(default_factory=dict)

    def snapshot(self, now: Micros) -> "Cases":
        """Copy what a page shows at a moment, for readers while others act."""
        mutes = {name: muted for name, muted in self.mutes.items() if now < muted.until}
        return Cases(self.cases.copy(), self.case_of.copy(), mutes, in_hand=self.in_hand.copy())

    def case(self, alert: str) -> Case:
        """Return the case of an alert; an untouched one is a new one of its own."""
        return self.touched(alert) or Case(key=alert, alerts=(alert,))

    def touched(self, alert: str) -> Case | None:
        """Return the case of an alert to which something was done; None for an untouched one."""
        key = self.case_of.get(alert)
        return self.cases[key] if key is not None else None

    def is_new(self, alert: str) -> bool:
        """Return True if nobody has taken an alert, or its owner has given it back."""
        case = self.touched(alert)
        return case is None or case.state == "new"

    def holder_at(self, alert: str, moment: Micros) -> InHand | None:
        """Return the assignment of an alert at a moment; if there was none, the first one after it.

        >>> taken, back, given = InHand("ann", 5, "ann"), InHand(None, 7, "ann"), InHand("bob", 9, "sue")
        >>> cases = Cases(in_hand={"m1": (taken, back, given)})
        >>> cases.holder_at("m1", 6) == taken, cases.holder_at("m1", 8) == given, cases.holder_at("m2", 8)
        (True, True, None)
        """
        worked = self.in_hand.get(alert, ())
        then = next((each for each in reversed(worked) if each.since <= moment), None)
        if then is not None and then.who is not None:
            return then
        return next((each for each in worked if each.since > moment and each.who is not None), None)

    def first_action_time(self, alert: str, now: Micros) -> Micros:
        """Return by when the room knew of an alert: when something was first done to it; else it is now.

        >>> cases = Cases(done={"m1": {"a1": 7, "a2": 9}})
        >>> cases.first_action_time("m1", 10), cases.first_action_time("m2", 10)
        (7, 10)
        """
        return next(iter(self.done.get(alert, {}).values()), now)

    def mute_of(self, check: str, table: str, now: Micros) -> Muted | None:
        """Return what mutes an alert at a moment, if anything does."""
        return next((each for each in self.mutes.values() if each.covers(check, table, now)), None)


def alert_of(subject: str) -> str:
    """Read the finding's id from a subject.

    >>> alert_of("alert:0a1b")
    '0a1b'
    """
    return subject.removeprefix("alert:")
