"""Each wager of a hand: the chips, what was owed and how that comes about, what was paid, the difference."""

from collections.abc import Mapping
from typing import Any, Final, Generic, TypeAlias, TypeVar

from msgspec import Struct

from projections.engine.adjudication import steps_of
from projections.engine.check_context import NOTHING_PAID, RoundCase
from projections.engine.facts import Fact, WagerRef, fact
from projections.engine.findings import Side
from projections.engine.observation import Key, Paid, Round, Wager
from projections.views.conclusion_view import Line, LineOf, cited, line_view

_W = TypeVar("_W", Fact, str)

_NO_CHIPS: Final = Wager(0)
NOBODY: Final[Mapping[Key, str | None]] = {}
NOTHING_PERMITTED: Final[Mapping[Key, str]] = {}


class SpotOf(Struct, Generic[_W], frozen=True, kw_only=True):
    """Wager: the chips and the coupon, what was owed, what was paid, and the difference.

    `patron` is who sat there, if that is known and may be shown.

    Gains are the player's, before vigorish. `paid_cents` and `paid_vigorish_cents` include later corrections,
    which have fields of their own; they are None if the settlement was not seen. The differences are paid
    less owed, None if either is open. `permitted_by` is the provision that permits the vigorish taken if the
    house chose to round it otherwise. `favours` is whom all that is against the rule favours together.
    """

    seat: int
    bettor: str | None
    patron: str | None = None
    wager: str
    hand: str | None
    cents: int
    coupon_cents: int
    coupon: str | None
    owed_cents: int | None
    owed_vigorish_cents: int | None
    paid_cents: int | None
    paid_vigorish_cents: int | None
    righted_cents: int
    righted_vigorish_cents: int
    later_cents: int
    later_vigorish_cents: int
    difference_cents: int | None
    vigorish_difference_cents: int | None
    favours: Side | None
    steps: tuple[LineOf[_W], ...]
    permitted_by: str | None = None

    @property
    def against_the_rule(self) -> tuple[int, int]:
        """By how many cents gain and vigorish are not what the text permits; 0 if that is open."""
        return self.difference_cents or 0, _not_permitted(self.vigorish_difference_cents, self.permitted_by)

    @property
    def net_cents(self) -> int:
        """By how many cents more than the text has it the wager brought its bettor, vigorish and all."""
        gain, vigorish = self.against_the_rule
        return gain - vigorish


Spot: TypeAlias = SpotOf[Fact]
SpotView: TypeAlias = SpotOf[str]
# A wager whose steps are not read.
AnySpot: TypeAlias = SpotOf[Any]


def spot_view(spot: Spot) -> SpotView:
    """Return a wager with its steps in words."""
    fields = {name: getattr(spot, name) for name in spot.__struct_fields__}
    return SpotView(**fields | {"steps": tuple(map(line_view, spot.steps))})


def spots(
    observed: Round,
    case: RoundCase | None,
    patrons: Mapping[Key, str | None] = NOBODY,
    permitted: Mapping[Key, str] = NOTHING_PERMITTED,
) -> tuple[Spot, ...]:
    """Return each wager, and what was due, paid or collected where none was seen: by seat, person and wager.

    The wagers of a person stand in the order of the text; `patrons` are those of the wagers, where known.
    `permitted` names the provision where it permits vigorish that the house chose to take otherwise.
    """
    due = case.ruled.owed if case is not None else {}
    keys = dict.fromkeys((*observed.wagers, *due, *(observed.paid or ())))
    order = list(case.book.wagers) if case is not None else []

    def place(key: Key) -> tuple[int, str, int, str, str]:
        seat, bettor, wager, hand = key
        return seat, bettor or "", order.index(wager) if wager in order else len(order), wager, hand or ""

    return tuple(
        _spot(key, observed, case, patrons.get(key), permitted.get(key)) for key in sorted(keys, key=place)
    )


