"""685a.5: the shuffle and the cut of the cards."""

from schemas.house import ProcedureSettings
from tests.builders.shoes import prove_shuffled
from tests.law.cutting import prove_cover_card, prove_cut, prove_cut_before_loading, prove_cut_completed


def test_685a_5_a() -> None:
    prove_shuffled("685a", "685a.5(a)")


def test_685a_5_d() -> None:
    prove_cut("685a", "685a.5(d)")
    prove_cut_before_loading("685a", "685a.5(d)")
    prove_cut_completed("685a", "685a.5(d)")
    # A quarter of 208, 260, 312 and 416 cards; the text says no "approximately".
    for total, quarter in ((208, 52), (260, 65), (312, 78), (416, 104)):
        prove_cover_card("685a", "685a.5(d)", quarter, total=total)
    prove_cover_card("685a", "685a.5(d)", 104, procedures=ProcedureSettings(cover_card_tolerance=4))
