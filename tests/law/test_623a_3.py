"""623a.3: the wagers of Bonus Craps, when they may be made, and how much may be wagered."""

import pytest

from tests.builders.texts import text_of
from tests.law.craps_table import (
    ALL,
    SHOOTER,
    SMALL,
    TALL,
    audit,
    bet,
    checks,
    found,
    notes,
    owed,
    owed_by,
    paid,
    rolls,
)
from tests.law.layout_proofs import prove_point

LOW, HIGH = (2, 3, 4, 5, 6), (8, 9, 10, 11, 12)


def wins_with(wager: str, numbers: tuple[int, ...], clause: str, odds: int) -> None:
    """Prove that a wager is won by its last number and no sooner, and lost for the want of any of them."""
    assert owed_by(clause, rolls(*numbers), wager) == 500 * odds
    assert notes(audit(rolls(*numbers[:-1]), bet(wager))) == ["undecided"]
    for lacking in numbers:
        others = [number for number in (*LOW, *HIGH) if number != lacking]
        assert owed(audit(rolls(*others, *others), bet(wager)), wager) is None
        assert owed(audit(rolls(*others, 7), bet(wager)), wager) == -500
    assert owed(audit(rolls(7, *numbers), bet(wager)), wager) == -500


def test_623a_3_a_43_i() -> None:
    wins_with(SMALL, LOW, "623a.3(a)(43)(i)", 34)


def test_623a_3_a_43_ii() -> None:
    wins_with(ALL, (*LOW, *HIGH), "623a.3(a)(43)(ii)", 175)


def test_623a_3_a_43_iii() -> None:
    wins_with(TALL, HIGH, "623a.3(a)(43)(iii)", 34)


def test_623a_3() -> None:
    # All three on one turn: 2 to 6, then 8 to 12, then a 7 that comes too late for any of them.
    concluded = audit(rolls(*LOW, *HIGH, 7), bet(SMALL, 100), bet(ALL, 100), bet(TALL, 100))
    assert [owed(concluded, wager) for wager in (SMALL, ALL, TALL)] == [3400, 17_500, 3400]
    assert concluded.outcome is None
    # All Tall lacks the 8; then a wager at the limits and one beyond each, and one made after a roll.
    assert owed(audit(rolls(*LOW, *HIGH[1:], 7), bet(TALL, 100)), TALL) == -100
    test_623a_3_b(TALL)
    late = [SHOOTER, *rolls(2), ("seat3", "place all_small"), *rolls(7)]
    assert found(audit(late, bet(SMALL))) == ("late_wager", ("623a.12(1)", "623a.3(a)(43)"))


@pytest.mark.parametrize("wager", ["all_even", "banker", "all small"])
def test_623a_3_a(wager: str) -> None:
    concluded = audit(rolls(7), bet(wager), settled=[paid(wager, -500)])
    assert found(concluded) == ("wager_not_permitted", ("623a.3(a)(43)",))
    assert owed(concluded, wager) is None


@pytest.mark.parametrize("wager", ["lay", "pass", "come", "fire", "dont_pass", "dont_come"])
def test_623a_3_a_of_craps_itself(wager: str) -> None:
    # The printed text names them, so they are permitted; how they are settled it does not print.
    concluded = audit(rolls(7), bet(wager), bet(SMALL), settled=[paid(wager, 500), paid(SMALL, -500)])
    assert (concluded.verdict, checks(concluded)) == ("undetermined", ["text_silent"])
    assert (owed(concluded, wager), owed(concluded, SMALL)) == (None, -500)


# ── (a)(43): before the come out roll ────────────────────────────────────────────────────────────────

POINTS, OTHERS = (4, 5, 6, 8, 9, 10), (2, 3, 7, 11, 12)


def made_after(*before: int) -> list[tuple[str, str]]:
    """Make All Small after these rolls; a 7 comes next."""
    return [SHOOTER, *rolls(*before), ("seat3", "place all_small"), *rolls(7)]


