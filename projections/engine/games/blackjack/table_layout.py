"""Hands against a dealer: split hands, cards that are disregarded, a hole card that was never turned up."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from projections.engine.facts import fact
from projections.engine.game import Game
from projections.engine.games.blackjack.dealer_hand import DealerHand
from projections.engine.games.blackjack.hands import DEALER, PAIR, Hand, lay_out, total, values_of
from projections.engine.games.blackjack.manner import Manner
from projections.engine.games.blackjack.player_hand import End
from projections.engine.observation import OUT_OF_PLAY, Lying, Piece, Round
from projections.engine.table_layout import is_piece, piece_at, pieces, places_of, remarks
from schemas.values import RANKS

_BLACKJACK = fact("games.blackjack.blackjack")


def hands_played(
    observed: Round, manner: Manner, ends: Mapping[str, Sequence[End]], dealer: DealerHand
) -> list[Lying]:
    """Return the hands of a round that was played out: the cards that count, and those disregarded."""
    layout = lay_out(observed.play, manner.ranks)
    players = [_player(observed, manner, hand, ends.get(hand.name, ())) for hand in layout.hands]
    return _with_strays(observed, [_dealer(observed, manner, layout.dealer, dealer), *players])


def _with_strays(observed: Round, laid: list[Lying]) -> list[Lying]:
    """Add the cards that lie on no hand: their hand did not exist, or lost them by a split."""
    lie = {piece.line - 1 for hand in laid for piece in hand.pieces}
    found = {hand.hand: hand for hand in laid}
    for place, (who, what) in enumerate(observed.play):
        if place not in lie and who not in OUT_OF_PLAY and is_piece(who, what):
            hand = found.get(who, Lying(who, (), None, fact("games.blackjack.no_such_hand")))
            stray = piece_at(observed, place, counts=False)
            found[who] = replace(hand, pieces=tuple(sorted((*hand.pieces, stray), key=_line)))
    return list(found.values())


def _line(piece: Piece) -> int:
    return piece.line


def _player(observed: Round, manner: Manner, hand: Hand, ends: Sequence[End]) -> Lying:
    """Return the layout of a player's hand: its first cards count, and those beyond are disregarded."""
    at = _places(hand)
    counts = {len(end.cards) for end in ends}
    if len(counts) != 1:
        return _lying(observed, manner, hand, at, at, manner.limit)
    (counting,) = counts
    laid = _lying(observed, manner, hand, at, at[:counting], manner.limit)
    natural = all(end.blackjack for end in ends)
    doubled = [fact("games.blackjack.doubled")] if all(end.doubled for end in ends) else []
    left = {end.left for end in ends}
    gone = (
        [fact("games.blackjack.left", how=how) for how in left if how is not None] if len(left) == 1 else []
    )
    return replace(laid, remark=remarks(*([_BLACKJACK] if natural else []), *doubled, *gone))


def _dealer(observed: Round, manner: Manner, hand: Hand, dealer: DealerHand) -> Lying:
    at = _places(hand)
    values = _values(observed, manner, at)
    totals = {end.total for end in dealer.ends}
    if values is None or not dealer.is_complete or len(totals) != 1:
        return _lying(observed, manner, hand, at, at, manner.dealer_limit)
    counting = next(
        (count for count in range(PAIR, len(at)) if total(values[:count], manner.dealer_limit) in totals),
        len(at),
    )
    laid = _lying(observed, manner, hand, at, at[:counting], manner.dealer_limit)
    return replace(laid, remark=_BLACKJACK if all(end.blackjack for end in dealer.ends) else "")


def _lying(
    observed: Round, manner: Manner, hand: Hand, at: list[int], counting: list[int], limit: int
) -> Lying:
    foreign = [step.place for step in hand.foreign]
    values = _values(observed, manner, counting)
    return Lying(
        hand.name,
        pieces(observed, [*at, *foreign], {*at, *foreign} - set(counting)),
        total(values, limit) if values else None,
    )


def _values(observed: Round, manner: Manner, places: Iterable[int]) -> list[int] | None:
    """Return the values of cards by their places; None if one was not read."""
    read = [values_of(observed.play[place][1], manner.ranks) for place in places]
    return [each[0] for each in read] if all(len(each) == 1 for each in read) else None


def _places(hand: Hand) -> list[int]:
    return [step.place for step in (*hand.opening, *hand.steps) if step.is_card]


def hands_dealt(game: Game, observed: Round) -> list[Lying]:
    """Return the layout of the hands by the play alone; a hole card that was not turned up is face down."""
    counted = {each.hand: each.point_count for each in game.hands(observed)}
    layout = lay_out(observed.play, RANKS)
    laid = [
        Lying(hand.name, pieces(observed, _places(hand)), counted.get(hand.name)) for hand in layout.hands
    ]
    dealer = Lying(DEALER, pieces(observed, _places(layout.dealer)), counted.get(DEALER))
    return _with_strays(observed, [_unturned(dealer) if hole_of(observed) is not None else dealer, *laid])


def _unturned(dealer: Lying) -> Lying:
    up, hole = dealer.pieces
    return Lying(DEALER, (up, Piece(None, hole.line)), None, fact("games.blackjack.hole_not_turned"))


def hole_of(observed: Round) -> int | None:
    """Return where in the play a hole card stands that was never turned up, if there is one.

    It is turned up when all players have decided: a round that was void before the dealer drew or his result
    was called never came so far.

    >>> Play = lambda *acts, **more: Round("T", "1", None, 0, list(acts), **more)
    >>> hole_of(Play(("dealer", "6c"), ("dealer", "9h"), ("dealer", "void"), void=True))
    1
    >>> hole_of(Play(("dealer", "6c"), ("dealer", "9h"), ("dealer", "8h"), void=True)) is None
    True
    """
    at = places_of(observed, DEALER)
    turned = not observed.void or len(at) != PAIR or observed.announced not in (None, "void")
    return None if turned else at[1]
