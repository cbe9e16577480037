"""Is each Table Inventory Slip what lay there, counted and signed by whom it must be, and in the box?"""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from projections.hand.facts import Fact, fact, listed, verbatim
from projections.hand.findings import HOUSE_CONTROL, Kind, Raised
from projections.tray.case import TrayCase
from projections.tray.records import Box, Listing
from projections.tray.tray import Tray
from schemas.events import Occasion
from schemas.values import Denominations, dollars, total

INVENTORY_SLIP_WRONG: Final = Kind(
    "inventory_slip_wrong",
    severity="money",
    asks="Is the sum of the Table Inventory Slip what tray reader and account both say?",
    false_positives="Chips that moved between the last reading of the tray and the count.",
)
OPENING_COUNT_DIFFERS: Final = Kind(
    "opening_count_differs",
    severity="money",
    asks="Is the count at the opening that of the slip with which the table was closed, chip by chip?",
    false_positives="A closing slip that was keyed in wrongly.",
)
SLIP_UNSIGNED: Final = Kind(
    "slip_unsigned",
    severity="procedure",
    asks="Did the dealer or boxperson count, the floorperson watch, and both sign?",
    false_positives="A signature on paper that was not keyed in.",
)
SLIP_NOT_DROPPED: Final = Kind(
    "slip_not_dropped",
    severity="procedure",
    asks="Did the Table Inventory Slip go into the drop box that it belongs in, and before play?",
    false_positives="A slip that the terminal was not told of, or only later.",
)
OPENING_NOT_COUNTED: Final = Kind(
    "opening_not_counted",
    severity="procedure",
    asks="Was the inventory counted onto a slip before the first round?",
    false_positives="A count that was not keyed in.",
)
CLOSING_NOT_COUNTED: Final = Kind(
    "closing_not_counted",
    severity="procedure",
    asks="Was the inventory counted onto a slip after the last round, before the table closed?",
    false_positives="A count that was not keyed in.",
)
UNOPENED_NOT_COUNTED: Final = Kind(
    "unopened_not_counted",
    severity="procedure",
    asks="Was the inventory of a table that did not open counted onto a slip once that gaming day?",
    false_positives="A count that was not keyed in, or a table that was out of service.",
)
NO_COUNT_AT_DROP: Final = Kind(
    "no_count_at_drop",
    severity="procedure",
    asks="Was the inventory counted when the drop box of an open table was changed?",
    false_positives="A count that was not keyed in.",
)
KINDS: Final = (
    INVENTORY_SLIP_WRONG,
    OPENING_COUNT_DIFFERS,
    SLIP_UNSIGNED,
    SLIP_NOT_DROPPED,
    OPENING_NOT_COUNTED,
    CLOSING_NOT_COUNTED,
    UNOPENED_NOT_COUNTED,
    NO_COUNT_AT_DROP,
)

_COUNTERS: Final = ("dealer", "boxperson")
_WATCHER: Final = "floorperson"
# Who counts and who watches, who signs, and where the slip goes; what was not seen of 465a.42 and .44 is the
# house's own control.
_COUNTED: Final[dict[Occasion, str]] = {"opening": "465a.37(c)", "drop": "465a.41(b)"}
_SIGNED: Final[dict[Occasion, str]] = {"opening": "465a.37(d)", "drop": "465a.41(c)"}
_DROPPED: Final[dict[Occasion, str]] = {"opening": "465a.37(e)", "drop": "465a.41(d)"}


def check(case: TrayCase) -> Iterator[Raised]:
    """Raise what is wrong with the day's counts and their slips."""
    yield from _missed(case)
    for listing in case.tray.listings:
        yield from _sums(case, listing)
        yield from _people(case, listing)
        yield from _deposits(case, listing)


def _missed(case: TrayCase) -> Iterator[Raised]:
    """Raise the counts that were not listed: at an opening, a closing, a drop, on a closed day."""
    tray = case.tray
    for kind, missed, message, cite in (
        (OPENING_NOT_COUNTED, tray.openings_missed, "dealt and no opening count was listed", "465a.36(a)"),
        (CLOSING_NOT_COUNTED, tray.closings_missed, "closed and no closing count was listed", "465a.36(c)"),
    ):
        for _ in range(missed):
            yield _absent(case, kind, f"the table {message}", case.cites(cite))
    if tray.unlisted is not None:
        first, last = tray.unlisted
        days = f"on {first}" if first == last else f"from {first} to {last}"
        message = f"the table did not open {days}, and no count was listed"
        yield _absent(
            case,
            UNOPENED_NOT_COUNTED,
            message,
            case.cites("465a.36(c)"),
            day=first,
            gaps=tray.unheard,
        )
    for box in tray.boxes:
        if box.removed and box.open and not any(_is_drop(tray.listings, slip) for slip in box.listed):
            message = f"drop box {box.name} came off the open table and no count was listed"
            yield _absent(case, NO_COUNT_AT_DROP, message, case.cites("465a.41(a)"), who=box.name)


