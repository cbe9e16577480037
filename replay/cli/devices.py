"""`discardrack devices`: what a gateway would do with report lines, without one."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

import click
import msgspec
from msgspec import Struct

from replay.cli.options import Verbs
from replay.lists.writers import Form, Row, format_option, write_rows
from replay.recording.file_kinds import HEAD, kind_of
from schemas.codec import UNREAD, nearest_field
from schemas.errors import BadInput
from schemas.senders import Senders
from schemas.values import Micros
from streams import house_file, processes
from streams.gateway.lines import Line, Lines
from streams.gateway.screening import ScreenedLine, screen

_COLUMNS: Final = ("line", "table", "events", "answer", "code", "reason", "dropped", "near")


class _Receipt(Struct, frozen=True):
    received: Micros


_receipt: Final = msgspec.json.Decoder(_Receipt)


@click.group(cls=Verbs)
def devices() -> None:
    """Look at what devices send.

    \b
    Example:
      discardrack devices check lines.jsonl --house my_house.yaml
    """  # noqa: D301  click's mark for text that is not wrapped


@devices.command()
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--house", required=True, help="House file: a name in schemas/houses or a path.")
@click.option("--faulty", is_flag=True, help="List only lines of which something is not kept as it came.")
@format_option()
def check(file: BinaryIO, house: str, form: Form, *, faulty: bool) -> None:
    """Read report lines as a gateway would, and list for each whether it would be kept, and why not.

    FILE is report lines or a recorded log; - or none is standard input. Nothing is sent or written. `answer`
    is kept or quarantined, a row for each reason of a line; `code` is why a device may not send it; `dropped`
    names the fields that the schema does not have, without which an event is kept, and `near` those that may
    have been meant. A time is compared with the line's own time of receipt, or with now. Exit status: 0 all
    would be kept, 1 something would be quarantined, 2 the file or the house file cannot be read.

    \b
    Example:
      discardrack devices check lines.jsonl --house my_house.yaml
      my_adaptor | discardrack devices check --house my_house.yaml --faulty --format jsonl
    """  # noqa: D301  likewise
    senders = house_file.load(house, Path.cwd()).senders
    first = file.read(HEAD)
    if not first.strip():
        raise BadInput(f"{_name(file)}: empty, there is no line to check")
    if (kind := kind_of(first)) is not None:
        raise kind.refuse(Path(_name(file)), "report lines")
    tally = _Tally(_screened(first, file, senders))
    rows = (row for line, screened in tally for row in _rows(line, screened, faulty=faulty))
    write_rows(rows, form, _COLUMNS)
    raise click.exceptions.Exit(1 if tally.is_quarantined else 0)


class _Tally:
    """Passes screened lines on, and remembers whether something of one would be quarantined."""

    def __init__(self, screened: Iterable[tuple[Line, ScreenedLine]]) -> None:
        self._screened = screened
        self.is_quarantined = False

    def __iter__(self) -> Iterator[tuple[Line, ScreenedLine]]:
        for line, screened in self._screened:
            self.is_quarantined |= screened.is_quarantined
            yield line, screened


def _name(file: BinaryIO) -> str:
    return "standard input" if file.name == "<stdin>" else str(file.name)


def _screened(first: bytes, file: BinaryIO, senders: Senders) -> Iterator[tuple[Line, ScreenedLine]]:
    lines, chunk = Lines(), first
    while chunk:
        for line in lines.cut(chunk):
            yield line, screen(line, senders, _received(line))
        chunk = file.read(HEAD)
    for line in lines.rest():
        yield line, screen(line, senders, _received(line))


def _received(line: Line) -> Micros:
    """Return the receipt that a line of a recorded log has, or the time now."""
    try:
        return _receipt.decode(line.text).received
    except UNREAD:
        return processes.now()


def _rows(line: Line, screened: ScreenedLine, *, faulty: bool) -> Iterator[Row]:
    place: Row = {**dict.fromkeys(_COLUMNS), "line": line.number, "table": screened.table}
    for each in screened.apart:
        why: Row = {"answer": "quarantined", "code": each.code, "reason": each.reason}
        yield {**place, "events": each.events, **why}
    for reason in screened.unreadable:
        yield {**place, "events": 1, "answer": "quarantined", "reason": reason}
    total = len(screened.report.events) if screened.report is not None else 0
    admitted = total - len(screened.unreadable)
    if admitted and not (faulty and not screened.dropped):
        dropped = ", ".join(screened.dropped) or None
        yield {
            **place,
            "events": admitted,
            "answer": "kept",
            "dropped": dropped,
            "near": _nearest_fields(screened.dropped),
        }


def _nearest_fields(dropped: Iterable[str]) -> str | None:
    """Return the fields that may have been meant by dropped ones, as event and field."""
    pairs = (each.split(".", 1) for each in dropped)
    found = [(event, nearest_field(event, field)) for event, field in pairs]
    return ", ".join(f"{event}.{field}" for event, field in found if field is not None) or None
