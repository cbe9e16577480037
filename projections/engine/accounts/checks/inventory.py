"""Was a table inventory recorded all day, has each change its reason, and does each slip match the tray?"""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from projections.engine.accounts.account_lines import InventoryCase
from projections.engine.accounts.table_inventory import Box, InventoryStep, Listing, TableInventory
from projections.engine.checks.data import DATA_MISSING
from projections.engine.facts import Cents, Fact, SerialRef, StaffRef, fact, listed
from projections.engine.findings import HOUSE_CONTROL, Kind, Raised
from projections.engine.findings import Step as SumStep
from schemas.events import Occasion
from schemas.values import Denominations, total

# ── Was the table inventory followed from the day's beginning to its end? ─────────────────────────────


def check_inventory_followed(case: InventoryCase) -> Iterator[Raised]:
    """Raise a record that begins later in the day, or that ends with the table open.

    Counts that agree prove nothing about the time before them. What a record ended with was not counted, and
    may be less.
    """
    if case.inventory.begun_before:
        yield _missing(case, fact("accounts.checks.inventory_begun_late"))
    if case.cut:
        yield _missing(case, fact("accounts.checks.inventory_cut_off"))


def _missing(case: InventoryCase, message: Fact) -> Raised:
    return Raised(kind=DATA_MISSING, message=message, cites=(HOUSE_CONTROL,), table=case.table)


# ── Has every change of the table inventory one of the six lawful reasons? ────────────────────────────

INVENTORY_UNTYPED: Final = Kind(
    "inventory_untyped",
    severity="critical",
    asks="Has every change of the table inventory one of the six reasons of 465a.36(b)?",
    false_positives="A stack that the tray reader reads wrongly every time; a change that nobody keyed in.",
    name="tray variance with no paperwork",
)
INVENTORY_UNTYPED_KINDS: Final = (INVENTORY_UNTYPED,)
_CITE: Final = "465a.36(b)"


def check_inventory_untyped(case: InventoryCase) -> Iterator[Raised]:
    """Raise each change that the counts show and no reason accounts for.

    A change during a round is a contradiction between the tray reader and the other devices until people
    count too. It remains one if the recorded settlement is not what was owed. Nothing is proven for a time
    from which reports are missing.
    """
    for ordinal, step in enumerate(case.inventory.steps):
        proven = step.within is None or step.by == "people" or ordinal < case.inventory.proved
        yield Raised(
            kind=INVENTORY_UNTYPED,
            message=_message(step),
            cites=case.cites(_CITE),
            weight="mismatch" if proven and not (step.gaps or step.misread) else "undetermined",
            who=step.at,
            table=case.table,
            expected=step.expected,
            observed=step.counted,
            is_count=True,
            more_favours=None,
            steps=(
                SumStep(
                    fact("accounts.checks.inventory_expected"),
                    _CITE,
                    step.expected,
                ),
                SumStep(fact("accounts.checks.inventory_counted", at=step.at), _CITE, step.counted),
            ),
        )


def _message(step: InventoryStep) -> Fact:
    return fact(
        "accounts.checks.inventory_untyped",
        cents=Cents(abs(step.counted - step.expected)),
        is_over=int(step.counted > step.expected),
        at=step.at,
        after=step.after,
        by=step.by,
        misread=int(step.misread),
        gaps=listed(*step.gaps),
    )


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Is each Table Inventory Slip what lay there, counted and signed by whom it must be, and in the box?

