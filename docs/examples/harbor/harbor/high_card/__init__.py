"""High Card: one card for the player, one for the dealer; the higher one wins, a tie is returned."""

from collections.abc import Collection
from typing import Final

from discardrack.plugin import (
    CARDS,
    UNDECIDED,
    Adjudication,
    Fact,
    Game,
    Key,
    Laid,
    Reason,
    Reckoning,
    Round,
    Rulebook,
    Ruling,
    fact,
)

HANDS: Final = ("player", "dealer")
ORDER: Final = "23456789TJQKA"


class HighCard(Game):
    """The game of the chapter hc."""

    calls = (*HANDS, "tie")

    def fault(self, who: str, what: str) -> str | None:
        """Admit a card for each hand, and nothing else."""
        return None if who in HANDS and what in CARDS else f"{who!r} takes no {what!r} at High Card"

    def adjudicate(
        self, observed: Round, book: Rulebook, improper: Collection[Key], void_coupons: Collection[Key]
    ) -> Adjudication:
        """Settle each wager by the two cards; a coupon counts for nothing here."""
        del void_coupons
        owed = dict.fromkeys(observed.wagers, UNDECIDED)
        cards = {hand: observed.cards(hand) for hand in HANDS}
        if any(len(dealt) != 1 or "?" in dealt[0][1] for dealt in cards.values()):
            return Adjudication(None, owed)
        player, dealer = (ORDER.index(cards[hand][0][1][0]) for hand in HANDS)
        winner = "tie" if player == dealer else "player" if player > dealer else "dealer"
        for key, wager in observed.wagers.items():
            if key not in improper:
                owed[key] = _reckoned(winner, wager.cents, book)
        return Adjudication(winner, owed, calls=(winner,))

    def hands(self, observed: Round) -> list[Laid]:
        """Return the card of each hand."""
        return [Laid(hand, tuple(card for _, card in observed.cards(hand)), None) for hand in HANDS]

    def reasons(self, observed: Round, book: Rulebook) -> list[Reason]:
        """Return the one step of the play: what wins."""
        winner = self.adjudicate(observed, book, (), ()).outcome
        step: Fact = fact(f"hc.{winner}_wins") if winner in HANDS else fact("hc.no_winner")
        return [(step, "hc.2(a)")]


def _reckoned(winner: str, stake: int, book: Rulebook) -> Reckoning:
    if winner == "tie":
        return Reckoning(0, Ruling("push", "hc.2(b)"), stake)
    if winner == "dealer":
        return Reckoning(-stake, Ruling("lose", "hc.2(a)"), stake)
    odds = book.odds("odds")
    won, left = divmod(stake * odds.numerator, odds.denominator)
    ruling = Ruling("win", "hc.2(a)", odds, book.number("odds").cite)
    return Reckoning(won, ruling, stake, fraction=left != 0)


def game(chapter: str) -> Game:
    """Return the game of a chapter."""
    del chapter
    return HighCard()
