"""The cards of a shoe, prepared rightly in the words of each chapter, or with one thing otherwise."""

from collections.abc import Mapping
from typing import Any, Final

from projections.engine.findings import Finding
from schemas import events as e
from schemas.procedures import ProcedureStep
from schemas.values import Person
from tests.law.procedure_table import DEALER, FLOORPERSON, SECOND_DEALER, ProcedureTable

# What each chapter prints: the shape of the spread, the decks of a shoe, the cards of a deck.
SHAPE: Final = {"541": "rows", "543": "rows", "545": "columns"}  # of all others fans
DECKS: Final = {"551": 6, "685a": 6}  # of all others 8
CARDS: Final = {"551": 48}  # of all others 52
EACH_DEALER: Final = ("631a", "545")
BLACKJACK: Final = ("551", "685a")
ONE_BURNED: Final = ("551", "681a", "685a")
QUARTER: Final = ("551", "685a")
SEATS: Final = (2, 5, 7)
OTHER_DEALER: Final = Person("dot", "dealer")


class Prepared(ProcedureTable):
    """A table at which cards are prepared; players sit in seats 2, 5 and 7.

    `omit` names what is not done, `lose` what is done and whose report is lost, `fields` what a step says
    otherwise; the steps have their own names, and beside them are `receipt`, `inspection`, `load` and `burn`.
    """

    def __init__(self, number: str, **table: Any) -> None:
        super().__init__(number, **table)
        self.omit: set[str] = set()
        self.lose: set[str] = set()
        self.fields: dict[str, dict[str, Any]] = {}
        self.decks = DECKS.get(number, 8)
        self.cards = CARDS.get(number, 52)
        self.shoes = 0
        self.batch: str | None = None

    def otherwise(
        self, *, omit: str = "", lose: str = "", fields: Mapping[str, Mapping[str, Any]] | None = None
    ) -> "Prepared":
        """Change how the following steps are done."""
        self.omit, self.lose = set(omit.split()), set(lose.split())
        self.fields = {name: dict(each) for name, each in (fields or {}).items()}
        return self

    def does(self, name: str, source: str, event: type[Any], /, **fields: Any) -> None:
        """Report something unless it is omitted."""
        if name not in self.omit:
            given = fields | self.fields.get(name, {})
            self.say(source, event, is_lost=name in self.lose, **given)

    def does_step(self, step: ProcedureStep, **fields: Any) -> None:
        """Report a step unless it is omitted."""
        self.does(step, "pit", e.ProcedureStepTaken, step=step, item=self.batch, **fields)

    def open(self) -> "Prepared":
        """Open the table with two dealers, as each of them has to shuffle at some."""
        super().open()
        if self.number in EACH_DEALER:
            self.say("terminal", e.DealerAssigned, dealer=SECOND_DEALER.name)
        if self.number in BLACKJACK:
            self.inspect_reader()
        return self

    def inspect_reader(self, **fields: Any) -> "Prepared":
        """Script a floorperson's inspection of the card reader."""
        given = {"kind": "card_reader", "item": "reader", "passed": True, "by": FLOORPERSON}
        self.say("pit", e.ItemInspected, **(given | fields))
        return self

    def sit(self, *seats: int) -> "Prepared":
        """Script players who sit down."""
        for seat in seats or SEATS:
            self.say("terminal", e.PlayerSeated, seat=seat)
        return self

    def receive(self, batch: str = "A") -> "Prepared":
        """Bring decks to the table."""
        figures = {"decks": self.decks, "cards_per_deck": self.cards, "cover_cards": 2}
        marks = {"back_color": "red", "design": "star"}
        self.does(
            "receipt",
            "cards",
            e.ItemMoved,
            kind="cards",
            item=batch,
            place="table",
            figures=figures,
            marks=marks,
        )
        return self

    def inspect(self, batch: str = "A") -> "Prepared":
        """Inspect the cards, spread them, turn them down, wash and stack them."""
        self.does(
            "inspection",
            "pit",
            e.ItemInspected,
            kind="cards",
            item=batch,
            passed=True,
            by=DEALER,
            verified_by=FLOORPERSON,
            figures={"decks": self.decks},
        )
        self.does_step("spread", face="up", manner=SHAPE.get(self.number, "fans"))
        self.does_step("turned", face="down")
        self.does_step("washed", by=DEALER)
        self.does_step("stacked", by=DEALER, count=1)
        return self

    def shuffle(self) -> "Prepared":
        """Shuffle the cards and have it verified."""
        self.does_step("shuffled", by=DEALER)
        if self.number in EACH_DEALER:
            self.does("second_shuffle", "pit", e.ProcedureStepTaken, step="shuffled", by=SECOND_DEALER)
        self.does_step("shuffle_verified", by=FLOORPERSON)
        return self

    def cut(self, seat: int | None = None) -> "Prepared":
        """Script a player's cut: at blackjack tables the first who came, else the one in the highest seat."""
        stack = self.decks * self.cards
        cutter = seat if seat is not None else 2 if self.number in BLACKJACK else 7
        behind = stack // 4 if self.number in QUARTER else 14
        self.does_step("cut_offered", seat=cutter)
        self.does_step("cut_made", seat=cutter, count=100, total=stack)
        self.does_step("stack_rotated", by=DEALER)
        self.does_step("cover_card_inserted", by=DEALER, count=behind, total=stack)
        return self

    def fill(self, batch: str | None = None) -> "Prepared":
        """Script the loading of the shoe and the burn: one card, or a 3 and three more."""
        self.shoes += 1
        self.shoe = f"{self.shoes}"
        self.does("load", "shoe", e.ShoeLoaded, shoe=self.shoe, decks=self.decks, batch=batch)
        for card in ("3h",) if self.number in ONE_BURNED else ("3h", "9c", "Kd", "2s"):
            self.does("burn", "shoe", e.CardBurned, card=card)
        return self

    def finish(self) -> "Prepared":
        """End the shoe as the text says: its cover card is reached, one more hand where it has one."""
        number = str(self.rounds + 1)
        self.rounds += 1
        self.say("terminal", e.RoundOpened, round=number, shoe=self.shoe, heard=self.heard())
        self.does("cover_card_reached", "pit", e.ProcedureStepTaken, step="cover_card_reached",
                  round=number, count=14, hand="seat5" if self.number in BLACKJACK else None)  # fmt: skip
        self.say("terminal", e.RoundClosed, round=number, heard=self.heard())
        if self.number not in ONE_BURNED:
            self.does("last_hand_announced", "pit", e.ProcedureStepTaken, step="last_hand_announced")
            if "last_hand" not in self.omit:
                self.round()
        self.does("cards_collected", "pit", e.ProcedureStepTaken, step="cards_collected",
                  count=self.decks * self.cards)  # fmt: skip
        return self


def opened(number: str, *, before: str = "", **changes: Any) -> Prepared:
    """Return a table that opened with fresh cards, with one thing otherwise, and played a round.

    `before` names the sources that the house has not connected.
    """
    table = Prepared(number, without=tuple(before.split())).open().sit()
    assert isinstance(table, Prepared)
    table.otherwise(**changes).receive().inspect().shuffle().cut().fill().round()
    table.close()
    return table


def second_shoe(number: str, **changes: Any) -> Prepared:
    """Return a table whose first shoe ended, and whose second was prepared with one thing otherwise."""
    table = Prepared(number).open().sit()
    assert isinstance(table, Prepared)
    table.receive().inspect().shuffle().cut().fill().round()
    table.otherwise(**changes).finish()
    if number in ("631a", "543", "545"):  # new decks after each shoe
        table.receive("B").inspect("B")
    table.shuffle().cut(5 if number in BLACKJACK else 7).fill().round()
    table.close()
    return table


def weighed(found: list[Finding]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return check, weight and citations of each finding."""
    return [(each.check, each.weight, each.citations) for each in found]
