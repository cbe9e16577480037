"""Corrections by a table's people: events as they were corrected, and notes of some of them."""

from collections.abc import Iterable, Sequence

from projections.engine.facts import DeviceRef, fact
from projections.engine.fold.watermark import in_order
from projections.engine.observation import Doubt
from schemas.codec import AnyEvent
from schemas.events import Event, EventId, ReportCorrected, id_of

# ── Corrections by a table's people: events as they were corrected ────────────────────────────────────


def corrected(events: list[Event], doubts: list[Doubt]) -> list[Event]:
    """Replace events by their corrections; the latest correction holds.

    One that names an event that is not there is added to the `doubts`.
    """
    if ReportCorrected not in map(type, events):
        return events
    corrections = [event for event in events if isinstance(event, ReportCorrected)]
    replacements = replacements_of(corrections)
    ids = {id_of(event) for event in events}
    doubts.extend(
        Doubt(
            "data_missing",
            "second",
            fact(
                "fold.corrects_what_is_not_here",
                device=DeviceRef(mistaken.device),
                epoch=mistaken.epoch,
                number=mistaken.seq,
            ),
            (mistaken.device,),
        )
        for mistaken in sorted(replacements.keys() - ids)
    )
    corrected = [replacements.get(id_of(event), event) for event in events]
    return [event for event in corrected if event is not None]


def replacements_of(corrections: Iterable[ReportCorrected]) -> dict[EventId, Event | None]:
    """Return what holds in the place of each event that was corrected; None if it never happened."""
    replacements: dict[EventId, Event | None] = {}
    for correction in reversed(in_order([*corrections])):
        # A correction may itself have been mistaken.
        holds = replacements.get(id_of(correction), correction)
        if isinstance(holds, ReportCorrected):
            replacements.setdefault(holds.mistaken, holds.instead)
    return replacements


# ── Events of some kinds, stored outside the fold: each once, as corrected, by their devices' numbers ──


class DeviceEvents:
    """A device's events of some kinds as they came, with late, repeated and corrected ones."""

    def __init__(self, device: str | None, kinds: Iterable[type[Event]]) -> None:
        self._device, self._kinds = device, tuple(kinds)
        self._reports: list[Event] = []
        self._ordered: list[Event] | None = []

    def take(self, event: AnyEvent) -> None:
        """Add an event if it is of these kinds and this device, or corrects one; ignore others."""
        if isinstance(event, ReportCorrected) or (
            isinstance(event, self._kinds) and event.device == self._device
        ):
            self._reports.append(event)
            self._ordered = None

    def events(self) -> Sequence[Event]:
        """Return the events that hold, in the order of their device's numbers."""
        if self._ordered is None:
            self._ordered = [
                each for each in corrected_once(self._reports) if not isinstance(each, ReportCorrected)
            ]
        return self._ordered

    def forget(self, before: int) -> None:
        """Drop what was reported before a moment, microseconds UTC."""
        if self._reports and self._reports[0].at < before:
            self._reports = [each for each in self._reports if each.at >= before]
            self._ordered = None


def corrected_once(events: Iterable[Event]) -> list[Event]:
    """Return events once each, as they were corrected, in the order of their devices' numbers."""
    once: dict[object, Event] = {}
    for event in events:
        once.setdefault(id_of(event), event)
    return corrected(in_order([*once.values()]), [])
