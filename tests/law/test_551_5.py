"""551.5: the shuffle and the cut of the cards."""

from schemas.house import ProcedureSettings
from tests.builders.shoes import prove_shuffled
from tests.law.cutting import prove_cover_card, prove_cut, prove_cut_before_loading, prove_cut_completed


def test_551_5_a() -> None:
    prove_shuffled("551", "551.5(a)")


def test_551_5_d() -> None:
    prove_cut("551", "551.5(d)")
    prove_cut_before_loading("551", "551.5(d)")


def test_551_5_e() -> None:
    # A quarter of six decks without the tens, 288 cards, is 72; of eight, 384 cards, 96.
    prove_cut_completed("551", "551.5(e)")
    prove_cover_card("551", "551.5(e)", 72, total=288)
    prove_cover_card("551", "551.5(e)", 96, total=384)
    # Approximately a quarter: a house that admits four cards less admits 68 and not 67.
    settings = ProcedureSettings(cover_card_tolerance=4)
    prove_cover_card("551", "551.5(e)", 68, total=288, procedures=settings)