def _absent(
    case: TrayCase,
    kind: Kind,
    message: str,
    cites: tuple[str, ...],
    *,
    who: str | None = None,
    serial: str | None = None,
    day: date | None = None,
    gaps: Sequence[Fact] | None = None,
) -> Raised:
    """Raise what was not reported; where the terminal has a hole, in the day or `gaps`, it may have been."""
    gaps = case.tray.not_heard if gaps is None else gaps
    return Raised(
        kind=kind,
        message=fact("checks.not_reported_meanwhile", message=verbatim(message), gaps=listed(*gaps))
        if gaps
        else verbatim(message),
        cites=cites,
        weight="undetermined" if gaps else "mismatch",
        who=who,
        table=case.table,
        serial=serial,
        day=day,
    )


def _is_drop(listings: list[Listing], slip: str) -> bool:
    return any(each.slip == slip and each.occasion == "drop" for each in listings)


def _sums(case: TrayCase, listing: Listing) -> Iterator[Raised]:
    if listing.read is not None and listing.read != listing.cents and _is_wrong(case.tray, listing):
        yield Raised(
            kind=INVENTORY_SLIP_WRONG,
            message=verbatim(
                f"Table Inventory Slip {listing.slip} says {dollars(listing.cents)}; "
                f"tray reader and account say {dollars(listing.read)}"
            ),
            cites=case.cites("465a.41(a)") if listing.occasion == "drop" else case.cites("465a.36(c)"),
            table=case.table,
            serial=listing.slip,
            expected=listing.read,
            observed=listing.cents,
            sum_of="count",
            more_favours=None,
        )
    if listing.occasion == "opening" and listing.previous is not None:
        slip, figures = listing.previous
        if differing := _differing(figures, listing.denominations):
            yield Raised(
                kind=OPENING_COUNT_DIFFERS,
                message=verbatim(f"the opening count differs from slip {slip}: {differing}"),
                cites=case.cites("465a.37(c)"),
                table=case.table,
                serial=listing.slip,
                expected=total(figures),
                observed=listing.cents,
                sum_of="count",
                more_favours=None,
            )


def _is_wrong(tray: Tray, listing: Listing) -> bool:
    """Tell whether tray reader and account say otherwise, and the reader did not come to agree with it."""
    return listing.occasion != "opening" and all(
        step.at != f"Table Inventory Slip {listing.slip}" for step in tray.steps
    )


def _differing(one: Denominations, other: Denominations) -> str:
    """Say of which chips there are more or fewer.

    >>> _differing({500: 4, 2500: 1}, {500: 3, 2500: 1, 10_000: 1})
    '$5.00 3 instead of 4, $100.00 1 instead of 0'
    """
    return ", ".join(
        f"{dollars(chip)} {other.get(chip, 0)} instead of {one.get(chip, 0)}"
        for chip in sorted(one.keys() | other.keys())
        if one.get(chip, 0) != other.get(chip, 0)
    )


def _people(case: TrayCase, listing: Listing) -> Iterator[Raised]:
    counter, watcher = listing.counted_by, listing.witnessed_by
    signed = {person.name for person in listing.signatures}
    faults = []
    if counter is None or counter.role not in _COUNTERS:
        faults.append((_COUNTED, "was not counted by a dealer or boxperson"))
    if watcher is None or watcher.role != _WATCHER:
        faults.append((_COUNTED, "was not watched by a floorperson"))
    if counter is not None and watcher is not None and counter.name == watcher.name:
        faults.append((_COUNTED, f"was counted and watched by one person, {counter.name}"))
    faults.extend(
        (_SIGNED, f"was not signed by {person.role} {person.name}")
        for person in (counter, watcher)
        if person is not None and person.name not in signed
    )
    for of, fault in faults:
        cite = of.get(listing.occasion)
        yield Raised(
            kind=SLIP_UNSIGNED,
            message=verbatim(f"Table Inventory Slip {listing.slip} {fault}"),
            cites=case.cites(cite) if cite is not None else (HOUSE_CONTROL,),
            table=case.table,
            serial=listing.slip,
        )


def _deposits(case: TrayCase, listing: Listing) -> Iterator[Raised]:
    """Ask for the slip in the box that was on, and for a drop's duplicate in the next one.

    A count at a table without a box, as of one that did not open, has none to go into.
    """
    boxes = case.tray.boxes
    place = next((n for n, box in enumerate(boxes) if listing.slip in box.listed), len(boxes))
    asked = boxes[place : place + (2 if listing.occasion == "drop" else 1)]
    cite = _DROPPED.get(listing.occasion)
    for box, copy in zip(asked, ("", "the duplicate of "), strict=False):
        fault = _deposit_fault(listing, box, is_duplicate=bool(copy))
        if fault is not None and (box.removed or case.over):
            yield _absent(
                case,
                SLIP_NOT_DROPPED,
                f"{copy}Table Inventory Slip {listing.slip} {fault}",
                case.cites(cite) if cite is not None else (HOUSE_CONTROL,),
                who=box.name,
                serial=listing.slip,
            )


def _deposit_fault(listing: Listing, box: Box, *, is_duplicate: bool) -> str | None:
    name = f"drop box {box.name}" if box.name is not None else "the drop box"
    if listing.slip not in box.slips:
        boxless = box.name is None and listing.occasion == "shift"
        return None if boxless else f"did not go into {name}"
    if listing.slip in box.late:
        return f"went into {name} only after play had {'gone on' if is_duplicate else 'begun'}"
    if is_duplicate and box.slips[0] != listing.slip:
        return f"went into {name} after slip {box.slips[0]}"
    return None
