"""The counts by people onto Table Inventory Slips: at the opening, at a drop, at the closing."""

from typing import Final

from msgspec import UNSET

from schemas import events, ledgers
from schemas.events import Occasion
from schemas.values import Denominations, Person, total
from streams.simulator.labels import ExpectedFinding
from streams.simulator.money.books import Box
from streams.simulator.money.chips import in_tray
from streams.simulator.money.till import Till

_MINUTE: Final = 60_000_000
_AMISS: Final = (
    -100_000,
    -10_000,
    -2500,
    2500,
    10_000,
)  # cents that are found too few or too many in the morning


def unlock(till: Till) -> None:
    """Make the chips too few or too many when the container is unlocked on a later day, if a fault is due."""
    if not till.carried.nights or till.carried.wrong is not None:
        return
    for fault in ("opening_count_wrong", "error_notification_missing"):
        if till.amiss is None and till.strikes(fault):
            till.cents += till.rng.choice(_AMISS)
            till.amiss = fault


def open_up(till: Till, at: int) -> None:
    """Attach a box, count the chips against the duplicate slip, sign it and drop it, 465a.37."""
    slip = till.carried.slip
    _attach(till)
    off = till.cents - till.carried.listed
    if off:
        _notify(till, slip, off, at)
    _list(till, "opening", slip, in_tray(till.cents))


def drop(till: Till, at: int) -> None:
    """Change the box of an open table, with a count of what is there, 465a.41."""
    old = till.box
    if till.strikes("drop_not_counted"):
        till.label("drop_not_counted", "no_count_at_drop", who=old.name)
        slip = None
    else:
        slip = till.number("I")
        _list(till, "drop", slip, in_tray(till.cents))
    till.box = Box(till.number("B"), till.plan.name, till.day, odd=old.odd)
    till.tell(events.DropBoxChanged, removed=old.name, attached=till.box.name)
    old.removed_at = at
    till.books.take(old)
    if slip is not None:
        till.deposit(slip, till.cents)


def close(till: Till, at: int) -> None:
    """Count what is there onto a slip, drop it and take the box off."""
    slip, chips = till.number("I"), in_tray(till.cents)
    listed = till.cents
    wrong = None
    if not till.unproved and till.strikes("count_wrong_by_a_chip"):
        chip = till.rng.choice([coin for coin in chips if coin >= 2500])  # noqa: PLR2004  cents; a chip, no coin
        more = till.rng.choice((-1, 1))
        chips[chip] += more
        listed += more * chip
        who = f"Table Inventory Slip {slip}"
        if till.reads:
            wrong = till.label(
                "count_wrong_by_a_chip", "inventory_slip_wrong", serial=slip, delta=more * chip
            )
        else:
            wrong = till.label(
                "count_wrong_by_a_chip", "inventory_untyped", who=who, delta=more * chip, after=till.good
            )
    _list(till, "closing", slip, {coin: count for coin, count in chips.items() if count})
    till.tell(events.DropBoxChanged, removed=till.box.name)
    till.box.removed_at = at
    till.books.take(till.box)
    carried = till.carried
    carried.cents, carried.slip, carried.listed, carried.wrong = till.cents, slip, listed, wrong
    carried.nights += 1


def _attach(till: Till) -> None:
    till.box = Box(till.number("B"), till.plan.name, till.day)
    till.tell(events.DropBoxChanged, attached=till.box.name)


def _notify(till: Till, slip: str, off: int, at: int) -> None:
    """Write an Error Notification Slip for a count that is not the slip's, unless it is forgotten."""
    differs = ExpectedFinding(
        check="opening_count_differs",
        serial=slip,
        gaming_date=str(till.day),
        table=till.plan.name if till.amiss == "error_notification_missing" else UNSET,
    )
    if till.carried.wrong is not None:
        till.carried.wrong.follows.append(differs)
    elif till.amiss == "error_notification_missing":
        till.label(till.amiss, till.amiss, table="cage", serial=slip, delta=off, follows=[differs])
        return
    elif till.amiss is not None:
        till.label(till.amiss, "opening_count_differs", serial=slip, delta=off)
    till.books.ledgers.enter(
        "cage",
        at + 2 * _MINUTE,
        ledgers.ErrorNotified,
        slip=till.number("E"),
        table=till.plan.name,
        inventory_slip=slip,
        cents=off,
        signatures=(till.dealer, till.floorperson),
    )


def _list(till: Till, occasion: Occasion, slip: str, chips: Denominations) -> None:
    """Write a count onto a slip, sign it and put it into the box.

    The duplicate of an opening has the sum of the closing before.
    """
    signatures: tuple[Person, ...] = (till.dealer, till.floorperson)
    if till.strikes("inventory_slip_unsigned"):
        till.label("inventory_slip_unsigned", "slip_unsigned", serial=slip)
        signatures = signatures[:1]
    till.tell(
        events.InventoryListed,
        slip=slip,
        occasion=occasion,
        denominations=chips,
        counted_by=till.dealer,
        witnessed_by=till.floorperson,
        signatures=signatures,
    )
    till.counted(slip)
    if till.strikes("inventory_slip_not_dropped"):
        till.label("inventory_slip_not_dropped", "slip_not_dropped", serial=slip, who=till.box.name)
    else:
        till.deposit(slip, till.carried.listed if occasion == "opening" else total(chips))
