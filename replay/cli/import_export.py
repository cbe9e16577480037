"""`discardrack import` and `export`: vendors' data into round records; rounds and findings out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from importlib.metadata import version
from pathlib import Path
from typing import IO, Final, Literal, TypeAlias, get_args

import click
import msgspec
from msgspec.structs import replace

from projections.engine.audit.round_records import to_record
from projections.store.disk import atomic_output
from replay.adaptors.mapping import (
    ExportMapping,
    ReportLine,
    import_rows,
    load_mapping,
    mapping_of_own_export,
    read_numbers,
    with_columns,
)
from replay.adaptors.played_rounds import round_records
from replay.adaptors.rows import Layout, Rejected, Span, Why, read_rows
from replay.cli.options import FILE_TO_WRITE, gaming_day_option, out_option, redirect_output
from replay.cli.source import released_source
from replay.exports.export_files import FileForm, is_file_form, output_file, sort_of
from replay.exports.export_files import write as write_file
from replay.exports.flat_rows import (
    FLAT,
    FOR_PROGRAMS,
    WAGER_COLUMNS,
    Flat,
    beyond_record,
)
from replay.lists.columns import in_words
from replay.lists.writers import json_line, printable, write_rows
from replay.recording.event_audit import limit_unread
from replay.recording.import_records import import_records, import_rounds
from replay.recording.judged_rounds import JudgedRound, judge_rounds
from replay.recording.packed import plain_file
from replay.recording.recording import Recording
from schemas.errors import BadInput
from schemas.record import RoundRecord
from streams.log import Unread

_DAY: Final = click.DateTime(["%Y-%m-%d"])

What: TypeAlias = Literal["rounds", "findings"]


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@click.option(
    "--decks",
    type=click.IntRange(min=1),
    help="For round records: decks in the shoe, where one does not say.",
)
@gaming_day_option("With --mapping: the gaming day of all rounds, where no column has it.", of_hand=True)
@click.option(
    "--mapping",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A mapping file: which columns are a round, docs/import.md, or an event, docs/adaptors.md.",
)
@click.option(
    "--from",
    "since",
    type=_DAY,
    help="With --mapping: the first day of a schedule, or of a log without years.",
)
@click.option("--to", "until", type=_DAY, help="With --mapping: the last such day; it is included.")
@click.option(
    "--numbers",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --mapping: a file of each device's last number, from which it goes on.",
)
@click.option(
    "--rejects", type=FILE_TO_WRITE, help="With --mapping: a file for what is left out, a row each."
)
@out_option
def import_(
    file: Path,
    decks: int | None,
    day: datetime | None,
    mapping: Path | None,
    since: datetime | None,
    until: datetime | None,
    numbers: Path | None,
    rejects: Path | None,
    out: Path | None,
) -> None:
    """Turn a vendor's file into round records, or a log into report lines of the floor's procedures.

    With --mapping FILE may be CSV with any columns, JSON, JSONL, XLSX or Parquet, a recorder's syslog, or a
    schedule in iCalendar. It becomes round records, or report lines for a gateway, as the mapping says;
    `discardrack map suggest` proposes one for rounds. Two kinds of files need none: round records, which are
    checked and passed on, and what `export rounds` writes as CSV or Parquet.

    Nothing is guessed: a row that may mean more than one round, that repeats another or that cannot be read
    is left out and named on standard error. A row repeats another that is equal, or the row before it where
    all but the number is: by chance that leaves out one row in 2,000 if it has four cards and the file only
    their values, and fewer with more. Exit status: 1 if any row was left out, 2 if the file cannot be read at
    all.

    \b
    Example:
      discardrack import records.jsonl --decks 8 --out rounds.jsonl
      discardrack import hands.csv --mapping hands.yaml --rejects rejects.jsonl --out rounds.jsonl
      discardrack import cards.csv --mapping cards.yaml --numbers cards.json --out lines.jsonl
    """  # noqa: D301  click takes the backspace itself for its mark
    with plain_file(file) as plain:
        export_mapping = (
            load_mapping(mapping)
            if mapping is not None
            else mapping_of_own_export(plain, [column.name for column in WAGER_COLUMNS])
        )
        if export_mapping is not None:
            if decks is not None:
                raise BadInput("--decks is for round records; a mapping has `decks`")
            if day is not None:
                export_mapping = _on_day(export_mapping, day.date())
            days = [each.date() if each is not None else None for each in (since, until)]
            status = _import_mapped(plain, str(file), export_mapping, mapping, days, numbers, rejects, out)
        elif day or since or until or numbers or rejects:
            raise BadInput(
                "--gaming-day, --from, --to, --numbers and --rejects are for an import with --mapping"
            )
        else:
            status = _write_imported(import_records(plain, decks), "rounds", str(file), out)[0]
    raise click.exceptions.Exit(status)


def _on_day(mapping: ExportMapping, day: date) -> ExportMapping:
    """Return the mapping of a file whose rounds are all of one gaming day.

    Raises:
        BadInput: by the mapping the file itself says when its rounds were played.
    """
    if mapping.rounds is None or mapping.time != "none" or mapping.rounds.gaming_date is not None:
        raise BadInput("--gaming-day is for a mapping with `time: none` and without a gaming_date")
    return replace(mapping, rounds=replace(mapping.rounds, gaming_date=day.isoformat()))


def _import_mapped(
    file: Path,
    name: str,
    mapping: ExportMapping,
    mapping_file: Path | None,
    days: Sequence[date | None],
    numbers_file: Path | None,
    rejects: Path | None,
    out: Path | None,
) -> int:
    """Convert an export to round records or report lines; return the exit status."""
    layout = Layout(mapping.form, mapping.separator, mapping.encoding, mapping.records)
    rows = with_columns(read_rows(file, layout, Span(mapping.clock_zone, *days)), mapping, mapping_file)
    numbers = read_numbers(numbers_file)
    found: Iterator[RoundRecord | ReportLine | Rejected]
    if mapping.rounds is None:
        found, what = import_rows(rows, mapping, numbers), "events"
    else:
        found, what = import_rounds(round_records(rows, mapping.rounds, mapping.round_moment), file), "rounds"
    status, rejected = _write_imported(map(_line_of, found), what, name, out)
    if rejects is not None:
        with redirect_output(rejects):
            for each in sorted(rejected, key=lambda left_out: left_out.line):
                click.echo(json_line({"file": name, **msgspec.to_builtins(each)}))
    if numbers_file is not None:
        with atomic_output(numbers_file) as file_of_numbers:
            file_of_numbers.write(msgspec.json.encode(numbers))
    return status


def _line_of(found: RoundRecord | ReportLine | Rejected) -> bytes | Rejected:
    return found if isinstance(found, Rejected) else json_line(found)


def _write_imported(
    found: Iterable[bytes | Rejected], what: str, name: str, out: Path | None
) -> tuple[int, list[Rejected]]:
    """Write what was imported, name the rest on standard error; return the exit status, and the rest."""
    written = 0
    rejected: list[Rejected] = []
    with redirect_output(out):
        for each in found:
            if isinstance(each, Rejected):
                rejected.append(each)
                click.echo(printable(f"{name}:{each.line}: {each.why}: {each.reason}"), err=True)
            else:
                written += 1
                click.echo(each)
    by_reason = Counter(each.why for each in rejected)
    reasons = ", ".join(f"{by_reason[why]} {why}" for why in get_args(Why) if by_reason[why])
    left_out = f"{len(rejected)} rows left out" + (f": {reasons}" if rejected else "")
    click.echo(f"{name}: {written} {what} written, {left_out}", err=True)
    return (1 if rejected else 0), rejected


@click.command()
@click.argument("what", type=click.Choice(["rounds", "findings"]))
@released_source
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "csv", *get_args(FileForm)]),
    default="jsonl",
    show_default=True,
    help="How to write them; those after csv need --out.",
)
@out_option
def export(what: What, recording: Recording, form: str, out: Path | None) -> None:
    """Write the rounds or the findings of round records or recorded events.

    Rounds in jsonl are round records that are complete in themselves, except for a house that holds a text in
    force otherwise than printed: to audit those again, name it with --house. In the other forms rounds are
    flat, a row for each wager. Findings are a row each in every form. docs/timeline.md describes html,
    timesketch and itrak. Exit status: 1 if a round could not be written, 2 if anything could not be read.

    \b
    Example:
      discardrack export findings floor/ --format csv --out findings.csv
    """  # noqa: D301  click takes the backspace itself for its mark
    source = _Source(recording)
    if is_file_form(form):
        with atomic_output(output_file(form, out)) as file:
            _write_file(form, what, source, file)
    else:
        with redirect_output(out):
            if what == "rounds" and form == "jsonl":
                _write_records(source)
            else:
                names = [column.name for column in FLAT[what][1]]
                write_rows(_flat(what, source), "csv" if form == "csv" else "jsonl", names)
    raise click.exceptions.Exit(source.status)


def _flat(what: What, source: "_Source") -> Iterator[Flat]:
    return (row for each in source for row in FLAT[what][0](each))


def _write_file(form: str, what: What, source: "_Source", file: IO[bytes]) -> None:
    rows, columns = _flat(what, source), [*FLAT[what][1]]
    if form != "html":
        write_file(form, rows, columns, source.recording.house, file)
        return
    from replay.lists import html_page  # noqa: PLC0415  the templates are needed for a page alone

    columns = [each for each in columns if each.name not in FOR_PROGRAMS]
    facts = [("Software", f"discardrack {version('discardrack')}")]
    page = html_page.Page(
        f"{what.capitalize()}, {source.recording.house.house}",
        facts,
        [each.heading for each in columns],
        list,
    )
    written = (
        (sort_of(row)[0], *(in_words(row[each.name], each.kind, "UTC") for each in columns)) for row in rows
    )
    html_page.write(written, page, file)


class _Source:
    """Judged rounds; what cannot be read is named on standard error and shows in the status."""

    def __init__(self, recording: Recording) -> None:
        self.status = 0
        self.recording = recording

    def __iter__(self) -> Iterator[JudgedRound]:
        for each in limit_unread(judge_rounds(self.recording)):
            if isinstance(each, Unread):
                self.missed(each.describe(self.recording.path), 2)
            else:
                yield each

    def missed(self, message: str, status: int) -> None:
        """Return the name of something that was not written, and what it makes of the exit status."""
        click.echo(printable(message), err=True)
        self.status = max(self.status, status)


def _write_records(source: _Source) -> None:
    for each in source:
        if each.seen is None or each.is_repeat:
            continue
        reason = beyond_record(each)
        if reason is not None:
            source.missed(f"{each.seen.table}, round {each.seen.number} of {each.seen.day}: {reason}", 1)
        elif each.book is not None:
            click.echo(json_line(to_record(each.seen, each.book)))
