"""What a table's people take back: events as they were corrected."""

from collections.abc import Iterable

from projections.engine.facts import DeviceRef, fact
from projections.engine.fold.watermark import in_order
from projections.engine.observation import Doubt
from schemas.events import Event, EventId, ReportCorrected, id_of


def corrected(events: list[Event], doubts: list[Doubt]) -> list[Event]:
    """Put what corrections say in the place of the events that they name; the latest correction holds.

    One that names an event that is not there is added to the `doubts`.
    """
    corrections = [event for event in events if isinstance(event, ReportCorrected)]
    if not corrections:
        return events
    says = said_instead(corrections)
    named = {id_of(event) for event in events}
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
            mistaken.device,
        )
        for mistaken in sorted(says.keys() - named)
    )
    corrected = [says.get(id_of(event), event) for event in events]
    return [event for event in corrected if event is not None]


def said_instead(corrections: Iterable[ReportCorrected]) -> dict[EventId, Event | None]:
    """Return what holds in the place of each event that was corrected; None where it never happened."""
    says: dict[EventId, Event | None] = {}
    for correction in reversed(in_order([*corrections])):
        # A correction may itself have been mistaken.
        holds = says.get(id_of(correction), correction)
        if isinstance(holds, ReportCorrected):
            says.setdefault(holds.mistaken, holds.instead)
    return says
