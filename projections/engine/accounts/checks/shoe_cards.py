"""Did a shoe end with every card of its decks, and no other; and does one stay away while it is in play?"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final

from projections.engine.accounts.account_lines import ShoeCase
from projections.engine.accounts.shoe_account import Balance, ShoeAccount
from projections.engine.facts import CardRef, Fact, Listed, fact, listed
from projections.engine.findings import Kind, Raised
from projections.engine.pack import Pack
from projections.engine.shoe_odds import (
    chance_of_at_most,
    chance_of_no_more,
    levels_of,
    one_in,
)

_MOST_KINDS: Final = 13  # kinds of cards; of more kinds only the number is reported

# ── Is every card of the decks there when the shoe ends, and no other? ────────────────────────────────

CARDS_NOT_CONSERVED: Final = Kind(
    "cards_not_conserved",
    severity="critical",
    asks="Did the cards that left the shoe and those left in it come to its decks?",
    false_positives="A wrong count of what was left; a card that left the shoe past its reader.",
)
CARDS_CONSERVED_KINDS: Final = (CARDS_NOT_CONSERVED,)


def check_cards_conserved(case: ShoeCase) -> Iterator[Raised]:
    """Raise a shoe that ended short, long, or with cards exchanged, by which cards and since when."""
    balance = case.balance
    if balance is None or not balance.is_wrong:
        return
    message = fact(
        "accounts.checks.cards_not_conserved",
        short=balance.short,
        size=case.pack.size if case.pack is not None else 0,
        lacking=_kinds(balance.lacking, balance) if balance.short > 0 or not balance.unseen else None,
        over=_kinds(balance.over, balance),
        among=int(balance.unseen > 0),
        since=_since(case),
        gaps=listed(*dict.fromkeys(balance.open)),
    )
    yield Raised(
        kind=CARDS_NOT_CONSERVED,
        message=message,
        cites=case.book.clause("cards_counted", "decks"),
        weight="undetermined" if balance.open else None,
    )


def _kinds(cards: Mapping[str, int], balance: Balance) -> Listed | None:
    """Return how many of each card; None if there are none, or too many kinds to be informative."""
    if not cards or (balance.unseen and len(cards) > _MOST_KINDS):
        return None
    kinds = (
        fact("accounts.checks.cards_of_a_kind", times=times, card=CardRef(card))
        for card, times in cards.items()
    )
    return listed(*kinds)


def _since(case: ShoeCase) -> Fact:
    """State since when the cards may have been other ones than the decks'."""
    before = case.account.before
    if before.even is None:
        return fact("accounts.checks.since_unknown")
    return fact(
        "accounts.checks.since_shoe",
        even=before.even,
        even_day=_other_day(before.even_day, case.day),
        shoe=before.next,
        shoe_day=_other_day(before.next_day, case.day),
    )


def _other_day(of: date | None, day: date) -> str | None:
    """Return the gaming date of an earlier shoe; None if it is the finding's own, or not known."""
    return str(of) if of is not None and of != day else None


# ── Does a card, a rank or a deck stay away while the shoe is in play? ────────────────────────────────

CARDS_STAY_AWAY: Final = Kind(
    "cards_stay_away",
    severity="medium",
    asks="Did every card, every rank and every deck come as often as chance allows?",
    false_positives="Chance: a full and shuffled shoe is warned of as seldom as the house file says.",
    weight="undetermined",
    by_chance=True,
)
CARDS_STAY_AWAY_KINDS: Final = (CARDS_STAY_AWAY,)


def check_cards_stay_away(case: ShoeCase) -> Iterator[Raised]:
    """Raise cards that did not appear, with how likely a full shoe would keep them back.

    Nothing is raised once the shoe was counted, or if its cards came in an order that they had before: the
    chances of a shuffled shoe do not apply to one that was not shuffled.
    """
    if not case.account.is_rare or case.account.order.runs or case.pack is None or case.balance is not None:
        return
    found = [*_absences(case.account, case.pack, case.one_in)]
    if found:
        yield Raised(
            kind=CARDS_STAY_AWAY,
            message=fact("accounts.checks.cards_stay_away", found=listed(*found), one_in=case.one_in),
            cites=case.book.clause("decks"),
        )


def _absences(account: ShoeAccount, pack: Pack, alarms: int) -> Iterator[Fact]:
    """State of each card, of each rank and of the decks what stays away so far that it is worth a warning."""
    drawn = account.read_of(pack)
    cards, ranks, repeats = levels_of(pack, alarms)
    for card in pack.cards():
        seen = account.cards.get(card, 0)
        if seen < len(cards) and drawn >= cards[seen]:
            chance = chance_of_at_most(seen, drawn, pack.decks, pack.size)
            yield fact(
                "accounts.checks.card_away",
                card=CardRef(card),
                seen=seen,
                drawn=drawn,
                holds=pack.decks,
                chance=one_in(chance),
            )
    for rank in pack.ranks:
        seen = account.of_rank(rank)
        if seen < len(ranks) and drawn >= ranks[seen]:
            chance = chance_of_at_most(seen, drawn, pack.holds("A?"), pack.size)
            yield fact(
                "accounts.checks.rank_away",
                rank=rank,
                seen=seen,
                drawn=drawn,
                holds=pack.holds("A?"),
                chance=one_in(chance),
            )
    most = max(account.cards.values(), default=0)
    if most < len(repeats) and drawn >= repeats[most]:
        chance = chance_of_no_more(most, drawn, pack)
        yield fact(
            "accounts.checks.decks_away",
            most=most,
            drawn=drawn,
            decks=pack.decks,
            chance=one_in(chance),
        )


KINDS: Final = (*CARDS_CONSERVED_KINDS, *CARDS_STAY_AWAY_KINDS)
