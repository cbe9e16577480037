"""What a shoe's cards show of a defect: worked on counts that are written out here."""

from datetime import date

import pytest

from projections.engine.audit.shoe_counts import (
    Defect,
    ExtraCard,
    Load,
    Loads,
    MissingCard,
    ShoeCount,
    Tells,
    WrongDeckCount,
)
from projections.engine.observation import Round
from schemas import events as e
from tests.builders.table_script import Script

DECK = [f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "cdhs"]


def shoe(
    cards: list[str], *, decks_expected: int = 1, exhausted: bool = False, burned: tuple[str | None, ...] = ()
) -> ShoeCount:
    """Deal a shoe in rounds of four cards."""
    counting = ShoeCount("shoe", Load("shoe", 0, decks_expected, burned), decks_expected, "1")
    counting.burn()
    for number in range(0, len(cards), 4):
        dealt = [("player", card) for card in cards[number : number + 4]]
        is_last = number + 4 >= len(cards)
        counting.count_round(
            Round("T", str(number // 4 + 1), date(2025, 4, 1), 0, dealt, exhausted=exhausted and is_last)
        )
    return counting


ALL_BUT_8D = [card for card in DECK if card != "8d"]
TWICE = [*DECK, *DECK]


@pytest.mark.parametrize(
    ("defect", "counted", "tells"),
    [
        # A second 8d of one deck is one too many, wherever it lay.
        (ExtraCard("8d"), shoe(["8d", "2c", "3c", "8d"]), "shows"),
        (ExtraCard("8d"), shoe(["2c", "8d"], burned=("8d",)), "shows"),
        (ExtraCard("8d"), shoe(["8d", "2c"]), "silent"),
        (ExtraCard("8d"), shoe(DECK, exhausted=True), "refutes"),
        # The card that was burned face down may have been the second one.
        (ExtraCard("8d"), shoe(DECK, exhausted=True, burned=(None,)), "silent"),
        (MissingCard("8d"), shoe(["8d"]), "refutes"),
        (MissingCard("8d"), shoe(ALL_BUT_8D), "silent"),
        (MissingCard("8d"), shoe(ALL_BUT_8D, exhausted=True), "shows"),
        (MissingCard("8d"), shoe(ALL_BUT_8D, exhausted=True, burned=(None,)), "silent"),
        (MissingCard("8d"), shoe([*ALL_BUT_8D, "??"], exhausted=True), "silent"),
        # One deck gives no card twice; a shoe of two decks that ran empty after 52 cards held one.
        (WrongDeckCount(1), shoe(["8d", "8d"], decks_expected=2), "refutes"),
        (WrongDeckCount(1), shoe(DECK, decks_expected=2, exhausted=True), "shows"),
        (WrongDeckCount(1), shoe(DECK[:40], decks_expected=2), "silent"),
        (WrongDeckCount(1), shoe(["2c"], decks_expected=1), "shows"),
        (WrongDeckCount(2), shoe(TWICE, decks_expected=3, exhausted=True), "shows"),
    ],
)
def test_what_a_shoe_shows(defect: Defect, counted: ShoeCount, tells: Tells) -> None:
    assert defect.tells(counted)[0] == tells


def test_the_round_in_which_the_card_was_in_by_then_is_named() -> None:
    says = ExtraCard("8d").tells(shoe(["8d", "2c", "3c", "4c", "5c", "8d", "6c", "8d"], decks_expected=2))[1]
    assert says == "8d had left the shoe 3 times by round 2; 2 decks hold it 2 times"


def test_a_round_whose_cards_are_in_doubt_clears_nothing() -> None:
    counting = shoe(DECK, exhausted=True)
    counting.is_complete = False
    assert ExtraCard("8d").tells(counting)[0] == "silent"


def test_a_shoes_loading_is_found_by_its_name_and_time() -> None:
    s = Script()
    s.load("A")
    s.now += 3600
    s.load("B")
    s.now += 3600
    s.decks = 2
    s.load("A")
    loads = Loads("S")
    for event in s.events:
        loads.add_event(event)

    def load_of(name: str, seconds: float) -> tuple[int, tuple[str | None, ...]] | None:
        seen = Round("T", "1", date(2025, 4, 1), s.start + round(seconds * 1_000_000), shoe=name)
        found = loads.of(seen)
        return None if found is None else (found.decks, found.burned)

    assert load_of("A", 60) == (8, ("Ac", None))
    assert load_of("B", 3700) == (8, ("Ac", None))
    assert load_of("A (2)", 7300) == (2, ("Ac", None))
    assert load_of("C", 7300) is None


def test_a_loading_that_was_corrected_is_read_as_corrected() -> None:
    s = Script()
    s.load("A")
    loaded = s.events[0]
    right = e.ShoeLoaded(device="S", epoch=1, seq=1, at=loaded.at, shoe="A", decks=6)
    s.say("T", e.ReportCorrected, mistaken=e.id_of(loaded), instead=right)
    loads = Loads("S")
    for event in s.events:
        loads.add_event(event)
    found = loads.of(Round("T", "1", date(2025, 4, 1), s.start + 60_000_000, shoe="A"))
    assert found is not None
    assert found.decks == 6
