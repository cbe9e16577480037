"""465a.3: what is written stays, and serial numbers run on; and the slips of 465a.37(e) and 465a.41(d)."""

from collections.abc import Callable
from datetime import date, timedelta

import pytest

from projections.engine.conclusion import Line
from projections.programmes.ledgers.reconciliation import Carried
from schemas import ledgers as l
from tests.builders.ledger_day import (
    BANK,
    DAY,
    DEALER,
    FILL,
    FLOORPERSON,
    SECURITY,
    LedgerDay,
    Raised,
    at,
    only,
    opening_differs,
)
from tests.builders.texts import text_of

Change = Callable[[LedgerDay], None]


# ── (a): the slip in the box is the slip that was made out ───────────────────────────────────────────


@pytest.mark.parametrize(
    ("box", "slip", "sum_", "made"),
    [
        ("B-12", "TI-003", 1_297_500, 1_300_000),  # a Table Inventory Slip at the closing
        ("B-11", "TI-005", 1_322_500, 1_320_000),  # one at a drop
        ("B-2", "TI-002", 500_000, 502_500),  # the duplicate at an opening whose count differed
        ("B-11", "FS-001", 340_000, 350_000),
        ("B-2", "CS-001", 110_000, 100_000),
        ("B-2", "EN-001", 5_000, -2_500),
    ],
)
def test_465a_3_a(box: str, slip: str, sum_: int, made: int) -> None:
    def altered(day: LedgerDay) -> None:
        slips = day.made[f"count {box}"][3]["slips"]
        day.change(f"count {box}", slips=slips | {slip: sum_})

    found = only(altered)
    assert (found.check, found.serial, found.who) == ("slip_altered", slip, box)
    assert (found.expected_cents, found.observed_cents, found.delta_cents) == (made, sum_, sum_ - made)
    assert (found.citations, found.severity) == (("465a.3(a)",), "critical")


def test_465a_3_a_a_duplicate_bears_last_night_s_sum_whatever_is_counted_now() -> None:
    day, carried = LedgerDay(), Carried(slips={"BAC-1": ("TI-001", 1_002_500)})
    (found,) = [each for one in day.concluded(carried).values() for each in one.findings]
    assert (found.check, found.serial) == ("slip_altered", "TI-001")
    assert (found.expected_cents, found.observed_cents) == (1_002_500, 1_000_000)


@pytest.mark.parametrize(
    ("box", "slip", "cite"),
    [
        ("B-11", "TI-001", "465a.37(e)"),
        ("B-12", "TI-005", "465a.41(d)"),
        ("B-12", "TI-003", "house control"),  # 465a.42 was not seen
        ("B-11", "FS-001", "house control"),
    ],
)
def test_a_slip_that_was_dropped_is_found_in_its_box(box: str, slip: str, cite: str) -> None:
    def lost(day: LedgerDay) -> None:
        slips = day.made[f"count {box}"][3]["slips"]
        day.change(f"count {box}", slips={each: cents for each, cents in slips.items() if each != slip})

    found = only(lost)
    assert (found.check, found.serial, found.who, found.citations) == ("slip_not_in_box", slip, box, (cite,))


def test_a_slip_in_the_box_is_one_that_was_made_out() -> None:
    def strange(day: LedgerDay) -> None:
        slips = day.made["count B-2"][3]["slips"]
        day.change("count B-2", slips=slips | {"CS-002": 7_500})

    found = only(strange)
    assert (found.check, found.serial, found.citations) == ("slip_unknown", "CS-002", ("house control",))


# ── (c): serial numbers ──────────────────────────────────────────────────────────────────────────────


