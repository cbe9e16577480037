"""One shoe before its judges: what only the whole of its rounds tells."""

from datetime import date

from msgspec import Struct

from projections.table import Shoe
from schemas.rulebook import Rulebook


class ShoeCase(Struct):
    """A shoe, ended or still in play, and the rulebook of its last round."""

    table: str
    day: date
    shoe: Shoe
    book: Rulebook
