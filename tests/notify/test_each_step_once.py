"""Every untaken act-now incident reaches each step once at each target, whatever is done meanwhile."""

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from hypothesis import settings, stateful
from hypothesis import strategies as st
from msgspec import Struct, field

from projections.casework.actions import Refused
from projections.casework.cases.alert import Alert
from projections.casework.cases.case_actions import Acknowledge, Assign, Close, Mute, Release, Snooze, Undo
from projections.notify.channel import Answer
from projections.notify.notice import Notice
from projections.notify.outbox import Subscription
from schemas.escalation import Level, Step
from tests.builders.alerts import MINUTE, build_alert
from tests.builders.notifications import HOOK, NotifiedRoom, build_plan

TICK: Final = MINUTE  # how often the notifier looks at its clock here
STEPS: Final[dict[Level, int]] = {"operator": 0, "supervisor": 5, "director": 15}  # minutes overdue
TARGETS: Final = ("steady", "flaky")
PLAN: Final = build_plan(
    *(Step(overdue_minutes=minutes, role=role, targets=TARGETS) for role, minutes in STEPS.items())
)
WHY: Final = {"reason": "seen on camera 4"}
PEOPLE: Final = st.sampled_from(["ann", "ann", "bob"])
MINUTES: Final = st.sampled_from([0, 2, 7, 20])
DEEDS: Final[dict[str, tuple[type[Any], dict[str, Any]]]] = {
    "assign": (Assign, {"to": "bob"}),
    "close": (Close, {"outcome": "explained", **WHY}),
    "snoozed": (Snooze, {"minutes": 5, **WHY}),
    "release": (Release, {}),
    "take": (Acknowledge, {}),
    "take all": (Acknowledge, {"whole_incident": True}),
    "undo": (Undo, {}),
}
NUMBERS: Final = st.integers(0, 2)
KINDS: Final = st.lists(
    st.sampled_from(
        [
            {"check": "late_wager", "severity": "critical", "net_cents": 0},
            {"check": "paid_too_much", "net_cents": 250_000},
            {"check": "push_paid", "net_cents": 10_000},
        ]
    ),
    min_size=1,
    max_size=2,
)


class Receipt(Struct, frozen=True):
    """A message that a target took: of which round, for whom, when, and by which id."""

    about: str
    role: str
    at: int
    name: str


class Target(Struct):
    """A target that takes every message, or refuses every other attempt."""

    machine: Any
    refuses: bool
    attempts: int = 0
    taken: list[Receipt] = field(default_factory=list)

    def send(self, name: str, notice: Notice, at: int, subscription: Subscription | None) -> Answer:  # noqa: ARG002  a channel's signature
        """Record a message, and check that it is about something unassigned."""
        self.attempts += 1
        room = self.machine.room
        about = room.board.find(notice.alert).about
        assert any(room.book.cases.is_new(each) for each in room.board.alerts_about[about])
        if self.refuses and self.attempts % 2:
            return Answer("retry", "HTTP 500")
        self.taken.append(Receipt(about, notice.to[0], at, name))
        return Answer("delivered", "HTTP 204")


