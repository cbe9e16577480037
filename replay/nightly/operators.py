"""What was done at the console on a gaming day, as the archive has it."""

from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from replay.nightly.days import Day
from replay.recorded import Unread, frames
from schemas.surveillance import STREAM, OperatorActed
from streams import log


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


def quieted(path: Path, day: Day) -> list[Quieted]:
    """Read what was muted and put off on a gaming day, in the order in which it was done.

    Raises:
        BadInput: a file of the archive is damaged.
    """
    found: dict[str, Quieted] = {}
    for each in log.logs(path):
        for frame in frames(each) if each.name == STREAM else ():
            if isinstance(frame, Unread):
                continue
            for event in frame.events:
                if isinstance(event, OperatorActed) and day.holds(event.at) and event.action in _WHAT:
                    found.setdefault(event.id, _quieted(event))
    return sorted(found.values(), key=lambda each: each.at)


_WHAT: Final = {"mute": "muted", "snooze": "put off", "unmute": "mute ended"}
_MINUTE: Final = 60_000_000  # microseconds


class _Details(Struct):
    asked: dict[str, Any]


def _quieted(event: OperatorActed) -> Quieted:
    asked = msgspec.json.decode(event.details, type=_Details).asked
    check, table, minutes = asked.get("check"), asked.get("table"), asked.get("minutes")
    of = " at ".join(each.replace("_", " ") for each in (check, table) if each is not None)
    return Quieted(
        at=event.at,
        who=event.who,
        role=event.role,
        what=_WHAT[event.action],
        of=of or event.subject or f"mute {asked['mute']}",
        until=event.at + minutes * _MINUTE if minutes is not None else None,
        reason=asked.get("reason"),
    )
