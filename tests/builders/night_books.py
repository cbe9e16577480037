"""A night's books and findings, as reports are made of them."""

from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from projections.engine.findings import HOUSE_CONTROL, Finding
from replay.exports.report import Report
from replay.nightly.day_book import Book
from replay.nightly.earlier_reports import Earlier, Money
from replay.nightly.gaming_days import day_of
from replay.nightly.table_day import TableDay
from schemas.house import House
from schemas.values import microseconds
from tests.builders.texts import verbatim_fact

DAY: Final = date(2025, 4, 2)


HOUSE: Final = House(house="worked", gaming_day_starts="05:00", shifts=["05:00", "13:00", "21:00"])


def moment(hour: int) -> int:
    return microseconds(datetime(2025, 4, 2, hour, tzinfo=ZoneInfo("America/New_York")))


def build_money_finding(check: str, message: str, **fields: Any) -> Finding:
    return Finding(
        **{
            "id": message,
            "check": check,
            "weight": "mismatch",
            "severity": "high",
            "message": verbatim_fact(message),
            "citations": (HOUSE_CONTROL,),
            "status": HOUSE_CONTROL,
        }
        | fields
    )


def build_books(*tables: TableDay, earlier: dict[date, list[Money]] | None = None, **fields: Any) -> Book:
    return Book(
        house=HOUSE,
        day=day_of(HOUSE, DAY),
        software="discardrack",
        archive="worked",
        received=None,
        tables=tables,
        earlier=Earlier(earlier or {}, DAY),
        **fields,
    )


def report_rows(report: Report) -> list[dict[str, Any]]:
    names = [column.name for column in report.columns]
    return [dict(zip(names, row, strict=True)) for row in report.rows]
