"""`discardrack audit`: a verdict for each round."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import msgspec

from projections.judge import Conclusion
from projections.records import answer, read

from schemas import house as houses
from schemas.errors import BadInput
from schemas.house import House

_encode: Final = msgspec.json.Encoder()


class Unread(msgspec.Struct, frozen=True):
    """A line that could not be read, in the place of its answer."""

    line: int
    error: str


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--house", "house_file", help="House file: a name in schemas/houses or a path.")
def audit(path: Path, house_file: str | None) -> None:
    """Judge round records; one answer a line, in the order of the input.

    \b
    Example:
      discardrack audit rounds.jsonl --house my_house.yaml

    Exit status: 0 all clean, 1 any mismatch or undetermined, 2 any line unreadable.
    """
    house = houses.load(house_file, Path.cwd()) if house_file else None
    status = 0
    for each in answers(path, house):
        click.echo(_encode.encode(each))
        if isinstance(each, Unread):
            status = 2
        elif each.verdict != "clean":
            status = max(status, 1)
    raise click.exceptions.Exit(status)


def answers(path: Path, house: House | None) -> Iterator[Conclusion | Unread]:
    """Judge each record of a file in turn."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                record = read(line)
                own = houses.load(record.house, path.parent) if record.house else houses.DEFAULT
                yield answer(record, house or own)
            except BadInput as error:
                yield Unread(number, str(error))
