"""A stored round on the table again: what lay where, in which order it came, what was owed and paid.

Which card the rules disregard was decided as the round was judged and stored with it; where it is not stored,
every card counts.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from projections.engine.observation import ASIDE, Lying, Paid, Round, Wager, key_of
from projections.engine.table_layout import lying
from projections.store.rows import Row
from projections.views.hand_view import acts
from projections.views.table_picture import LyingView, Place, lying_view, picture
from projections.views.wager_view import Spot, weighed
from projections.web.records.record_views import Owing
from projections.web.records.record_views import Spot as Stored


class RoundDrawing(Struct, frozen=True):
    """A round's play as it may be told, and its places with what lay and was wagered there.

    `by_the_rules` tells that it is known by which rules cards were disregarded.
    """

    play: list[tuple[str, str]]
    places: list[Place]
    by_the_rules: bool


_hands: Final = msgspec.json.Decoder(list[Lying]).decode
NOTHING: Final = RoundDrawing([], [], by_the_rules=True)  # of what is no round


def round_drawing(
    row: Row, wagers: Sequence[Stored], owing: Sequence[Owing], *, shoe_ended: bool
) -> RoundDrawing:
    """Put the round of a row on the table again.

    What was never turned up is told as a card face down; so is what was burned or discarded, unless its shoe
    has ended.
    """
    seen = _stored_observation(row, wagers)
    stored = _hands(row["hands"]) if row["hands"] is not None else None
    hands = stored if stored is not None else lying(row["chapter"], seen, None)
    laid = tuple(map(lying_view, hands))
    if not shoe_ended:
        laid = tuple(_covered(each) if each.hand in ASIDE else each for each in laid)
    spots = [replace(spot(each), patron=seen.patron(key_of(each))) for each in wagers]
    shown = picture("The table", laid, spots, [*(each.seat for each in owing), *seen.seated])
    return RoundDrawing(acts(seen, laid), list(shown.places), by_the_rules=stored is not None)


def _stored_observation(row: Row, wagers: Sequence[Stored]) -> Round:
    """Read a round back as far as a picture needs it."""
    play = [(act["who"], act["what"]) for act in row["play"] or ()]
    return Round(
        table=row["table_id"],
        number=row["round"],
        day=row["gaming_date"],
        at=0,  # no picture tells the time
        play=play,
        wagers={key_of(each): _chips(each) for each in wagers if each.cents is not None},
        announced=row["announced"],
        void=("dealer", "void") in play,
        shoe=row["shoe"],
        seated={each["seat"]: each["patron"] for each in row["seated"] or ()},
    )


def _covered(lying: LyingView) -> LyingView:
    return replace(lying, pieces=tuple(replace(each, face=None) for each in lying.pieces))


def spot(stored: Stored) -> Spot:
    """Set what was owed on a wager against what stands as paid, what came after the round closed included."""
    paid = None
    if stored.paid_cents is not None:
        paid = Paid(
            stored.paid_cents,
            stored.paid_vigorish_cents or 0,
            stored.righted_cents or 0,
            stored.righted_vigorish_cents or 0,
            stored.later_cents or 0,
            stored.later_vigorish_cents or 0,
        )
    due = stored.expected_cents, stored.expected_vigorish_cents
    return weighed(key_of(stored), _chips(stored), due, paid, permitted_by=stored.permitted_by)


def _chips(stored: Stored) -> Wager:
    return Wager(stored.cents or 0, stored.coupon_cents or 0, stored.coupon)
