"""`discardrack hold`: legal holds added, lifted and listed."""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final, TypeAlias

import click
import msgspec
from msgspec.structs import replace
from rich.console import Console

from projections.engine.fold.seats import REMEMBERED, take_seat
from replay.cli.custody import refuse_other
from replay.cli.options import GAMING_DAY, Verbs, gaming_day_option, name_option
from replay.lists.writers import Form, Row, format_option, printable, write_rows
from replay.recording.recording import Recording
from replay.recording.seated_rounds import SeatingIndex, may_seat
from schemas.codec import AnyEvent
from schemas.coupon_log import coupons
from schemas.errors import BadInput
from schemas.events import Event, PlayerSeated
from schemas.house import House
from schemas.ledgers import CheckMade, CouponEntered
from schemas.values import moment
from streams import processes
from streams.archive import sealed_files
from streams.archive.archive_reader import names
from streams.archive.custody import Hold, HoldRecord, hold_records, write
from streams.archive.journal import Journal
from streams.archive.record_names import JOURNAL, Position, days_of, files_of, folder_of, part_of, table_of
from streams.log import ArchivedLog, RecordedPayload, read_frame
from streams.topics import FRAMES

# ── The days and tables under which an archive has a hand, or a patron ──────────────────────────────────


Days: TypeAlias = dict[date, tuple[str, ...]]


def recorded_names(archive: Path, day: date) -> set[str]:
    """Return the tables and ledgers with anything filed under a day."""
    files = files_of(folder_of(archive, day, FRAMES))
    found = {part[0] for file in files if (part := part_of(file)) is not None}
    if (archive / JOURNAL).is_file():
        with Journal(archive) as journal:
            found |= {name for topic, name in journal.filed(day) if topic == FRAMES}
    return set(map(table_of, found))


def days_of_hand(archive: Path, house: House, table: str, day: date, number: str) -> Days:
    """Return the days under which something of a round is filed: its own, and later ones for late events.

    Raises:
        BadInput: the archive has nothing of it.
    """
    begins, ends = house.bounds(day)[0], house.late(day)
    word = _quoted(number)

    def has(event: AnyEvent) -> bool:
        return getattr(event, "round", None) == number and begins <= event.at < ends

    days = {
        on
        for on, each in _records(archive, table, day)
        if on >= day and word in each.payload and _any(each, has, otherwise=on == day)
    }
    if not days:
        raise BadInput(f"{archive}: has nothing of round {number!r} of table {table!r} on {day}")
    return dict.fromkeys(sorted(days | {day}), (table,))


def days_of_patron(archive: Path, house: House, patron: str, progress: Callable[[str], None]) -> Days:
    """Return where a patron sat, and what tables and ledgers have of the patron or the patron's documents.

    Seats count as first reported and as corrected, by any of a table's devices. Documents are coupons,
    Counter Checks and the like, by their serials. `progress` gets the table that is read.

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
            for day, each in _records(archive, table)
            if any(word in each.payload for word in words)
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
    with SeatingIndex() as seats:
        for day, record in _records(archive, table):
            filed_on.add(day)
            if may_seat(record.payload):
                seats.index_frame(read_frame(record, table))
            if word in record.payload:
                found.add(day)
                frame = read_frame(record).frame
                for event in frame.events if frame is not None else ():
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

    If the end is not reported it is the longest time for which a patron counts as seated.
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


def _serials(event: AnyEvent, patron: str) -> Iterator[str]:
    """Yield the serials of the documents that an event links to the patron."""
    if isinstance(event, CheckMade) and event.patron == patron:
        yield event.check
    elif isinstance(event, CouponEntered) and getattr(event.entry, "patron", None) == patron:
        yield from coupons(event.entry)


def _records(archive: Path, table: str, since: date = date.min) -> Iterator[tuple[date, RecordedPayload]]:
    """Read a table's records with the days under which they are filed, from about a day on."""
    name = _name(archive, table)
    records = ArchivedLog(archive, name, _before(archive, name, since)).records()
    return ((each.day, each) for each in records if each.day is not None)


def _before(archive: Path, name: str, since: date) -> Position | None:
    """Return where the last sealed day before a day begins: nothing of the day itself is earlier."""
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


def _any(record: RecordedPayload, wanted: Callable[[AnyEvent], bool], *, otherwise: bool) -> bool:
    """Return True if a frame has such an event; `otherwise` is the answer where it cannot be read."""
    found = read_frame(record)
    events = found.frame.events if found.frame is not None else ()
    return any(map(wanted, events)) or (otherwise and bool(found.unread))


