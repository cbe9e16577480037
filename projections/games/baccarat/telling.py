"""The play of a round told step by step, each step with the provision it stands on."""

from collections.abc import Sequence

from projections.games.baccarat.rules import Rules, banker_draws, is_natural, player_draws, value
from schemas.values import RANKS_OF


def points(cards: Sequence[str]) -> int | None:
    """Count a hand, 631a.6(b); None where a card's value was not read.

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


def reasons(rules: Rules, cards: Sequence[tuple[str, str]], *, void: bool) -> list[tuple[str, str]]:
    """Tell how the cards had to fall: sentence and provision, in order."""
    if void:
        return [("The round was called void: every wager is returned.", rules.cite("cards_run_out"))]
    player = [card for hand, card in cards if hand == "player"]
    banker = [card for hand, card in cards if hand == "banker"]
    first, second = points(player[:2]), points(banker[:2])
    told = [
        (f"Player's Hand {' '.join(player[:2])}: Point Count {_said(first)}.", rules.cite("point_count")),
        (f"Banker's Hand {' '.join(banker[:2])}: Point Count {_said(second)}.", rules.cite("point_count")),
    ]
    if first is None or second is None:
        return [*told, ("A card was not read: what followed cannot be told.", rules.cite("point_count"))]
    if is_natural(rules, first) or is_natural(rules, second):
        return [
            *told,
            ("A Natural: no more cards.", rules.cite("natural_stops")),
            _final(rules, first, second),
        ]
    draws = player_draws(rules, first)
    told.append(
        (f"Player's Hand has {first} and draws.", rules.cite("player_draws_below"))
        if draws
        else (f"Player's Hand has {first} and stays.", rules.cite("player_stays"))
    )
    third: int | None = None
    if draws:
        if len(player) == 2 or (third := points(player[2:3])) is None:  # noqa: PLR2004  two cards make a hand
            return [*told, ("The Player's third card was not seen.", rules.cite("player_draws_below"))]
        first = (first + third) % 10
        told.append((f"Player's third card {player[2]}: Point Count {first}.", rules.cite("point_count")))
    draws = banker_draws(rules, second, third)
    told.append(_bankers(rules, second, third, draws=draws))
    if draws:
        # A card dealt first to a Player's Hand that stays is the Banker's third, 631a.15(b), (c).
        in_error = third is None and [hand for hand, _ in cards[4:5]] == ["player"]
        drawn = player[2:3] if in_error else banker[2:3]
        worth = points(drawn) if drawn else None
        if worth is None:
            return [*told, ("The Banker's third card was not seen.", rules.cite("bankers_third"))]
        second = (second + worth) % 10
        told.append((f"Banker's third card {drawn[0]}: Point Count {second}.", rules.cite("point_count")))
    return [*told, _final(rules, first, second)]


def _bankers(rules: Rules, points: int, third: int | None, *, draws: bool) -> tuple[str, str]:
    does = "draws" if draws else "stays"
    against = "no third card" if third is None else f"a third card worth {third}"
    cite = rules.cite("banker_draws_to_alone" if third is None else "banker_after_player")
    return f"Banker's Hand has {points} against {against} and {does}.", cite


def _final(rules: Rules, player: int, banker: int) -> tuple[str, str]:
    if player == banker:
        return f"Tie hand, {player} to {banker}.", rules.cite("announcement")
    winner = "Player's Hand" if player > banker else "Banker's Hand"
    return f"{winner} wins, {max(player, banker)} to {min(player, banker)}.", rules.cite("announcement")


def _said(points: int | None) -> str:
    return "not read" if points is None else str(points)
