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
        return [("The round was called void: every wager is returned.", "631a.15(e)")]
    player = [card for hand, card in cards if hand == "player"]
    banker = [card for hand, card in cards if hand == "banker"]
    first, second = points(player[:2]), points(banker[:2])
    told = [
        (f"Player's Hand {' '.join(player[:2])}: Point Count {_said(first)}.", "631a.6(b)"),
        (f"Banker's Hand {' '.join(banker[:2])}: Point Count {_said(second)}.", "631a.6(b)"),
    ]
    if first is None or second is None:
        return [*told, ("A card was not read: what followed cannot be told.", "631a.6(b)")]
    if is_natural(rules, first) or is_natural(rules, second):
        return [*told, ("A Natural: no more cards.", "631a.11(a)"), _final(first, second)]
    draws = player_draws(rules, first)
    told.append(
        (f"Player's Hand has {first} and draws.", "631a.11(b)(1)")
        if draws
        else (f"Player's Hand has {first} and stays.", "631a.11(b)(2)")
    )
    third: int | None = None
    if draws:
        if len(player) == 2 or (third := points(player[2:3])) is None:  # noqa: PLR2004  two cards make a hand
            return [*told, ("The Player's third card was not seen.", "631a.11(b)(1)")]
        first = (first + third) % 10
        told.append((f"Player's third card {player[2]}: Point Count {first}.", "631a.6(b)"))
    draws = banker_draws(rules, second, third)
    told.append(_bankers(second, third, draws=draws))
    if draws:
        # A card dealt first to a Player's Hand that stays is the Banker's third, 631a.15(b), (c).
        in_error = third is None and [hand for hand, _ in cards[4:5]] == ["player"]
        drawn = player[2:3] if in_error else banker[2:3]
        worth = points(drawn) if drawn else None
        if worth is None:
            return [*told, ("The Banker's third card was not seen.", "631a.11(c)")]
        second = (second + worth) % 10
        told.append((f"Banker's third card {drawn[0]}: Point Count {second}.", "631a.6(b)"))
    return [*told, _final(first, second)]


def _bankers(points: int, third: int | None, *, draws: bool) -> tuple[str, str]:
    does = "draws" if draws else "stays"
    if third is None:
        return f"Banker's Hand has {points} against no third card and {does}.", "631a.11(c)(1)"
    return f"Banker's Hand has {points} against a third card worth {third} and {does}.", "631a.11(c)(2)"


def _final(player: int, banker: int) -> tuple[str, str]:
    if player == banker:
        return f"Tie hand, {player} to {banker}.", "631a.12(a)"
    winner = "Player's Hand" if player > banker else "Banker's Hand"
    return f"{winner} wins, {max(player, banker)} to {min(player, banker)}.", "631a.12(a)"


def _said(points: int | None) -> str:
    return "not read" if points is None else str(points)
