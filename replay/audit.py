"""`discardrack audit`: a verdict for each round."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import msgspec

from projections.judge import Conclusion
from projections.records import answer, read
from replay.recorded import Unread, audited, house_of
from schemas import house as houses
from schemas.errors import BadInput
from schemas.house import House
from streams import log

_encode: Final = msgspec.json.Encoder()


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--house", "house_file", help="House file: a name in schemas/houses or a path.")
def audit(path: Path, house_file: str | None) -> None:
    r"""Judge round records or recorded events; one answer a line, in the order of the input.

    PATH is a file of round records, a file of frames, or an archive folder. Exit status: 0 all clean,
    1 any mismatch or undetermined, 2 any line unreadable.

    \b
    Example:
      discardrack audit rounds.jsonl --house my_house.yaml
    """
    status = 0
    for each in answers(path, house_file):
        click.echo(_encode.encode(each))
        if isinstance(each, Unread):
            status = 2
        elif each.verdict != "clean":
            status = max(status, 1)
    raise click.exceptions.Exit(status)


def answers(path: Path, house_file: str | None) -> Iterator[Conclusion | Unread]:
    """Judge whatever a path holds."""
    if log.is_archive(path) or (path.is_file() and _holds_frames(path)):
        for each in audited(path, house_of(path, house_file)):
            yield each if isinstance(each, Unread) else each.conclusion
    elif path.is_file():
        yield from _records(path, houses.load(house_file, Path.cwd()) if house_file else None)
    else:
        raise BadInput(f"{path}: neither a file nor an archive folder (one that holds {log.EVENTS}/)")


def _holds_frames(path: Path) -> bool:
    """Tell frames from round records by the first line that is JSON at all."""
    for _, line in log.payloads(path):
        try:
            first = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        return isinstance(first, dict) and "events" in first and "table" in first
    return False


def _records(path: Path, house: House | None) -> Iterator[Conclusion | Unread]:
    """Judge each record of a file in turn."""
    for number, line in log.payloads(path):
        try:
            record = read(line)
            own = houses.load(record.house, path.parent) if record.house else houses.DEFAULT
            yield answer(record, house or own)
        except BadInput as error:
            yield Unread(number, str(error))