INVENTORY_SLIP_WRONG: Final = Kind(
    "inventory_slip_wrong",
    severity="by_amount",
    asks="Is the sum of the Table Inventory Slip what tray reader and account both say?",
    false_positives="Chips that moved between the last reading of the tray and the count.",
    paper="slip",
)
OPENING_COUNT_DIFFERS: Final = Kind(
    "opening_count_differs",
    severity="by_amount",
    asks="Is the count at the opening that of the slip with which the table was closed, chip by chip?",
    false_positives="A closing slip that was keyed in wrongly.",
    paper="slip",
)
SLIP_UNSIGNED: Final = Kind(
    "slip_unsigned",
    severity="medium",
    asks="Did the dealer or boxperson count, the floorperson watch, and both sign?",
    false_positives="A signature on paper that was not keyed in.",
    paper="slip",
)
SLIP_NOT_DROPPED: Final = Kind(
    "slip_not_dropped",
    severity="medium",
    asks="Did the Table Inventory Slip go into the drop box that it belongs in, and before play?",
    false_positives="A slip that the terminal was not told of, or only later.",
    paper="slip",
)
OPENING_NOT_COUNTED: Final = Kind(
    "opening_not_counted",
    severity="medium",
    asks="Was the inventory counted onto a slip before the first round?",
    false_positives="A count that was not keyed in.",
)
CLOSING_NOT_COUNTED: Final = Kind(
    "closing_not_counted",
    severity="medium",
    asks="Was the inventory counted onto a slip after the last round, before the table closed?",
    false_positives="A count that was not keyed in.",
)
UNOPENED_NOT_COUNTED: Final = Kind(
    "unopened_not_counted",
    severity="medium",
    asks="Was the inventory of a table that did not open counted onto a slip once that gaming day?",
    false_positives="A count that was not keyed in, or a table that was out of service.",
)
NO_COUNT_AT_DROP: Final = Kind(
    "no_count_at_drop",
    severity="medium",
    asks="Was the inventory counted when the drop box of an open table was changed?",
    false_positives="A count that was not keyed in.",
)
INVENTORY_SLIP_KINDS: Final = (
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


def check_inventory_slip(case: InventoryCase) -> Iterator[Raised]:
    """Raise what is wrong with the day's counts and their slips."""
    yield from _missed(case)
    for listing in case.inventory.listings:
        yield from _sums(case, listing)
        yield from _people(case, listing)
        yield from _deposits(case, listing)


def _missed(case: InventoryCase) -> Iterator[Raised]:
    """Raise the counts that were not listed: at an opening, a closing, a drop, on a closed day."""
    inventory = case.inventory
    for kind, missed, what, cite in (
        (
            OPENING_NOT_COUNTED,
            inventory.openings_missed,
            fact("accounts.checks.opening_not_counted"),
            "465a.36(a)",
        ),
        (
            CLOSING_NOT_COUNTED,
            inventory.closings_missed,
            fact("accounts.checks.closing_not_counted"),
            "465a.36(c)",
        ),
    ):
        for _ in range(missed):
            yield _absent(case, kind, what, case.cites(cite))
    if inventory.unlisted is not None:
        first, last = inventory.unlisted
        yield _absent(
            case,
            UNOPENED_NOT_COUNTED,
            fact("accounts.checks.unopened_not_counted", first=str(first), last=str(last)),
            case.cites("465a.36(c)"),
            day=first,
            gaps=inventory.unheard,
        )
    for box in inventory.boxes:
        if box.removed and box.open and not any(_is_drop(inventory.listings, slip) for slip in box.listed):
            what = fact("accounts.checks.no_count_at_drop", box=box.name)
            yield _absent(case, NO_COUNT_AT_DROP, what, case.cites("465a.41(a)"), who=box.name)


def _absent(
    case: InventoryCase,
    kind: Kind,
    what: Fact,
    cites: tuple[str, ...],
    *,
    who: str | None = None,
    serial: str | None = None,
    day: date | None = None,
    gaps: Sequence[Fact] | None = None,
) -> Raised:
    """Raise what was not reported; where the terminal has a hole, in the day or `gaps`, it may have been."""
    gaps = case.inventory.not_heard if gaps is None else gaps
    return Raised(
        kind=kind,
        message=fact("accounts.checks.not_reported_meanwhile", message=what, gaps=listed(*gaps))
        if gaps
        else what,
        cites=cites,
        weight="undetermined" if gaps else "mismatch",
        who=who,
        table=case.table,
        serial=serial,
        day=day,
    )


def _is_drop(listings: Sequence[Listing], slip: str) -> bool:
    return any(each.slip == slip and each.occasion == "drop" for each in listings)


def _sums(case: InventoryCase, listing: Listing) -> Iterator[Raised]:
    if listing.read is not None and listing.read != listing.cents and _is_wrong(case.inventory, listing):
        yield Raised(
            kind=INVENTORY_SLIP_WRONG,
            message=fact(
                "accounts.checks.inventory_slip_wrong",
                slip=SerialRef(listing.slip),
                says=Cents(listing.cents),
                counted=Cents(listing.read),
            ),
            cites=case.cites("465a.41(a)") if listing.occasion == "drop" else case.cites("465a.36(c)"),
            table=case.table,
            serial=listing.slip,
            expected=listing.read,
            observed=listing.cents,
            is_count=True,
            more_favours=None,
        )
    if listing.occasion == "opening" and listing.previous is not None:
        slip, figures = listing.previous
        if differing := _differing(figures, listing.denominations):
            yield Raised(
                kind=OPENING_COUNT_DIFFERS,
                message=fact(
                    "accounts.checks.opening_count_differs", slip=SerialRef(slip), chips=listed(*differing)
                ),
                cites=case.cites("465a.37(c)"),
                table=case.table,
                serial=listing.slip,
                expected=total(figures),
                observed=listing.cents,
                is_count=True,
                more_favours=None,
            )


def _is_wrong(inventory: TableInventory, listing: Listing) -> bool:
    """Return True if tray reader and account contradict a slip and the reader never agreed with it."""
    return listing.occasion != "opening" and all(step.slip != listing.slip for step in inventory.steps)


def _differing(one: Denominations, other: Denominations) -> list[Fact]:
    """Return the chips of which there are more or fewer.

    >>> instead = _differing({500: 4, 2500: 1}, {500: 3, 2500: 1, 10_000: 1})
    >>> [(each.args["counted"], each.args["listed"]) for each in instead]
    [(3, 4), (1, 0)]
    """
    return [
        fact(
            "accounts.checks.chips_instead",
            chip=Cents(chip),
            counted=other.get(chip, 0),
            listed=one.get(chip, 0),
        )
        for chip in sorted(one.keys() | other.keys())
        if one.get(chip, 0) != other.get(chip, 0)
    ]


def _people(case: InventoryCase, listing: Listing) -> Iterator[Raised]:
    counter, watcher = listing.counted_by, listing.witnessed_by
    signed = {person.name for person in listing.signatures}
    slip = SerialRef(listing.slip)
    faults: list[tuple[dict[Occasion, str], Fact]] = []
    if counter is None or counter.role not in _COUNTERS:
        faults.append((_COUNTED, fact("accounts.checks.slip_not_counted_by", slip=slip)))
    if watcher is None or watcher.role != _WATCHER:
        faults.append((_COUNTED, fact("accounts.checks.slip_not_watched_by", slip=slip)))
    if counter is not None and watcher is not None and counter.name == watcher.name:
        one = StaffRef(counter.name)
        faults.append((_COUNTED, fact("accounts.checks.slip_counted_and_watched", slip=slip, person=one)))
    faults.extend(
        (
            _SIGNED,
            fact("accounts.checks.slip_not_signed", slip=slip, person=StaffRef(person.name, person.role)),
        )
        for person in (counter, watcher)
        if person is not None and person.name not in signed
    )
    for of, fault in faults:
        cite = of.get(listing.occasion)
        yield Raised(
            kind=SLIP_UNSIGNED,
            message=fault,
            cites=case.cites(cite) if cite is not None else (HOUSE_CONTROL,),
            table=case.table,
            serial=listing.slip,
        )


def _deposits(case: InventoryCase, listing: Listing) -> Iterator[Raised]:
    """Check the slip in the box that was on, and a drop's duplicate in the next one.

    A count at a table without a box, as of one that did not open, has none to go into.
    """
    boxes = case.inventory.boxes
    place = next((n for n, box in enumerate(boxes) if listing.slip in box.listed), len(boxes))
    slice_ = boxes[place : place + (2 if listing.occasion == "drop" else 1)]
    cite = _DROPPED.get(listing.occasion)
    for box, is_duplicate in zip(slice_, (False, True), strict=False):
        fault = _deposit_fault(listing, box, is_duplicate=is_duplicate)
        if fault is not None and (box.removed or case.over):
            yield _absent(
                case,
                SLIP_NOT_DROPPED,
                fault,
                case.cites(cite) if cite is not None else (HOUSE_CONTROL,),
                who=box.name,
                serial=listing.slip,
            )


def _deposit_fault(listing: Listing, box: Box, *, is_duplicate: bool) -> Fact | None:
    slip, copy = SerialRef(listing.slip), int(is_duplicate)
    if listing.slip not in box.slips:
        boxless = box.name is None and listing.occasion == "shift"
        return (
            None
            if boxless
            else fact("accounts.checks.slip_not_in_box", slip=slip, is_duplicate=copy, box=box.name)
        )
    if listing.slip in box.late:
        return fact("accounts.checks.slip_in_box_late", slip=slip, is_duplicate=copy, box=box.name)
    if is_duplicate and box.slips[0] != listing.slip:
        before = SerialRef(box.slips[0])
        return fact(
            "accounts.checks.slip_in_box_after", slip=slip, is_duplicate=copy, box=box.name, before=before
        )
    return None


KINDS: Final = (
    *INVENTORY_UNTYPED_KINDS,
    *INVENTORY_SLIP_KINDS,
)
