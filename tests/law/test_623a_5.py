"""623a.5: the odds of Bonus Craps, no vigorish, and the maximum."""

import pytest

from tests.law.craps_table import ALL, SMALL, TALL, audit, bet, checks, found, owed, owed_by, paid, rolls

LOW, HIGH = (2, 3, 4, 5, 6), (8, 9, 10, 11, 12)


@pytest.mark.parametrize(("cents", "gain"), [(1, 34), (100, 3400), (2550, 86_700)])
def test_623a_5_h_1(cents: int, gain: int) -> None:
    assert owed_by("623a.5(h)(1)", rolls(*LOW), SMALL, cents) == gain


@pytest.mark.parametrize(("cents", "gain"), [(1, 175), (100, 17_500), (2550, 446_250)])
def test_623a_5_h_2(cents: int, gain: int) -> None:
    assert owed_by("623a.5(h)(2)", rolls(*LOW, *HIGH), ALL, cents) == gain


@pytest.mark.parametrize(("cents", "gain"), [(1, 34), (100, 3400), (2550, 86_700)])
def test_623a_5_h_3(cents: int, gain: int) -> None:
    assert owed_by("623a.5(h)(3)", rolls(*HIGH), TALL, cents) == gain


@pytest.mark.parametrize(
    ("observed", "check"),
    [
        (17_500, "paid_too_much"),
        (16_500, "paid_too_little"),
        (0, "paid_too_little"),
        (-500, "winner_collected"),
    ],
)
def test_623a_5_h(observed: int, check: str) -> None:
    # $5 at 34 to 1 are $170: neither 35 nor 33 times, not nothing, and never the chips themselves.
    concluded = audit(rolls(*LOW), bet(SMALL), settled=[paid(SMALL, observed)])
    (finding,) = concluded.findings
    assert (finding.check, finding.delta_cents) == (check, observed - 17_000)
    # $5 on the others: $875 and $170.
    assert owed(audit(rolls(*LOW, *HIGH), bet(ALL)), ALL) == 87_500
    assert owed(audit(rolls(*HIGH), bet(TALL)), TALL) == 17_000


def test_623a_5() -> None:
    # $1 each: $34 and $175 are paid, All Tall lacks nothing either: $34.
    concluded = audit(rolls(*LOW, *HIGH), bet(SMALL, 100), bet(ALL, 100), bet(TALL, 100))
    assert [owed(concluded, wager) for wager in (SMALL, ALL, TALL)] == [3400, 17_500, 3400]
    test_623a_5_i_without_a_wager()
    for wager in (SMALL, ALL, TALL):
        test_623a_5_j(wager)


@pytest.mark.parametrize(("wager", "numbers", "gain"), [(SMALL, LOW, 17_000), (TALL, HIGH, 17_000)])
def test_623a_5_i(wager: str, numbers: tuple[int, ...], gain: int) -> None:
    concluded = audit(rolls(*numbers), bet(wager), settled=[paid(wager, gain, 850)])
    check, citations = found(concluded)
    assert check == "vigorish_unauthorized"
    assert "623a.5(i)" in citations


def test_623a_5_i_without_a_wager() -> None:
    # A charge for making a wager, taken from one who made none.
    concluded = audit(rolls(*LOW), bet(SMALL), settled=[paid(SMALL, 17_000), paid(TALL, 0, 25, seat=4)])
    assert checks(concluded) == ["vigorish_unauthorized"]
    assert "623a.5(i)" in concluded.findings[0].citations


@pytest.mark.parametrize("wager", [SMALL, ALL, TALL])
def test_623a_5_j(wager: str) -> None:
    concluded = audit(rolls(7), bet(wager, 2501), maximum_wager_cents=2500)
    assert found(concluded) == ("wager_not_permitted", ("623a.3(b)(2)", "623a.5(j)"))
    assert owed(audit(rolls(7), bet(wager, 2500), maximum_wager_cents=2500), wager) == -2500
