"""Under which days and tables an archive has a hand, or a patron.

A hold names them once and for all, so that nothing has to be read when it is asked what is held. What cannot
be decoded counts where the words stand in it: too much is held rather than too little.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import TypeAlias

import msgspec

from projections.engine.fold.seats import REMEMBERED, take_seat
from replay.recording.seated_rounds import Seats
from schemas.codec import Told, decode
from schemas.coupon_log import coupons
from schemas.errors import BadInput
from schemas.events import Event, PlayerSeated
from schemas.house import House
from schemas.ledgers import CheckMade, CouponEntered
from streams.archive.archive_reader import filed, names
from streams.archive.journal import Journal
from streams.archive.record_names import JOURNAL, Position, days_of, files_of, folder_of, part_of, table_of
from streams.topics import FRAMES

Days: TypeAlias = dict[date, tuple[str, ...]]


def recorded(archive: Path, day: date) -> set[str]:
    """Return the tables and ledgers of which anything is filed under a day."""
    files = files_of(folder_of(archive, day, FRAMES))
    found = {part[0] for file in files if (part := part_of(file)) is not None}
    if (archive / JOURNAL).is_file():
        with Journal(archive) as journal:
            found |= {name for topic, name in journal.filed(day) if topic == FRAMES}
    return set(map(table_of, found))


def of_hand(archive: Path, house: House, table: str, day: date, number: str) -> Days:
    """Find the days under which something of a round is filed: its own, and later ones for what came late.

    Raises:
        BadInput: the archive has nothing of it.
    """
    begins, ends = house.bounds(day)[0], house.late(day)
    word = _quoted(number)

    def has(event: Told) -> bool:
        return getattr(event, "round", None) == number and begins <= event.at < ends

    days = {
        on
        for on, payload in _payloads(archive, table, day)
        if on >= day and word in payload and _any(payload, has, otherwise=on == day)
    }
    if not days:
        raise BadInput(f"{archive}: has nothing of round {number!r} of table {table!r} on {day}")
    return dict.fromkeys(sorted(days | {day}), (table,))


def of_patron(archive: Path, house: House, patron: str, progress: Callable[[str], None]) -> Days:
    """Find where a patron sat, and what tables and ledgers have of the patron, or of papers of the patron.

    Who sat is taken as it was told at first and as it was corrected, by any of a table's devices. Papers are
    coupons, Counter Checks and the like, by their serials. `told` hears which table is read.

    Raises:
        BadInput: the archive has nothing of the patron.
    """
    serials: set[str] = set()
    found: set[tuple[date, str]] = set()
    for table in map(table_of, names(archive)):
        progress(table)
        found |= {(day, table) for day in _of_patron(archive, house, table, patron, serials)}
    for table in map(table_of, names(archive)) if serials else ():
        progress(table)
        words = [_quoted(each) for each in serials]
        found |= {
            (day, table)
            for day, payload in _payloads(archive, table)
            if any(word in payload for word in words)
        }
    if not found:
        raise BadInput(f"{archive}: has nothing of patron {patron!r}")
    days = sorted({day for day, _ in found})
    return {day: tuple(sorted(table for on, table in found if on == day)) for day in days}


def _of_patron(archive: Path, house: House, table: str, patron: str, serials: set[str]) -> set[date]:
    """Return the days of one table or ledger that have the patron.

    Serials of the patron's papers are added.
    """
    word = _quoted(patron)
    filed_on: set[date] = set()
    found: set[date] = set()
    with Seats() as seats:
        for day, payload in _payloads(archive, table):
            filed_on.add(day)
            seats.take("", payload, table)
            if word in payload:
                found.add(day)
                for event in _events(payload):
                    serials.update(_serials(event, patron))
        for device in seats.devices(table):
            for corrected in (False, True):
                moves = seats.moves(table, device, corrected=corrected)
                for first, last in _sittings(moves, patron):
                    start, ended = house.gaming_date(first), house.gaming_date(last)
                    found |= {day for day in filed_on if start <= day <= ended}
    return found


def _sittings(moves: Iterable[Event], patron: str) -> Iterator[tuple[int, int]]:
    """Yield from when to when a patron sat at a table, in any seat; microseconds UTC.

    Where nothing tells of the end it is as long as anybody can be known to sit.
    """
    sits: dict[int, str] = {}
    since: int | None = None
    for move in moves:
        take_seat(sits, move)
        is_patron = isinstance(move, PlayerSeated) and move.patron == patron
        if since is not None and (is_patron or patron not in sits.values()):
            yield since, min(move.at, since + REMEMBERED)
            since = None
        if is_patron:
            since = move.at
    if since is not None:
        yield since, since + REMEMBERED


def _serials(event: Told, patron: str) -> Iterator[str]:
    """Yield the serials of the papers that an event tells of together with the patron."""
    if isinstance(event, CheckMade) and event.patron == patron:
        yield event.check
    elif isinstance(event, CouponEntered) and getattr(event.entry, "patron", None) == patron:
        yield from coupons(event.entry)


def _payloads(archive: Path, table: str, since: date = date.min) -> Iterator[tuple[date, bytes]]:
    """Read a table's frames with the days under which they are filed, from about a day on."""
    name = _name(archive, table)
    for each in filed(archive, name, _before(archive, name, since)):
        yield each.day, each.record.payload or b""


def _before(archive: Path, name: str, since: date) -> Position | None:
    """Return where the last sealed day before a day begins: nothing of the day itself lies before that."""
    from streams.archive import sealed_files  # noqa: PLC0415  Parquet takes long to load; only sealed days need it

    for day in reversed(days_of(archive)):
        if day < since and (parts := sealed_files.parts(folder_of(archive, day, FRAMES), name)):
            stretch = min(map(sealed_files.stretch_of, parts), key=lambda part: (part.since, part.first))
            return *stretch.stream, stretch.first - 1
    return None


def _name(archive: Path, table: str) -> str:
    """Return the name under which a table is filed.

    Raises:
        BadInput: the archive does not hold the table.
    """
    found = {table_of(name): name for name in names(archive)}
    if table not in found:
        raise BadInput(f"{archive}: no table {table!r}; it holds {', '.join(found)}")
    return found[table]


def _any(payload: bytes, wanted: Callable[[Told], bool], *, otherwise: bool) -> bool:
    """Return True if a frame has such an event; `otherwise` is the answer where it cannot be read."""
    try:
        frame, unreadable = decode(payload, "")
    except BadInput:
        return otherwise
    return any(map(wanted, frame.events)) or (otherwise and bool(unreadable))


def _events(payload: bytes) -> Iterator[Told]:
    try:
        frame, _ = decode(payload, "")
    except BadInput:
        return
    yield from frame.events


def _quoted(text: str) -> bytes:
    """Return a text as it stands in JSON."""
    return msgspec.json.encode(text)
