"""What holds for all findings of a check is a field of its kind, and is read out of no name."""

import hashlib
from datetime import date
from typing import Any

import pytest

from projections.casework.alerts.queues import sums_of
from projections.casework.cases.alert import Alert
from projections.catalogue import KINDS, paper_of
from projections.engine.facts import fact
from projections.engine.findings import Finding, Kind, Raised, identify
from schemas.errors import LawError

DAY = date(2025, 3, 1)


def found(kind: Kind) -> Finding:
    raised = Raised(kind=kind, message=fact("checks.data_missing"), cites=("465a.3(c)",), serial="K-1")
    (finding,) = identify([raised], about="cage", day=DAY)
    return finding


@pytest.mark.parametrize(
    ("check", "paper"),
    [
        ("counter_check_number_missing", "Counter Check"),
        ("box_counter_checks_differ", "Counter Check"),
        ("box_coupon_missing", "coupon"),
        ("form_voided_wrong", "coupon"),
        ("fill_without_request", "slip"),
        ("slip_unsigned", "slip"),
    ],
)
def test_a_check_says_of_which_paper_the_numbers_are_that_it_names(check: str, paper: str) -> None:
    assert paper_of(check) == paper


def test_a_name_reveals_nothing_about_the_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = Kind("coupon_counter_check", "by_amount", "Is it?", "Nothing.", paper="slip")
    monkeypatch.setitem(KINDS, kind.check, kind)
    assert paper_of(kind.check) == "slip"


def test_a_name_reveals_nothing_about_vigorish(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wager is paid $25 too much and $5 too much vigorish is taken of it: the patron has $20 too much."""
    rake = Kind("harbor.rake", "by_amount", "Is it?", "Nothing.", of_vigorish=True)
    monkeypatch.setitem(KINDS, rake.check, rake)
    message = fact("checks.data_missing")
    raised = [
        Raised(
            kind=kind, message=message, cites=("631a.8",), seat=1, wager="banker", expected=0, observed=cents
        )
        for kind, cents in ((KINDS["paid_too_much"], 25_00), (rake, 5_00))
    ]
    paid, taken = identify(raised, about="round", day=DAY)
    assert (paid.net_cents, taken.net_cents) == (25_00, -5_00)
    common: dict[str, Any] = {"run": "r", "about": "a", "gaming_date": DAY, "table": "T", "chapter": "631a"}
    common |= {"weight": "mismatch", "severity": "medium", "message": message, "seat": 1, "wager": "banker"}
    alerts = [
        Alert(id="1", check="paid_too_much", net_cents=25_00, favours="patron", **common),
        Alert(id="2", check=rake.check, net_cents=-5_00, favours="house", **common),
    ]
    assert [(each.favours, each.cents, each.count) for each in sums_of(alerts)] == [("patron", 20_00, 1)]


def test_a_number_of_no_known_paper_is_refused() -> None:
    with pytest.raises(LawError, match="names the number of a paper, and not of what kind"):
        found(KINDS["late_wager"])


def test_which_checks_are_about_a_card_that_was_due_and_not_dealt() -> None:
    due = {name for name, kind in KINDS.items() if kind.due_card}
    assert due == {"card_missing", "initial_card_missing", "third_card_missing"}


def test_a_finding_keeps_its_name_and_the_same_mistake_made_twice_has_two() -> None:
    # Stored alerts and cases hold on to the name: what it is about, the check, whose it is, and which time.
    raised = Raised(
        kind=KINDS["late_wager"],
        message=fact("checks.data_missing"),
        cites=("631a.8(c)",),
        seat=3,
        wager="player",
    )
    names = [each.id for each in identify([raised, raised], about="T-1|1", day=DAY)]
    hashed = [f"T-1|1|late_wager|None|3|None|player|None|None|{time}" for time in (1, 2)]
    assert names == [hashlib.sha256(each.encode()).hexdigest()[:16] for each in hashed]
