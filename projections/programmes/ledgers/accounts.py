"""From the inventory account of a table to its day as the ledgers need it."""

from collections.abc import Sequence
from typing import Final

from projections.engine.accounts.checks.inventory_slip import OPENING_COUNT_DIFFERS
from projections.engine.conclusion import Conclusion, Line
from projections.programmes.ledgers.tables import CARRIAGES, TableBox, TableDay

_LISTING: Final = "listing_"


def table_day(account: Conclusion, *, is_unreported: bool = False) -> TableDay:
    """Read a table's account; `is_unreported`: its terminal is known not to have told everything that day.

    The account does not say which boxes were taken off. All but the last were, as another took their place;
    the last was where the table was closed.
    """
    of: dict[str, list[Line]] = {}
    for line in account.lines:
        of.setdefault(line.name, []).append(line)
    listings = [line for line in account.lines if line.name.startswith(_LISTING)]
    closed = bool(listings) and listings[-1].name == f"{_LISTING}closing"
    boxes = _boxes(account.lines)
    for place, box in enumerate(boxes, 1):
        box.off = closed or place < len(boxes)
    dropped = {slip for box in boxes for slip in box.slips}
    for name, box in ((name, box) for box in boxes[-1:] for name in CARRIAGES):
        slips = (line.of for line in of.get(name, ()))
        box.owed |= {slip: name for slip in slips if slip is not None and slip not in dropped}
    return TableDay(
        account.table,
        opener=of["opener"][0].cents if "opener" in of else None,
        closer=next((line.cents for line in of.get("closer", ()) if line.of is not None), None),
        held=_sum(of, "expected") + _sum(of, "untyped"),
        fills=of.get("fill", []),
        credits=of.get("credit", []),
        listings=listings,
        boxes=boxes,
        differs=[each for each in account.findings if each.check == OPENING_COUNT_DIFFERS.check],
        is_doubtful=is_unreported or any(each.weight == "undetermined" for each in account.findings),
    )


def _sum(of: dict[str, list[Line]], name: str) -> int:
    return sum(line.cents or 0 for line in of.get(name, ()))


def _boxes(lines: Sequence[Line]) -> list[TableBox]:
    """Put the boxes together: what went into each comes behind it."""
    boxes: list[TableBox] = []
    for line in lines:
        if line.name == "box":
            boxes.append(TableBox(line.of, cash=line.cents or 0))
        elif line.of is None:
            continue
        elif line.name == "box_check":
            boxes[-1].checks[line.of] = line.cents or 0
        elif line.name == "box_coupon":
            boxes[-1].coupons.append((line.of, line.at))
        elif line.name == "box_slip":
            boxes[-1].slips.append(line.of)
    return boxes
