"""Two logs of an archive: who opened, exported and released what, and what is retained whatever its age."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

from projections.store.disk import append
from schemas.errors import BadInput
from schemas.ledgers import LEDGERS
from schemas.surveillance import STREAM

# ── Who opened, exported and released what of an archive: a log in it that is only ever added to ──────

CUSTODY: Final = "custody.jsonl"


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A line of the log: when (UTC), who, by which verb, and whether it was looked at, released or refused.

    What was `refused` was not shown. `what` has all that was asked for, by the names of the command line. Of
    what was released there is the name of the file, absent for standard output, its size in bytes, and its
    SHA-256.
    """

    at: datetime
    by: str
    verb: str
    does: Literal["open", "release", "refused"]
    archive: str
    what: Mapping[str, str | list[str]] = {}
    to: str | None = None
    bytes: int | None = None
    sha256: str | None = None


_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(Entry).decode


def note(log: Path, entry: Entry) -> None:
    """Add a line; when it returns the disk has it.

    Raises:
        BadInput: the log cannot be written.
    """
    try:
        append(log, _encode(entry))
    except OSError as error:
        raise BadInput(f"{log}: cannot be written: {error.strerror or error}") from None


def read(log: Path) -> Iterator[Entry | BadInput]:
    """Read a log line by line; a line that was cut short by a crash, or changed, is yielded as an error."""
    for number, line in enumerate(log.read_bytes().splitlines() if log.is_file() else (), 1):
        try:
            yield _decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            yield BadInput(f"{log}, line {number}: not a line of custody: {error}")


# ── Legal holds: what of an archive is retained whatever its age, by an append-only log in it ───────────
# A line of `holds.jsonl` adds a hold or lifts it, with who did so, when and why. A hold is on some tables or
# on all of them, and on the gaming days from the first to the last, or from the first on; or it is on single
# days of tables, those that have a hand or a patron. With each day goes what is filed under the next.

HOLDS: Final = "holds.jsonl"
_DAY: Final = timedelta(days=1)


class Hold(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A line of the log; `tables` and `last` absent stand for all tables, and for no end.

    A hold on a patron or a hand (`on`, in words) is one on the table-days that have them, as the archive has
    nothing smaller. `days` lists them by the day under which they are filed, so that no records need to be
    read to know what is held.
    """

    does: Literal["add", "lift"]
    hold: str
    by: str
    at: datetime
    first: date = date.min
    last: date | None = None
    tables: tuple[str, ...] | None = None
    why: str | None = None
    on: str | None = None
    days: Mapping[date, tuple[str, ...]] | None = None

    def covers(self, table: str | None, day: date) -> bool:
        """Return True if it holds what is filed of a table under a day; None is for what may be of any table.

        The ledgers of a day belong to each of its tables: chips and documents moved between them. So do the
        actions at the console. What is filed under the day after a held one is held too, because it is needed
        to judge the held one: the end of its last hands, shoes and trays, the count of its boxes, the closing
        of its ledgers.

        >>> hold = Hold(does="add", hold="H-1", by="A", at=datetime.min, last=date(2025, 3, 1), tables=("A",))
        >>> [hold.covers(name, date(2025, 3, 2)) for name in ("A", "B", "count_room", "surveillance")]
        [True, False, True, True]
        >>> hold.covers("A", date(2025, 3, 3))
        False
        """
        judged = (day, day - _DAY) if day > date.min else (day,)
        return any(self._is_on(table, each) for each in judged)

    def _is_on(self, table: str | None, day: date) -> bool:
        of_any = table is None or table == STREAM or table in LEDGERS
        if self.days is not None:
            return day in self.days and (of_any or table in self.days[day])
        within = self.first <= day and (self.last is None or day <= self.last)
        return within and (self.tables is None or of_any or table in self.tables)


_decode_hold: Final = msgspec.json.Decoder(Hold).decode


class HoldRecord(Struct, frozen=True):
    """A hold that was added, and the line that lifted it, if it was."""

    hold: Hold
    lifted: Hold | None = None


def hold_records(archive: Path) -> list[HoldRecord]:
    """Read every hold there ever was, in the order in which they were added.

    Raises:
        BadInput: a line cannot be read; then nothing may be removed.
    """
    found: list[HoldRecord] = []
    for line in _lines(archive):
        if line.does == "add":
            found.append(HoldRecord(line))
        else:
            found = [
                HoldRecord(each.hold, each.lifted or line) if each.hold.hold == line.hold else each
                for each in found
            ]
    return found


def holds_in_force(archive: Path) -> list[Hold]:
    """Read the holds in force: those that were added and not lifted since.

    Raises:
        BadInput: a line cannot be read; then nothing may be removed.
    """
    return [each.hold for each in hold_records(archive) if each.lifted is None]


def write(archive: Path, line: Hold) -> None:
    """Add a line to the log; when it returns the disk has it.

    Raises:
        BadInput: the disk does not take it.
    """
    log = archive / HOLDS
    try:
        append(log, _encode(line))
    except OSError as error:
        raise BadInput(f"{log}: cannot be written: {error.strerror or error}") from None


def _lines(archive: Path) -> Iterator[Hold]:
    log = archive / HOLDS
    for number, line in enumerate(log.read_bytes().splitlines() if log.is_file() else (), 1):
        try:
            yield _decode_hold(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadInput(f"{log}, line {number}: not a legal hold: {error}; nothing is removed") from None