class EachStepOnce(stateful.RuleBasedStateMachine):
    """A room in which rounds come, people act, time goes by, and the process ends and begins again."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.targets = {name: Target(self, name == "flaky") for name in TARGETS}
        self.notified = NotifiedRoom(
            Path(self.folder.name), PLAN, targets=dict.fromkeys(TARGETS, HOOK), channels=self.targets
        )
        self.room = self.notified.room
        self.rounds: list[list[Alert]] = []
        self.handed_over: dict[str, int] = {}  # when something of a round last went to or from somebody
        self.silent: dict[str, int] = {}  # when all that nobody has of a round was last silenced

    def teardown(self) -> None:
        """Close what was open."""
        self.notified.outbox.close()
        self.folder.cleanup()

    def owners(self) -> dict[str, str | None]:
        """Return who has each alert in hand."""
        board = self.room.board
        return {name: self.room.case(name).in_hand_of for name in (*board.alerts, *board.withdrawn)}

    def act(self, kind: type[Any], number: int, who: str, **fields: Any) -> None:
        """Act on one of the alerts, where that is not refused."""
        standing = sorted(self.room.board.alerts)
        if not standing:
            return
        before = self.owners()
        with suppress(Refused):
            self.room.do(kind, standing[number % len(standing)], who, **fields)
        for name, owner in self.owners().items():
            if owner != before.get(name):
                alert = self.room.board.find(name)
                assert alert is not None
                self.handed_over[alert.about] = self.room.now

    @stateful.initialize(found=KINDS)
    def first_round_comes(self, found: list[dict[str, Any]]) -> None:
        """Conclude the first round, which falls due before anybody acts."""
        self.round_comes(found)
        self.time_goes_by(6)

    @stateful.rule(found=KINDS)
    def round_comes(self, found: list[dict[str, Any]]) -> None:
        """Conclude a round with findings."""
        number, at = str(len(self.rounds) + 1), self.room.board.floor_now(self.room.now)
        self.rounds.append(
            [
                build_alert(f"{number}-{seat}", number, at=at, seat=seat, **each)
                for seat, each in enumerate(found)
            ]
        )
        self.room.come(*self.rounds[-1])

    @stateful.rule(number=NUMBERS)
    def round_is_found_otherwise_and_then_as_it_was(self, number: int) -> None:
        """Remove the findings of a round, and restore them a minute later, as late events may."""
        found = self.rounds[number % len(self.rounds)]
        about = found[0].about
        self.room.come(about=about)
        self.step()
        self.silent[about] = self.room.now
        self.room.now += TICK
        self.room.come(*found)

    def time_goes_by(self, minutes: int) -> None:
        """Pass time, and step every minute."""
        for _ in range(minutes * MINUTE // TICK):
            self.room.now += TICK
            self.step()

    def step(self) -> None:
        """Step, as the console does, and note what is silenced."""
        self.room.board.advance(self.room.now)
        self.notified.notifier.step()
        for about in self.untaken():
            if all(self.is_silenced(name) for name in self.untaken()[about]):
                self.silent[about] = self.room.now

    def untaken(self) -> dict[str, list[str]]:
        """Return the alerts that nobody has, by round."""
        found: dict[str, list[str]] = {}
        for name, alert in self.room.board.alerts.items():
            if self.room.case(name).state == "new":
                found.setdefault(alert.about, []).append(name)
        return found

    def is_silenced(self, name: str) -> bool:
        """Return True if an alert makes no sound now."""
        board, cases = self.room.board, self.room.book.cases
        item = board.queue_item(board.alerts[name], cases, self.room.now)
        return item.put_off or item.silenced is not None

    @stateful.rule(deed=st.sampled_from(sorted(DEEDS)), number=NUMBERS, who=PEOPLE, minutes=MINUTES)
    def act_and_wait(self, deed: str, number: int, who: str, minutes: int) -> None:
        """Act on an alert, and pass time."""
        kind, fields = DEEDS[deed]
        self.act(kind, number, who, **fields)
        self.time_goes_by(minutes)

    @stateful.rule(number=NUMBERS, held=MINUTES, minutes=MINUTES)
    def take_and_give_back(self, number: int, held: int, minutes: int) -> None:
        """Acknowledge a whole incident, release it some minutes later, and pass time."""
        self.act(Acknowledge, number, "ann", whole_incident=True)
        self.time_goes_by(held)
        self.act(Release, number, "ann")
        self.time_goes_by(minutes)

    @stateful.rule(check=st.sampled_from(["push_paid", "paid_too_much"]), who=PEOPLE)
    def mute(self, check: str, who: str) -> None:
        """Mute a check everywhere."""
        with suppress(Refused):
            self.room.do(Mute, None, who, check=check, minutes=10, **WHY)

    @stateful.rule()
    def begin_again(self) -> None:
        """End the process and begin another."""
        self.notified.restart()

    @stateful.invariant()
    def each_step_is_sent_once(self) -> None:
        """Check each round of which nobody has something, at each target."""
        self.step()
        arrivals, now = self.room.board.arrivals, self.room.now
        for about, names in self.untaken().items():
            since = self.handed_over.get(about, 0)
            due = max(since, min(arrivals[name].taken_due for name in names))
            for target, (role, minutes) in ((each, step) for each in TARGETS for step in STEPS.items()):
                taken = [
                    each
                    for each in self.targets[target].taken
                    if (each.about, each.role) == (about, role) and each.at >= since
                ]
                assert len(taken) <= 1, (target, role)
                # After a refusal the others of a target wait for the next tick; a silence delays all.
                slack = 3 * TICK * (1 + len(self.rounds))
                latest = max(due + minutes * MINUTE, self.silent.get(about, 0)) + slack
                if now > latest:
                    assert len(taken) == 1, (target, role)

    @stateful.invariant()
    def no_message_is_taken_twice(self) -> None:
        """Check the ids."""
        for target in self.targets.values():
            names = [each.name for each in target.taken]
            assert len(names) == len(set(names))


TestEachStepOnce = EachStepOnce.TestCase
TestEachStepOnce.settings = settings(max_examples=25, stateful_step_count=12, deadline=None)
