"""Undecided money is reported as undetermined: what is missing, contradicted, or which text is silent."""

import os
from collections import Counter
from contextlib import suppress
from typing import Final

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from projections.engine.audit.round_records import answer, book_of, to_round
from projections.engine.conclusion import Conclusion
from projections.engine.games import REGISTRY
from projections.views.hand_view import HandView, hand_facts, render_hand
from schemas.errors import BadInput, NotInForce
from schemas.house import DEFAULT
from schemas.record import RoundRecord
from schemas.rulebook import Rulebook
from tests.builders.strategies import STEADY, altered

# More of them, and others each time, where the suite is asked for them: DISCARDRACK_EXAMPLES=5000.
WIDE: Final = int(os.environ.get("DISCARDRACK_EXAMPLES", "0"))
EXAMPLES: Final = settings(STEADY, max_examples=WIDE, derandomize=False) if WIDE else STEADY
# Notes that say why a wager's money is not known; what else is noted leaves nothing open.
OPEN: Final = {"undecided", "wager_of_another_text"}


def judged(record: RoundRecord) -> Conclusion:
    try:
        return answer(record, DEFAULT)
    except BadInput:
        assume(False)  # noqa: FBT003  its signature
        raise


def shown(record: RoundRecord, concluded: Conclusion) -> HandView:
    book: Rulebook | None = None
    with suppress(NotInForce):
        book = book_of(record, DEFAULT)
    return render_hand(hand_facts(concluded, to_round(record, DEFAULT), book, DEFAULT))


def reasons(concluded: Conclusion) -> Counter[str]:
    notes = [note.check for note in concluded.notes if note.check in OPEN]
    return Counter([*(each.check for each in concluded.findings), *notes])


@pytest.mark.parametrize("chapter", sorted(REGISTRY))
@EXAMPLES
@given(data=st.data())
def test_nothing_is_undetermined_and_no_money_open_without_its_reason(
    chapter: str, data: st.DataObject
) -> None:
    record = data.draw(altered(chapter))
    concluded = judged(record)
    if any(each.cents is None for each in concluded.expected):
        assert reasons(concluded)
    if concluded.verdict == "undetermined":
        assert reasons(concluded)
        # `discardrack hand` prints it under "Missing or contradicted".
        assert shown(record, concluded).uncertain
