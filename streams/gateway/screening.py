"""The screening of a line: what of it the gateway accepts, what goes to the quarantine, and why.

The gateway and the dry run, `discardrack devices check`, use the same screening.
"""

from collections import defaultdict
from typing import Final

from msgspec import Raw, Struct
from msgspec.structs import replace

from schemas.codec import AnyEvent, read_event
from schemas.errors import BadInput
from schemas.senders import WHY, Refusal, Senders
from schemas.values import Micros
from streams.gateway.lines import Line, Report, read

_YEARS: Final = 10 * 365 * 86_400 * 1_000_000  # microseconds by which a clock may be wrong and still be one
# How many microseconds a unit has. A moment in nanoseconds is none that an event can have.
_UNITS: Final = {"seconds": 1_000_000, "milliseconds": 1_000}


class SetApart(Struct, frozen=True):
    """A part of a line that goes to the quarantine: why, its bytes, and how many events it has."""

    reason: str
    payload: bytes
    events: int
    code: Refusal | None = None


class ScreenedLine(Struct, frozen=True):
    """A line after screening.

    `report` has the accepted events, None if the line is no report or has none. `unreadable` are the reasons
    why events of it cannot be read: their bytes are passed on, and the worker puts them into the quarantine.
    `dropped` names the fields that the schema does not have, as event and field.
    """

    report: Report | None
    apart: list[SetApart]
    table: str | None = None
    unreadable: list[str] = []
    dropped: list[str] = []

    @property
    def is_quarantined(self) -> bool:
        """Return True if something of the line goes to the quarantine, here or at the worker."""
        return bool(self.apart or self.unreadable)


def screen(line: Line, senders: Senders, now: Micros) -> ScreenedLine:
    """Screen a line that was received `now`; a blank one has nothing."""
    if line.text.isspace() or not line.text:
        return ScreenedLine(None, [])
    try:
        report = read(line)
    except BadInput as error:
        return ScreenedLine(None, [SetApart(str(error), line.text, 0)])
    refusal = senders.stream_refusal(report.table)
    refused: defaultdict[tuple[str, Refusal | None], list[Raw]] = defaultdict(list)
    admitted: list[Raw] = []
    screened = ScreenedLine(None, [], report.table)
    for raw in report.events:
        if refusal is not None:
            refused[WHY[refusal], refusal].append(raw)
            continue
        found = read_event(raw)
        if found.event is None:
            # Only the worker's quarantine shows it.
            screened.unreadable.append(found.reason)
            admitted.append(raw)
            continue
        code = senders.refusal(report.table, found.event)
        if code is not None:
            refused[WHY[code], code].append(raw)
        elif (reason := _wrong_unit(found.event, now)) is not None:
            refused[reason, None].append(raw)
        else:
            screened.dropped.extend(f"{type(found.event).__name__}.{name}" for name in found.dropped)
            admitted.append(raw)
    screened.apart.extend(
        SetApart(reason, b",".join(map(bytes, raws)), len(raws), code)
        for (reason, code), raws in refused.items()
    )
    return replace(screened, report=replace(report, events=admitted) if admitted else None)


def _wrong_unit(event: AnyEvent, now: Micros) -> str | None:
    """Return why a moment is none in microseconds: in another unit it is close to the time of receipt.

    >>> from schemas.events import DeviceCameBack
    >>> now = 1_740_880_445_000_000
    >>> _wrong_unit(DeviceCameBack(device="T", epoch=1, seq=1, at=now // 1000, back="S"), now)
    'at 1740880445000 is in milliseconds; microseconds since 1970 are asked, such as 1740880445000000'
    """
    if abs(event.at - now) < _YEARS:
        return None
    for unit, factor in _UNITS.items():
        if abs((meant := event.at * factor) - now) < _YEARS:
            return f"at {event.at} is in {unit}; microseconds since 1970 are asked, such as {meant}"
    return None
