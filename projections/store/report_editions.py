"""A day's reports in the store: each edition stays, the newest is the one that holds (`reports_now`)."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Final

import duckdb
from msgspec import Struct

_INSERT: Final = """
    INSERT INTO reports BY NAME
    SELECT
        $gaming_day::DATE AS gaming_day,
        $report AS report,
        coalesce(max(edition), 0) + 1 AS edition,
        $digest AS digest,
        $made_by AS made_by,
        $restricted AS restricted,
        $noted::TIMESTAMP AS noted,
        $body AS body
    FROM reports WHERE gaming_day = $gaming_day AND report = $report
    HAVING arg_max(digest, edition) IS DISTINCT FROM $digest
    RETURNING edition
"""


class DayReport(Struct, frozen=True, kw_only=True):
    """One report of a gaming day: its name, its JSON with the hash of that, and the software that made it.

    `restricted` is the role that alone may read it.
    """

    gaming_day: date
    report: str
    digest: str
    made_by: str
    body: str
    restricted: str | None = None


def take_reports(
    transaction: duckdb.DuckDBPyConnection, reports: Iterable[DayReport], noted: datetime
) -> int:
    """Add reports, but those whose newest edition is the same; give how many were new.

    `noted` is when they came, UTC and naive as the store has it.
    """
    new = 0
    for each in reports:
        row = {
            "gaming_day": each.gaming_day,
            "report": each.report,
            "digest": each.digest,
            "made_by": each.made_by,
            "restricted": each.restricted,
            "noted": noted,
            "body": each.body,
        }
        new += len(transaction.execute(_INSERT, row).fetchall())
    return new
