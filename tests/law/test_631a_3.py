"""631a.3: the cards and the number of decks."""

import pytest

from projections.case import Surplus
from projections.judge import consider, decide
from projections.records import book_of, to_round
from schemas.errors import BadInput
from schemas.record import RoundRecord
from tests.law.baccarat_table import EVENING, HOUSE, PLAYER_BY_1, audit, bet, checks


def a_record(decks: int | None) -> RoundRecord:
    return RoundRecord(
        table="BAC-1", round="1", chapter="631a", at=EVENING, play=PLAYER_BY_1, wagers=[], decks=decks
    )


@pytest.mark.parametrize("decks", [6, 7, 8])
def test_631a_3_a(decks: int) -> None:
    assert audit(PLAYER_BY_1, bet("player"), decks=decks).verdict == "clean"
    assert book_of(a_record(decks), HOUSE).decks == decks


@pytest.mark.parametrize("decks", [0, 1, 4, 5, 9, 12])
def test_631a_3_a_not_admitted(decks: int) -> None:
    with pytest.raises(BadInput, match="admits 6, 7, 8"):
        audit(PLAYER_BY_1, bet("player"), decks=decks)


def test_631a_3_a_eight_unless_said() -> None:
    assert book_of(a_record(None), HOUSE).decks == 8


def test_631a_3() -> None:
    # Seven decks hold seven kings of clubs: an eighth in one shoe cannot be.
    record = a_record(7)
    seen, book = to_round(record, HOUSE), book_of(record, HOUSE)
    assert decide(consider(seen, book)).verdict == "clean"
    concluded = decide(consider(seen, book, (Surplus(hand="player", card="Kc", times=8),)))
    assert concluded.verdict == "mismatch"
    assert checks(concluded) == ["card_not_in_deck"]
    assert concluded.findings[0].citations == ("631a.3(a)",)
