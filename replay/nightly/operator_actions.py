"""What was done at the console on a gaming day, as the archive has it."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from projections.casework.cases.case_actions import LONGEST
from projections.casework.cases.case_state import MINUTE
from replay.nightly.gaming_days import Day
from replay.recording.event_audit import Unread, frames
from schemas.house import House
from schemas.surveillance import STREAM, OperatorActed
from streams import log

_WHAT: Final = {"mute": "muted", "snooze": "put off", "unmute": "mute ended"}


class Quieted(Struct, frozen=True, kw_only=True):
    """Something that was not to ring or to be seen for a while, or was to again.

    `what` is `muted`, `put off` or `mute ended`; the times are microseconds UTC, and `until` is None where a
    mute ended. `of` says which check and table, which alert, or which mute.
    """

    at: int
    who: str
    role: str
    what: str
    of: str
    until: int | None
    reason: str | None


class _Asked(Struct):
    """What of the details of an action is told; `mute` is the one that was ended."""

    check: str | None = None
    table: str | None = None
    minutes: int | None = None
    mute: str | None = None
    reason: str | None = None


class _Details(Struct):
    asked: _Asked


def quieted(path: Path, house: House, day: Day) -> list[Quieted]:
    """Read what was muted and put off on a gaming day, in the order in which it was done.

    First comes what was muted or put off before the day, and still was as it began. Of an archive no more
    days are read than that needs, and no more is held than is told.

    Raises:
        BadInput: a file of the archive is damaged.
    """
    found: dict[str, Quieted] = {}
    for event in _acted(path, house, day):
        told = _quieted(event)
        if day.holds(event.at) or (told.until is not None and event.at < day.begins < told.until):
            found.setdefault(event.id, told)
        elif event.action == "unmute" and event.at < day.begins:
            found.pop(_asked(event).mute or "", None)
    return sorted(found.values(), key=lambda each: each.at)


def _acted(path: Path, house: House, day: Day) -> Iterator[OperatorActed]:
    """Read the actions of a day that mute or put off, and those before it that may last until then."""
    first = house.gaming_date(day.begins - LONGEST * MINUTE)
    days = [first + timedelta(days=ahead) for ahead in range((day.date - first).days + 1)]
    for each in log.logs(path):
        for frame in frames(log.on_days(each, days)) if each.name == STREAM else ():
            if isinstance(frame, Unread):
                continue
            for event in frame.events:
                if isinstance(event, OperatorActed) and event.action in _WHAT:
                    yield event


def _asked(event: OperatorActed) -> _Asked:
    return msgspec.json.decode(event.details, type=_Details).asked


def _quieted(event: OperatorActed) -> Quieted:
    asked = _asked(event)
    of = " at ".join(each.replace("_", " ") for each in (asked.check, asked.table) if each is not None)
    return Quieted(
        at=event.at,
        who=event.who,
        role=event.role,
        what=_WHAT[event.action],
        of=of or event.subject or f"mute {asked.mute}",
        until=event.at + asked.minutes * MINUTE if asked.minutes is not None else None,
        reason=asked.reason,
    )
