"""The count room's ledger: boxes received, emptied, shown and counted, and the boxes that are awaited."""

from collections.abc import Iterable

from msgspec import Struct, field

from projections.programmes.ledgers.tables import TableBox, TableDay
from schemas.ledgers import BoxCounted, BoxEmptied, BoxReceived, LedgerEvent


class Handled(Struct):
    """What was done with one box: by which tables' name it came, and how it was emptied and counted.

    What was entered after its count was not done before it: `emptied` and `shown` are those until then.
    """

    received: list[BoxReceived] = []
    emptied: int = 0
    shown: int = 0
    counts: list[BoxCounted] = []


class Awaited(Struct):
    """A drop box with what its table says went into it; `told` once it was missed.

    `before` is what was done with it on earlier days.
    """

    table: str
    content: TableBox
    told: bool = False
    before: Handled = field(default_factory=Handled)


class CountRoom(Struct):
    """A gaming day in the count room, and the boxes that it awaits, from earlier days too."""

    handled: dict[str, Handled] = {}
    awaited: list[Awaited] = field(default_factory=list)

    def turn(self, early: Iterable[str] = ()) -> "CountRoom":
        """Begin the next day: with the boxes that were not counted, and those that came `early` for it."""
        awaited = [each for each in self.awaited if not self.counts(each)]
        found = self.found
        for each in awaited:
            each.before = self.done(each)
            for slip in found & each.content.owed.keys():
                del each.content.owed[slip]
        return CountRoom({box: self.handled[box] for box in early}, awaited)

    @property
    def found(self) -> set[str]:
        """The slips that were found in boxes on the day."""
        return {slip for handled in self.handled.values() for count in handled.counts for slip in count.slips}

    def of(self, box: str | None) -> Handled:
        """Return what was done with a box on the day."""
        return self.handled.get(box or "", Handled())

    def done(self, awaited: Awaited) -> Handled:
        """Return what was done with an awaited box until now; one that no event named was not followed."""
        before, now = awaited.before, self.of(awaited.content.name)
        return Handled(
            [*before.received, *now.received],
            before.emptied + now.emptied,
            before.shown + now.shown,
            now.counts,
        )

    def counts(self, awaited: Awaited) -> list[BoxCounted]:
        """Return an awaited box's counts; one that no event named is whatever was counted for its table."""
        if awaited.content.name is not None:
            return self.of(awaited.content.name).counts
        boxes = {each.content.name for each in self.awaited}
        return [
            count
            for box, handled in self.handled.items()
            if box not in boxes
            for count in handled.counts
            if count.table == awaited.table
        ]

    def waits_for(self, days: Iterable[TableDay]) -> None:
        """Take in the boxes of a day's tables; one that stayed on its table over the turn goes on filling."""
        for day in days:
            for box in day.boxes:
                stays = next((each for each in self.awaited if _stays(each, day.table, box)), None)
                if stays is not None:
                    stays.content.add(box)
                else:
                    # A box that is on a table again is not waited for from its last time.
                    self.awaited = [
                        each for each in self.awaited if box.name is None or each.content.name != box.name
                    ]
                    self.awaited.append(Awaited(day.table, box))


def _stays(awaited: Awaited, table: str, box: TableBox) -> bool:
    same = (awaited.table, awaited.content.name) == (table, box.name)
    return same and not awaited.content.off and not awaited.told


def evolve(count_room: CountRoom, entry: LedgerEvent) -> None:
    """Let an entry of the count room change its day in place; what is of another ledger changes nothing."""
    match entry:
        case BoxReceived():
            count_room.handled.setdefault(entry.box, Handled()).received.append(entry)
        case BoxEmptied():
            handled = count_room.handled.setdefault(entry.box, Handled())
            if not handled.counts:
                handled.emptied += 1
                handled.shown += entry.shown
        case BoxCounted():
            count_room.handled.setdefault(entry.box, Handled()).counts.append(entry)
        case _:
            pass  # the ledger's closing, which `entries` has told; others do not belong here
