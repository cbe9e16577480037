"""685a.5: the shuffle and the cut of the cards."""

from typing import Final

from schemas.house import ProcedureSettings
from tests.builders.shoes import prove_shuffled
from tests.law.cutting import prove_cover_card, prove_cut, prove_cut_before_loading, prove_cut_completed
from tests.law.preparation_proofs import (
    prove_cut_by_case,
    prove_cut_rotation,
    prove_idle_spread,
    prove_idle_washed,
    prove_one_stack,
    prove_recut,
    prove_recut_not_late,
    prove_recut_rotation,
    prove_reshuffle_at_cover_card,
    prove_reshuffle_directed,
    prove_shuffle,
    prove_shuffle_after_shoe,
    prove_shuffle_and_cut,
)
from tests.law.turning_proofs import prove_manual_shoe, prove_shuffling_shoe

_WHO_CUTS: Final = {
    "opening": "685a.5(c)(1)",
    "box": "685a.5(c)(2)",
    "dealer": "685a.5(c)(3)",
    "directed": "685a.5(c)(4)",
}


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


def test_685a_5_a_reported() -> None:
    prove_shuffle("685a", "685a.5(a)")
    prove_shuffle_after_shoe("685a", "685a.5(a)", "685a.7(d)(2)")
    prove_one_stack("685a", "685a.5(a)")


def test_685a_5() -> None:
    prove_shuffle_and_cut("685a", "685a.5(a)", "685a.5(d)", "685a.7(c)")


def test_685a_5_c_1() -> None:
    prove_cut_by_case("685a", _WHO_CUTS, "685a.5(b)")


def test_685a_5_c_2() -> None:
    prove_cut_by_case("685a", _WHO_CUTS, "685a.5(b)")


def test_685a_5_c_3() -> None:
    prove_cut_by_case("685a", _WHO_CUTS, "685a.5(b)")


def test_685a_5_c_4() -> None:
    prove_cut_by_case("685a", _WHO_CUTS, "685a.5(b)")


def test_685a_5_b() -> None:
    prove_cut_rotation("685a", 2, "685a.5(b)")


def test_685a_5_c() -> None:
    prove_cut_by_case("685a", _WHO_CUTS, "685a.5(b)")


def test_685a_5_e() -> None:
    prove_recut("685a", "685a.5(e)", (2, 7), 5)
    prove_recut_rotation("685a", "685a.5(e)", 2, 7, 5)
    prove_recut_not_late("685a", "685a.5(e)", 2)


def test_685a_5_f() -> None:
    prove_reshuffle_at_cover_card("685a", "685a.7(d)", "685a.5(f)")
    prove_reshuffle_directed("685a", "685a.5(f)")


def test_685a_5_g() -> None:
    prove_idle_spread("685a", "685a.5(g)")
    prove_idle_washed("685a", "685a.5(g)")


def test_685a_5_h() -> None:
    prove_manual_shoe("685a", "685a.5(h)")
    prove_shuffling_shoe("685a", "685a.5(d)")
