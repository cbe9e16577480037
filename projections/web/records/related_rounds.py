"""Rounds that something else is told with: those of a sum's steps, those in which a coupon lay."""

from collections.abc import Collection
from datetime import date, datetime
from typing import Final

from msgspec import Struct

from projections.engine.accounts.checks.shoe import round_of
from projections.engine.conclusion import Verdict
from projections.engine.facts import Fact
from projections.engine.findings import FindingBase
from projections.store.rows import Row, grouped, utc
from projections.web.records.record_views import RecordView
from projections.web.records.store_queries import Reader
from projections.web.records.viewer_scope import Sight

# A shoe may be in play as the gaming day changes: its rounds after that are of the next day.
_OF_SHOE: Final = """
    SELECT id, gaming_date, table_id, round, opened, verdict FROM rounds
    WHERE run = $run AND table_id = $table AND gaming_date BETWEEN $day AND $day::DATE + 1 AND shoe = $shoe
        AND round IN (SELECT unnest($rounds)) AND opened IS NOT NULL
    QUALIFY revision = max(revision) OVER (PARTITION BY id)
    ORDER BY opened
"""
_LAY: Final = """
    SELECT DISTINCT id, revision, coupon FROM wagers
    WHERE run = $run AND coupon IN (SELECT unnest($coupons))
"""
# Beside the ids stand the first and the last of them: by these what is stored apart from them is passed over.
_ROUNDS: Final = """
    SELECT * FROM rounds
    WHERE run = $run AND id BETWEEN $first AND $last AND id IN (SELECT unnest($ids))
    QUALIFY revision = max(revision) OVER (PARTITION BY id)
    ORDER BY gaming_date, opened, table_id
"""


class RelatedRound(Struct, frozen=True):
    """A round that something else is told with, and when it was opened."""

    gaming_date: date
    table: str
    round: str
    at: datetime
    verdict: Verdict


class Placed(RelatedRound, frozen=True):
    """A round in which a coupon lay."""

    coupon: str


def in_steps(
    reader: Reader, record: RecordView, finding: FindingBase[Fact], sight: Sight
) -> list[RelatedRound]:
    """Return the rounds of a shoe that the steps of a sum name, in their order, as a person may see them."""
    rounds = [number for step in finding.steps or () if (number := round_of(step)) is not None]
    if record.shoe is None or not rounds:
        return []
    within = {"run": record.run, "table": record.table, "day": record.gaming_date, "shoe": record.shoe}
    return [
        RelatedRound(*_round(row))
        for row in reader.ask(_OF_SHOE, within | {"rounds": rounds})
        if not sight.hides(row["id"])
    ]


def placed(reader: Reader, run: str, coupons: Collection[str], sight: Sight) -> list[Placed]:
    """Return the rounds in which coupons lay under a wager, in their order, as a person may see them."""
    return [
        Placed(*_round(row), coupon)
        for coupon, row in where_lain(reader, run, coupons)
        if row["opened"] is not None and not sight.hides(row["id"])
    ]


def where_lain(reader: Reader, run: str, coupons: Collection[str]) -> list[tuple[str, Row]]:
    """Return each of these coupons that lay under a wager with the row of the round, in the rounds' order."""
    lain = reader.ask(_LAY, {"run": run, "coupons": list(coupons)}) if coupons else []
    if not lain:
        return []
    lying = grouped(lain, "id")
    ids = sorted(lying)
    rows = reader.ask(_ROUNDS, {"run": run, "ids": ids, "first": ids[0], "last": ids[-1]})
    return [
        (each["coupon"], row)
        for row in rows
        for each in lying[row["id"]]
        if each["revision"] == row["revision"]
    ]


def _round(row: Row) -> tuple[date, str, str, datetime, Verdict]:
    return row["gaming_date"], row["table_id"], row["round"], utc(row["opened"]), row["verdict"]
