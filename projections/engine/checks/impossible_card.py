"""Can the card be in this shoe at all?"""

from typing import Final

from projections.engine.check_context import Case
from projections.engine.facts import CardRef, fact
from projections.engine.findings import Kind, Raised

CARD_NOT_IN_DECK: Final = Kind(
    "card_not_in_deck",
    severity="grave",
    asks="Was no card seen more often than the decks of the shoe hold it?",
    false_positives="A misread card, where no second reader is connected; cards loaded that no one reported.",
)
KINDS: Final = (CARD_NOT_IN_DECK,)


def check(case: Case) -> list[Raised]:
    """Raise each card that the shoe's decks do not hold that often."""
    decks = case.book.shoe_decks
    return [
        Raised(
            kind=CARD_NOT_IN_DECK,
            message=fact(
                "checks.card_not_in_deck",
                card=CardRef(surplus.card),
                times=surplus.times,
                decks=decks,
                is_proven=int(surplus.is_proven),
            ),
            cites=case.book.clauses["decks"],
            weight=None if surplus.is_proven else "undetermined",
            who=surplus.hand,
        )
        for surplus in case.surplus
    ]
