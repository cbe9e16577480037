"""465a.6: how long records, papers on vouchers and coupons are kept."""

from datetime import date

import pytest

from schemas.events import DocumentFiled
from schemas.law_text import chapter, status_of
from tests.builders.texts import text_of
from tests.law.coupon_programme import Happened, at, changed, found, judged, life, mailing, programme
from tests.law.procedure_table import ProcedureTable

EARLY = "coupon_destroyed_early"


def destroyed(day: str, *serials: str) -> list[Happened]:
    """Destroy coupons of the programme on a day; everything else is left out of the months between."""
    return [*programme()[:-1], at("destroyed", day, serials=list(serials))]


def early(events: list[Happened], **settings: list[str]) -> list[tuple[str, str, str | None]]:
    return [each for each in found(events, **settings) if each[0] == EARLY]


@pytest.mark.parametrize(("day", "too_early"), [("2014-04-01", True), ("2014-04-02", False)])
def test_465a_6_c_2(day: str, too_early: bool) -> None:  # noqa: FBT001  a row of the table
    # Redeemed on 2013-10-01, counted on the 2nd: six months from the count.
    wanted = [(EARLY, "465a.6(c)(2)", "1001")] if too_early else []
    assert early(destroyed(day, "1001")) == wanted
    assert found(changed(life(), "destroyed", at=f"{day}T16:00:00Z", serials=["1001"])) == wanted


@pytest.mark.parametrize(("day", "too_early"), [("2014-03-31", True), ("2014-04-01", False)])
@pytest.mark.parametrize("serial", ["1004", "1005"])
def test_465a_6_c_2_voided_and_unused(serial: str, day: str, too_early: bool) -> None:  # noqa: FBT001  a row of the table
    # 1004 was voided and 1005 returned on 2013-10-01.
    assert early(destroyed(day, serial)) == ([(EARLY, "465a.6(c)(2)", serial)] if too_early else [])


def test_465a_6_c_2_never_issued() -> None:
    # 1010 was in finance's store from its receipt on.
    assert early(destroyed("2014-03-31", "1010")) == [(EARLY, "465a.6(c)(2)", "1010")]
    assert early(destroyed("2014-04-01", "1010")) == []


def test_465a_6_c_2_from_when() -> None:
    # A house that reckons from the voiding or return alone takes a redeemed one from the play.
    events = destroyed("2014-04-01", "1001")
    assert early(events, kept_from=["voiding", "return"]) == []


def test_465a_6_c_2_mailed() -> None:
    events = [*mailing()[:-1], at("destroyed", "2014-04-01", serial="M-7")]
    assert early(events) == [(EARLY, "465a.6(c)(2)", "M-7")]
    assert early([*mailing()[:-1], at("destroyed", "2014-04-02", serial="M-7")]) == []


def test_465a_6_c_2_one_finding_for_all_of_a_day() -> None:
    (finding,) = [
        each for each in judged(destroyed("2014-01-01", "1001", "1002")).findings if each.check == EARLY
    ]
    assert (finding.serial, finding.day) == ("1001-1002", date(2014, 1, 1))
    assert "2014-04-02" in text_of(finding.message)


def test_465a_6_text() -> None:
    months = chapter("465a").numbers_on(date(2013, 2, 9))["coupons_kept_months"]
    assert (months.value, months.cite) == (6, "465a.6(c)(2)")
    assert status_of("465a.6(c)(2)", date(2013, 10, 1)) == "proposed"


RECORD = "record_destroyed_early"


def filed(document: str, number: str, dated: date, day: date) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return what is found where the register says on a day that a record of another was destroyed."""
    table = ProcedureTable("681a", day=day)
    table.say("register", DocumentFiled, document=document, number=number, dated=dated)
    return table.open().load().round().close().raised(RECORD)


@pytest.mark.parametrize(
    ("dated", "day", "too_early"),
    [
        (date(2016, 3, 20), date(2021, 3, 19), True),
        (date(2016, 3, 20), date(2021, 3, 20), False),
        (date(2016, 2, 29), date(2021, 2, 28), True),
        (date(2016, 2, 29), date(2021, 3, 1), False),
    ],
)
def test_465a_6_c(dated: date, day: date, too_early: bool) -> None:  # noqa: FBT001  a row of the table
    wanted = [(RECORD, "mismatch", ("465a.6(c)",))] if too_early else []
    assert filed("record_destroyed", "R-7", dated, day) == wanted


@pytest.mark.parametrize(("day", "too_early"), [(date(2019, 4, 30), True), (date(2019, 5, 1), False)])
def test_465a_6_c_1(day: date, too_early: bool) -> None:  # noqa: FBT001  a row of the table
    # The text says "should": it is left open whether they must be kept.
    wanted = [(RECORD, "undetermined", ("465a.6(c)(1)",))] if too_early else []
    assert filed("voucher_report_destroyed", "V-7", date(2017, 5, 1), day) == wanted


def test_465a_6() -> None:
    test_465a_6_c(date(2016, 3, 20), date(2021, 3, 19), too_early=True)
    test_465a_6_c_1(date(2019, 4, 30), too_early=True)
