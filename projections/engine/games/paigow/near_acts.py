"""Acts that the clocks do not part, where it decides which was first: 535.10(e), 535.12(a), (b), (f)."""

from projections.engine.facts import CardRef, HandRef, Word, fact
from projections.engine.games.paigow.layout import DEALER
from projections.engine.observation import Doubt, Round


def near_doubts(seen: Round) -> list[Doubt]:
    """Doubt the tiles of a round where it is not known which of two acts came first, and it decides.

    That is a roll that was cancelled, hands that were set anew, and a surrender beside the first tile of the
    dealer's hands or of the player's own.
    """
    doubts: dict[int, Doubt] = {}
    for near in seen.near:
        (who, what), (other, then) = seen.play[near.act], seen.play[near.other]
        position, half, _ = other.partition(".")
        decides = (
            (what == "no_roll" and other == "dice")
            or (what == "reset" and half and position == who)
            or (what == "surrender" and half and position in (DEALER, who) and _is_first(seen, near.other))
        )
        if decides:
            message = fact(
                "games.paigow.too_near_to_laid",
                position=HandRef(who),
                act=Word(what),
                other=HandRef(other),
                laid=CardRef(then),
            )
            doubts.setdefault(near.act, Doubt("data_missing", "cards", message, near.device))
    return list(doubts.values())


def _is_first(seen: Round, act: int) -> bool:
    """Return True if no tile of its position was laid open before it."""
    laid = f"{seen.play[act][0].partition('.')[0]}."
    return not any(who.startswith(laid) for who, _ in seen.play[:act])