def _quoted(text: str) -> bytes:
    """Return a text as it stands in JSON."""
    return msgspec.json.encode(text)


# ── The verb ────────────────────────────────────────────────────────────────────────────────

_COLUMNS: Final = (
    "hold", "on", "first", "last", "tables", "table_days", "by", "at", "why", "lifted_by", "lifted_at",
    "lifted_why",
)  # fmt: skip
_archive = click.argument("archive", type=click.Path(exists=True, file_okay=False, path_type=Path))
_id = click.argument("hold_id", metavar="ID")
_by = name_option("--by", "by", "Who wants it; it is written into the log.")
_why = name_option("--why", "why", "Why: the matter, its number; it is written into the log.")


@click.group(cls=Verbs)
def hold() -> None:
    """Hold what a dispute or a court may ask for, whatever its age: discardrack retain never removes it.

    \b
    Example:
      discardrack hold add var/live/archive C-2025-17 --table BAC-104 --gaming-day 2025-03-01 --round 17 \\
        --by "M. Ortiz, counsel" --why "patron's complaint 17/2025"
      discardrack hold list var/live/archive
    """  # noqa: D301  click's mark for text that is not wrapped


@hold.command()
@_archive
@_id
@click.option("--table", "tables", multiple=True, help="A table, or a ledger; several may be named.")
@gaming_day_option("One gaming day.")
@click.option("--from", "first", type=GAMING_DAY, help="The first gaming day.")
@click.option("--to", "last", type=GAMING_DAY, help="The last gaming day; no end if absent.")
@click.option("--round", "number", help="One hand of the one --table on the --gaming-day.")
@click.option("--patron", help="Wherever this patron sat, or left a paper.")
@_by
@_why
def add(
    archive: Path,
    hold_id: str,
    tables: tuple[str, ...],
    day: datetime | None,
    first: datetime | None,
    last: datetime | None,
    number: str | None,
    patron: str | None,
    by: str | None,
    why: str | None,
) -> None:
    """Hold a hand, days of tables, or all records of a patron.

    ID is the hold's permanent name. A hand or a patron is searched for once, now: what the archive has of it
    is written into the hold. For a patron who still comes, add another hold later. The ledgers of a held day
    are held with it, and so is the day after, which is needed to judge it. The archiver may run.

    \b
    Example:
      discardrack hold add var/live/archive C-2025-18 --patron P-1041 --by "M. Ortiz" --why "claim 18/2025"
      discardrack hold add var/live/archive C-2025-19 --table BAC-104 --from 2025-03-01 --to 2025-03-07 \\
        --by "M. Ortiz" --why "inquiry 19/2025"
    """  # noqa: D301  likewise
    if by is None or why is None:
        raise click.UsageError("add needs --by and --why: whose wish it is, and the matter, stand in the log")
    refuse_other(archive)
    _refuse_known(archive, hold_id)
    span = _span(day, first, last)
    added = Hold(does="add", hold=_checked_name(hold_id), by=by, at=_now(), why=why)
    line = _of(archive, added, tables, span, number, patron)
    write(archive, line)
    write_rows([_row(HoldRecord(line))], "table", _COLUMNS)


@hold.command()
@_archive
@_id
@_by
@_why
def lift(archive: Path, hold_id: str, by: str | None, why: str | None) -> None:
    """Lift a hold: what only it held may be removed when its years are over. It stays in the list.

    \b
    Example:
      discardrack hold lift var/live/archive C-2025-17 --by "M. Ortiz, counsel" --why "settled 2027-02-01"
    """  # noqa: D301  likewise
    if by is None or why is None:
        raise click.UsageError("lift needs --by and --why: whose wish it is, and why, stand in the log")
    refuse_other(archive)
    holds = hold_records(archive)
    if not any(each.hold.hold == hold_id for each in holds if each.lifted is None):
        was = any(each.hold.hold == hold_id for each in holds)
        names = ", ".join(each.hold.hold for each in holds if each.lifted is None) or "none"
        message = "was lifted already" if was else f"is not there; those that stand: {names}"
        raise BadInput(f"{archive}: hold {hold_id!r} {message}")
    write(archive, Hold(does="lift", hold=hold_id, by=by, at=_now(), why=why))
    lifted = next(each for each in hold_records(archive) if each.hold.hold == hold_id)
    write_rows([_row(lifted)], "table", _COLUMNS)


