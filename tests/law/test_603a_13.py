"""603a.13: dice from the store to the table, and out of use again."""

from tests.law.dice_proofs import (
    BOXPERSON,
    DEALER,
    FLOORPERSON,
    OTHER_BOXPERSON,
    OTHER_FLOORPERSON,
    prove_broken_seal,
    prove_brought,
    prove_distributed,
    prove_inspected,
    prove_instruments,
    prove_issued,
    prove_keys,
    prove_locked,
    prove_opened,
    prove_placed,
    prove_present,
    prove_removed,
    prove_reserve,
    prove_reserve_brought,
    prove_reserve_inspected,
    prove_right,
    prove_sealed,
    prove_sealed_reserve,
    prove_single_dice,
    prove_store_inspection,
    prove_surveillance_notified,
)

# Of Craps, 603a.13(f)(2)(i)(A): any two of boxpersons and floorpersons.
PAIRS = [
    (one, other)
    for one in (BOXPERSON, OTHER_BOXPERSON, FLOORPERSON, OTHER_FLOORPERSON)
    for other in (BOXPERSON, OTHER_BOXPERSON, FLOORPERSON, OTHER_FLOORPERSON)
    if one != other
]


def test_603a_13() -> None:
    prove_right(1)
    prove_right(2)
    prove_right(3)


def test_603a_13_f() -> None:
    prove_right(1)
    prove_right(2)
    prove_right(3)


def test_603a_13_f_1() -> None:
    prove_right(1)


def test_603a_13_f_1_i() -> None:
    prove_brought(1, "(1)(i)")


def test_603a_13_f_1_ii() -> None:
    prove_issued("(1)(ii)")
    prove_inspected("623a", 1, "(1)(ii)", (BOXPERSON, DEALER), (OTHER_BOXPERSON, DEALER))
    prove_inspected("mini", 1, "(1)(ii)", (FLOORPERSON, DEALER), (OTHER_FLOORPERSON, DEALER))
    prove_inspected("535", 1, "(1)(ii)", (FLOORPERSON, DEALER), (OTHER_FLOORPERSON, DEALER))
    prove_instruments(1, "(1)(ii)", "(1)(ii)")


def test_603a_13_f_1_iii() -> None:
    prove_placed("623a", 1, "(1)(iii)(A)", BOXPERSON, DEALER)


def test_603a_13_f_1_iii_a() -> None:
    prove_placed("623a", 1, "(1)(iii)(A)", BOXPERSON, DEALER)


def test_603a_13_f_1_iii_b() -> None:
    prove_placed("mini", 1, "(1)(iii)(B)", FLOORPERSON, DEALER)


def test_603a_13_f_1_iii_d() -> None:
    prove_placed("535", 1, "(1)(iii)(D)", FLOORPERSON, DEALER)


def test_603a_13_f_1_iv() -> None:
    prove_keys(1, "(1)(iv)")
    prove_reserve(1, "(1)(iv)")
    prove_reserve_inspected(1, "(1)(iv)", BOXPERSON, DEALER)


def test_603a_13_f_2() -> None:
    prove_right(2)


def test_603a_13_f_2_i() -> None:
    prove_brought(2, "(2)(i)")


def test_603a_13_f_2_i_a() -> None:
    prove_inspected("623a", 2, "(2)(i)(A)", *PAIRS)


def test_603a_13_f_2_i_b() -> None:
    prove_inspected("535", 2, "(2)(i)(B)", (FLOORPERSON, OTHER_FLOORPERSON), (OTHER_FLOORPERSON, FLOORPERSON))


def test_603a_13_f_2_i_c() -> None:
    prove_reserve_brought("(2)(i)(C)")


def test_603a_13_f_2_ii() -> None:
    prove_instruments(2, "(2)(ii)", "(2)(ii)")


def test_603a_13_f_2_iii() -> None:
    prove_placed("623a", 2, "(2)(iii)(A)", BOXPERSON, DEALER)


def test_603a_13_f_2_iii_a() -> None:
    prove_distributed("623a", "(2)(iii)(A)")
    prove_distributed("mini", "(2)(iii)(A)")
    prove_placed("623a", 2, "(2)(iii)(A)", BOXPERSON, DEALER)
    prove_placed("mini", 2, "(2)(iii)(A)", FLOORPERSON, DEALER)


def test_603a_13_f_2_iii_c() -> None:
    prove_distributed("535", "(2)(iii)(C)")
    prove_placed("535", 2, "(2)(iii)(C)", DEALER, None)


def test_603a_13_f_2_iv() -> None:
    prove_reserve(2, "(2)(iv)")


def test_603a_13_f_2_iv_a() -> None:
    prove_keys(2, "(2)(iv)(A)")


def test_603a_13_f_2_iv_b() -> None:
    prove_sealed_reserve("623a", "(2)(v)(A)")
    prove_reserve_inspected(2, "(2)(iv)(B)", FLOORPERSON, OTHER_FLOORPERSON)


def test_603a_13_f_2_v() -> None:
    prove_sealed_reserve("623a", "(2)(v)(A)")


def test_603a_13_f_2_v_a() -> None:
    prove_sealed_reserve("623a", "(2)(v)(A)")


def test_603a_13_f_2_v_c() -> None:
    prove_sealed_reserve("535", "(2)(v)(C)")


def test_603a_13_f_3() -> None:
    prove_right(3)


def test_603a_13_f_3_i() -> None:
    prove_present("(3)(i)")


def test_603a_13_f_3_ii() -> None:
    prove_surveillance_notified("(3)(ii)")


def test_603a_13_f_3_iii() -> None:
    prove_store_inspection("(3)(iii)")
    prove_instruments(3, "(3)(iii)", "(3)(viii)")


def test_603a_13_f_3_iv() -> None:
    prove_sealed("623a", "(3)(iv)(A)")


def test_603a_13_f_3_iv_a() -> None:
    prove_sealed("623a", "(3)(iv)(A)")


def test_603a_13_f_3_iv_c() -> None:
    prove_sealed("535", "(3)(iv)(C)")


def test_603a_13_f_3_iv_d() -> None:
    prove_single_dice("(3)(iv)(D)")


def test_603a_13_f_3_v() -> None:
    prove_brought(3, "(3)(v)")


def test_603a_13_f_3_v_a() -> None:
    prove_opened("623a", "(3)(v)(A)")
    prove_opened("mini", "(3)(v)(A)")


def test_603a_13_f_3_v_c() -> None:
    prove_opened("535", "(3)(v)(C)")


def test_603a_13_f_3_vi() -> None:
    prove_broken_seal("(3)(vi)")


def test_603a_13_f_3_vii() -> None:
    prove_keys(3, "(3)(vii)")
    prove_reserve(3, "(3)(vii)")


def test_603a_13_f_3_viii() -> None:
    prove_locked("(3)(viii)")
    prove_instruments(3, "(3)(iii)", "(3)(viii)")


def test_603a_13_g() -> None:
    prove_removed("603a.13(g)")
