"""Was each drop box received, emptied, shown empty and counted by itself? 465a.25(a)(3)."""

from collections.abc import Iterator
from typing import Final

from projections.engine.findings import HOUSE_CONTROL, Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.count_room import Awaited, Handled
from projections.programmes.ledgers.day_context import DayCase
from schemas.ledgers import BoxCounted, BoxReceived

_NOT_KEYED: Final = "A step that was done and not keyed in."

NOT_COUNTED: Final = Duty(
    "box_not_counted",
    severity="money",
    asks="Was the box that was taken off its table counted?",
    false_positives="A box that was left on a closed table, or a count that was not keyed in.",
    cites=("465a.25(a)(3)(i)",),
    paper=None,
)
NOT_RECEIVED: Final = Duty(
    "box_not_received",
    severity="procedure",
    asks="Was the box that was counted entered as it came to the count room?",
    false_positives=_NOT_KEYED,
    cites=(HOUSE_CONTROL,),
    paper=None,
)
NOT_EMPTIED: Final = Duty(
    "box_not_emptied",
    severity="procedure",
    asks="Was the box emptied on the count table before it was counted?",
    false_positives=_NOT_KEYED,
    cites=("465a.25(a)(3)(i)",),
    paper=None,
)
NOT_SHOWN: Final = Duty(
    "box_not_shown_empty",
    severity="procedure",
    asks="Was the emptied box shown to be empty?",
    false_positives=_NOT_KEYED,
    cites=("465a.25(a)(3)(ii)",),
    paper=None,
)
COUNTED_TWICE: Final = Duty(
    "box_counted_twice",
    severity="money",
    asks="Was the box counted once?",
    false_positives="A recount that was entered as a count.",
    cites=("465a.25(a)(3)(i)",),
    paper=None,
)
UNKNOWN: Final = Duty(
    "box_unknown",
    severity="money",
    asks="Is the box in the count room one that came off a table?",
    false_positives="A box whose change the terminal was not told of.",
    cites=("465a.25(a)(3)(i)",),
    paper=None,
)
TABLE: Final = Duty(
    "box_table_wrong",
    severity="money",
    asks="Was the box received and counted as that of the table from which it came?",
    false_positives="A table that goes by two names.",
    cites=("465a.25(a)(3)(i)",),
    paper=None,
)
KINDS: Final = (NOT_COUNTED, NOT_RECEIVED, NOT_EMPTIED, NOT_SHOWN, COUNTED_TWICE, UNKNOWN, TABLE)


def check(case: DayCase) -> Iterator[Raised]:
    """Raise what was not done with the boxes that are awaited, and boxes that are not."""
    known: set[str] = set()
    for awaited in case.room.awaited:
        counts = case.room.counts(awaited)
        known |= {each.box for each in counts} | {awaited.content.name or ""}
        if counts:
            yield from _counted(case, awaited, counts)
        elif awaited.content.off and not awaited.told and awaited.content.name is not None:
            yield _not_counted(case, awaited, case.room.done(awaited))
    for box, handled in case.room.handled.items():
        if box not in known and box not in case.early_boxes:
            yield _unknown(case, box, handled)


def _not_counted(case: DayCase, awaited: Awaited, handled: Handled) -> Raised:
    box = awaited.content.name
    steps = [
        "received" if handled.received else "not received",
        "emptied" if handled.emptied else "not emptied",
    ]
    return case.raised(
        NOT_COUNTED,
        f"drop box {box} came off table {awaited.table} and was not counted; {', '.join(steps)}",
        who=box,
        table=awaited.table,
        hangs_on=["count_room", awaited.table],
    )


def _counted(case: DayCase, awaited: Awaited, counts: list[BoxCounted]) -> Iterator[Raised]:
    box = counts[0].box
    handled = case.room.done(awaited) if awaited.content.name is not None else case.room.of(box)
    lacking = []
    if not handled.received:
        lacking.append((NOT_RECEIVED, "was not entered as it came"))
    if not handled.emptied:
        lacking.append((NOT_EMPTIED, "was not emptied on the count table before"))
    elif not handled.shown:
        lacking.append((NOT_SHOWN, "was emptied and not shown to be empty"))
    for duty, fault in lacking:
        yield case.raised(
            duty,
            f"drop box {box} was counted and {fault}",
            who=box,
            table=awaited.table,
            hangs_on=["count_room"],
        )
    if len(counts) > 1:
        message = f"drop box {box} was counted {len(counts)} times"
        yield case.raised(COUNTED_TWICE, message, who=box, table=awaited.table)
    entries: list[BoxReceived | BoxCounted] = [*handled.received, *counts]
    others = sorted({each.table for each in entries} - {awaited.table})
    if others:
        message = f"drop box {box} of table {awaited.table} was entered as that of table {', '.join(others)}"
        yield case.raised(TABLE, message, who=box, table=awaited.table, hangs_on=[awaited.table, *others])


def _unknown(case: DayCase, box: str, handled: Handled) -> Raised:
    entries: list[BoxReceived | BoxCounted] = [*handled.received, *handled.counts]
    table = entries[0].table if entries else None
    said = f"as that of table {table}" if table is not None else "by its emptying alone"
    return case.raised(
        UNKNOWN,
        f"drop box {box} was entered {said}, and no table gave it up",
        who=box,
        table=table,
        hangs_on=[table] if table is not None else [],
    )
