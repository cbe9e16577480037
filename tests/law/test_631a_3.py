"""631a.3: the cards and the number of decks."""

import pytest

from projections.engine.audit.round_records import book_of
from schemas import events as e
from schemas.errors import BadInput
from schemas.record import RoundRecord
from tests.builders.table_audit import audit_events
from tests.builders.table_script import Script, build_house
from tests.law.baccarat_table import EVENING, HOUSE, PLAYER_BY_1, audit, bet
from tests.law.preparation_proofs import prove_decks_changed_each_shoe, prove_decks_received


def a_record(decks: int | None) -> RoundRecord:
    return RoundRecord(
        table="BAC-1", round="1", chapter="631a", at=EVENING, play=PLAYER_BY_1, wagers=[], decks=decks
    )


def shoe(decks: int, kings_of_clubs: int) -> Script:
    """Deal rounds of 6 to 7 in which the Player's second card is the king of clubs so many times."""
    script = Script()
    script.say("T", e.TableOpened, inventory_cents=script.tray, heard=script.heard())
    script.shoe = "shoe 1"
    script.say("S", e.ShoeLoaded, shoe=script.shoe, decks=decks)
    for n in range(kings_of_clubs):
        suit = "cdhs"[n % 4]
        script.play(f"P6{suit} B7{suit} PKc BQ{suit}", {}, "banker", {})
    script.close()
    return script


@pytest.mark.parametrize("decks", [6, 7, 8])
def test_631a_3_a(decks: int) -> None:
    assert audit(PLAYER_BY_1, bet("player"), decks=decks).verdict == "clean"
    assert book_of(a_record(decks), HOUSE).decks == decks
    heard = audit_events(shoe(decks, decks + 1).events, build_house(decks=decks))
    assert [number for number, each in heard.rounds.items() if each.verdict != "clean"] == [str(decks + 1)]


@pytest.mark.parametrize("decks", [0, 1, 4, 5, 9, 12])
def test_631a_3_a_not_admitted(decks: int) -> None:
    with pytest.raises(BadInput, match="admits 6, 7, 8"):
        audit(PLAYER_BY_1, bet("player"), decks=decks)


def test_631a_3_a_eight_unless_said() -> None:
    assert book_of(a_record(None), HOUSE).decks == 8


def test_631a_3() -> None:
    # Seven decks hold seven kings of clubs.
    heard = audit_events(shoe(7, 7).events, build_house(decks=7))
    assert {each.verdict for each in heard.rounds.values()} == {"clean"}
    # An eighth cannot be.
    heard = audit_events(shoe(7, 8).events, build_house(decks=7))
    assert {number for number, each in heard.rounds.items() if each.verdict != "clean"} == {"8"}
    (finding,) = heard.rounds["8"].findings
    assert (finding.check, finding.citations) == ("card_not_in_deck", ("631a.3(a)",))


def test_631a_3_b() -> None:
    prove_decks_changed_each_shoe("631a", "631a.3(b)")


def test_631a_3_a_decks_received() -> None:
    prove_decks_received("631a", "631a.3(a)", (6, 7, 8), 2)
