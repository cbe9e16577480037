"""The Player's and the Banker's Hand, with the cards that 631a.15(b), (c) and the like remove from them."""

from collections.abc import Sequence

from projections.engine.facts import fact
from projections.engine.game import Game
from projections.engine.games.baccarat.play import Deal, possible_deals
from projections.engine.games.baccarat.rules import rules_of
from projections.engine.observation import Lying, LyingOf, Round
from projections.engine.table_layout import pieces, places_of
from schemas.rulebook import Rulebook

_HANDS = ("player", "banker")
_THIRD = 2  # the place of the third card, from none


def lying(game: Game, observed: Round, book: Rulebook | None) -> list[Lying]:
    """Return the layout of both hands; no card is disregarded if the cards do not settle the round."""
    at = {hand: places_of(observed, hand) for hand in _HANDS}
    deals: Sequence[Deal] = ()
    if book is not None and not observed.void:
        deals = possible_deals(rules_of(book), observed.cards(*_HANDS))
    ways = {(each.player_cards, each.banker_cards) if each.settles else None for each in deals}
    if len(ways) != 1 or None in ways:
        return [
            LyingOf(each.hand, pieces(observed, at[each.hand]), each.point_count)
            for each in game.hands(observed)
        ]
    players_third = _lent(deals[0], observed)
    player = LyingOf(
        "player",
        pieces(observed, at["player"], at["player"][deals[0].player_cards :]),
        _agreed([each.player for each in deals]),
        fact("games.baccarat.third_is_bankers") if players_third else "",
    )
    own = deals[0].banker_cards - (1 if players_third else 0)
    banker = LyingOf(
        "banker",
        pieces(observed, at["banker"], at["banker"][own:]),
        _agreed([each.banker for each in deals]),
        fact("games.baccarat.with_players_third") if players_third else "",
    )
    return [player, banker]


def _lent(deal: Deal, observed: Round) -> bool:
    """Return True if a card that came to a Player's Hand that stays is the Banker's third."""
    thirds = observed.cards(*_HANDS)[4:]
    return deal.player_cards == _THIRD and deal.banker_cards > _THIRD and thirds[0][0] == "player"


def _agreed(counts: list[int]) -> int | None:
    return counts[0] if len(set(counts)) == 1 else None
