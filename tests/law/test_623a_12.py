"""623a.12: when Bonus Craps wagers are made, that they stay, the marker buttons, and what ends them."""

from itertools import permutations

import pytest

from tests.law.craps_table import (
    ALL,
    SHOOTER,
    SMALL,
    TALL,
    Play,
    audit,
    bet,
    checks,
    found,
    marked,
    notes,
    owed,
    owed_by,
    paid,
    rolls,
)

LOW, HIGH = (2, 3, 4, 5, 6), (8, 9, 10, 11, 12)
CLEAR = ("dealer", "clear")


def placed(seat: int = 3, wager: str = SMALL) -> tuple[str, str]:
    return f"seat{seat}", f"place {wager}"


# ── (1): made before a new shooter's initial come out roll ───────────────────────────────────────────


@pytest.mark.parametrize("play", [[SHOOTER, placed()], [placed(), SHOOTER], [placed()], [SHOOTER]])
def test_623a_12_1_in_time(play: Play) -> None:
    concluded = audit([*play, *rolls(7)], bet(SMALL), settled=[paid(SMALL, -500)])
    assert (concluded.verdict, owed(concluded, SMALL)) == ("clean", -500)


@pytest.mark.parametrize("before", [(2,), (4,), (7,), (11,), (12, 12), (4, 4), (6, 8, 6)])
@pytest.mark.parametrize("wager", [SMALL, ALL, TALL])
def test_623a_12_1(before: tuple[int, ...], wager: str) -> None:
    # After one roll of this shooter it is late, though the next be a come out roll again (7, 11, 12, 4-4).
    play = [SHOOTER, *rolls(*before), placed(wager=wager), *rolls(7)]
    concluded = audit(play, bet(wager), settled=[paid(wager, -500)])
    assert found(concluded) == ("late_wager", ("623a.12(1)", "623a.3(a)(43)"))
    assert owed(concluded, wager) is None


def test_623a_12_1_another_shooter() -> None:
    before = [SHOOTER, *rolls(4, 7)]
    for turn in ([("shooter", "seat8"), placed()], [placed(), ("shooter", "seat8")], [placed()]):
        concluded = audit([*before, *turn, *rolls(7)], bet(SMALL))
        assert (checks(concluded), owed(concluded, SMALL)) == ([], -500)


def test_623a_12_1_another_shooter_before_a_seven() -> None:
    # One who gave up the dice with the point on: for his successor no wager is late, and the 4 is no point.
    play = [SHOOTER, *rolls(4), ("shooter", "seat8"), placed(), *rolls(4, 4, 7)]
    assert checks(audit(play, bet(SMALL))) == []
    chosen = {"bonus_craps_made": "any_come_out"}
    later = [SHOOTER, *rolls(4), ("shooter", "seat8"), *rolls(4), placed(), *rolls(7)]
    assert checks(audit(later, bet(SMALL), **chosen)) == ["late_wager"]


def test_623a_12_1_and_withdrawn() -> None:
    # It lies no longer when the wagers are told, and was late all the same.
    play = [SHOOTER, *rolls(2), placed(seat=4), ("seat4", "withdraw all_small"), *rolls(7)]
    (finding,) = audit(play, bet(SMALL), settled=[paid(SMALL, -500)]).findings
    assert (finding.check, finding.seat, finding.wager) == ("late_wager", 4, SMALL)


def test_623a_12_1_no_more_bets() -> None:
    play = [SHOOTER, ("dealer", "no_more_bets"), placed(), *rolls(7)]
    assert found(audit(play, bet(SMALL))) == ("late_wager", ("623a.12(1)",))


# ── (2): they remain ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("word", ["withdraw", "remove"])
@pytest.mark.parametrize("before", [(), (2,), (11, 4, 9)])
def test_623a_12_2(word: str, before: tuple[int, ...]) -> None:
    play = [SHOOTER, placed(), *rolls(*before), ("seat3", f"{word} all_small"), *rolls(7)]
    listed = audit(play, bet(SMALL), settled=[])
    assert found(listed) == ("late_wager", ("623a.12(2)",))
    assert owed(listed, SMALL) is None
    gone = audit(play, settled=[])
    assert found(gone) == ("late_wager", ("623a.12(2)",))


@pytest.mark.parametrize("ends", [(2, 3, 4, 5, 6), (7,)])
def test_623a_12_2_until_collected_or_paid(ends: tuple[int, ...]) -> None:
    play = [SHOOTER, placed(), *rolls(*ends), ("seat3", "withdraw all_small"), *rolls(2)]
    assert checks(audit(play, bet(SMALL))) == []


