"""Buy-ins as the tables saw them beside the cash that was counted in their drop boxes."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from projections.engine.findings import Finding
from projections.programmes.ledgers.checks import box as box_checks
from projections.programmes.ledgers.checks import box_content
from projections.views.text import text
from replay.exports.report.model import Cell, Kind, Report
from replay.nightly.day_book import Book, game
from replay.nightly.table_day import TableDay

_OF_A_BOX = frozenset(kind.check for kind in (*box_checks.KINDS, box_content.CASH))


class Box(Struct, frozen=True):
    """A table's drop box in the count room's account; cents, `counted` is None where it was not."""

    table: str
    name: str | None
    seen: int
    counted: int | None

    @property
    def off(self) -> int:
        """What was counted beyond what was seen; 0 where nothing was counted."""
        return self.counted - self.seen if self.counted is not None else 0


def buy_ins(book: Book) -> Report:
    """Give, box by box, the buy-ins seen, the cash counted, what is between, and what is known of that."""
    boxes = list(_boxes(book))
    days = {table.table: table for table in book.tables}
    rows: list[list[Cell]] = []
    for name, found in groupby(boxes, key=lambda each: each.table):
        of_table = list(found)
        shifts = _shifts(book, days.get(name), len(of_table))
        rows += [
            [
                name,
                game(days[name].chapter) if name in days else None,
                each.name,
                shift,
                each.seen,
                each.counted,
                each.off if each.counted is not None else None,
                _why(book, each, boxes),
            ]
            for each, shift in zip(of_table, shifts, strict=True)
        ]
    counted = [each for each in boxes if each.counted is not None]
    columns: list[tuple[str, str, Kind]] = [
        ("table", "Table", "text"),
        ("game", "Game", "text"),
        ("box", "Drop box", "text"),
        ("shift", "Taken off in shift from", "text"),
        ("seen_cents", "Buy-ins seen", "cents"),
        ("counted_cents", "Cash counted", "cents"),
        ("difference_cents", "Difference", "cents"),
        ("why", "What is known of it", "text"),
    ]
    return book.report(
        "buy_ins",
        "Buy-ins seen beside cash counted",
        columns,
        rows,
        note=(
            "Cash alone, without Counter Checks; a difference below zero is cash that was seen and not "
            "counted. A shift stands where the inventory was counted at each change of the table's box. The "
            "total is that of the boxes that were counted, of what was seen too."
        ),
        total=[
            "all",
            None,
            None,
            None,
            sum(each.seen for each in counted),
            sum(each.counted or 0 for each in counted),
            sum(each.off for each in counted),
            None,
        ],
    )


def _boxes(book: Book) -> Iterator[Box]:
    """Read the boxes off the count room's account; the lines of one box stand together, buy-ins first."""
    for account in book.accounts:
        lines = account.lines if account.account == "drop" else ()
        for place, line in enumerate(lines):
            if line.name != "box_buy_ins" or line.of is None:
                continue
            after = lines[place + 1 : place + 2]
            counted = [each for each in after if each.name == "box_cash"]
            name = counted[0].box if counted else line.box
            yield Box(line.of, name, line.cents or 0, counted[0].cents if counted else None)


def _shifts(book: Book, table: TableDay | None, boxes: int) -> Sequence[str | None]:
    """Return the shift in which each box of a table came off, by the inventory counts that go with it."""
    counts = table.survey.counts if table is not None else ()
    taken = [each.at for each in counts if each.occasion in {"drop", "closing"}]
    if not book.house.shifts or len(taken) != boxes:
        return [None] * boxes
    return [book.shifts.names[book.shifts.number(at)] for at in taken]


def _why(book: Book, box: Box, boxes: Sequence[Box]) -> str | None:
    """Return what is known of a box that was not counted, or that does not hold what was seen; else None."""
    said = [each for each in _findings(book, box) if each.check != box_content.CASH.check]
    if box.counted is None:
        return "; ".join(text(each.message) for each in said) or "not counted yet"
    if not box.off:
        return None
    why = [text(each.message) for each in said]
    why += [
        f"as much {'below' if box.off > 0 else 'above'} in drop box {other.name} of table {other.table}"
        for other in boxes
        if other.off == -box.off
    ]
    if any(each.weight == "undetermined" for each in _findings(book, box)):
        why.append("not everything of the table was reported")
    return "; ".join(why) or box_content.CASH.false_positives


def _findings(book: Book, box: Box) -> list[Finding]:
    """Return the findings about a box in the count room's account."""
    return [
        said.finding
        for said in book.findings
        if said.account == "drop"
        and said.finding.check in _OF_A_BOX
        and (said.finding.who, said.finding.table) == (box.name, box.table)
    ]
