"""What logs tell of who sat at their tables, laid aside on the disk, so that the whole log is heard first.

A correction may come hours after the rounds that it names anew. Only frames in which the words stand are
taken apart.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from typing import Any, Final

import msgspec

from projections.engine.audit.table_audit import TableAudit
from projections.engine.fold.event_notes import settled
from projections.engine.fold.seats import OF_SEATS, REMEMBERED, Account, Move
from replay.recording.spill_file import OnDisk
from schemas.codec import Told, decode
from schemas.errors import BadInput
from schemas.events import Event, PlayerSeated, ReportCorrected
from schemas.house import House
from streams.log import Log

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

    def read(self, found: Log, until: int | None = None) -> None:
        """Hear a log to its end, or until what it tells is of a later moment, microseconds UTC."""
        key = found.key
        for _, where, payload in found.payloads():
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
        held = self._held.get((table, device))
        if held is None or held[0] != day:
            moves = self._about(table, device, day - REMEMBERED, day + 2 * _DAY)
            held = day, Account([*moves, *self._corrections(table, device, moves)])
            self._held[table, device] = held
        return held[1]

    def devices(self, table: str) -> list[str]:
        """Return the devices that told of who sits at a table."""
        return [name for (name,) in self._asked("SELECT DISTINCT device FROM told WHERE tbl = ?", table)]

    def moves(self, table: str, device: str, *, corrected: bool) -> Iterator[Event]:
        """Yield what a device told in the order of its numbers, as corrected or as it was told at first."""
        after = (0, 0)
        while moves := self._read(_NEXT, table, device, *after, _AT_ONCE):
            after = moves[-1].epoch, moves[-1].seq
            corrections = self._corrections(table, device, moves) if corrected else ()
            told = settled([*moves, *corrections])
            yield from (each for each in told if not isinstance(each, ReportCorrected))

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
        ends = [each for asked in (_FIRST, _LAST) for each in self._read(asked, table, device, first, last)]
        if not ends:
            return []
        places = (number for each in ends for number in (each.epoch, each.seq))
        return self._read(_BETWEEN, table, device, *places)

    def _corrections(self, table: str, device: str, moves: Sequence[Event]) -> list[Event]:
        """Return the corrections of moves, and those of corrections in turn."""
        found: dict[tuple[int, int], Event] = {}
        asked = [(each.epoch, each.seq) for each in moves]
        while asked:
            told = [each for place in asked for each in self._read(_CORRECTING, table, device, *place)]
            fresh = {place: each for each in told if (place := (each.epoch, each.seq)) not in found}
            found |= fresh
            asked = [*fresh]
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
    told: Event | None = event
    while isinstance(told, ReportCorrected):
        told = told.instead
    seated = told if isinstance(told, PlayerSeated) else None
    return (
        *(table, event.device, event.epoch, event.seq, event.at),
        *((mistaken.epoch, mistaken.seq) if mistaken is not None else (None, None)),
        *((seated.seat, seated.patron) if seated is not None else (None, None)),
        _encode(event),
    )
