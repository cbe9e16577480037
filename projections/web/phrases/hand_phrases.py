"""The words by which the templates of a hand tell what lay on the table and what was paid."""

from collections.abc import Callable
from typing import Any, Final

from projections.engine.accounts.checks.vigorish_owing import round_of
from projections.views.layout.picture_text import called, counted, piece_told, sums
from projections.web.phrases.call_script_text import call_script, differs
from projections.web.phrases.money_phrases import MONEY_WORDS
from projections.web.records.stored_hand import spot
from schemas.ledgers import is_table, table_called

HAND_WORDS: Final[dict[str, Callable[..., Any]]] = MONEY_WORDS | {
    "call_script": call_script,
    "called": called,
    "counted": counted,
    "differs": differs,
    "is_table": is_table,
    "piece_told": piece_told,
    "round_of": round_of,
    "sums": sums,
    "table_called": table_called,
    "weighed": spot,
}
