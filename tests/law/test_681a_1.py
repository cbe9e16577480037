"""681a.1: naturals, and that nothing of the chapter holds before its text."""

from datetime import date

import pytest

from projections.engine.audit.round_records import answer
from schemas.record import RecordWager, RoundRecord
from tests.law.baccarat21_table import EVENING, audit, checks, owed
from tests.law.baccarat_table import HOUSE, deal


@pytest.mark.parametrize("natural", ["Ac Tc", "Tc Ac", "Ac Jc", "Qc Ac", "Kc Ac", "Ac Ad"])
def test_681a_1(natural: str) -> None:
    # Beside a natural a 16 draws nothing; that a card is missing there no one says.
    concluded = audit(deal(natural, "Td 6d"), ("player", 1000))
    assert concluded.findings == ()
    assert checks(audit(deal(natural, "Td 6d 2d"), ("player", 1000))) == [("hand_drew_wrongly", "banker")]
    # Its two cards are one whatever was drawn to them by mistake.
    assert checks(audit(deal(f"{natural} 5c", "Td 6d"), ("player", 1000))) == [
        ("hand_drew_wrongly", "player")
    ]


@pytest.mark.parametrize("plain", ["Ac 9c", "9c Ac", "Kc Qc", "Tc 9c", "7c Ac"])
def test_681a_1_no_natural(plain: str) -> None:
    assert checks(audit(deal(plain, "Td 6d"), ("player", 1000))) == [("card_missing", "banker")]


def test_681a_1_three_cards_are_no_natural() -> None:
    # 8, 2 and an ace are 21; the Banker's 16 drew all the same.
    concluded = audit(deal("8c 2c Ac", "Td 6d 4d"), ("player", 1000))
    assert (concluded.verdict, owed(concluded)) == ("clean", {"player": 1000})


def test_681a_1_not_in_force() -> None:
    early = RoundRecord(
        table="B21-1",
        round="1",
        chapter="681a",
        at=EVENING,
        play=deal("Kc 9c", "Kd 8d"),
        wagers=[RecordWager(1, "player", 1000)],
        gaming_date=date(2016, 3, 18),
    )
    concluded = answer(early, HOUSE)
    assert (concluded.verdict, checks(concluded)) == ("undetermined", [("not_in_force", "")])
    assert owed(concluded) == {"player": None}
