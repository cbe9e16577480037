"""The play of a round described step by step, each step with its provision."""

from collections.abc import Sequence

from projections.engine.facts import CardRef, Fact, HandRef, fact, listed
from projections.engine.game import Reason
from projections.engine.games.baccarat.rules import Rules, banker_draws, is_natural, player_draws, value
from schemas.values import RANKS_OF


def points(cards: Sequence[str]) -> int | None:
    """Count a hand, 631a.6(b); None if a card's value was not read.

    >>> points(["9s", "Kd", "4c"]), points(["9s", "0?"]), points(["9s", "?h"])
    (3, 9, None)
    """
    total = 0
    for card in cards:
        values = {value(rank) for rank in RANKS_OF[card[0]]}
        if len(values) != 1:
            return None
        total += values.pop()
    return total % 10


def reasons(rules: Rules, cards: Sequence[tuple[str, str]], *, void: bool) -> list[Reason]:
    """Return how the cards had to fall: each step and its provision, in order."""
    if void:
        return [(fact("games.baccarat.called_void"), rules.cite("cards_run_out"))]
    player = [card for hand, card in cards if hand == "player"]
    banker = [card for hand, card in cards if hand == "banker"]
    first, second = points(player[:2]), points(banker[:2])
    reasons_given = [
        (_initial("player", player[:2], first), rules.cite("point_count")),
        (_initial("banker", banker[:2], second), rules.cite("point_count")),
    ]
    if first is None or second is None:
        return [*reasons_given, (fact("games.baccarat.card_not_read"), rules.cite("point_count"))]
    if is_natural(rules, first) or is_natural(rules, second):
        return [
            *reasons_given,
            (fact("games.baccarat.natural"), rules.cite("natural_stops")),
            _final(rules, first, second),
        ]
    draws = player_draws(rules, first)
    turn = fact("games.baccarat.players_turn", hand=HandRef("player"), points=first, draws=int(draws))
    reasons_given.append((turn, rules.cite("player_draws_below" if draws else "player_stays")))
    third: int | None = None
    if draws:
        if len(player) == 2 or (third := points(player[2:3])) is None:  # noqa: PLR2004  two cards make a hand
            return [
                *reasons_given,
                (
                    fact("games.baccarat.third_not_seen", hand=HandRef("player")),
                    rules.cite("player_draws_below"),
                ),
            ]
        first = (first + third) % 10
        reasons_given.append((_third("player", player[2], first), rules.cite("point_count")))
    draws = banker_draws(rules, second, third)
    reasons_given.append(_bankers(rules, second, third, draws=draws))
    if draws:
        # A card dealt first to a Player's Hand that stays is the Banker's third, 631a.15(b), (c).
        in_error = third is None and [hand for hand, _ in cards[4:5]] == ["player"]
        bankers_third = player[2:3] if in_error else banker[2:3]
        worth = points(bankers_third) if bankers_third else None
        if worth is None:
            return [
                *reasons_given,
                (fact("games.baccarat.third_not_seen", hand=HandRef("banker")), rules.cite("bankers_third")),
            ]
        second = (second + worth) % 10
        reasons_given.append((_third("banker", bankers_third[0], second), rules.cite("point_count")))
    return [*reasons_given, _final(rules, first, second)]


def _bankers(rules: Rules, points: int, third: int | None, *, draws: bool) -> Reason:
    message = fact(
        "games.baccarat.bankers_turn",
        hand=HandRef("banker"),
        points=points,
        against=third,
        draws=int(draws),
    )
    cite = rules.cite("banker_draws_to_alone" if third is None else "banker_after_player")
    return message, cite


def _final(rules: Rules, player: int, banker: int) -> Reason:
    if player == banker:
        return fact("games.baccarat.tie", points=player), rules.cite("announcement")
    winner = HandRef("player" if player > banker else "banker")
    won, lost = max(player, banker), min(player, banker)
    return fact("games.baccarat.wins", hand=winner, points=won, others=lost), rules.cite("announcement")


def _initial(hand: str, cards: Sequence[str], points: int | None) -> Fact:
    lying = listed(*map(CardRef, cards))
    return fact("games.baccarat.initial", hand=HandRef(hand), cards=lying, points=points)


def _third(hand: str, card: str, points: int) -> Fact:
    return fact("games.baccarat.third", hand=HandRef(hand), card=CardRef(card), points=points)
