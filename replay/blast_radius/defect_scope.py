"""What every defect is looked for in: a path, its house, the tables, the span."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from msgspec import Struct

from replay.blast_radius.span import Span, Walk
from replay.cli.nearest_names import nearest
from replay.recording.event_audit import Unread, few
from replay.recording.seated_rounds import Ear, Seated, holds_events, seated
from schemas.errors import BadInput
from schemas.house import House


class Asked(Struct):
    """Where a defect is looked for; `status` becomes 2 where anything could not be read."""

    path: Path
    house_file: str | None
    house: House
    tables: Sequence[str]
    span: Span
    status: int = 0

    def rounds(self, ears: Sequence[Ear] = (), *, tell: bool = True) -> Iterator[tuple[Seated, bool]]:
        """Yield the rounds of the tables, and whether each lies within the span.

        What cannot be read is named on standard error, unless it was told before.

        Raises:
            BadInput: a round that ends the span is not there, or none of the tables' rounds is.
        """
        walks: dict[str, Walk] = {}
        for each in few(seated(self.path, self.house_file, self.tables or None, ears)):
            if isinstance(each, Unread):
                self.status = 2
                if tell:
                    click.echo(each.told(self.path), err=True)
                continue
            walk = walks.setdefault(each.seen.table, Walk(self.span))
            yield each, walk.holds(each.seen)
        for table in self.tables:
            if table not in walks:
                raise BadInput(f"{self.path}: no round of table {table!r} is there")
            walks[table].check_met(table)


def check_tables(path: Path, house: House, tables: Sequence[str]) -> None:
    """Refuse a table of recorded events that the house does not have.

    Raises:
        BadInput: there is none of that name.
    """
    for table in tables:
        if holds_events(path) and table not in house.tables:
            raise BadInput(f"no table {table!r} in the house file{nearest(table, house.tables)}")
