"""A room on whose alerts a notifier looks, with channels that take down what they are sent."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field

from projections.casework.alert_watch import AlertQueries
from projections.notify.channel import Answer, Channel
from projections.notify.notice import Notice
from projections.notify.notifier import Account, Notifier
from projections.notify.outbox import Outbox, Subscription, outbox_of
from schemas.escalation import AnyTarget, Escalation, Plan, PushTarget, Step, WebhookTarget
from schemas.house import House
from tests.builders.alerts import EVENING, MINUTE, InMemoryQueue

CONSOLE: Final = "https://surveillance.example.com"
HOOK: Final = WebhookTarget(url="https://hook.example.com", secret_env="HOOK")  # noqa: S106  a variable's name
PHONES: Final = PushTarget(key_file="vapid.key", contact="mailto:a@example.com")
DELIVERED: Final = Answer("delivered", "HTTP 204")
EVERY_DAY: Final = date(2020, 1, 1)


class SentMessage(Struct, frozen=True):
    """A message as a channel was asked to send it."""

    name: str
    notice: Notice
    at: int
    subscription: Subscription | None


class FakeChannel(Struct):
    """A channel that takes down what it is sent. `answers` are given in turn, the last again and again."""

    answers: list[Answer] = field(default_factory=lambda: [DELIVERED])
    sent: list[SentMessage] = field(default_factory=list)

    def send(self, name: str, notice: Notice, at: int, subscription: Subscription | None) -> Answer:
        """Record a message."""
        self.sent.append(SentMessage(name, notice, at, subscription))
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class FakePeople(Struct):
    """The people of a room: their roles, and what is withheld from them."""

    roles: dict[str, str] = field(default_factory=lambda: {"ann": "operator", "sue": "supervisor"})
    subjects: dict[str, frozenset[str]] = field(default_factory=dict)

    def accounts(self) -> list[Account]:
        """Return who may work on alerts."""
        return [Account(name, role) for name, role in self.roles.items()]

    def hidden(self, name: str) -> frozenset[str]:
        """Return what is withheld from somebody."""
        return self.subjects.get(name, frozenset())

    def withheld(self) -> list[frozenset[str]]:
        """Return what is withheld from each from whom anything is."""
        return list(self.subjects.values())


def build_plan(*steps: Step, **more: Any) -> Plan:
    """Make a plan in force on every day here."""
    return Plan(since=more.pop("since", EVERY_DAY), steps=steps, **more)


class NotifiedRoom:
    """A room whose clock the test sets, and a notifier that sends at once."""

    def __init__(
        self,
        folder: Path,
        *plans: Plan,
        targets: Mapping[str, AnyTarget] | None = None,
        channels: Mapping[str, Channel] | None = None,
        room: InMemoryQueue | None = None,
        **more: Any,
    ) -> None:
        self.path, self.room = outbox_of(folder / "store.duckdb"), room or InMemoryQueue()
        self.escalation = Escalation(
            console=CONSOLE, targets=dict(targets or {"hook": HOOK}), plans=plans, **more
        )
        self.fakes = {name: FakeChannel() for name in self.escalation.targets}
        self.channels: Mapping[str, Channel] = self.fakes | dict(channels or {})
        self.people = FakePeople()
        self.runs = True  # whether what is to be sent gets away
        self.outbox = Outbox(self.path, EVENING)
        self.notifier = self.start()

    def start(self) -> Notifier:
        """Make the notifier of a process that begins."""
        return Notifier(
            self.escalation,
            self.channels,
            self.outbox,
            AlertQueries(self.room.board, self.room.book),
            self.people,
            House(house="here"),
            lambda: self.room.now,
            lambda work: work() if self.runs else None,
        )

    def restart(self) -> None:
        """End the process, and begin another on what it left."""
        self.outbox.close()
        self.outbox = Outbox(self.path, self.room.now)
        self.notifier = self.start()

    def step_at(self, minutes: float) -> None:
        """Step so many minutes after the evening began."""
        self.room.now = EVENING + int(minutes * MINUTE)
        self.room.board.advance(self.room.now)
        self.notifier.step()

    def sent(self, target: str = "hook") -> list[SentMessage]:
        """Return what a channel that takes down was sent."""
        return self.fakes[target].sent

    def states(self) -> list[tuple[str, str]]:
        """Return each message's step and state, the newest first."""
        return [(each.step, each.state) for each, _ in self.outbox.latest(100)]

    def answers(self) -> list[tuple[str, str]]:
        """Return each attempt of the newest message: its outcome and what came back."""
        ((_, attempts),) = self.outbox.latest(1)
        return [(each.outcome, each.answer) for each in attempts]
