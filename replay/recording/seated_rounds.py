"""Judged rounds, table after table, with who sat there as is known now."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from projections.engine.audit.table_audit import TableAudit
from projections.engine.fold.corrections import corrected_once
from projections.engine.fold.seats import OF_SEATS, REMEMBERED, Move, Renamed, SeatHistory
from projections.engine.observation import Key, Round
from projections.views.hand_view import describe_correction
from replay.recording.event_audit import NO_WATCH, audit_log, latest_conclusions
from replay.recording.judged_rounds import JudgedRound, judge_rounds
from replay.recording.recording import Recording
from replay.recording.spill import SpillFile
from schemas.codec import AnyEvent, Frame
from schemas.events import Event, PlayerSeated, ReportCorrected
from schemas.house import House
from streams.log import Log, RecordedFrame, Unread, read_frames

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# The seating reports of logs, spilled to disk, so that the whole log is read first. A correction may come
# hours after the rounds whose patrons it changes. Only frames that contain the words are decoded.

_MADE: Final = (
    "PRAGMA journal_mode=OFF",
    """CREATE TABLE told (
        tbl TEXT, device TEXT, epoch INT, seq INT, at INT, of_epoch INT, of_seq INT, seat INT, patron TEXT,
        event BLOB, PRIMARY KEY (tbl, device, epoch, seq)
    ) WITHOUT ROWID""",
    "CREATE INDEX moments ON told (tbl, device, at)",
    "CREATE INDEX mistaken ON told (tbl, device, of_epoch, of_seq)",
)
_INSERT: Final = "INSERT OR IGNORE INTO told VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
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


def may_seat(payload: bytes) -> bool:
    """Return True if a payload may have seating reports, by its bytes only."""
    return any(map(payload.__contains__, _WORDS))


class SeatingIndex(SpillFile):
    """Index of who sat at tables, spilled to disk: takes events in any order, and answers once it has all."""

    def __init__(self) -> None:
        super().__init__(*_MADE)
        self._held: dict[tuple[str, str], tuple[int, SeatHistory]] = {}

    def begin(self, audits: Mapping[str, TableAudit]) -> None:
        """Add what audits that start from a snapshot know of who sat before it."""
        for table, audit in audits.items():
            self.hear(table, audit.progress.buffer.seating.reports)

    def read(self, log: Log, until: int | None = None) -> None:
        """Add a log to its end, or until a frame's events are later than a moment, microseconds UTC."""
        for each in read_frames(log, log.key, may_seat):
            at = self.index_frame(each)
            if until is not None and at is not None and at > until:
                return

    def index_frame(self, each: RecordedFrame) -> int | None:
        """Index a frame; return the moment of its latest event, None if there is none."""
        frame = each.frame
        if frame is None:
            return None  # the audit reports what cannot be read
        self.hear(frame.table, frame.events)
        return max((event.at for event in frame.events), default=None)

    def hear(self, table: str, events: Iterable[AnyEvent]) -> None:
        """Add those of a table's events that are about who sits; of the same number the first."""
        rows = [
            _row(table, each)
            for each in events
            if isinstance(each, OF_SEATS)
            and not (isinstance(each, ReportCorrected) and each.mistaken.device != each.device)
        ]
        self._base.executemany(_INSERT, rows)

    def account(self, table: str, device: str, at: int) -> SeatHistory:
        """Return the account of a table's terminal about a moment, microseconds UTC."""
        day = at // _DAY * _DAY
        account_found = self._held.get((table, device))
        if account_found is None or account_found[0] != day:
            moves = self._about(table, device, day - REMEMBERED, day + 2 * _DAY)
            account_found = day, SeatHistory([*moves, *self._corrections(table, device, moves)])
            self._held[table, device] = account_found
        return account_found[1]

    def devices(self, table: str) -> list[str]:
        """Return the devices that reported seating at a table."""
        return [name for (name,) in self._select("SELECT DISTINCT device FROM told WHERE tbl = ?", table)]

    def moves(self, table: str, device: str, *, corrected: bool) -> Iterator[Event]:
        """Yield a device's seating reports in the order of its numbers, as corrected or as first reported."""
        after = (0, 0)
        while moves := self._read(_NEXT, table, device, *after, _AT_ONCE):
            after = moves[-1].epoch, moves[-1].seq
            corrections = self._corrections(table, device, moves) if corrected else ()
            moves_in_force = corrected_once([*moves, *corrections])
            yield from (each for each in moves_in_force if not isinstance(each, ReportCorrected))

    def patrons(self) -> list[str]:
        """Return the patrons who were reported in any seat, corrected or not."""
        return [name for (name,) in self._select("SELECT DISTINCT patron FROM told WHERE patron IS NOT NULL")]

    def seats(self) -> list[int]:
        """Return the seats in which somebody was reported."""
        return [seat for (seat,) in self._select("SELECT DISTINCT seat FROM told WHERE seat IS NOT NULL")]

    def _about(self, table: str, device: str, first: int, last: int) -> list[Event]:
        """Return the moves of a stretch of time, and whatever has a number between theirs.

        A clock can be wrong for a while, and reports are in the order of their numbers.
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
        return [_decode(event) for (event,) in self._select(statement, *values)]

    def _select(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
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
# Judged rounds, table after table, with the patrons by present knowledge, and the events for a listener. A
# round has the patrons that the table knew when it could last be revised, live as in a replay. A later view
# needs them by all reports since.


class _EventWatch:
    """Passes the events of frames on before they are judged."""

    def __init__(self, take: Callable[[str, AnyEvent], None]) -> None:
        self._take = take

    def begin(self, audit: TableAudit) -> None: ...

    def line(self) -> None: ...

    def frame(self, frame: Frame, unreadable: int, *, judged: bool) -> None:  # noqa: ARG002  as `Watch` has it
        for event in frame.events:
            self._take(frame.table, event)


class SeatedRound(Struct, frozen=True):
    """A judged round, how it was seen, and who sat there as is known now.

    `seen` names whom the table knew at the time, `seated` who is known now, by seat; `renamed` are the seats
    in which the two differ.
    """

    judged: JudgedRound
    seen: Round
    seated: dict[int, str]
    renamed: tuple[Renamed, ...] = ()

    def patrons(self) -> dict[Key, str | None]:
        """Return the patron of each wager, as far as one is known now."""
        return replace(self.seen, seated=self.seated).patrons()

    def corrections(self) -> tuple[str, ...]:
        """Return the seats whose patrons are known otherwise now, with the reported ones, a line each."""
        return tuple(describe_correction(each, self.judged.house) for each in self.renamed)

    def correction_of(self, key: Key) -> str | None:
        """Return that line of the seat of a wager, if it is one of them; None if several bet on it."""
        of_seat = (
            describe_correction(each, self.judged.house) for each in self.renamed if each.seat == key.seat
        )
        return next(of_seat, None) if key.bettor is None else None


def seated_round(judged_round: JudgedRound, observed: Round, seats: SeatingIndex) -> SeatedRound:
    """Return a round with its patrons by all reports of its table's terminal."""
    account = seats.account(observed.table, terminal_of(judged_round.house, observed.table), observed.at)
    seated = account.patrons(observed.at, observed.number)
    renamed = (
        () if seated == observed.seated else account.renamed(observed.at, observed.number, observed.seated)
    )
    return SeatedRound(judged_round, observed, seated, renamed)


