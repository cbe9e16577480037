"""Judged rounds with the patrons who sat at the table, read table after table."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct

from projections.fold.seating import Seating
from projections.hand.round import Key, Round
from replay.judged import Judged, form_of, judged
from replay.recorded import Unread, audited, from_day, house_of
from schemas import house as houses
from schemas.codec import Frame, Told, decode
from schemas.errors import BadInput
from schemas.house import House
from streams import log
from streams.log import Log

DAY: Final = timedelta(days=1)
_Place = TypeVar("_Place")
_OF_SEATS: Final = (b"PlayerSeated", b"PlayerLeft", b"TableClosed", b"ReportCorrected")


class Ear(Struct, frozen=True):
    """Hears the events of frames beside the audit: those of frames in which one of the words stands.

    Without words all frames are heard. It is called with the table and the event, as they come.
    """

    hear: Callable[[str, Told], None]
    words: tuple[bytes, ...] = ()


class Heard(Struct, frozen=True):
    """A log whose frames are heard by others too while they are read."""

    log: Log
    ears: Sequence[Ear]

    @property
    def name(self) -> str:
        """The log's own name."""
        return self.log.name

    @property
    def key(self) -> str | None:
        """The log's own key."""
        return self.log.key

    def payloads(self) -> Iterator[tuple[int, str, bytes]]:
        """Read the payloads, and let those hear of them who want to; what cannot be read is for the audit."""
        for number, where, payload in self.log.payloads():
            ears = [ear for ear in self.ears if not ear.words or any(word in payload for word in ear.words)]
            if ears:
                with suppress(BadInput):
                    _tell(decode(payload, where)[0], ears)
            yield number, where, payload


def _tell(frame: Frame, ears: Sequence[Ear]) -> None:
    for event in frame.events:
        for ear in ears:
            ear.hear(frame.table, event)


class Seated(Struct, frozen=True):
    """A judged round, and the patron of each wager as far as one is known."""

    judged: Judged
    seen: Round
    patrons: dict[Key, str | None]


class Seats:
    """Who sits at the tables of a floor."""

    def __init__(self, house: House) -> None:
        self._of: dict[str, Seating] = {}
        for table, setup in house.tables.items():
            terminal = next((device for device, reads in setup.sources.items() if reads == "terminal"), "")
            self._of[table] = Seating(terminal)

    def hear(self, table: str, event: Told) -> None:
        """Take note of an event of a table, if it is about who sits."""
        if table in self._of:
            self._of[table].take(event)

    def patrons(self, seen: Round) -> dict[Key, str | None]:
        """Name the patron of each wager; of several who bet on one spot nobody is known by the seat."""
        if seen.table not in self._of:
            return {}
        seating = self._of[seen.table]
        keys = dict.fromkeys((*seen.wagers, *(seen.paid or ())))
        seats = sorted({key[0] for key in keys if key[1] is None})
        names = {seat: seating.patron(seat, seen.at, seen.number) for seat in seats}
        return {key: names[key[0]] if key[1] is None else None for key in keys}


def patrons_of(path: Path, seen: Round, house: House) -> dict[Key, str | None]:
    """Name the patron of each wager of one round; of round records nobody is known.

    It is read from the start of the gaming day before the round's to the end of its own: who sat down earlier
    is not known.

    Raises:
        BadInput: a file of an archive is damaged.
    """
    if not holds_events(path):
        return {}
    seats = Seats(house)
    for found in log.logs(path, seen.table if path.is_dir() else None):
        part = from_day(found, path, house, seen.day - DAY)[0] if path.is_dir() else found
        for _ in heard(part.payloads(), seats, house.late(seen.day) if path.is_dir() else None):
            pass
    return seats.patrons(seen)


def heard(
    payloads: Iterable[tuple[_Place, str, bytes]], seats: Seats, late: int | None = None
) -> Iterator[tuple[_Place, str, bytes]]:
    """Pass payloads on, each heard after that for who sits, up to the first who sits down after a moment."""
    for place, where, payload in payloads:
        yield place, where, payload
        if any(word in payload for word in _OF_SEATS):
            with suppress(BadInput):  # what cannot be read is told where the round is judged
                frame, _ = decode(payload, where)
                _tell(frame, (Ear(seats.hear),))
                if late is not None and any(event.at > late for event in frame.events):
                    return


def holds_events(path: Path) -> bool:
    """Tell whether a path holds recorded events; a file may hold round records instead."""
    return log.is_archive(path) or (path.is_file() and form_of(path) == "frames")


def house_at(path: Path, house_file: str | None) -> House:
    """Give the house by which a path is read; for round records the default, where none is named.

    Raises:
        BadInput: recorded events have no house file, or it is at fault.
    """
    if holds_events(path):
        return house_of(path, house_file)
    return houses.load(house_file, Path.cwd()) if house_file is not None else houses.DEFAULT


def seated(
    path: Path, house_file: str | None, tables: Collection[str] | None = None, ears: Sequence[Ear] = ()
) -> Iterator[Seated | Unread]:
    """Judge the rounds of a path, table after table, each with its patrons; shoes and accounts are left out.

    With `tables` only those are read. `ears` hear the events too, before the rounds that they are of. Of
    round records no patron is known.

    Raises:
        BadInput: the path holds neither events nor records, or the house file is missing or at fault.
    """
    if not holds_events(path):
        for each in judged(path, house_file):
            if isinstance(each, Unread):
                yield each
            elif each.seen is not None and (tables is None or each.seen.table in tables):
                yield Seated(each, each.seen, {})
        return
    house = house_of(path, house_file)
    for found in log.logs(path):
        elsewhere = tables is not None and path.is_dir() and found.name not in tables
        if house.beside_tables(found.name) or elsewhere:
            continue  # a folder's log is named after its table, a file's after the file
        seats = Seats(house)
        listened = Heard(found, (Ear(seats.hear, _OF_SEATS), *ears))
        for told in audited([listened], house):
            if isinstance(told, Unread):
                yield told
            elif told.seen is not None and (tables is None or told.seen.table in tables):
                concluded = Judged(told.conclusion, house, told.seen, told.book)
                yield Seated(concluded, told.seen, seats.patrons(told.seen))
