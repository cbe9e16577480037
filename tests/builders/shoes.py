"""A shoe's whole life at a table of any card game: loaded, burned, dealt, and counted at its end."""

import random
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, Final

from projections.engine.conclusion import Conclusion
from schemas import events as e
from schemas.house import House, Submission, TableSetup
from schemas.law_text import Span
from schemas.values import RANKS, SUITS
from tests.builders.table_audit import audit_events
from tests.builders.table_script import Script

# A chapter -> the hands that a round's cards are dealt to here, in turn, until the round is closed.
HANDS: Final = {
    "631a": ("player", "banker", "player", "banker"),
    "541": ("player", "banker", "player", "banker"),
    "543": ("player", "banker", "player", "banker"),
    "545": ("player", "banker", "player", "banker"),
    "551": ("seat1", "dealer", "seat1", "dealer"),
    "681a": ("player", "banker", "player", "banker"),
    "685a": ("seat1", "dealer", "seat1", "dealer"),
}
DECKS: Final = {"631a": 8, "541": 8, "543": 8, "545": 8, "551": 6, "681a": 8, "685a": 6}


def pack(chapter: str, decks: int) -> list[str]:
    """Return so many decks in order: of 52 cards, or without the tens at Spanish 21."""
    ranks = RANKS.replace("T", "") if chapter == "551" else RANKS
    return [rank + suit for suit in SUITS for rank in ranks] * decks


def shuffled(cards: Sequence[str], seed: object) -> list[str]:
    """Return cards in an order that depends on a seed alone."""
    shoe = [*cards]
    random.Random(str(seed)).shuffle(shoe)  # noqa: S311  a known seed is the point
    return shoe


def at_table(chapter: str, decks: int) -> House:
    """Return a house with one table of a chapter, whose text it holds in force."""
    sources: Any = {"T": "terminal", "S": "shoe", "C": "chips"}
    return House(
        house="shoes",
        gaming_day_starts="05:00",
        tables={"BAC-1": TableSetup(chapter=chapter, decks=decks, sources=sources)},
        submissions=[Submission(since=date(2010, 3, 20), chapter=chapter, options={})],
        in_force={chapter: Span(since=date(2010, 3, 20), until=date(2030, 1, 1))},
    )


class Table(Script):
    """A table of any card game with a terminal, a shoe and a chip reader, whose rounds are cards alone."""

    def __init__(self, chapter: str, decks: int | None = None) -> None:
        super().__init__(without=("V", "I"))
        self.chapter = chapter
        self.decks = decks or DECKS[chapter]
        self.say("T", e.TableOpened, inventory_cents=self.tray, heard=self.heard())

    def put_in(self, shoe: str, burned: Iterable[str | None] = ()) -> None:
        """Load a shoe and burn cards, None face down."""
        self.shoe = shoe
        self.say("S", e.ShoeLoaded, shoe=shoe, decks=self.decks)
        for card in burned:
            self.say("S", e.CardBurned, card=card)

    def deal_round(self, cards: Sequence[str], wagers: dict[int, int] | None = None) -> str:
        """Play a round of these cards, with chips of so many cents at some seats."""
        self.count += 1
        self.tell(e.RoundOpened, shoe=self.shoe, rules=self.rules, heard=self.heard())
        wager = "wager" if self.chapter == "551" else "bet" if self.chapter == "685a" else "player"
        for seat, cents in (wagers or {}).items():
            self.on((seat, wager), e.ChipsPlaced, cents)
        self.tell(e.WagersClosed, after=3)
        for card, hand in zip(cards, HANDS[self.chapter] * len(cards), strict=False):
            self.say("S", e.CardDrawn, 1.5, round=self.number, hand=hand, card=card)
        self.tell(e.RoundClosed, after=1, heard=self.heard())
        self.now += 5
        return self.number

    def deal_all(self, cards: Sequence[str], leave: int = 0) -> list[str]:
        """Deal rounds of four cards until at most so many are left; give those."""
        rest = [*cards]
        while len(rest) - 4 >= leave:
            self.deal_round(rest[:4], {1: 1000})
            rest = rest[4:]
        return rest

    def count_rest(self, left: int, cards: Sequence[str] | None = None) -> None:
        """Count what is left in the shoe at its end."""
        self.say("S", e.ShoeCounted, shoe=self.shoe, left=left, cards=None if cards is None else tuple(cards))

    def shoes_told(self) -> dict[str, Conclusion]:
        """Close the table and give what is concluded of its shoes."""
        self.close()
        return audit_events(self.events, at_table(self.chapter, self.decks)).shoes


def prove_shuffled(chapter: str, provision: str) -> None:
    """Prove that new decks which were not shuffled are found under a provision, and shuffled ones are not."""
    deck = new_deck(chapter)
    for cards, found in ((deck, [provision]), (shuffled(deck, provision), [])):
        s = Table(chapter)
        s.put_in("A")
        for start in range(0, 12, 4):
            s.deal_round(cards[start : start + 4])
        raised = [each for each in s.shoes_told()["A"].findings if each.check == "order_preserved"]
        assert [each.citations[0] for each in raised] == found


def new_deck(chapter: str) -> list[str]:
    """Return a deck as it is packed: spades and diamonds from the ace, clubs and hearts from the king."""
    ranks = RANKS.replace("T", "") if chapter == "551" else RANKS
    up = [rank + suit for suit in "sd" for rank in ranks]
    return up + [rank + suit for suit in "ch" for rank in reversed(ranks)]
