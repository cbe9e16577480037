"""The coupons' accounts by gaming day: how many were issued, played, dropped, counted; what was found."""

from datetime import date
from typing import Final

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from projections.engine.conclusion import Line, Verdict
from projections.engine.facts import Fact
from projections.engine.findings import FindingBase
from projections.store.rows import lines_of
from projections.web.pages.table_day_view import found_of
from projections.web.records.store_queries import Placed, Reader, placed
from projections.web.records.viewer_scope import ViewerScope
from schemas.ledgers import Ledger

_LEDGER: Final[Ledger] = "coupons"
_DAYS: Final = 31  # gaming days that are shown

_ACCOUNTS: Final = """
    SELECT * FROM rounds
    WHERE run = (SELECT run FROM newest_run)
        AND table_id = $ledger AND account IS NOT NULL
        AND gaming_date > (SELECT max(gaming_date) FROM rounds) - $days::INTEGER
    QUALIFY revision = max(revision) OVER (PARTITION BY id)
    ORDER BY gaming_date DESC
"""


class CouponAccount(Struct, frozen=True):
    """The coupons' account of a gaming day, `account` by its name: its verdict, its lines, its findings.

    `placed` are the rounds with coupons that a finding names.
    """

    gaming_date: date
    account: str
    verdict: Verdict
    lines: list[Line]
    findings: list[FindingBase[Fact]]
    placed: list[Placed]

    @property
    def table(self) -> str:
        """Return where the account stands among the tables: its ledger."""
        return _LEDGER


def accounts_of(
    reader: NamedDependency[Reader],
    viewer_scope: NamedDependency[ViewerScope],
) -> list[CouponAccount]:
    """Return the accounts of the last gaming days, the newest first, patrons masked."""
    rows = [
        row
        for row in reader.ask(_ACCOUNTS, {"ledger": _LEDGER, "days": _DAYS})
        if not viewer_scope.hides(row["id"])
    ]
    if not rows:
        return []
    run = rows[0]["run"]
    found = found_of(reader, run, {row["id"]: row["revision"] for row in rows}, viewer_scope.hidden)
    serials = {row["id"]: {each.serial for each in found[row["id"]] if each.serial} for row in rows}
    lain = placed(reader, run, set[str]().union(*serials.values()), viewer_scope)
    accounts = (
        CouponAccount(
            row["gaming_date"],
            row["account"],
            row["verdict"],
            lines_of(row),
            found[row["id"]],
            [each for each in lain if each.coupon in serials[row["id"]]],
        )
        for row in rows
    )
    return [viewer_scope.masked(each, row["id"]) for each, row in zip(accounts, rows, strict=True)]


_GIVEN: Final = {"accounts": Provide(accounts_of, sync_to_thread=True)}


@get("/coupons", sync_to_thread=True, opt={"needs": "see"}, dependencies=_GIVEN)
def coupons_page(accounts: NamedDependency[list[CouponAccount]]) -> Template:
    """Show the coupons' accounts, day by day."""
    return Template("coupons.html", context={"accounts": accounts, "ledger": _LEDGER})


@get("/api/coupons", sync_to_thread=False, opt={"needs": "see"}, dependencies=_GIVEN)
def coupons(accounts: NamedDependency[list[CouponAccount]]) -> list[CouponAccount]:
    """Return the coupons' accounts of the last gaming days."""
    return accounts


COUPONS: Final[list[ControllerRouterHandler]] = [coupons_page, coupons]
