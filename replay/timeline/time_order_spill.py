"""The way of a timeline from the order in which it is read, table after table, into the order of time.

It lies on the disk, in a file of its own that goes when it is done with: memory does not grow with the range.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Final

import msgspec

from projections.views.timeline_entry import Concluding, Entry, Happening, Moment
from replay.recording.spill_file import OnDisk

_MADE: Final = (
    "PRAGMA journal_mode=OFF",
    "PRAGMA temp_store=FILE",
    "CREATE TABLE moments (at, tbl TEXT, rank INT, device TEXT, epoch INT, seq INT, shoe TEXT, told BLOB)",
    "CREATE TABLE ends (tbl TEXT, shoe TEXT, at INT, PRIMARY KEY (tbl, shoe)) WITHOUT ROWID",
    "CREATE TABLE names (what TEXT, name TEXT, PRIMARY KEY (what, name)) WITHOUT ROWID",
)
_KIB: Final = 512  # of its pages, and of what is sorted, stay in memory
_ROUND, _EVENT, _OTHER = 0, 1, 2
_NAMED: Final = (
    "gaming_date",
    "dealer",
    "floorperson",
    "shoe",
    "round",
    "patron",
    "bettor",
    "seat",
    "operator",
    "subject",
)
_HELD: Final = 1000  # moments on their way to the disk

_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(Moment).decode


class Spool(OnDisk):
    """Takes moments in any order and gives them by time, table, and what they are; then device and number."""

    def __init__(self) -> None:
        super().__init__(*_MADE, kib=_KIB)
        self._moments: list[tuple[object, ...]] = []
        self._names: set[tuple[str, str]] = set()

    def add(self, moment: Moment, place: tuple[str, int, int] = ("", 0, 0)) -> None:
        """Take a moment; `place` is an event's device, epoch and number."""
        if isinstance(moment, Happening):
            about, rank, shoe = moment.entry, _EVENT, None
            self._note(about)
        else:
            about = moment.about
            rank = _ROUND if about.round is not None else _OTHER
            shoe = _shoe(about) if rank == _OTHER and about.shoe is not None else None
            self._note(about, *moment.findings)
            self._names |= {("seat", str(seat)) for seat in moment.seats}
            self._names |= {("bettor", bettor) for bettor in moment.bettors}
            if rank == _ROUND and about.shoe is not None:
                self._base.execute(
                    "INSERT INTO ends VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)",
                    (about.table, _shoe(about), about.at),
                )
        self._moments.append((about.at, about.table, rank, *place, shoe, _encode(moment)))
        if len(self._moments) >= _HELD:
            self._write()

    def _note(self, *entries: Entry) -> None:
        for entry in entries:
            for what in _NAMED:
                if (name := getattr(entry, what)) is not None:
                    self._names.add((what, str(name)))

    def _write(self) -> None:
        self._base.executemany("INSERT INTO moments VALUES (?, ?, ?, ?, ?, ?, ?, ?)", self._moments)
        self._base.executemany("INSERT OR IGNORE INTO names VALUES (?, ?)", self._names)
        self._moments.clear()
        self._names.clear()

    def names(self, *what: str) -> list[str]:
        """Return the names of a kind, or of several, that anything was told of."""
        self._write()
        found: set[str] = set()
        for each in what:
            with closing(self._base.execute("SELECT name FROM names WHERE what = ?", (each,))) as told:
                found.update(name for (name,) in told)
        return sorted(found)

    def moments(self) -> Iterator[Moment]:
        """Yield everything in its order; it may be asked for again."""
        self._write()
        self._base.execute(
            "UPDATE moments SET at = (SELECT at FROM ends WHERE ends.tbl = moments.tbl "
            "AND ends.shoe = moments.shoe) WHERE shoe IN (SELECT shoe FROM ends WHERE tbl = moments.tbl)"
        )
        # A shoe is entered as often as it was concluded, and stands as it was concluded last.
        self._base.execute(
            "DELETE FROM moments WHERE shoe IS NOT NULL "
            "AND rowid NOT IN (SELECT max(rowid) FROM moments WHERE shoe IS NOT NULL GROUP BY tbl, shoe)"
        )
        asked = "SELECT at, told FROM moments ORDER BY at, tbl, rank, device, epoch, seq, told"
        with closing(self._base.execute(asked)) as told:
            yield from _read(told)


def _shoe(about: Entry) -> str:
    """Return a shoe by its gaming day too, as one of the same name comes again on another day."""
    return f"{about.gaming_date} {about.shoe}"


def _read(told: Iterable[tuple[int, bytes]]) -> Iterator[Moment]:
    for at, text in told:
        moment = _decode(text)
        if isinstance(moment, Concluding) and moment.about.at != at:
            moment = msgspec.structs.replace(
                moment,
                about=msgspec.structs.replace(moment.about, at=at),
                findings=tuple(msgspec.structs.replace(each, at=at) for each in moment.findings),
            )
        yield moment
