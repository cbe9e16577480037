"""465a.38: how a fill is asked for and brought. A day with all of it, and one thing wrong in it."""

from collections.abc import Callable
from datetime import date

import pytest

from projections.engine.conclusion import Line
from schemas import ledgers as l
from schemas.events import ItemMoved
from schemas.values import Denominations, Person, Role, total
from tests.builders.ledger_day import BANK, CLERK, DEALER, FILL, SECURITY, LedgerDay, at, only
from tests.builders.texts import text_of
from tests.law.procedure_table import ProcedureTable

Change = Callable[[LedgerDay], None]


def test_a_day_on_which_all_is_done_is_clean() -> None:
    assert LedgerDay().raised() == []


def no_request(day: LedgerDay) -> None:
    day.drop("request")
    day.change("fill", request="FR-009")


def request_after_the_fill(day: LedgerDay) -> None:
    day.change("request", when=at(10, 30))


@pytest.mark.parametrize(
    ("change", "serial", "message"),
    [
        (
            no_request,
            "FS-001",
            "Fill Slip FS-001 was issued on request FR-009, and no such request was waiting",
        ),
        (
            request_after_the_fill,
            "FS-001",
            "Fill Slip FS-001 was issued before its request FR-001 was made out",
        ),
    ],
)
def test_465a_38_a(change: Change, serial: str, message: str) -> None:
    found = only(change)
    assert (found.check, found.serial, found.weight) == ("fill_without_request", serial, "mismatch")
    assert (found.citations, found.status, text_of(found.message)) == (("465a.38(a)",), "adopted", message)


def another_fill(day: LedgerDay, slip: str, table: str, chips: Denominations) -> None:
    """Issue another fill on request FR-001, with everything that belongs to it."""
    fill = {"slip": slip, "request": "FR-001", "table": table, "denominations": chips}
    day.add(slip, "cage", at(16), l.FillIssued, **fill, signatures=(BANK,))
    day.add(f"escort {slip}", "cage", at(16, 5), l.FillEscorted, slip=slip, by=SECURITY)
    day.lines[table].append(Line(name="fill", of=slip, cents=total(chips), denominations=chips))
    day.deposit(table, "B-12" if table == "BAC-1" else "B-2", slip, total(chips))


def whole_twice(day: LedgerDay) -> None:
    another_fill(day, "FS-003", "BAC-1", FILL)


def in_two_parts(day: LedgerDay) -> None:
    day.change("fill", denominations={2500: 100})
    day.change_line("BAC-1", "fill", "FS-001", cents=250_000, denominations={2500: 100})
    day.change("count B-11", slips=day.made["count B-11"][3]["slips"] | {"FS-001": 250_000})
    another_fill(day, "FS-003", "BAC-1", {500: 200})


def thrice_and_elsewhere(day: LedgerDay) -> None:
    another_fill(day, "FS-003", "BAC-2", {500: 200})
    another_fill(day, "FS-004", "BAC-1", {2500: 2})


def twice_before(day: LedgerDay) -> None:
    whole_twice(day)
    day.change("request", when=at(10, 30))


OF_ALL = ("465a.38(b)(2)", "465a.38(b)(3)")


@pytest.mark.parametrize(
    ("change", "slips", "cents", "cites", "more"),
    [
        (whole_twice, ["FS-003"], 700_000, OF_ALL, ""),
        (in_two_parts, ["FS-003"], 350_000, (), ""),
        (
            thrice_and_elsewhere,
            ["FS-003", "FS-004"],
            455_000,
            (*OF_ALL, "465a.38(b)(4)"),
            "; the request is for table BAC-1, FS-003 for table BAC-2",
        ),
        (twice_before, ["FS-003"], 700_000, OF_ALL, "; it was made out only after FS-001"),
    ],
)
def test_465a_38_a_several_fills_on_one_request_are_one_finding(
    change: Change, slips: list[str], cents: int, cites: tuple[str, ...], more: str
) -> None:
    found = only(change)
    assert (found.check, found.serial) == ("fill_without_request", "-".join(slips))
    assert text_of(found.message) == (
        f"Fill Slips {', '.join(['FS-001', *slips])} were issued on one request FR-001: "
        f"${cents // 100:,}.00 where $3,500.00 was asked for{more}"
    )
    assert (found.expected_cents, found.observed_cents) == (350_000, cents)
    assert found.delta_cents == cents - 350_000
    assert found.citations == ("465a.38(a)", *cites)


def test_465a_38_a_a_voided_fill_does_not_answer_its_request() -> None:
    day = LedgerDay()
    another_fill(day, "FS-003", "BAC-1", FILL)
    day.add("void 2", "cage", at(16, 30), l.SlipVoided, slip="FS-003", signatures=(BANK, SECURITY))
    day.drop_line("BAC-1", "fill", "FS-003")  # its slip is in the box, voided
    assert day.raised() == []


def test_465a_38_a_the_request_is_made_out_by_a_pit_clerk_a_floorperson_or_someone_above() -> None:
    found = only(lambda day: day.change("request", by=DEALER))
    assert (found.check, found.serial, found.citations) == ("fill_request_role", "FR-001", ("465a.38(a)",))
    assert text_of(found.message) == "Fill Request Slip FR-001 was made out by dealer Dora"