def another_fill(day: LedgerDay, slip: str = "FS-004", request: str = "FR-002") -> None:
    """Make a second fill, of $3,500 to BAC-2, with everything that belongs to it."""
    of, fill = "cage", {"table": "BAC-2", "denominations": FILL}
    day.add("request 2", of, at(16), l.FillRequested, request=request, by=FLOORPERSON, **fill)
    day.add("fill 2", of, at(16, 5), l.FillIssued, slip=slip, request=request, signatures=(BANK,), **fill)
    day.add("escort 2", of, at(16, 6), l.FillEscorted, slip=slip, by=SECURITY)
    day.lines["BAC-2"].append(Line(name="fill", of=slip, cents=350_000, denominations=FILL))
    day.deposit("BAC-2", "B-2", slip, 350_000)


def test_465a_3_c() -> None:
    day = LedgerDay()
    another_fill(day)
    slips = day.concluded()["slips"]
    (found,) = slips.findings
    assert (found.check, found.serial, found.citations) == ("slip_number_missing", "FS-003", ("465a.3(c)",))
    assert text_of(found.message) == "no slip FS-003 was seen, and later numbers were"
    assert [each.of for each in slips.lines if each.name == "slip_missing"] == ["FS-003"]


def test_465a_3_c_a_voided_number_was_seen() -> None:
    day = LedgerDay()
    another_fill(day)
    day.add("void 2", "cage", at(15), l.SlipVoided, slip="FS-003", signatures=(BANK, SECURITY))
    assert day.raised() == []


def test_465a_3_c_several_numbers_are_one_gap() -> None:
    day = LedgerDay()
    another_fill(day, slip="FS-010")
    assert day.raised() == [("slip_number_missing", "mismatch", "FS-003 to FS-009")]


def test_465a_3_c_requests_have_their_series_too() -> None:
    day = LedgerDay()
    another_fill(day, slip="FS-003", request="FR-004")
    assert day.raised() == [("slip_number_missing", "mismatch", "FR-002 to FR-003")]


def test_465a_3_c_a_table_inventory_slip_that_is_missing_is_a_gap() -> None:
    day = LedgerDay()
    shift = Line(name="listing_shift", of="TI-007", cents=450_000, denominations={10_000: 45})
    day.lines["BAC-2"].insert(8, shift)  # before the opening's
    assert day.raised() == [("slip_number_missing", "mismatch", "TI-006")]


def test_465a_3_c_a_number_that_was_made_out_twice_is_repeated() -> None:
    day = LedgerDay()
    another_fill(day, slip="FS-003", request="FR-002")
    day.add(
        "notice 2", "cage", at(17), l.ErrorNotified, slip="FR-002", table="BAC-1", inventory_slip="TI-001",
        cents=-500, signatures=(DEALER, FLOORPERSON),
    )  # fmt: skip
    day.found["BAC-1"] = [opening_differs("BAC-1", "TI-001", 1_000_500, 1_000_000)]
    slips = day.made["count B-11"][3]["slips"]
    day.change("count B-11", slips=slips | {"TI-001": 1_000_500})
    assert day.raised() == [("slip_number_repeated", "mismatch", "FR-002")]


def of_day(number: int) -> date:
    return DAY + timedelta(days=number)


def quiet(number: int, *reports: tuple[str, ...]) -> LedgerDay:
    """Return a later day on which nothing happened but reports to internal audit."""
    day = LedgerDay()
    day.made = {}
    day.lines = {}
    for n, serials in enumerate(reports):
        when = at(24 * number + 12)
        day.add(f"report {n}", "cage", when, l.SerialExceptionReported, serials=serials, found=DAY)
    for ledger in day.house.ledgers:
        day.add(ledger, ledger, at(24 * number + 29), l.LedgerClosed, date=of_day(number))
    return day


def days(*reported_on: int, serials: tuple[str, ...] = ("FS-003", "FS-009")) -> list[list[Raised]]:
    """Find FS-003 to FS-009 missing on the first of five days; give what is raised on each."""
    first, carried = LedgerDay(), Carried()
    another_fill(first, slip="FS-010")
    found = [first.raised(carried)]
    for number in range(1, 5):
        later = quiet(number, *([serials] if number in reported_on else []))
        found.append(later.raised(carried, of_day(number)))
    return found


