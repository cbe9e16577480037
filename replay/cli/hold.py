"""`discardrack hold`: legal holds added, lifted and listed."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

import click
from msgspec.structs import replace
from rich.console import Console

from replay.cli.custody import refuse_other
from replay.cli.options import GAMING_DAY, Verbs, gaming_day_option, name_option
from replay.hold.archive_places import Days, of_hand, of_patron, recorded
from replay.lists.writers import Form, Row, format_option, printable, write_rows
from replay.recording.event_audit import house_of
from schemas.errors import BadInput
from schemas.house import House
from schemas.values import moment
from streams import processes
from streams.archive.archive_reader import names
from streams.archive.custody import Hold, HoldRecord, hold_records, write
from streams.archive.record_names import table_of

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
    """Keep what a dispute or a court may ask for, whatever its age: discardrack retain never removes it.

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
    """Hold a hand, days of tables, or whatever there is of a patron.

    ID names the hold for good. A hand or a patron is looked for once, now: what the archive holds of it is
    written into the hold. Of a patron who still comes, add another hold later. The ledgers of a held day are
    held with it, and the day after, by which it is judged too. The archiver may run.

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
    said = Hold(does="add", hold=_checked_name(hold_id), by=by, at=_now(), why=why)
    line = _of(archive, said, tables, span, number, patron)
    write(archive, line)
    write_rows([_row(HoldRecord(line))], "table", _COLUMNS)


@hold.command()
@_archive
@_id
@_by
@_why
def lift(archive: Path, hold_id: str, by: str | None, why: str | None) -> None:
    """Lift a hold: what it alone kept may be removed when its years are over. It stays in the list.

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
        says = "was lifted already" if was else f"is not there; those that stand: {names}"
        raise BadInput(f"{archive}: hold {hold_id!r} {says}")
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
        house = house_of(archive, None)
        days = _hand(archive, house, tables[0], first, number)
        return _replaced(hold, f"hand {tables[0]} {number} of {first}", days)
    if patron is not None:
        if tables or span != (None, None):
            raise click.UsageError("--patron is held wherever there is something; name no table and no day")
        return _replaced(hold, f"patron {patron}", _patron(archive, house_of(archive, None), patron))
    if not tables and span == (None, None):
        raise click.UsageError(
            "say what is held: --table, --gaming-day or --from and --to, --round, or --patron"
        )
    there = [table_of(name) for name in names(archive)]
    if missing := [each for each in tables if each not in there]:
        raise BadInput(f"{archive}: no table {missing[0]!r}; it holds {', '.join(there)}")
    if first is not None and first == last and not recorded(archive, first).intersection(tables or there):
        of = f" of {', '.join(tables)}" if tables else ""
        raise BadInput(
            f"{archive}: nothing{of} is recorded on {first}; to hold what is still to come, leave out --to "
            f"and say --from {first}"
        )
    return replace(hold, first=first or date.min, last=last, tables=tables or None)


def _hand(archive: Path, house: House, table: str, day: date, number: str) -> Days:
    with Console(stderr=True).status(f"Looking for round {printable(number)} …"):
        return of_hand(archive, house, table, day, number)


def _patron(archive: Path, house: House, patron: str) -> Days:
    says = f"Looking for patron {printable(patron)}"
    with Console(stderr=True).status(f"{says} …") as status:
        return of_patron(archive, house, patron, lambda table: status.update(f"{says}: {printable(table)} …"))


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