# ── (3): a button on each number ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6, 8, 9, 10, 11, 12])
def test_623a_12_3(number: int) -> None:
    others = [each for each in (3, 9) if each != number]
    forgotten = audit([SHOOTER, *marked(*others), *rolls(number, 7), CLEAR], bet(ALL))
    assert found(forgotten) == ("number_not_marked", ("623a.12(3)",))
    done = audit([SHOOTER, *marked(*others, number), *rolls(number, 7), CLEAR], bet(ALL))
    assert done.verdict == "clean"
    wrong = audit([SHOOTER, ("dealer", f"mark {number}"), *rolls(7), CLEAR], bet(ALL))
    assert found(wrong) == ("number_marked_wrongly", ("623a.12(3)",))


def test_623a_12_3_no_wager_is_reported() -> None:
    assert audit([SHOOTER, *rolls(2, 4, 9, 7)], bet(ALL)).verdict == "clean"


def test_623a_12_3_a_record_that_breaks_off() -> None:
    concluded = audit([SHOOTER, *marked(2), *rolls(4)], bet(ALL))
    assert (concluded.verdict, notes(concluded)) == ("clean", ["undecided"])


def test_623a_12_3_a_seven_between() -> None:
    # What was thrown before the 7 is marked no more; what comes after it is, again.
    play = [SHOOTER, *marked(2), *rolls(7), CLEAR, placed(), *marked(4)]
    late_mark = [*play, ("dealer", "mark 2")]
    chosen = {"bonus_craps_made": "any_come_out"}
    assert checks(audit(play, bet(SMALL), **chosen)) == []
    assert checks(audit(late_mark, bet(SMALL), **chosen)) == ["number_marked_wrongly"]
    again = [*play, *rolls(2, 2), ("dealer", "mark 2")]
    assert checks(audit(again, bet(SMALL), **chosen)) == ["number_not_marked"]


def test_623a_12_3_nothing_hangs_on_it() -> None:
    # All Small is won: what is thrown then is nothing to Bonus Craps.
    assert checks(audit([SHOOTER, *marked(*LOW), *rolls(9, 10)], bet(SMALL))) == []
    assert checks(audit([SHOOTER, *marked(*LOW), *rolls(9, 10)], bet(SMALL), bet(ALL))) == [
        "number_not_marked"
    ]


def test_623a_12_3_nothing_hangs_on_it_yet() -> None:
    # By the letter of 623a.3(a)(43) the wager is made after the 11, which does not count for it.
    play = [SHOOTER, *rolls(11), placed(), *marked(4), *rolls(7), CLEAR]
    assert checks(audit(play, bet(SMALL), bonus_craps_made="any_come_out")) == []


# ── (4): paid when all is thrown ─────────────────────────────────────────────────────────────────────


def test_623a_12_4() -> None:
    # The text's own example: All Small is paid, All Or Nothing At All lies on until it is won or a 7 comes.
    paid_first = audit(rolls(*LOW), bet(SMALL), bet(ALL), settled=[paid(SMALL, 17_000)])
    assert (paid_first.verdict, notes(paid_first)) == ("clean", ["undecided"])
    lost = audit(rolls(*LOW, 7), bet(SMALL), bet(ALL), settled=[paid(SMALL, 17_000), paid(ALL, -500)])
    assert (lost.verdict, owed(lost, SMALL), owed(lost, ALL)) == ("clean", 17_000, -500)
    won = audit(rolls(*LOW, *HIGH, 7), bet(SMALL), bet(ALL))
    assert (owed(won, SMALL), owed(won, ALL)) == (17_000, 87_500)
    cleared = [SHOOTER, *marked(*LOW), CLEAR]
    assert checks(audit(cleared, bet(SMALL), bet(ALL))) == ["markers_cleared_early"]
    assert checks(audit(cleared, bet(SMALL))) == []
    test_623a_12_4_not_marked()


def test_623a_12_4_collected_too_soon() -> None:
    # The rolls do not decide All Or Nothing At All; that it was collected leaves open what is missing.
    concluded = audit(rolls(*LOW), bet(SMALL), bet(ALL), settled=[paid(SMALL, 17_000), paid(ALL, -500)])
    assert (concluded.verdict, checks(concluded), owed(concluded, ALL)) == ("undetermined", [], None)


def test_623a_12_4_buttons() -> None:
    # The buttons stay for All Or Nothing At All; for All Small alone they may go when it is paid.
    play = [SHOOTER, *marked(*LOW), CLEAR]
    assert found(audit(play, bet(SMALL), bet(ALL))) == ("markers_cleared_early", ("623a.12(4)",))
    assert checks(audit(play, bet(SMALL))) == []
    assert found(audit([SHOOTER, *marked(*LOW[:4]), CLEAR], bet(SMALL))) == (
        "markers_cleared_early",
        ("623a.12(4)",),
    )


