"""Severity of a finding: its kind's or, of money, that of its amount by the house's thresholds."""

from datetime import date
from typing import Any, Final

import pytest

import discardrack
from projections.casework.actions import Done
from projections.casework.cases.case_rules import stated_weights
from projections.catalogue import KINDS
from projections.engine.facts import fact
from projections.engine.findings import Raised, Severity, identify
from schemas.errors import BadInput
from schemas.house import House, SeverityThresholds, parse
from tests.builders.round_records import UNDERPAID

DAY: Final = date(2025, 3, 1)


@pytest.mark.parametrize(
    ("check", "sums", "severity"),
    [
        ("paid_too_much", {"expected": 0, "observed": 9_999}, "medium"),
        ("paid_too_little", {"expected": 10_000, "observed": 0}, "high"),
        ("push_paid", {"expected": 0, "observed": 499_999}, "high"),
        ("winner_collected", {"expected": 250_000, "observed": -250_000}, "critical"),
        # $100.00 more of gain, of which $5.00 were taken as vigorish too much.
        ("paid_too_much", {"expected": 0, "observed": 10_000, "vigorish": 500}, "medium"),
        # What is grave whatever it costs, a step of procedure, a gap of data.
        ("late_wager", {"expected": 0, "observed": 100}, "critical"),
        ("points_announced_wrong", {}, "medium"),
        ("source_conflict", {}, "data"),
        # Nobody counted the box: its amount is unknown, and may be large.
        ("box_not_counted", {}, "high"),
    ],
)
def test_money_is_ranked_by_its_amount_and_the_rest_by_its_kind(
    check: str, sums: dict[str, Any], severity: Severity
) -> None:
    raised = Raised(
        kind=KINDS[check], message=fact("engine.verbatim", text=""), cites=("631a.12(b)",), **sums
    )
    (found,) = identify([raised], about="x", day=DAY)
    assert found.severity == severity


@pytest.mark.parametrize(
    ("thresholds", "severity"),
    [((501, 501), "medium"), ((501, 500), "high"), ((500, 100), "critical")],
)
def test_the_amounts_are_the_house_s(thresholds: tuple[int, int], severity: Severity) -> None:
    house = House(house="own", severity=SeverityThresholds(*thresholds))
    (found,) = discardrack.judge(UNDERPAID, house).findings  # $25.00 were owed and $20.00 paid
    assert (found.net_cents, found.severity) == (-500, severity)


def test_what_is_critical_costs_no_less_than_what_is_high() -> None:
    with pytest.raises(BadInput, match="critical_cents must not be below high_cents"):
        parse("house: own\nseverity: {critical_cents: 100, high_cents: 101}\n", "own.yaml")


def test_what_an_earlier_build_closed_weighs_the_same_without_its_severity() -> None:
    facts = {"weighs a": "mismatch money -500", "weighs b": "undetermined grave", "weighs c": "mismatch 700"}
    done = Done[Any](action=None, who="ann", at=0, facts=facts)
    assert stated_weights(done) == {"a": "mismatch -500", "b": "undetermined", "c": "mismatch 700"}
