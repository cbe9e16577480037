"""A table whose devices report the floor's procedures, in the words of one chapter; times in seconds."""

from datetime import UTC, date, datetime
from typing import Any, Final, Self

from projections.engine.audit.table_audit import TableAudit
from projections.engine.conclusion import Conclusion
from projections.engine.findings import Finding
from schemas import events as e
from schemas.house import House, Span, TableSetup
from schemas.law_text import chapter
from schemas.procedures import ProcedureStep
from schemas.values import Person, microseconds

TABLE: Final = "T-1"
DEALER: Final = Person("dana", "dealer")
SECOND_DEALER: Final = Person("dora", "dealer")
THIRD_DEALER: Final = Person("duke", "dealer")
FLOORPERSON: Final = Person("fred", "floorperson")
SOURCES: Final[dict[str, e.Source]] = {
    "T": "terminal",
    "S": "shoe",
    "P": "pit",
    "U": "shuffler",
    "K": "cards",
    "G": "register",
}
_SECOND: Final = 1_000_000


class ProcedureTable:
    """Collects what one table reports; each device numbers its own events.

    It opens on the day after the chapter's newest text took effect, unless `day` says otherwise; `without`
    names sources that the house has not connected, `readers` devices beside those of all. `setup` is what the
    house file says of the table beside its chapter.
    """

    def __init__(
        self,
        number: str,
        *,
        day: date | None = None,
        without: tuple[str, ...] = (),
        readers: dict[str, e.Source] | None = None,
        setup: dict[str, Any] | None = None,
        **house: Any,
    ) -> None:
        self.day = day or max(chapter(number).texts)
        self.number = number
        sources = SOURCES | (readers or {})
        self.sources = {device: source for device, source in sources.items() if source not in without}
        self.house = House(
            house="procedures",
            zone="UTC",
            gaming_day_starts="06:00",
            tables={TABLE: TableSetup(chapter=number, sources=self.sources, **(setup or {}))},
            in_force={number: Span(until=date(2030, 1, 1))} if number.isdigit() else {},
            **house,
        )
        self.start = microseconds(datetime(self.day.year, self.day.month, self.day.day, 12, tzinfo=UTC))
        self.now = 0.0
        self.numbers = dict.fromkeys(self.sources, 0)
        self.events: list[e.Event] = []
        self.lost: list[e.Event] = []
        self.rounds = 0
        self.shoe = ""

    def say(
        self, source: str, kind: type[Any], after: float = 5, /, *, is_lost: bool = False, **fields: Any
    ) -> None:
        """Report something by the device of a source `after` seconds later; it may be lost on its way."""
        self.now += after
        device = next((name for name, reads in self.sources.items() if reads == source), None)
        if device is None:
            return
        self.numbers[device] += 1
        at = self.start + round(self.now * _SECOND)
        event = kind(device=device, epoch=1, seq=self.numbers[device], at=at, **fields)
        (self.lost if is_lost else self.events).append(event)

    def heard(self) -> dict[str, e.Heard]:
        """Poll every device but the terminal."""
        return {name: e.Heard(1, number) for name, number in self.numbers.items() if name != "T"}

    def step(self, step: ProcedureStep, after: float = 5, *, is_lost: bool = False, **fields: Any) -> Self:
        """Report a step of a procedure at the pit."""
        self.say("pit", e.ProcedureStepTaken, after, is_lost=is_lost, step=step, **fields)
        return self

    def open(self) -> Self:
        """Open the table with a dealer and a floorperson."""
        self.say("terminal", e.TableOpened, inventory_cents=0, heard=self.heard())
        self.say("terminal", e.DealerAssigned, dealer=DEALER.name, calling=True)
        self.say("terminal", e.FloorpersonAssigned, floorperson=FLOORPERSON.name)
        return self

    def load(self, shoe: str = "1", decks: int = 8, batch: str | None = None) -> Self:
        """Load the cards into the dealing shoe."""
        self.shoe = shoe
        self.say("shoe", e.ShoeLoaded, shoe=shoe, decks=decks, batch=batch)
        return self

    def round(self, *cards: str, shoe: str | None = None) -> Self:
        """Open a round, draw cards for the first hand, and close it."""
        self.rounds += 1
        number = str(self.rounds)
        self.say("terminal", e.RoundOpened, round=number, shoe=shoe or self.shoe, heard=self.heard())
        for card in cards:
            self.say("shoe", e.CardDrawn, round=number, hand="player", card=card)
        self.say("terminal", e.RoundClosed, round=number, heard=self.heard())
        return self

    def close(self) -> Self:
        """Close the table."""
        self.say("terminal", e.TableClosed, heard=self.heard())
        return self

    def concluded(self) -> list[Conclusion]:
        """Return the accounts of the table's procedures, each day's as it was concluded last."""
        audit = TableAudit(TABLE, self.house)
        concluded = [*audit.feed(self.events), *audit.finish()]
        accounts = [each.conclusion for each in concluded if each.conclusion.account == "procedures"]
        return list({each.gaming_date: each for each in accounts}.values())

    def findings(self, *checks: str) -> list[Finding]:
        """Return what is found of the table's procedures under these checks, by day and in order."""
        return [
            finding
            for conclusion in self.concluded()
            for finding in conclusion.findings
            if not checks or finding.check in checks
        ]

    def raised(self, *checks: str) -> list[tuple[str, str, tuple[str, ...]]]:
        """Return check, weight and citations of each finding under these checks."""
        return [(each.check, each.weight, each.citations) for each in self.findings(*checks)]
