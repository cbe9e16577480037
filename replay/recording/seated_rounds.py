"""Judged rounds, table after table, with who sat there as is known now."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from projections.engine.audit.table_audit import TableAudit
from projections.engine.fold.corrections import settled
from projections.engine.fold.seats import OF_SEATS, REMEMBERED, Account, Move, Renamed
from projections.engine.observation import Key, Round
from projections.views.hand_view import renaming
from replay.recording.event_audit import Unread, audited, house_of
from replay.recording.judged_rounds import Judged, form_of, judged
from replay.recording.spill import OnDisk
from schemas import house as houses
from schemas.codec import Frame, Told, decode
from schemas.errors import BadInput
from schemas.events import Event, PlayerSeated, ReportCorrected
from schemas.house import House
from streams import log
from streams.log import Log

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# What logs tell of who sat at their tables, laid aside on the disk, so that the whole log is heard first.
#
# A correction may come hours after the rounds that it names anew. Only frames in which the words stand are
# taken apart.

_MADE: Final = (
    "PRAGMA journal_mode=OFF",
    """CREATE TABLE told (
        tbl TEXT, device TEXT, epoch INT, seq INT, at INT, of_epoch INT, of_seq INT, seat INT, patron TEXT,
        event BLOB, PRIMARY KEY (tbl, device, epoch, seq)
    ) WITHOUT ROWID""",
    "CREATE INDEX moments ON told (tbl, device, at)",
    "CREATE INDEX mistaken ON told (tbl, device, of_epoch, of_seq)",
)
_HEARD: Final = "INSERT OR IGNORE INTO told VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
# Of a table's device; a correction has the number of what it corrects, a move has none.
_FIRST: Final = """SELECT event FROM told WHERE tbl = ? AND device = ? AND of_seq IS NULL
    AND at BETWEEN ? AND ? ORDER BY epoch, seq LIMIT 1"""
_LAST: Final = """SELECT event FROM told WHERE tbl = ? AND device = ? AND of_seq IS NULL
    AND at BETWEEN ? AND ? ORDER BY epoch DESC, seq DESC LIMIT 1"""
_BETWEEN: Final = """SELECT event FROM told WHERE tbl = ? AND device = ? AND of_seq IS NULL
    AND (epoch, seq) BETWEEN (?, ?) AND (?, ?)"""
_NEXT: Final = """SELECT event FROM told WHERE tbl = ? AND device = ? AND of_seq IS NULL
    AND (epoch, seq) > (?, ?) ORDER BY epoch, seq LIMIT ?"""
_CORRECTING: Final = """SELECT event FROM told WHERE tbl = ? AND device = ?
    AND of_epoch = ? AND of_seq = ?"""
# A writer of JSON may write any letter as its number.
_WORDS: Final = (*(kind.__name__.encode() for kind in OF_SEATS), rb"\u")
_DAY: Final = 24 * 3_600_000_000  # microseconds
_AT_ONCE: Final = 500  # events

_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(Event).decode


class Seats(OnDisk):
    """Hears of tables what was told of who sits, in any order, and answers when all of it was heard."""

    def __init__(self) -> None:
        super().__init__(*_MADE)
        self._held: dict[tuple[str, str], tuple[int, Account]] = {}

    def begin(self, audits: Mapping[str, TableAudit]) -> None:
        """Hear what the audits of tables know that go on from a snapshot."""
        for table, audit in audits.items():
            self.hear(table, audit.progress.waiting.seating.told)

    def read(self, log: Log, until: int | None = None) -> None:
        """Hear a log to its end, or until what it tells is of a later moment, microseconds UTC."""
        key = log.key
        for _, where, payload in log.payloads():
            at = self.take(where, payload, key)
            if until is not None and at is not None and at > until:
                return

    def take(self, where: str, payload: bytes, key: str | None) -> int | None:
        """Hear a frame; gives the moment of its latest event, None of a frame without any of the words.

        What cannot be read is for the audit to say, and what is not of the table `key` where that is told.
        """
        if any(map(payload.__contains__, _WORDS)):
            with suppress(BadInput):
                frame, _ = decode(payload, where)
                if key in (None, frame.table):
                    self.hear(frame.table, frame.events)
                    return max((event.at for event in frame.events), default=None)
        return None

    def hear(self, table: str, events: Iterable[Told]) -> None:
        """Keep of a table's events those about who sits; of the same number the first."""
        rows = [
            _row(table, each)
            for each in events
            if isinstance(each, OF_SEATS)
            and not (isinstance(each, ReportCorrected) and each.mistaken.device != each.device)
        ]
        self._base.executemany(_HEARD, rows)

    def account(self, table: str, device: str, at: int) -> Account:
        """Return the account of a table's terminal about a moment, microseconds UTC."""
        day = at // _DAY * _DAY
        account_found = self._held.get((table, device))
        if account_found is None or account_found[0] != day:
            moves = self._about(table, device, day - REMEMBERED, day + 2 * _DAY)
            account_found = day, Account([*moves, *self._corrections(table, device, moves)])
            self._held[table, device] = account_found
        return account_found[1]

    def devices(self, table: str) -> list[str]:
        """Return the devices that told of who sits at a table."""
        return [name for (name,) in self._asked("SELECT DISTINCT device FROM told WHERE tbl = ?", table)]

    def moves(self, table: str, device: str, *, corrected: bool) -> Iterator[Event]:
        """Yield what a device told in the order of its numbers, as corrected or as it was told at first."""
        after = (0, 0)
        while moves := self._read(_NEXT, table, device, *after, _AT_ONCE):
            after = moves[-1].epoch, moves[-1].seq
            corrections = self._corrections(table, device, moves) if corrected else ()
            moves_in_force = settled([*moves, *corrections])
            yield from (each for each in moves_in_force if not isinstance(each, ReportCorrected))

    def patrons(self) -> list[str]:
        """Return the patrons of whom it was told that they sat somewhere, corrected or not."""
        return [name for (name,) in self._asked("SELECT DISTINCT patron FROM told WHERE patron IS NOT NULL")]

    def seats(self) -> list[int]:
        """Return the seats in which it was told that somebody sat."""
        return [seat for (seat,) in self._asked("SELECT DISTINCT seat FROM told WHERE seat IS NOT NULL")]

    def _about(self, table: str, device: str, first: int, last: int) -> list[Event]:
        """Return the moves of a stretch of time, and whatever has a number between theirs.

        A clock can be wrong for a while, and what was told is told in the order of its numbers.
        """
        ends = [each for query in (_FIRST, _LAST) for each in self._read(query, table, device, first, last)]
        if not ends:
            return []
        places = (number for each in ends for number in (each.epoch, each.seq))
        return self._read(_BETWEEN, table, device, *places)

    def _corrections(self, table: str, device: str, moves: Sequence[Event]) -> list[Event]:
        """Return the corrections of moves, and those of corrections in turn."""
        found: dict[tuple[int, int], Event] = {}
        places = [(each.epoch, each.seq) for each in moves]
        while places:
            events = [each for place in places for each in self._read(_CORRECTING, table, device, *place)]
            fresh = {place: each for each in events if (place := (each.epoch, each.seq)) not in found}
            found |= fresh
            places = [*fresh]
        return [*found.values()]

    def _read(self, statement: str, *values: object) -> list[Event]:
        return [_decode(event) for (event,) in self._asked(statement, *values)]

    def _asked(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with closing(self._base.execute(statement, values)) as found:
            return found.fetchall()


def terminal_of(house: House, table: str) -> str:
    """Return the terminal of a table, whose word counts for who sits; of a table that it lacks no device."""
    setup = house.tables.get(table)
    sources = setup.sources if setup is not None else {}
    return next((device for device, source in sources.items() if source == "terminal"), "")


def _row(table: str, event: Move | ReportCorrected) -> tuple[object, ...]:
    mistaken = event.mistaken if isinstance(event, ReportCorrected) else None
    row_event: Event | None = event
    while isinstance(row_event, ReportCorrected):
        row_event = row_event.instead
    seated = row_event if isinstance(row_event, PlayerSeated) else None
    return (
        *(table, event.device, event.epoch, event.seq, event.at),
        *((mistaken.epoch, mistaken.seq) if mistaken is not None else (None, None)),
        *((seated.seat, seated.patron) if seated is not None else (None, None)),
        _encode(event),
    )


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Judged rounds, table after table, with who sat there as is known now, and whoever hears the events beside.
#
# A round names who sat as far as the table knew when it could last be revised, live as in a replay. Whoever
# looks back wants to know who it was by all that was told since.


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


def as_known(judged_round: Judged, observed: Round, seats: Seats) -> Seated:
    """Return who sat at a round by all that was heard of its table's terminal."""
    account = seats.account(observed.table, terminal_of(judged_round.house, observed.table), observed.at)
    seated = account.patrons(observed.at, observed.number)
    renamed = (
        () if seated == observed.seated else account.renamed(observed.at, observed.number, observed.seated)
    )
    return Seated(judged_round, observed, seated, renamed)


def looked_back(path: Path, judged_round: Judged, observed: Round) -> Seated:
    """Return who sat at one round, by all that a path holds of its table; of round records nobody is known.

    Raises:
        BadInput: a file of an archive is damaged.
    """
    if not holds_events(path):
        return Seated(judged_round, observed, observed.seated)
    with Seats() as seats:
        for found in log.logs(path, observed.table if path.is_dir() else None):
            seats.read(found)
        return as_known(judged_round, observed, seats)


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
            for answers in audited([Heard(found, ears)], house):
                if isinstance(answers, Unread):
                    yield answers
                elif answers.seen is not None and (tables is None or answers.seen.table in tables):
                    concluded = Judged(answers.conclusion, house, answers.seen, answers.book)
                    yield as_known(concluded, answers.seen, seats)


def _of_records(
    path: Path, house_file: str | None, tables: Collection[str] | None
) -> Iterator[Seated | Unread]:
    only = next(iter(tables)) if tables is not None and len(tables) == 1 else None
    for each in judged(path, house_file, only):
        if isinstance(each, Unread):
            yield each
        elif each.seen is not None and not each.is_repeat and (tables is None or each.seen.table in tables):
            yield Seated(each, each.seen, each.seen.seated)
