"""Floor that a served console follows: a live one, or one that is played at realistic rates."""

import asyncio
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol

import uvicorn
from msgspec import Struct

from projections.catalogue import KINDS
from projections.web.bootstrap import OpenConsole
from projections.web.live.broadcaster import State
from schemas.house import DEFAULT, House
from schemas.values import Micros
from streams.action_publisher import ActionPublisher
from streams.projector.kafka_follower import Projector
from streams.projector.record_batch import Alarms
from streams.projector.restore import ActionRestore
from streams.projector.writer import LIVE, StoreWriter
from streams.replayed.player import Play, Replayed
from streams.signing import load
from streams.simulator import faults
from streams.simulator.kinds import Kind
from streams.simulator.money.kinds import MONEY
from streams.simulator.procedures import PROCEDURES

# ── How rarely dealers may err at real tables, for a night that rings as a room's does ────────────────

# So many times rarer than in docs/faults.md: about one wager in 2,000 is then settled wrongly, and about one
# round in 1,200 dealt, called or taken wrongly otherwise. No source was found for either; both are assumed.
_RARER_MONEY: Final = 12
_RARER_OTHERS: Final = 60


def realistic_rates(*, sensors: bool = False) -> dict[str, float]:
    """Return the rate of every kind of fault, of dealers and money as it is assumed for real tables.

    Devices fail by `faults.rates`. The rates of docs/faults.md are made so that an hour shows every kind.
    docs/console.md has how often a night at these rates rings.

    >>> rates = realistic_rates()
    >>> round(rates["winner_not_paid"] * 12, 6), round(rates["announced_wrong"] * 60, 6)
    (0.0004, 0.0015)
    """
    devices = {name: rate for name, rate in faults.rates(sensors=sensors).items() if name in faults.SENSORS}
    others = (*faults.DEALERS.items(), *MONEY.items(), *PROCEDURES.items())
    return {**faults.NONE, **{name: _rate(kind) for name, kind in others}, **devices}


def _rate(kind: Kind) -> float:
    money = kind.check is None or KINDS[kind.check].severity == "by_amount"
    return kind.rate / (_RARER_MONEY if money else _RARER_OTHERS)


# ── What a served console follows: a live floor, or one that is played ────────────────────────────────


class Follower(Protocol):
    """Brings into the console's store what goes on at a floor, or what is done at the console out of it."""

    def follow(self) -> Coroutine[Any, Any, None]:
        """Follow the floor until cancelled."""


class Floor(Struct, frozen=True):
    """A live floor to follow: Kafka's addresses, the property's house file, and the name of its runs.

    `actions` is an archive from which actions at the console are restored before Kafka is read. `signing` is
    the file of the key that signs actions, and the other trusted keys (`streams.signing`).
    """

    brokers: str
    house: House = DEFAULT
    named: str = LIVE
    actions: Path | None = None
    signing: tuple[Path | None, tuple[str, ...]] = (None, ())
    state: ClassVar[State] = "kafka away"
    begins: ClassVar[None] = None  # it goes on from its latest round

    def followers(self, opened: OpenConsole, store: Path) -> Sequence[Follower]:
        """Follow the floor, and send what is done at the console to its archive."""
        alarms = Alarms(opened.store, self.house, opened.commands)
        opened.house_readers.append(alarms)
        writer = StoreWriter(opened.store, self.house.zone, self.named, opened.commands, alarms)
        signing = load(store, *self.signing)
        back = ActionRestore(opened.store, opened.commands, signing, alarms)
        if self.actions is not None:
            back.from_archive(self.actions)
        return Projector(writer, self.brokers, opened.live, back), ActionPublisher(
            opened.store, self.brokers, signing
        )


class PlayedSource(Struct, frozen=True):
    """A floor that plays on in this process, so many times as fast as it was."""

    play: Play
    speed: float
    state: ClassVar[State] = "ok"
    brokers: ClassVar[None] = None

    @property
    def house(self) -> House:
        """The house file of what is played."""
        return self.play.house

    @property
    def begins(self) -> Micros | None:
        """Return when it begins by the floor's clock: what was concluded of other days is past then."""
        return self.play.frames.begins

    def followers(self, opened: OpenConsole, _store: Path) -> Sequence[Follower]:
        """Play it."""
        writer = StoreWriter(opened.store, self.house.zone, self.play.name, opened.commands)
        return [Replayed(writer, opened.live, self.play, self.speed)]


class KafkaSource:
    """Follower of a floor, as tasks beside a server; if one fails, the server ends."""

    def __init__(self, followers: Sequence[Follower], server: uvicorn.Server) -> None:
        self._followers, self._server = followers, server
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin to follow."""
        self._tasks = [asyncio.create_task(each.follow()) for each in self._followers]
        for task in self._tasks:
            task.add_done_callback(self._ended)

    async def stop(self) -> None:
        """End, each in order."""
        running = [task for task in self._tasks if not task.done()]
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)

    def result(self) -> None:
        """Raise what one failed with, by itself or in writing what was left when it was to end."""
        for task in self._tasks:
            if not task.cancelled():
                task.result()

    def _ended(self, _task: asyncio.Task[None]) -> None:
        self._server.should_exit = True
