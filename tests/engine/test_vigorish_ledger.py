"""The vigorish ledger of a shoe: what accrued, by which rule, and what became of it; worked by hand."""

from typing import Any, Final

import msgspec
import pytest

from projections.engine.conclusion import Conclusion
from schemas import events as e
from tests.builders.table_audit import AuditedTable, audit_events, finding_checks
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, Script, Spot, build_house

ONE: Final[Spot] = (1, "banker")
ANNA: Final[Spot] = (3, "banker", "anna")
PLAYER: Final[Spot] = (4, "player")


def script() -> Script:
    s = Script()
    s.open()
    return s


def audited(s: Script, **options: Any) -> AuditedTable:
    return audit_events(s.events, build_house(**options))


def ledger(concluded: Conclusion, who: str) -> dict[str, int | None]:
    """Return a person's lines by their names."""
    return {
        line.name.removeprefix("vigorish_"): line.cents
        for line in concluded.lines
        if line.of == who and line.name != "vigorish_rule"
    }


def rules(concluded: Conclusion) -> list[str | None]:
    return [line.of for line in concluded.lines if line.name == "vigorish_rule"]


def wins(s: Script, spot: Spot, stake: int, vigorish: int, *, marked: bool = False) -> str:
    return s.play(BANKER_WINS, {spot: stake}, "banker", {spot: stake}, {spot: vigorish}, marked=marked)


def test_exact_vigorish_taken_at_the_payout() -> None:
    s = script()
    wins(s, ONE, 1000, 50)  # five percent of 10.00
    wins(s, ONE, 3000, 150)
    s.close()
    shoe = audited(s).shoes["shoe 1"]
    assert ledger(shoe, "1") == {
        "accrued": 200,
        "rounding": 0,
        "taken": 200,
        "marked": 0,
        "collected": 0,
        "owed": 0,
    }
    assert shoe.verdict == "clean"


def test_what_rounding_added_is_a_line_and_its_rule_another() -> None:
    s = script()
    wins(s, ONE, 1100, 75)  # five percent of 11.00 is 55, rounded up to 75
    wins(s, ONE, 1000, 50)
    s.close()
    shoe = audited(s, vigorish_rounding_cents=25).shoes["shoe 1"]
    lines = ledger(shoe, "1")
    assert (lines["accrued"], lines["rounding"], lines["taken"]) == (125, 20, 125)
    assert rules(shoe) == [
        "5% of what is won, exact, as nothing was to be rounded, 631a.13(c)",
        "5% of what is won, rounded up to $0.25, 631a.13(c)",
    ]


def test_vigorish_not_rounded_says_so() -> None:
    s = script()
    wins(s, ONE, 1100, 55)
    s.close()
    shoe = audited(s).shoes["shoe 1"]
    assert ledger(shoe, "1")["rounding"] == 0
    assert rules(shoe) == ["5% of what is won, exact, 631a.13(c)"]


def test_marked_collected_and_owed_by_each_person() -> None:
    s = script()
    wins(s, ONE, 1000, 50, marked=True)
    wins(s, ANNA, 2000, 100, marked=True)
    wins(s, ONE, 3000, 150, marked=True)
    s.pay_off(3, 100, "anna")
    s.pay_off(1, 120)
    s.close()
    shoe = audited(s, vigorish_deferred=True).shoes["shoe 1"]
    assert ledger(shoe, "1") == {
        "accrued": 200,
        "rounding": 0,
        "taken": 0,
        "marked": 200,
        "collected": 120,
        "owed": 80,
    }
    assert (ledger(shoe, "3/anna")["marked"], ledger(shoe, "3/anna")["owed"]) == (100, 0)
    assert finding_checks(shoe) == ["vigorish_left_owing"]
    (finding,) = shoe.findings
    assert (finding.seat, finding.expected_cents, finding.observed_cents) == (1, 80, 0)


def test_what_was_forgiven_accrued_all_the_same() -> None:
    s = script()
    s.play(BANKER_WINS, {ONE: 1000}, "banker", {ONE: 1000})
    s.close()
    shoe = audited(s).shoes["shoe 1"]
    lines = ledger(shoe, "1")
    assert (lines["accrued"], lines["taken"], lines["marked"], lines["owed"]) == (50, 0, 0, 0)


@pytest.mark.parametrize("closed", [True, False])
def test_vigorish_put_right_is_taken(*, closed: bool) -> None:
    s = script()
    s.begin({ONE: 1000})
    s.no_more_bets({ONE: 1000})
    s.deal(BANKER_WINS)
    s.announce("banker")
    s.settle({ONE: 1000}, {ONE: 25})
    if closed:
        s.end()
    s.adjust(ONE, 0, vigorish=25)
    if not closed:
        s.end()
    s.close()
    lines = ledger(audited(s).shoes["shoe 1"], "1")
    assert (lines["accrued"], lines["taken"]) == (50, 50)


def test_nothing_accrues_on_other_wagers() -> None:
    s = script()
    s.play(PLAYER_WINS, {PLAYER: 1000, ONE: 1000}, "player", {PLAYER: 1000, ONE: -1000})
    s.close()
    assert audited(s).shoes["shoe 1"].lines == ()


def test_each_shoe_has_its_own() -> None:
    s = script()
    wins(s, ONE, 1000, 50, marked=True)
    s.pay_off(1, 50)
    s.load("shoe 2")
    wins(s, ONE, 2000, 100, marked=True)
    s.pay_off(1, 100)
    s.close()
    shoes = audited(s, vigorish_deferred=True).shoes
    assert [ledger(shoes[name], "1")["accrued"] for name in ("shoe 1", "shoe 2")] == [50, 100]
    assert [ledger(shoes[name], "1")["owed"] for name in ("shoe 1", "shoe 2")] == [0, 0]


def test_what_is_paid_in_the_next_shoe_is_collected_there() -> None:
    s = script()
    wins(s, ONE, 1000, 50, marked=True)
    s.load("shoe 2")
    s.play(PLAYER_WINS, {PLAYER: 1000}, "player", {PLAYER: 1000})
    s.pay_off(1, 50)
    s.close()
    shoes = audited(s, vigorish_deferred=True).shoes
    assert ledger(shoes["shoe 1"], "1")["owed"] == 50
    assert ledger(shoes["shoe 2"], "1") == {
        "accrued": 0,
        "rounding": 0,
        "taken": 0,
        "marked": 0,
        "collected": 50,
        "owed": -50,
    }
    assert finding_checks(shoes["shoe 1"]) == ["vigorish_left_owing"]


def test_a_correction_changes_what_was_marked() -> None:
    s = script()
    s.begin({ONE: 1000})
    s.no_more_bets({ONE: 1000})
    s.deal(BANKER_WINS)
    s.announce("banker")
    s.settle({ONE: 1000})
    mistaken = s.on(ONE, e.VigorishMarked, 500)
    s.correct(mistaken, msgspec.structs.replace(mistaken, cents=50))
    s.end()
    s.pay_off(1, 50)
    s.close()
    lines = ledger(audited(s, vigorish_deferred=True).shoes["shoe 1"], "1")
    assert (lines["marked"], lines["collected"], lines["owed"]) == (50, 50, 0)
