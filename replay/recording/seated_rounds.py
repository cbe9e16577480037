"""Judged rounds, table after table, with who sat there as is known now, and whoever hears the events beside.

A round names who sat as far as the table knew when it could last be revised, live as in a replay. Whoever
looks back wants to know who it was by all that was told since.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from projections.engine.fold.seats import Renamed
from projections.engine.observation import Key, Round
from projections.views.hand_view import renaming
from replay.recording.event_audit import Unread, audited, house_of
from replay.recording.judged_rounds import Judged, form_of, judged
from replay.recording.seating_index import Seats, terminal_of
from schemas import house as houses
from schemas.codec import Frame, Told, decode
from schemas.errors import BadInput
from schemas.house import House
from streams import log
from streams.log import Log


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
    """A judged round, how it was seen, and who sat there as is known now.

    `seen` names whom the table knew at the time, `seated` who is known now, by seat; `renamed` are the seats
    in which the two differ.
    """

    judged: Judged
    seen: Round
    seated: dict[int, str]
    renamed: tuple[Renamed, ...] = ()

    def patrons(self) -> dict[Key, str | None]:
        """Return the patron of each wager, as far as one is known now."""
        return replace(self.seen, seated=self.seated).patrons()

    def says(self) -> tuple[str, ...]:
        """Return who sits in the seats named otherwise now, and as whom they were told, a line each."""
        return tuple(renaming(each, self.judged.house) for each in self.renamed)

    def says_of(self, key: Key) -> str | None:
        """Say it of the seat of a wager, where that is one of them; not of one on which several bet."""
        seat, bettor, *_ = key
        of_seat = (renaming(each, self.judged.house) for each in self.renamed if each.seat == seat)
        return next(of_seat, None) if bettor is None else None


def as_known(told: Judged, seen: Round, seats: Seats) -> Seated:
    """Return who sat at a round by all that was heard of its table's terminal."""
    account = seats.account(seen.table, terminal_of(told.house, seen.table), seen.at)
    seated = account.patrons(seen.at, seen.number)
    renamed = () if seated == seen.seated else account.renamed(seen.at, seen.number, seen.seated)
    return Seated(told, seen, seated, renamed)


def looked_back(path: Path, told: Judged, seen: Round) -> Seated:
    """Return who sat at one round, by all that a path holds of its table; of round records nobody is known.

    Raises:
        BadInput: a file of an archive is damaged.
    """
    if not holds_events(path):
        return Seated(told, seen, seen.seated)
    with Seats() as seats:
        for found in log.logs(path, seen.table if path.is_dir() else None):
            seats.read(found)
        return as_known(told, seen, seats)


def holds_events(path: Path) -> bool:
    """Return True if a path holds recorded events; a file may hold round records instead."""
    return log.is_archive(path) or (path.is_file() and form_of(path) == "frames")


def house_at(path: Path, house_file: str | None) -> House:
    """Return the house by which a path is read; for round records the default, where none is named.

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

    With `tables` only those are read. `ears` hear the events too, before the rounds that they are of. Each
    log is read before it is judged for what it tells of who sat. Of round records no patron is known, and one
    that repeats another is left out.

    Raises:
        BadInput: the path holds neither events nor records, or the house file is missing or at fault.
    """
    if not holds_events(path):
        yield from _of_records(path, house_file, tables)
        return
    house = house_of(path, house_file)
    for found in log.logs(path):
        elsewhere = tables is not None and path.is_dir() and found.name not in tables
        if house.beside_tables(found.name) or elsewhere:
            continue  # a folder's log is named after its table, a file's after the file
        with Seats() as seats:
            seats.read(found)
            for told in audited([Heard(found, ears)], house):
                if isinstance(told, Unread):
                    yield told
                elif told.seen is not None and (tables is None or told.seen.table in tables):
                    concluded = Judged(told.conclusion, house, told.seen, told.book)
                    yield as_known(concluded, told.seen, seats)


def _of_records(
    path: Path, house_file: str | None, tables: Collection[str] | None
) -> Iterator[Seated | Unread]:
    only = next(iter(tables)) if tables is not None and len(tables) == 1 else None
    for each in judged(path, house_file, only):
        if isinstance(each, Unread):
            yield each
        elif each.seen is not None and not each.is_repeat and (tables is None or each.seen.table in tables):
            yield Seated(each, each.seen, each.seen.seated)
