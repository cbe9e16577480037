"""The walk through what happened at a table, laying over it what people did with chips, slips and boxes."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from schemas import events
from streams.simulator.money import carrying, counting
from streams.simulator.money.changes import Changes
from streams.simulator.money.missing import Plot
from streams.simulator.money.movements import MOVED, into_tray
from streams.simulator.money.patronage import changes
from streams.simulator.money.till import Till
from streams.simulator.script import Happening

_MORNING: Final = (events.TableOpened, events.DealerAssigned)
# Of what happens at a table, most concerns none of the steps of the walk.
_PREPARED: Final = frozenset((events.RoundOpened, events.TableClosed))
_SEEN_OTHERWISE: Final = frozenset(
    (events.FillReceived, events.TableOpened, events.InventoryCounted, events.WagersClosed)
)
_BOOKED: Final = MOVED | {events.DealerAssigned, events.DealerRelieved}


def lay(till: Till) -> list[Happening]:
    """Return what happened at a table with its money, and book the rest in the floor's books."""
    counting.unlock(till)
    return list(_Walk(till, changes(till)).through(till.table.script.happenings))


class _Walk:
    """Pass over a day; `changes` are what patrons did otherwise, by the place of the act."""

    def __init__(self, till: Till, changes: Changes) -> None:
        self.till, self.changes = till, changes
        self.plot = Plot(till)
        self.is_open = False
        self.ordinal = -1

    def through(self, happenings: list[Happening]) -> Iterator[Happening]:
        """Walk through what happened, in its order."""
        before = happenings[0]
        for place, each in enumerate(happenings):
            if not self.is_open or each.kind in _PREPARED:
                self._prepare(each)
            if self.till.pending:
                yield from self._reported(before, each)
            change = self.changes.of(place)
            happened: Happening | None = each if change is None else change.of(each)
            if happened is not None and happened.kind in _SEEN_OTHERWISE:
                happened = self._as_it_is(happened)
            if happened is not None:
                yield happened
                if happened.kind in _BOOKED:
                    self._book(happened)
            for kind, fields in change.then if change is not None else ():
                self._drop_coupon(kind, fields)
                self.till.tell(kind, **fields)
            before = each

    def _reported(self, before: Happening, each: Happening) -> Iterator[Happening]:
        """Yield what was reported between two happenings, spread over the time between them."""
        pending = self.till.pending
        for place, (kind, fields) in enumerate(pending, 1):
            at = before.at + (each.at - before.at) * place // (len(pending) + 1)
            yield Happening(at, kind, fields, before.shoe)
        pending.clear()

    def _prepare(self, each: Happening) -> None:
        """Play what people do before an act: the opening, what is between rounds, the closing."""
        till = self.till
        if not self.is_open and each.kind not in _MORNING:
            counting.open_up(till, each.at)
            self.is_open = True
        if each.kind is events.RoundOpened:
            self.ordinal += 1
            if self.ordinal == till.drop_before:
                counting.drop(till, each.at)
            carrying.carry(till, self.ordinal, each.at)
            self.plot.between(self.ordinal)
        elif each.kind is events.TableClosed:
            counting.close(till, each.at)
            till.books.close(till.day, each.at)

    def _as_it_is(self, each: Happening) -> Happening | None:
        """Return what happened with the chips as they are; the fills are those of this layer."""
        till = self.till
        if each.kind is events.FillReceived:
            return None
        if each.kind is events.TableOpened:
            return _with(each, inventory_cents=till.cents)
        if each.kind is events.InventoryCounted:
            return _with(each, cents=till.cents)
        if each.kind is events.WagersClosed:
            self.plot.during(self.ordinal)
        return each

    def _book(self, happened: Happening) -> None:
        till, fields = self.till, happened.fields
        till.cents += into_tray(happened)
        if happened.kind is events.DealerAssigned:
            till.dealers.insert(0 if fields["calling"] else len(till.dealers), fields["dealer"])
        elif happened.kind is events.DealerRelieved:
            till.dealers.remove(fields["dealer"])
        elif happened.kind is events.ChipsBought:
            till.box.cash += fields["cents"]
        elif happened.kind is events.CounterCheckTaken:
            written = till.written[fields["check"]]
            till.box.checks[fields["check"]] = written
            till.box.odd = till.box.odd or written != fields["cents"]

    def _drop_coupon(self, kind: type[events.Reported], fields: Mapping[str, Any]) -> None:
        if kind is events.CouponDropped:
            self.till.box.coupons.append(fields["coupon"])


def _with(each: Happening, **fields: Any) -> Happening:
    return Happening(each.at, each.kind, {**each.fields, **fields}, each.shoe)
