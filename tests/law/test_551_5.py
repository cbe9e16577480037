"""551.5: the shuffle and the cut of the cards."""

from schemas.house import ProcedureSettings
from tests.builders.shoes import prove_shuffled
from tests.law.cutting import prove_cover_card, prove_cut, prove_cut_before_loading, prove_cut_completed
from tests.law.preparation_proofs import (
    prove_certificate_spares_shuffle_only,
    prove_cut_by_case,
    prove_cut_rotation,
    prove_idle_exchanged,
    prove_idle_spread,
    prove_idle_washed,
    prove_recut,
    prove_recut_rotation,
    prove_reshuffle_at_cover_card,
    prove_reshuffle_directed,
    prove_shuffle,
    prove_shuffle_after_shoe,
    prove_shuffle_and_cut,
)


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


def test_551_5_a_reported() -> None:
    prove_shuffle("551", "551.5(a)")
    prove_certificate_spares_shuffle_only("551")
    prove_shuffle_after_shoe("551", "551.5(a)", "551.8(j)(3)")


def test_551_5() -> None:
    prove_shuffle_and_cut("551", "551.5(a)", "551.5(d)", "551.8(c)")


def test_551_5_b_1() -> None:
    prove_cut_by_case(
        "551",
        {"opening": "551.5(b)(1)", "box": "551.5(b)(2)", "dealer": "551.5(b)(3)", "directed": "551.5(b)(4)"},
        "551.5(c)",
    )


def test_551_5_b_2() -> None:
    prove_cut_by_case(
        "551",
        {"opening": "551.5(b)(1)", "box": "551.5(b)(2)", "dealer": "551.5(b)(3)", "directed": "551.5(b)(4)"},
        "551.5(c)",
    )


def test_551_5_b_3() -> None:
    prove_cut_by_case(
        "551",
        {"opening": "551.5(b)(1)", "box": "551.5(b)(2)", "dealer": "551.5(b)(3)", "directed": "551.5(b)(4)"},
        "551.5(c)",
    )


def test_551_5_b_4() -> None:
    prove_cut_by_case(
        "551",
        {"opening": "551.5(b)(1)", "box": "551.5(b)(2)", "dealer": "551.5(b)(3)", "directed": "551.5(b)(4)"},
        "551.5(c)",
    )


def test_551_5_c() -> None:
    prove_cut_rotation("551", 7, "551.5(c)")


def test_551_5_b() -> None:
    prove_cut_by_case(
        "551",
        {"opening": "551.5(b)(1)", "box": "551.5(b)(2)", "dealer": "551.5(b)(3)", "directed": "551.5(b)(4)"},
        "551.5(c)",
    )


def test_551_5_f() -> None:
    prove_recut("551", "551.5(f)", (5,), 7)
    prove_recut_rotation("551", "551.5(f)", 2, 5, 7)


def test_551_5_g() -> None:
    prove_reshuffle_at_cover_card("551", "551.8(j)", "551.5(g)")
    prove_reshuffle_directed("551", "551.5(g)")


def test_551_5_h() -> None:
    prove_idle_spread("551", "551.5(h)")
    prove_idle_washed("551", "551.5(h)(1)")


def test_551_5_h_1() -> None:
    prove_idle_washed("551", "551.5(h)(1)")


def test_551_5_h_2() -> None:
    prove_idle_exchanged("551", "551.5(h)(2)")
