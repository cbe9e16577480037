"""Settings of a surveillance room: which alerts ring, and until when someone must look.

They change no conclusion; the house file does (`schemas.house`).
"""

from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from schemas import plain

_Cents = Annotated[int, Meta(ge=0)]
LONGEST_DUE: Final = 7 * 24 * 60  # minutes from an alert's coming until it must be closed
_Minutes = Annotated[int, Meta(ge=1, le=LONGEST_DUE)]
_Percent = Annotated[int, Meta(ge=100, le=100_000)]
_Hours = Annotated[int, Meta(ge=0, le=90 * 24)]
_Megabytes = Annotated[int, Meta(ge=1, le=200)]
Outcome: TypeAlias = Literal["corrected", "confirmed", "explained", "false"]


class Due(Struct, frozen=True, forbid_unknown_fields=True):
    """Minutes from an alert's coming until someone must have taken it, and until it must be closed."""

    taken: _Minutes
    closed: _Minutes


class DueTimes(Struct, frozen=True, forbid_unknown_fields=True):
    """The due times of each severity; what is undetermined has those of `data`."""

    critical: Due = Due(taken=2, closed=60)
    high: Due = Due(taken=5, closed=120)
    medium: Due = Due(taken=60, closed=12 * 60)
    data: Due = Due(taken=24 * 60, closed=3 * 24 * 60)


class Climbs(Struct, frozen=True, forbid_unknown_fields=True):
    """Minutes overdue after which an untaken incident to be acted on at once waits for a role too."""

    supervisor: _Minutes = 5
    director: _Minutes = 15


class CloseReason(Struct, frozen=True, forbid_unknown_fields=True):
    """Outcome with which an alert is closed, and the reason."""

    outcome: Outcome
    reason: Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^\S.*\S\Z")]


# Roles outside the surveillance room that see the live queue, or its log, only if the room lets them.
OutsideRole: TypeAlias = Literal["finance", "regulator"]


class RoomSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """A surveillance room's settings.

    A mismatch of at least `floor_cents` can be put right for `act_within_minutes` after its round was opened,
    and as long its queue is "act_now". Repeats of one check at one table within `repeats_minutes` are one
    group, which rings once, and again where one comes to `larger_percent` of what rang before.
    What can still be put right and is overdue is heard again every `overdue_every_minutes` until somebody
    takes it, and after the minutes of `climbs` it waits for supervisors and directors too.
    `shift_minutes` is how long an alert belongs to the shift in which it came. Of a dispute's footage that
    nobody preserved is reminded `footage_reminder_hours` before it is overwritten.
    `close_reasons` are offered to who closes an alert, after the reasons that they gave lately.
    People of the roles in `second_factor` log in with a second factor.
    `queue_for` are the roles outside the room that see its live queue and the floor, `log_for` those that
    read its surveillance log.
    A file attached to a dispute has `attachment_megabytes` at most.
    """

    floor_cents: _Cents = 10_000
    act_within_minutes: _Minutes = 10
    repeats_minutes: _Minutes = 30
    larger_percent: _Percent = 250
    overdue_every_minutes: _Minutes = 5
    shift_minutes: _Minutes = 8 * 60
    footage_reminder_hours: _Hours = 48
    due: DueTimes = DueTimes()
    climbs: Climbs = Climbs()
    close_reasons: Annotated[tuple[CloseReason, ...], Meta(max_length=20)] = (
        CloseReason("corrected", "Corrected at the table"),
        CloseReason("confirmed", "Dealer and floor supervisor informed"),
        CloseReason("explained", "Floor supervisor's decision"),
        CloseReason("false", "Device misread; footage reviewed"),
        CloseReason("corrected", "Patron paid by the cage"),
    )
    second_factor: tuple[str, ...] = ()
    queue_for: tuple[OutsideRole, ...] = ()
    log_for: tuple[OutsideRole, ...] = ()
    attachment_megabytes: _Megabytes = 25


DEFAULT: Final = RoomSettings()


def load(path: Path) -> RoomSettings:
    """Read a room's file.

    Raises:
        BadInput: it cannot be read, or is not the form of one; the message names the place.
    """
    return plain.read(path, RoomSettings, "a room's file")
