"""One shoe before its judges: what only the whole of its rounds tells."""

from datetime import date

from msgspec import Struct

from projections.engine.facts import Fact
from projections.engine.fold.table_state import Shoe
from schemas.rulebook import Rulebook


class ShoeCase(Struct):
    """A shoe, ended or still in play, its rulebook, and the events that came too late during it."""

    table: str
    day: date
    shoe: Shoe
    book: Rulebook
    late: list[Fact]
