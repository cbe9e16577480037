"""A table's gaming day: its shoes and rounds in order, what was found of them, its inventory, its accounts.

The store has no count of the tray by round and no time of chips sold for cash: between two counts the line
of the inventory goes by settled wagers, vigorish, fills, credits and Counter Checks alone.
"""

from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Final

from msgspec import Struct

from projections.engine.accounts.account_context import cites_on
from projections.engine.accounts.account_lines import VIGORISH_OWED
from projections.engine.accounts.checks.inventory_slip import INVENTORY_SLIP_WRONG
from projections.engine.audit.account_conclusions import INVENTORY
from projections.engine.checks.data_missing import DATA_MISSING
from projections.engine.conclusion import Line, Verdict
from projections.engine.facts import Fact
from projections.engine.findings import FindingBase
from projections.store.rows import Row, finding_of, lines_of
from projections.web.auth.embargo import Hidden
from projections.web.auth.record_subjects import within
from projections.web.pages.day_gaps import MissingData, missing_data
from projections.web.pages.day_inventory import (
    Closing,
    InventoryStep,
    closing_of,
    inventory_steps,
    opener_of,
)
from projections.web.pages.day_shoes import RoundOfDay, ShoeOfDay, shoes_of
from projections.web.pages.gap_known_since import known_since
from projections.web.records.store_queries import Reader

NOTHING: Final = Hidden()
_ROWS: Final = """
    SELECT * FROM rounds WHERE run = $run AND gaming_date = $day AND table_id = $table
    QUALIFY revision = max(revision) OVER (PARTITION BY id)
    ORDER BY opened NULLS LAST, id
"""
_MONEY: Final = """
    SELECT id, revision, bool_and(paid_cents IS NOT NULL) AS settled,
        -sum(paid_cents + coalesce(later_cents, 0))::BIGINT AS won,
        sum(paid_vigorish_cents + coalesce(later_vigorish_cents, 0))::BIGINT AS vigorish
    FROM settlements WHERE run = $run AND id IN (SELECT unnest($ids)) AND seat > 0
    GROUP BY id, revision
"""
_FOUND: Final = """
    SELECT * FROM findings
    WHERE run = $run AND round_id IN (SELECT unnest($ids))
        AND (weight <> 'note' OR check_name = $noted) ORDER BY ordinal
"""


class AccountOfDay(Struct, frozen=True):
    """An account of the day, such as its inventory: its verdict, its lines, what was found of it."""

    account: str
    verdict: Verdict
    lines: list[Line]
    findings: list[FindingBase[Fact]]


class TableDay(Struct, frozen=True):
    """All that a run has of a table's gaming day, in order.

    `inventory` are the moments of the table inventory's account, `opener_cents` what that begins with, None
    where nobody knows or no account is kept, and `closing` how its last count comes; `missing` is what
    devices did not tell.
    """

    run: str
    table: str
    day: date
    chapter: str
    shoes: list[ShoeOfDay]
    accounts: list[AccountOfDay]
    opener_cents: int | None = None
    inventory: list[InventoryStep] = []
    closing: Closing | None = None
    missing: list[MissingData] = []

    @property
    def rounds(self) -> list[RoundOfDay]:
        """Its rounds, in order."""
        return [each for shoe in self.shoes for each in shoe.rounds]


def table_day(reader: Reader, run: str, table: str, day: date, hidden: Hidden = NOTHING) -> TableDay | None:
    """Read a table's gaming day as a run of the store has it, but what is withheld; None where nothing is."""
    rows = [
        row
        for row in reader.ask(_ROWS, {"run": run, "day": day, "table": table})
        if not hidden.hides(within(row["id"]))
    ]
    if not rows:
        return None
    latest = {row["id"]: row["revision"] for row in rows}
    money = reader.ask(_MONEY, {"run": run, "ids": list(latest)})
    won = {row["id"]: _won(row) for row in money if latest[row["id"]] == row["revision"]}
    noted = found_of(reader, run, latest, hidden, noted=DATA_MISSING.check)
    found = {about: [each for each in noted[about] if each.weight != "note"] for about in latest}
    of_shoes = {
        row["shoe"]: found[row["id"]] for row in rows if row["round"] is None and row["account"] is None
    }
    shoes = list(shoes_of([row for row in rows if row["round"] is not None], won, found, of_shoes))
    accounts = [
        AccountOfDay(row["account"], row["verdict"], lines_of(row), found[row["id"]])
        for row in rows
        if row["account"] is not None
    ]
    inventory = next((each for each in accounts if each.account == INVENTORY), None)
    known = known_since(reader, run, [row["id"] for row in rows if row["round"] is row["account"] is None])
    steps = _steps(inventory, shoes, day) if inventory is not None else []
    return TableDay(
        run=run,
        table=table,
        day=day,
        chapter=rows[0]["chapter"],
        shoes=shoes,
        accounts=accounts,
        opener_cents=opener_of(inventory.lines) if inventory is not None else None,
        inventory=steps,
        closing=closing_of(inventory.lines, steps, _marked(rows), partial(cites_on, day))
        if inventory is not None
        else None,
        missing=missing_data(shoes, noted, known),
    )


def _steps(inventory: AccountOfDay, shoes: list[ShoeOfDay], day: date) -> list[InventoryStep]:
    won = [(each.at, each.won_cents or 0) for shoe in shoes for each in shoe.rounds if each.at is not None]
    wrong = {str(each.serial) for each in inventory.findings if each.check == INVENTORY_SLIP_WRONG.check}
    return inventory_steps(inventory.lines, won, wrong, partial(cites_on, day))


def _marked(rows: list[Row]) -> int:
    """Add up what vigorish the shoes of a day left marked and not paid, cents."""
    shoes = (row for row in rows if row["round"] is None and row["account"] is None)
    return sum(line.cents or 0 for row in shoes for line in lines_of(row) if line.name == VIGORISH_OWED)


def found_of(
    reader: Reader, run: str, revisions: Mapping[str, int], hidden: Hidden, noted: str | None = None
) -> defaultdict[str, list[FindingBase[Fact]]]:
    """Read what was found in these revisions of rounds, shoes and accounts of a run, but what is withheld.

    Of the notes those of the check `noted` alone.
    """
    found: defaultdict[str, list[FindingBase[Fact]]] = defaultdict(list)
    for row in reader.ask(_FOUND, {"run": run, "ids": list(revisions), "noted": noted}):
        if revisions[row["round_id"]] == row["revision"] and not hidden.hides([f"alert:{row['id']}"]):
            found[row["round_id"]].append(finding_of(row, FindingBase[Fact]))
    return found


def _won(row: Row) -> int | None:
    return row["won"] + row["vigorish"] if row["settled"] else None