def test_623a_12_4_not_marked() -> None:
    # Thrown and marked: the 6 that wins gets its button before the wager is paid.
    concluded = audit([SHOOTER, *marked(*LOW[:4]), *rolls(6)], bet(SMALL), settled=[paid(SMALL, 17_000)])
    assert checks(concluded) == ["number_not_marked"]


# ── (5): a 7 ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("before", [(), (4,), (11,), (2, 3, 4, 5), (8, 9, 10, 11), (2, 12)])
@pytest.mark.parametrize("wager", [SMALL, ALL, TALL])
def test_623a_12_5(before: tuple[int, ...], wager: str) -> None:
    play = [SHOOTER, *rolls(*before, 7)]
    assert owed_by("623a.12(5)", play, wager) == -500
    left = audit(play, bet(wager), settled=[])
    (finding,) = left.findings
    assert finding.check == "loser_not_collected"
    assert "623a.12(5)" in finding.citations
    test_623a_12_5_buttons()
    for seven in ("1-6", "2-5", "3-4", "4-3", "5-2", "6-1"):
        test_623a_12_5_each_seven(seven)


@pytest.mark.parametrize("seven", ["1-6", "2-5", "3-4", "4-3", "5-2", "6-1"])
def test_623a_12_5_each_seven(seven: str) -> None:
    assert owed(audit([SHOOTER, ("dice", seven)], bet(SMALL)), SMALL) == -500


def test_623a_12_5_buttons() -> None:
    assert checks(audit([SHOOTER, *marked(4), *rolls(7)], bet(SMALL))) == ["markers_not_cleared"]
    assert found(audit([SHOOTER, *marked(2, 4), *rolls(7)], bet(SMALL))) == (
        "markers_not_cleared",
        ("623a.12(5)",),
    )
    assert checks(audit([SHOOTER, *marked(2, 4), *rolls(7, 2), CLEAR], bet(SMALL))) == ["markers_not_cleared"]
    assert checks(audit([SHOOTER, *marked(2, 4), *rolls(7), CLEAR], bet(SMALL))) == []
    assert checks(audit([SHOOTER, *marked(2, 4), *rolls(7)])) == ["markers_not_cleared"]
    # On the initial come out roll no button lies yet.
    assert checks(audit([SHOOTER, *rolls(7), ("shooter", "seat8"), *marked(2)], bet(SMALL))) == []


# ── (6): in any order ────────────────────────────────────────────────────────────────────────────────


def test_623a_12_6() -> None:
    for order in permutations(LOW):
        assert owed(audit(rolls(*order), bet(SMALL)), SMALL) == 17_000
    mixed = rolls(12, 6, 6, 2, 11, 12, 5, 4, 9, 8, 3, 10)
    concluded = audit(mixed, bet(SMALL), bet(ALL), bet(TALL))
    assert [owed(concluded, wager) for wager in (SMALL, ALL, TALL)] == [17_000, 87_500, 17_000]


def test_623a_12() -> None:
    # One turn with everything in it as the text has it: made, marked, paid, left lying, lost, cleared.
    play = [
        SHOOTER,
        placed(),
        placed(wager=ALL),
        placed(seat=4, wager=TALL),
        *marked(6, 4, 3, 11, 2, 5, 9),
        *rolls(7),
        CLEAR,
    ]
    concluded = audit(
        play,
        bet(SMALL),
        bet(ALL),
        bet(TALL, seat=4),
        settled=[paid(SMALL, 17_000), paid(ALL, -500), paid(TALL, -500, seat=4)],
    )
    assert (concluded.verdict, notes(concluded)) == ("clean", [])
    # And each clause broken: made late, taken down, not marked, not paid in time, not cleared.
    test_623a_12_1((4, 4), SMALL)
    test_623a_12_2("withdraw", (2,))
    test_623a_12_3(2)
    test_623a_12_4_buttons()
    test_623a_12_5_buttons()


# ── 603a.21(c)(2): no coupon on them ─────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("wager", [SMALL, ALL, TALL])
def test_623a_12_coupon(wager: str) -> None:
    concluded = audit(rolls(*LOW, *HIGH), bet(wager, coupon=500))
    assert found(concluded) == ("coupon_not_permitted", ("603a.21(c)(2)",))
    assert owed(concluded, wager) == owed(audit(rolls(*LOW, *HIGH), bet(wager)), wager)


@pytest.mark.parametrize(
    ("wager", "may"), [("pass", True), ("dont_pass", True), ("come", False), ("lay", False)]
)
def test_623a_12_coupon_on_craps_itself(wager: str, *, may: bool) -> None:
    found = checks(audit(rolls(4), bet(wager, coupon=500)))
    assert found == ([] if may else ["coupon_not_permitted"]) + ["text_silent"]