def seat_round(recording: Recording, judged_round: JudgedRound, observed: Round) -> SeatedRound:
    """Return one round with its patrons, by all that a path has of its table; round records have none.

    Raises:
        BadInput: a file of an archive is damaged.
    """
    if not recording.holds_frames:
        return SeatedRound(judged_round, observed, observed.seated)
    with SeatingIndex() as seats:
        for found in recording.logs_of(observed.table if recording.is_archive else None):
            seats.read(found)
        return seated_round(judged_round, observed, seats)


def judge_seated_rounds(
    recording: Recording,
    tables: Collection[str] | None = None,
    take_event: Callable[[str, AnyEvent], None] | None = None,
) -> Iterator[SeatedRound | Unread]:
    """Judge the rounds of a recording, table after table, each with its patrons, but no shoes and accounts.

    With `tables` only those are read. `take_event` is called with a table and each of its events, before the
    rounds that they are of. Each log is read for who sat before it is judged. Of round records no patron is
    known, and one that repeats another is left out.

    Raises:
        BadInput: the path holds neither events nor records, or the house file is missing or at fault.
    """
    if not recording.holds_frames:
        yield from _of_records(recording, tables)
        return
    house = recording.house
    watch = _EventWatch(take_event) if take_event is not None else NO_WATCH
    for found in recording.logs:
        elsewhere = tables is not None and recording.is_archive and found.name not in tables
        if house.beside_tables(found.name) or elsewhere:
            continue  # a folder's log is named after its table, a file's after the file
        with SeatingIndex() as seats:
            seats.read(found)
            for answers in latest_conclusions(audit_log(found, house, {}, watch=watch)):
                if isinstance(answers, Unread):
                    yield answers
                elif answers.seen is not None and (tables is None or answers.seen.table in tables):
                    concluded = JudgedRound(answers.conclusion, house, answers.seen, answers.book)
                    yield seated_round(concluded, answers.seen, seats)


def _of_records(recording: Recording, tables: Collection[str] | None) -> Iterator[SeatedRound | Unread]:
    only = next(iter(tables)) if tables is not None and len(tables) == 1 else None
    for each in judge_rounds(recording, only):
        if isinstance(each, Unread):
            yield each
        elif each.seen is not None and not each.is_repeat and (tables is None or each.seen.table in tables):
            yield SeatedRound(each, each.seen, each.seen.seated)