def _spot(
    key: Key, observed: Round, case: RoundCase | None, patron: str | None, permitted_by: str | None
) -> Spot:
    return weighed(
        key,
        observed.wagers.get(key, _NO_CHIPS),
        _owed(key, case),
        observed.paid.get(key, NOTHING_PAID) if observed.paid is not None else None,
        patron=patron,
        derived=steps(case, key),
        permitted_by=permitted_by,
    )


def weighed(
    key: Key,
    chips: Wager,
    due: tuple[int | None, int | None],
    paid: Paid | None,
    *,
    patron: str | None = None,
    derived: tuple[Line, ...] = (),
    permitted_by: str | None = None,
) -> Spot:
    """Compare the gain and vigorish due on a wager (None: open) with what it brought (None: not seen).

    What the text permits favours nobody: $11.00 won, 5% of it is $0.55, and $0.75 rounded up.

    >>> paid = Paid(cents=1100, vigorish_cents=55)
    >>> banker = Key(1, None, "banker", None)
    >>> weighed(banker, Wager(1100), (1100, 75), paid).favours
    'patron'
    >>> weighed(banker, Wager(1100), (1100, 75), paid, permitted_by="631a.13(c)").favours
    """
    seat, bettor, wager, hand = key
    owed, owed_vigorish = due
    stands = paid.final_gain_cents if paid is not None else None
    taken = paid.final_vigorish_cents if paid is not None else None
    difference, on_vigorish = _less(stands, owed), _less(taken, owed_vigorish)
    righted = paid or NOTHING_PAID
    return Spot(
        seat=seat,
        bettor=bettor,
        patron=patron,
        wager=wager,
        hand=hand,
        cents=chips.cents,
        coupon_cents=chips.coupon_cents,
        coupon=chips.coupon,
        owed_cents=owed,
        owed_vigorish_cents=owed_vigorish,
        paid_cents=stands,
        paid_vigorish_cents=taken,
        righted_cents=righted.righted_cents,
        righted_vigorish_cents=righted.righted_vigorish_cents,
        later_cents=righted.later_cents,
        later_vigorish_cents=righted.later_vigorish_cents,
        difference_cents=difference,
        vigorish_difference_cents=on_vigorish,
        favours=_favoured((difference or 0) - _not_permitted(on_vigorish, permitted_by)),
        steps=derived,
        permitted_by=permitted_by if on_vigorish else None,
    )


def _owed(key: Key, case: RoundCase | None) -> tuple[int | None, int | None]:
    """Return the gain and the vigorish owed; zero without a wager."""
    if case is None:
        return None, None
    if key not in case.ruled.owed:
        return (0, 0) if case.money_known else (None, None)
    return case.owed(key).cents, case.owed(key).vigorish_cents


def _less(stands: int | None, owed: int | None) -> int | None:
    return None if stands is None or owed is None else stands - owed


def _not_permitted(on_vigorish: int | None, permitted_by: str | None) -> int:
    return on_vigorish or 0 if permitted_by is None else 0


def _favoured(to_player: int) -> Side | None:
    if to_player == 0:
        return None
    return "patron" if to_player > 0 else "house"


def steps(case: RoundCase | None, key: Key) -> tuple[Line, ...]:
    """Return how the gain and the vigorish of a wager are computed; empty if they are open."""
    if case is None:
        return ()
    day = case.book.day
    lines = [
        Line(step.says, step.cents, cited(step.cite, day))
        for step in steps_of(key, case.owed(key), case.book)
    ]
    return (*lines[:1], *_against(case, key), *lines[1:])


def _against(case: RoundCase, key: Key) -> list[Line]:
    """Return what every other wager brings one that is settled against them, and what that makes together."""
    ruled = case.owed(key).ruling
    if ruled is None or key.wager not in case.game.due_alone or key.wager not in case.book.wagers:
        return []
    day = case.book.day
    others = [
        (each, -(owed.cents or 0))
        for each, owed in case.ruled.owed.items()
        if each[2] not in case.game.due_alone
    ]
    cite = cited(ruled.cite, day)
    lines = [Line(fact("views.brings", wager=WagerRef(*each)), cents, cite) for each, cents in others]
    return [*lines, Line(fact("views.together"), sum(cents for _, cents in others), cite)]