@hold.command("list")
@_archive
@format_option()
def list_(archive: Path, form: Form) -> None:
    """List every hold there ever was, in the order in which they were added.

    \b
    Example:
      discardrack hold list var/live/archive --format csv
    """  # noqa: D301  likewise
    refuse_other(archive)
    write_rows((_row(each) for each in hold_records(archive)), form, _COLUMNS)


def _refuse_known(archive: Path, hold_id: str) -> None:
    if any(each.hold.hold == hold_id for each in hold_records(archive)):
        raise BadInput(f"{archive}: hold {hold_id!r} is there already, or was; choose another name")


def _checked_name(hold_id: str) -> str:
    if not hold_id.strip() or not hold_id.isprintable():
        raise BadInput(f"hold {hold_id!r} is no name; write a word")
    return hold_id


def _now() -> datetime:
    return moment(processes.now())


def _span(
    day: datetime | None, first: datetime | None, last: datetime | None
) -> tuple[date | None, date | None]:
    if day is not None:
        if first is not None or last is not None:
            raise click.UsageError("--gaming-day is one day; --from and --to are several")
        return day.date(), day.date()
    begins, ends = (each.date() if each is not None else None for each in (first, last))
    if begins is not None and ends is not None and ends < begins:
        raise click.UsageError("--to lies before --from")
    return begins, ends


def _of(
    archive: Path,
    hold: Hold,
    tables: tuple[str, ...],
    span: tuple[date | None, date | None],
    number: str | None,
    patron: str | None,
) -> Hold:
    """Return what is held: a hand, a patron, or days of tables."""
    first, last = span
    if number is not None:
        if patron is not None or len(tables) != 1 or first is None or first != last:
            raise click.UsageError("--round goes with one --table and its --gaming-day")
        house = Recording(archive).house
        days = _hand(archive, house, tables[0], first, number)
        return _replaced(hold, f"hand {tables[0]} {number} of {first}", days)
    if patron is not None:
        if tables or span != (None, None):
            raise click.UsageError("--patron is held wherever there is something; name no table and no day")
        return _replaced(hold, f"patron {patron}", _patron(archive, Recording(archive).house, patron))
    if not tables and span == (None, None):
        raise click.UsageError(
            "say what is held: --table, --gaming-day or --from and --to, --round, or --patron"
        )
    recorded_tables = [table_of(name) for name in names(archive)]
    if missing := [each for each in tables if each not in recorded_tables]:
        raise BadInput(f"{archive}: no table {missing[0]!r}; it holds {', '.join(recorded_tables)}")
    wanted = tables or recorded_tables
    if first is not None and first == last and not recorded_names(archive, first).intersection(wanted):
        of = f" of {', '.join(tables)}" if tables else ""
        raise BadInput(
            f"{archive}: nothing{of} is recorded on {first}; to hold what is still to come, leave out --to "
            f"and say --from {first}"
        )
    return replace(hold, first=first or date.min, last=last, tables=tables or None)


def _hand(archive: Path, house: House, table: str, day: date, number: str) -> Days:
    with Console(stderr=True).status(f"Looking for round {printable(number)} …"):
        return days_of_hand(archive, house, table, day, number)


def _patron(archive: Path, house: House, patron: str) -> Days:
    message = f"Looking for patron {printable(patron)}"
    with Console(stderr=True).status(f"{message} …") as status:
        return days_of_patron(
            archive, house, patron, lambda table: status.update(f"{message}: {printable(table)} …")
        )


def _replaced(hold: Hold, on: str, days: Days) -> Hold:
    return replace(hold, on=on, first=min(days), last=max(days), days=days)


def _row(each: HoldRecord) -> Row:
    hold, lifted = each.hold, each.lifted
    days = hold.days
    tables = sorted({table for of in days.values() for table in of}) if days is not None else hold.tables
    return {
        "hold": hold.hold,
        "on": hold.on,
        "first": str(hold.first) if hold.first != date.min else None,
        "last": str(hold.last) if hold.last is not None else None,
        "tables": list(tables) if tables is not None else None,
        "table_days": sum(map(len, days.values())) if days is not None else None,
        "by": hold.by,
        "at": _time(hold.at),
        "why": hold.why,
        "lifted_by": lifted.by if lifted is not None else None,
        "lifted_at": _time(lifted.at) if lifted is not None else None,
        "lifted_why": lifted.why if lifted is not None else None,
    }


def _time(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
