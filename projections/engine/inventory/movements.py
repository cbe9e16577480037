"""What moves chips into a table's tray or out of it, each with its lawful reason, 465a.36(b)(1)-(6)."""

from typing import Final

from msgspec import Struct, field

from projections.engine.inventory.counts import Chips, Later, Reason
from schemas.events import CreditSent, FillReceived, SettlementAdjusted

_ADJUSTED_HELD: Final = 64


class Movements(Struct):
    """The events' account of a table inventory in a gaming day; sums in cents.

    `expected` is what the opener and all `changes` come to. `later` has yet to be booked; `adjusted` are the
    terminal's numbers of what was put right late, and `reached` how far they were booked. `listed_now` says
    that nothing has moved since people last listed the inventory.
    """

    expected: int = 0
    changes: dict[Reason, int] = field(default_factory=dict)
    fills: list[Chips] = field(default_factory=list)
    credits: list[Chips] = field(default_factory=list)
    listed_now: bool = False
    later: list[Later] = field(default_factory=list)
    adjusted: list[tuple[int, int]] = field(default_factory=list)
    reached: tuple[int, int] = (0, 0)

    def move(self, reason: Reason, cents: int) -> None:
        """Book a change with its reason; positive is into the tray."""
        self.expected += cents
        self.changes[reason] = self.changes.get(reason, 0) + cents
        self.listed_now = False

    def take(self, event: FillReceived | CreditSent) -> None:
        """Book chips that came with a slip, or left with one."""
        chips = Chips(
            event.slip, event.at, event.cents, event.denominations, event.counted_by, event.witnessed_by
        )
        is_fill = isinstance(event, FillReceived)
        (self.fills if is_fill else self.credits).append(chips)
        self.move("fills" if is_fill else "credits", event.cents if is_fill else -event.cents)

    def put_off(self, event: SettlementAdjusted) -> None:
        """Keep what moved after a round had closed until the terminal's reports have come that far.

        What comes when they are past it already is not used: counts have been held against the account
        without it.
        """
        place = (event.epoch, event.seq)
        if place > self.reached and place not in self.adjusted:
            self.adjusted = [*self.adjusted[-_ADJUSTED_HELD:], place]
            self.later.append(Later(*place, event.vigorish_cents - event.cents))

    def catch_up(self, place: tuple[int, int] | None = None) -> int:
        """Book what was put off and moved before a number of the terminal's, or all of it; give the sum."""
        self.reached = max(self.reached, place or self.reached)
        due = [each for each in self.later if place is None or (each.epoch, each.seq) < place]
        for each in due:
            self.move("put_right", each.cents)
            self.later.remove(each)
        return sum(each.cents for each in due)
