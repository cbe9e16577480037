"""A live floor that a served console follows, by Kafka."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from msgspec import Struct

from projections.web.bootstrap import OpenConsole
from projections.web.live.broadcaster import State
from replay.serving.live_source import Follower
from schemas.house import DEFAULT, House
from streams.action_publisher import ActionPublisher
from streams.projector.forged_input import ForgedInputAlerts
from streams.projector.kafka_follower import Projector
from streams.projector.restore import ActionRestore
from streams.projector.writer import LIVE, StoreWriter
from streams.signing import load


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
        alarms = ForgedInputAlerts(opened.store, self.house, opened.commands)
        opened.house_readers.append(alarms)
        writer = StoreWriter(opened.store, self.house.zone, self.named, opened.commands, alarms)
        signing = load(store, *self.signing)
        back = ActionRestore(opened.store, opened.commands, signing, alarms)
        if self.actions is not None:
            back.from_archive(self.actions)
        return Projector(writer, self.brokers, opened.live, back), ActionPublisher(
            opened.store, self.brokers, signing
        )
