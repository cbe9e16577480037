"""A round judged for a bundle: from what was closed, and from nothing else."""

from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from projections.engine.audit.judge import consider
from projections.engine.audit.table_audit import Concluded
from projections.evidence.bundle_hand import Judgement
from replay.recording.event_audit import Unread, audited, audited_near, from_day
from replay.recording.judged_rounds import Judged
from replay.recording.round_dates import dates_of, listed
from replay.recording.seated_rounds import as_known
from replay.recording.seating_index import Seats
from schemas import house as houses
from schemas.errors import BadInput
from streams.archive.inclusion import Closed
from streams.archive.record_names import HOUSE

_DAY: Final = timedelta(days=1)


def judgement(closed: Closed, table: str, number: str, day: date | None, house_file: str | None) -> Judgement:
    """Judge a round as it is judged with its day, under the closed house file or the one that was named.

    Who sat is named by all that was closed of the day and of the next one.

    Raises:
        BadInput: it is not there, several gaming dates have its number and none was named, or something of
            the archive is not as it was closed.
    """
    what = f"{closed.archive}: round {number!r} of table {table!r}"
    if day is None:
        named = dates_of(closed.archive, house_file, table, number)
        if len(named) != 1:
            raise BadInput(
                f"{what} was played on {listed(named)}; say which with --gaming-day"
                if named
                else f"{what} is not there"
            )
        day = named[0]
    if not closed.is_closed(day) and day not in dates_of(closed.archive, house_file, table, number):
        raise BadInput(f"{what} is not there on {day}")
    closed.hold(table, day)
    if house_file is None:
        closed.hold_house()
    house = houses.load(house_file or HOUSE, Path.cwd() if house_file else closed.archive)
    found = _found(audited_near(closed.log(table), closed.archive, house, day), number, day) or _found(
        audited([closed.log(table)], house), number, day
    )
    if found is None or found.seen is None:
        raise BadInput(f"{what} is not there on {day}")
    case = consider(found.seen, found.book) if found.book is not None else None
    with Seats() as seats:
        part, audits = from_day(closed.log(table), closed.archive, house, day)
        seats.begin(audits)
        seats.read(part, house.late(day + _DAY))
        known = as_known(Judged(found.conclusion, house, found.seen, found.book), found.seen, seats)
    seen = replace(found.seen, seated=known.seated)
    return Judgement(found.conclusion, seen, case, found.book, house)


def _found(answers: Iterable[Concluded | Unread], number: str, day: date) -> Concluded | None:
    """Return a round as it was last concluded."""
    last = None
    for each in answers:
        if isinstance(each, Concluded) and (each.conclusion.round, each.conclusion.gaming_date) == (
            number,
            day,
        ):
            last = each
    return last
