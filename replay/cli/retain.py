"""`discardrack retain`: the files of an archive that are past their retention years, and their removal.

Nothing is ever removed unless a person asks. Each removal is first written into the archive's own log, with
the SHA-256 of every file, so that a copy can be recognized. What is under legal hold stays.
"""

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final

import click
import msgspec
from msgspec import Struct

from projections.store.disk import append, sha256_of, sync
from replay.cli.custody import refuse_other
from replay.cli.options import name_option
from replay.lists.writers import Form, format_option, write_rows
from replay.recording.recording import Recording
from schemas.errors import BadInput
from schemas.values import moment
from streams import processes
from streams.archive.archiver import exclusive_archive
from streams.archive.custody import Hold, holds_in_force
from streams.archive.record_names import DAYS, QUARANTINE_FOLDER, RETENTION, days_of, table_of
from streams.archive.retention_log import Removal, least_years, removals, years_before

_YEARS: Final = re.compile(r"(\d{1,3})y")
_COLUMNS: Final = ("day", "table", "path", "bytes", "sha256", "held")
_encode: Final = msgspec.json.Encoder().encode


class Past(Struct, frozen=True):
    """A file that is past its years; `held` names the legal hold that keeps it all the same."""

    path: Path
    day: date
    table: str
    hold: str | None


@click.command()
@click.argument("path", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="List what would be removed.")
@click.option("--apply", "applied", is_flag=True, help="Remove it.")
@click.option("--older-than", metavar="YEARS", help="Such as 7y; as the law wants unless told, never less.")
@name_option("--by", "by", "With --apply: who asks for it; it is written into the log.")
@format_option()
def retain(
    path: Path, older_than: str | None, by: str | None, form: Form, *, dry_run: bool, applied: bool
) -> None:
    """List or remove the sealed days of a floor's archive that are past the years they must be kept.

    PATH is the archive. Files under legal hold are listed and stay. Each removal is written into
    retention.jsonl in the archive, with the SHA-256 of the file, before it goes. The archiver must be stopped
    for --apply.

    \b
    Example:
      discardrack retain var/live/archive --dry-run
      discardrack retain var/live/archive --apply --older-than 7y --by "R. Ames, records"
    """  # noqa: D301  click's mark for text that is not wrapped
    if dry_run == applied:
        raise click.UsageError("say either --dry-run or --apply")
    if applied and by is None:
        raise click.UsageError("--apply needs --by: whose wish it is stands in the log")
    refuse_other(path)
    today = Recording(path).house.gaming_date(processes.now())
    before = years_before(today, _years(older_than, today))
    if by is None or not applied:
        write_rows((_row(path, each) for each in _past(path, before)), form, _COLUMNS)
        return
    with exclusive_archive(path):
        write_rows(_removed(path, before, by), form, _COLUMNS)


def _years(text: str | None, today: date) -> int:
    least = least_years(today)
    if text is None:
        return least
    found = _YEARS.fullmatch(text)
    if found is None:
        raise BadInput(f"--older-than {text!r}: write years, such as {least}y")
    if int(found[1]) < least:
        raise BadInput(f"--older-than {text}: 465a.6(c) wants records kept {least} years at least")
    return int(found[1])


def _past(archive: Path, before: date) -> Iterator[Past]:
    """Yield the files of days before a day, in order."""
    for day in days_of(archive):
        if day < before:
            for file in sorted((archive / DAYS / str(day)).rglob("*.parquet")):
                if not file.name.startswith("."):
                    yield _of(file, day, holds_in_force(archive))


def _of(file: Path, day: date, holds: list[Hold]) -> Past:
    """Return whose a file is, and whether it is held; what could not be read may be of any table."""
    table = table_of(file.name.partition(".")[0])
    of = None if file.parent.name == QUARANTINE_FOLDER else table
    hold_name = next((hold.hold for hold in holds if hold.covers(of, day)), None)
    return Past(file, day, table, hold_name)


def _row(archive: Path, each: Past) -> dict[str, object]:
    return {
        "day": str(each.day),
        "table": each.table,
        "path": each.path.relative_to(archive).as_posix(),
        "bytes": each.path.stat().st_size,
        "sha256": sha256_of(each.path),
        "held": each.hold,
    }


def _removed(archive: Path, before: date, by: str) -> Iterator[dict[str, object]]:
    """Remove what is past and not held, file by file; the line of each is on the disk before it goes."""
    logged = {(each.path, each.sha256, each.by) for each in removals(archive)}
    for each in _past(archive, before):
        row = _row(archive, each)
        # Checked again before each file is removed: a hold may have been added while it was hashed.
        row["held"] = _of(each.path, each.day, holds_in_force(archive)).hold
        if row["held"] is not None:
            yield row
            continue
        if (row["path"], row["sha256"], by) not in logged:  # a run that was killed has logged it already
            _tell(archive, row, each, by)
        each.path.unlink()
        sync(each.path.parent)
        _drop_empty(archive, each.path.parent)
        yield row


def _tell(archive: Path, row: dict[str, object], each: Past, by: str) -> None:
    at = moment(processes.now())
    line = Removal(
        str(row["path"]), str(row["sha256"]), each.path.stat().st_size, each.day, each.table, by, at
    )
    append(archive / RETENTION, _encode(line))


def _drop_empty(archive: Path, folder: Path) -> None:
    """Remove folders of a day that are empty."""
    while folder != archive / DAYS and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