MISSING = ("slip_number_missing", "mismatch", "FS-003 to FS-009")
UNREPORTED = ("serial_exception_unreported", "mismatch", "FS-003 to FS-009")


def test_465a_3_c_an_exception_that_no_one_reports_is_raised_once_when_the_two_days_are_over() -> None:
    assert days() == [[MISSING], [], [UNREPORTED], [], []]


@pytest.mark.parametrize("day", [1, 2])
def test_465a_3_c_an_exception_that_is_reported_within_two_days_is_done_with(day: int) -> None:
    assert days(day) == [[MISSING], [], [], [], []]


def test_465a_3_c_a_report_that_comes_later_is_too_late() -> None:
    assert days(3) == [[MISSING], [], [UNREPORTED], [], []]


def test_465a_3_c_a_report_that_names_part_of_the_gap_is_none() -> None:
    assert days(1, serials=("FS-003",)) == [[MISSING], [], [UNREPORTED], [], []]


def test_465a_3_c_the_unreported_exception_names_its_days_and_section() -> None:
    first, carried = LedgerDay(), Carried()
    another_fill(first)
    first.concluded(carried)
    quiet(1).concluded(carried, of_day(1))
    (found,) = quiet(2).concluded(carried, of_day(2))["slips"].findings
    assert found.citations == ("465a.3(c)",)
    assert text_of(found.message) == (
        "FS-003, found on 03/03/2025, was not reported to internal audit within two days"
    )


# ── what of slips was not seen is the house's own control ────────────────────────────────────────────


@pytest.mark.parametrize(("signers", "count"), [((), 0), ((BANK,), 1), ((BANK, BANK), 1)])
def test_a_voided_slip_bears_two_persons_signatures(signers: tuple[object, ...], count: int) -> None:
    found = only(lambda day: day.change("void", signatures=signers))
    assert (found.check, found.serial) == ("slip_voided_unsigned", "FS-002")
    assert found.citations == ("house control",)
    assert text_of(found.message) == f"slip FS-002 was voided with {count} of 2 signatures"


def test_an_opening_count_that_differs_has_its_notice() -> None:
    def no_notice(day: LedgerDay) -> None:
        day.drop("notice")
        slips = day.made["count B-2"][3]["slips"]
        day.change("count B-2", slips={each: sum_ for each, sum_ in slips.items() if each != "EN-001"})

    found = only(no_notice)
    assert (found.check, found.serial, found.table) == ("error_notification_missing", "TI-002", "BAC-2")
    assert found.citations == ("house control",)
    assert text_of(found.message) == "no notice was made out of the opening count, $25.00 below slip TI-002"


def test_a_notice_says_by_how_much_the_count_differs() -> None:
    def wrong(day: LedgerDay) -> None:
        day.change("notice", cents=-5_000)
        slips = day.made["count B-2"][3]["slips"]
        day.change("count B-2", slips=slips | {"EN-001": 5_000})

    found = only(wrong)
    assert (found.check, found.serial, found.table) == ("error_notification_wrong", "EN-001", "BAC-2")
    assert (found.expected_cents, found.observed_cents) == (-2_500, -5_000)


def test_a_notice_of_a_count_that_agreed_is_wrong() -> None:
    found = only(lambda day: day.found["BAC-2"].clear() or day.change_line(
        "BAC-2", "listing_opening", "TI-002", cents=502_500
    ))  # fmt: skip
    assert (found.check, found.expected_cents, found.observed_cents) == (
        "error_notification_wrong",
        0,
        -2_500,
    )
    assert text_of(found.message) == (
        "Error Notification Slip EN-001 says that the count was $25.00 below slip TI-002; "
        "it was the same in sum as it"
    )


def test_465a_3() -> None:
    test_465a_3_a("B-2", "EN-001", 5_000, -2_500)
    test_465a_3_c()