@pytest.mark.parametrize("point", POINTS)
def test_623a_3_a_43(point: int) -> None:
    # By the letter: before any come out roll, which none is while a point is to be made.
    late = ("late_wager", ("623a.3(a)(43)",))
    assert found(audit(made_after(point), bet(SMALL), bonus_craps_made="any_come_out")) == late
    assert found(audit(made_after(point, 2), bet(SMALL), bonus_craps_made="any_come_out")) == late
    made = audit(made_after(point, 12, point), bet(SMALL), bonus_craps_made="any_come_out")
    assert (made.verdict, owed(made, SMALL)) == ("clean", -500)
    ended = audit(made_after(point, 7), bet(SMALL), bonus_craps_made="any_come_out")
    assert (ended.verdict, owed(ended, SMALL)) == ("clean", -500)


@pytest.mark.parametrize("total", OTHERS)
def test_623a_3_a_43_no_point(total: int) -> None:
    concluded = audit(made_after(total), bet(SMALL), bonus_craps_made="any_come_out")
    assert (concluded.verdict, owed(concluded, SMALL)) == ("clean", -500)


def test_623a_3_a_43_only_later_numbers() -> None:
    # A 2 on the come out, then the wager: 3, 4, 5 and 6 are not all that it needs.
    play = [SHOOTER, *rolls(2), ("seat3", "place all_small"), *rolls(3, 4, 5, 6)]
    assert notes(audit(play, bet(SMALL), bonus_craps_made="any_come_out")) == ["undecided"]
    assert owed(audit([*play, *rolls(2)], bet(SMALL), bonus_craps_made="any_come_out"), SMALL) == 17_000
    assert owed(audit([*play, *rolls(7)], bet(SMALL), bonus_craps_made="any_come_out"), SMALL) == -500


def test_623a_3_a_43_under_one_name() -> None:
    # Lost, and made anew before the next come out roll: one amount cannot tell the two.
    play = [*rolls(7), ("seat3", "place all_small"), *rolls(7)]
    first = ("seat3", "place all_small")
    concluded = audit([SHOOTER, first, *play], bet(SMALL), bonus_craps_made="any_come_out")
    assert (concluded.verdict, checks(concluded)) == ("undetermined", ["data_missing"])
    assert owed(concluded, SMALL) is None


# ── (b): the limits ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("wager", [SMALL, ALL, TALL])
def test_623a_3_b(wager: str) -> None:
    for cents in (500, 501, 2500):
        concluded = audit(rolls(7), bet(wager, cents), minimum_wager_cents=500, maximum_wager_cents=2500)
        assert (concluded.verdict, owed(concluded, wager)) == ("clean", -cents)
    for cents in (499, 2501):
        concluded = audit(rolls(7), bet(wager, cents), minimum_wager_cents=500, maximum_wager_cents=2500)
        assert checks(concluded) == ["wager_not_permitted"]
    for cents in (1, 100_000_000):
        assert owed(audit(rolls(7), bet(wager, cents)), wager) == -cents


@pytest.mark.parametrize("cents", [1, 499])
def test_623a_3_b_1(cents: int) -> None:
    concluded = audit(rolls(7), bet(SMALL, cents), minimum_wager_cents=500)
    assert found(concluded) == ("wager_not_permitted", ("623a.3(b)(1)",))
    assert (
        text_of(concluded.findings[0].message)
        == f"the wager of ${cents / 100:.2f} is below the minimum of $5.00"
    )
    assert owed(concluded, SMALL) is None


@pytest.mark.parametrize("cents", [2501, 100_000])
def test_623a_3_b_2(cents: int) -> None:
    concluded = audit(rolls(7), bet(SMALL, cents), maximum_wager_cents=2500)
    assert found(concluded) == ("wager_not_permitted", ("623a.3(b)(2)", "623a.5(j)"))
    assert owed(concluded, SMALL) is None


def test_623a_3_c() -> None:
    prove_point("623a", "limits_posted", "623a.3(c)")
