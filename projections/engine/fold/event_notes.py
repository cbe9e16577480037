"""Events of some kinds, kept beside the fold: each once, as corrected, by their devices' numbers."""

from collections.abc import Iterable, Sequence

from projections.engine.fold.corrections import corrected
from projections.engine.fold.watermark import in_order
from schemas.codec import Told
from schemas.events import Event, ReportCorrected, id_of


class Noted:
    """Keeps a device's events of some kinds as they come, late, doubled and corrected ones too."""

    def __init__(self, device: str | None, kinds: Iterable[type[Event]]) -> None:
        self._device, self._kinds = device, tuple(kinds)
        self._told: list[Event] = []
        self._ordered: list[Event] | None = []

    def take(self, event: Told) -> None:
        """Take an event, if it is of these kinds and this device, or corrects one; others are passed over."""
        if isinstance(event, ReportCorrected) or (
            isinstance(event, self._kinds) and event.device == self._device
        ):
            self._told.append(event)
            self._ordered = None

    def events(self) -> Sequence[Event]:
        """Return the events that hold, in the order of their device's numbers."""
        if self._ordered is None:
            self._ordered = [each for each in settled(self._told) if not isinstance(each, ReportCorrected)]
        return self._ordered

    def forget(self, before: int) -> None:
        """Drop what was reported before a moment, microseconds UTC."""
        if self._told and self._told[0].at < before:
            self._told = [each for each in self._told if each.at >= before]
            self._ordered = None


def settled(told: Iterable[Event]) -> list[Event]:
    """Return events once each, as they were corrected, in the order of their devices' numbers."""
    once: dict[object, Event] = {}
    for event in told:
        once.setdefault(id_of(event), event)
    return corrected(in_order([*once.values()]), [])
