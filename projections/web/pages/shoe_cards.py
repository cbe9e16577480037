"""A shoe's cards in the order in which they left it, once the shoe has ended; tiles and dice have no shoe.

Before that the strip has no card at all: what was dealt is on the rounds' own pages, and what was discarded
face down would tell what is still to come. What left the shoe before its first round, the burned cards, is
not in the store.
"""

from datetime import date
from typing import Final

from msgspec import Struct

from projections.engine.conclusion import Verdict
from projections.engine.table_layout import is_piece
from projections.store.rows import micros
from projections.views.table_picture import FACE_DOWN
from projections.web.auth.embargo import Hidden
from projections.web.auth.record_subjects import within
from projections.web.pages.day_shoes import kind_dealt
from projections.web.pages.table_day_view import NOTHING
from projections.web.records.record_reader import ended_shoes, tell
from projections.web.records.store_queries import Reader
from schemas.values import Micros

_ROUNDS: Final = """
    SELECT * FROM rounds
    WHERE run = $run AND gaming_date = $day AND table_id = $table AND shoe = $shoe AND round IS NOT NULL
    QUALIFY revision = max(revision) OVER (PARTITION BY id)
    ORDER BY opened NULLS LAST, id
"""


class Dealt(Struct, frozen=True):
    """The cards of a round: for whom each was, and its reading; None where it was never turned up."""

    round: str
    at: Micros | None
    verdict: Verdict
    cards: list[tuple[str, str | None]]


class Strip(Struct, frozen=True):
    """A shoe of a table's gaming day, round by round; it has no rounds before it has `ended`."""

    run: str
    table: str
    day: date
    shoe: str
    ended: bool
    rounds: list[Dealt]

    @property
    def cards(self) -> int:
        """How many cards its rounds took."""
        return sum(len(each.cards) for each in self.rounds)


def strip_of(
    reader: Reader, run: str, day: date, table: str, shoe: str, hidden: Hidden = NOTHING
) -> Strip | None:
    """Lay out a shoe's cards as a run of the store has them, but what is withheld; None of no such shoe.

    What tiles or dice were played with is none.
    """
    found = reader.ask(_ROUNDS, {"run": run, "day": day, "table": table, "shoe": shoe})
    rows = [row for row in found if not hidden.hides(within(row["id"]))]
    if not rows or kind_dealt(rows) != "card":
        return None
    if len(ended_shoes(reader.ask, rows)) < len(rows):
        return Strip(run, table, day, shoe, ended=False, rounds=[])
    return Strip(
        run,
        table,
        day,
        shoe,
        ended=True,
        rounds=[
            Dealt(
                row["round"],
                micros(row["opened"]),
                row["verdict"],
                [
                    (who, None if what == FACE_DOWN else what)
                    for who, what in record.play
                    if what == FACE_DOWN or is_piece(who, what)
                ],
            )
            for row, record in zip(rows, tell(reader.ask, rows), strict=True)
        ],
    )
