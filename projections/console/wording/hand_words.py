"""The words by which the templates of a hand tell what lay on the table and what was paid."""

from collections.abc import Callable
from typing import Any, Final

from projections.checks.vigorish_owing import round_of
from projections.console.records.drawn import spot
from projections.console.wording.saying import differs, saying
from projections.drawing.words import called, counted, difference, piece_told, sums
from schemas.ledgers import is_table, table_called

HAND_WORDS: Final[dict[str, Callable[..., Any]]] = {
    "called": called,
    "counted": counted,
    "difference": difference,
    "differs": differs,
    "is_table": is_table,
    "piece_told": piece_told,
    "round_of": round_of,
    "saying": saying,
    "sums": sums,
    "table_called": table_called,
    "weighed": spot,
}