@pytest.mark.parametrize("role", ["floorperson", "pit_manager", "shift_manager"])
def test_465a_38_b_5_a_floorperson_or_someone_above_signs(role: str) -> None:
    day = LedgerDay()
    day.change("request", by=Person("Ann", role))  # type: ignore[arg-type]  # roles that there are
    assert day.raised() == []


def test_465a_38_b_5() -> None:
    found = only(lambda day: day.change("request", by=CLERK))
    assert (found.check, found.citations) == ("fill_request_unsigned", ("465a.38(b)(5)",))
    assert text_of(found.message) == "Fill Request Slip FR-001 bears the signature of pit clerk Paul alone"


def test_465a_38_b_2() -> None:
    day = LedgerDay()
    day.change("request", denominations={2500: 0})
    (incomplete, differs) = day.concluded()["slips"].findings
    assert (incomplete.check, incomplete.serial) == ("fill_request_incomplete", "FR-001")
    assert incomplete.citations == ("465a.38(b)(2)", "465a.38(b)(3)")
    assert differs.check == "fill_differs_from_request"  # nothing was asked for and something issued


def test_465a_38_b_3() -> None:
    test_465a_38_b_2()
    found = only(lambda day: day.change("request", denominations={2500: 120, 500: 100}))  # $3,500 too
    assert (found.check, found.serial) == ("fill_differs_from_request", "FS-001")
    assert found.citations == ("465a.38(b)(2)", "465a.38(b)(3)")
    assert (found.expected_cents, found.observed_cents, found.delta_cents) == (350_000, 350_000, 0)
    assert text_of(found.message) == (
        "Fill Slip FS-001 is not what request FR-001 asks for: "
        "$5.00 200 instead of 100, $25.00 100 instead of 120"
    )


def test_465a_38_b_4_the_request_names_a_table_that_there_is() -> None:
    day = LedgerDay()
    day.change("request", table="BAC-9")
    assert [(check, serial) for check, _, serial in day.raised()] == [
        ("fill_request_table", "FR-001"),
        ("fill_request_table", "FS-001"),
    ]


def test_465a_38_b_4() -> None:
    found = only(lambda day: day.change("request", table="BAC-2"))
    assert (found.check, found.serial, found.citations) == (
        "fill_request_table",
        "FS-001",
        ("465a.38(b)(4)",),
    )
    assert text_of(found.message) == "Fill Slip FS-001 is for table BAC-1, its request FR-001 for table BAC-2"


def test_465a_38_e_an_electronic_request_needs_no_paper() -> None:
    day = LedgerDay()
    day.change("request", electronic=True, by=DEALER)
    assert day.raised() == []


def test_a_fill_is_carried_by_someone() -> None:
    found = only(lambda day: day.drop("escort"))
    assert (found.check, found.serial, found.table) == ("fill_not_escorted", "FS-001", "BAC-1")
    assert (found.citations, found.status) == (("house control",), "house control")


def test_a_fill_is_carried_by_security() -> None:
    found = only(lambda day: day.change("escort", by=DEALER))
    assert (found.check, found.serial, found.citations) == ("fill_carrier_role", "FS-001", ("house control",))
    assert text_of(found.message) == "the chips of Fill Slip FS-001 were carried by dealer Dora"


def test_before_the_section_was_adopted_the_house_s_own_control_stands() -> None:
    day = LedgerDay()
    shift = at(0, day=date(2012, 5, 1)) - at(0)
    early = {name: (of, when + shift, kind, fields) for name, (of, when, kind, fields) in day.made.items()}
    day.made = early
    for name in ("cage closed", "count room closed", "checks closed"):
        day.change(name, date=date(2012, 5, 1))
    day.change("request", by=CLERK)
    found = [each for one in day.concluded(day=date(2012, 5, 1)).values() for each in one.findings]
    assert [(each.check, each.citations) for each in found] == [("fill_request_unsigned", ("house control",))]


@pytest.mark.parametrize(
    ("place", "role", "cite"),
    [
        ("chip_bank", "security", None),
        ("chip_bank", "floorperson", "465a.38(c)"),
        ("table", "dealer", None),
        ("table", "boxperson", None),
        ("table", "security", "465a.38(d)"),
    ],
)
def test_465a_38_copies(place: str, role: Role, cite: str | None) -> None:
    wanted = [] if cite is None else [("carried_by_other", "mismatch", (cite,))]
    assert copy_carried(place, Person("pia", role)) == wanted


def copy_carried(place: str, *persons: Person) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return what is found where these people brought a copy of a Fill Request Slip to a place."""
    table = ProcedureTable("681a").open()
    table.say("pit", ItemMoved, kind="fill_request", item="FR-1", place=place, persons=persons)
    return table.load().round().close().raised("carried_by_other")


def test_465a_38_c() -> None:
    assert copy_carried("chip_bank") == [("carried_by_other", "undetermined", ("465a.38(c)",))]


def test_465a_38_d() -> None:
    assert copy_carried("table") == [("carried_by_other", "undetermined", ("465a.38(d)",))]


def test_465a_38() -> None:
    found = only(request_after_the_fill)
    assert (found.check, found.citations) == ("fill_without_request", ("465a.38(a)",))
    test_465a_38_b()
    test_465a_38_c()
    test_465a_38_d()


def test_465a_38_b() -> None:
    test_465a_38_b_3()
    test_465a_38_b_4()
    test_465a_38_b_5()
