"""A recorded floor that plays on in a served console."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from msgspec import Struct

from projections.web.bootstrap import OpenConsole
from projections.web.live.broadcaster import State
from replay.serving.live_source import Follower
from schemas.house import House
from schemas.values import Micros
from streams.projector.writer import StoreWriter
from streams.replayed.player import Play, Replayed


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
