"""What tables and count room tell of coupons, in the coupon log's own words.

A layout reader sees the coupon, its value and the chips, and the account of the table says which coupons
went into which drop box. Neither sees whether the coupon lay underneath, its value visible, chips of its
value on it and all in the betting area, nor whether the dealer looked at the expiry date: that is taken as
done. So is that the dealer redeemed it and that patrons wager against the house there.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias

from projections.engine.conclusion import Expected
from projections.engine.observation import Key, Round, key_of
from projections.programmes.ledgers.tables import TableDay
from schemas.coupon_log import Counted, Dropped, Played, Settled
from schemas.ledgers import BoxCounted
from schemas.values import moment

Redeemed: TypeAlias = Played | Settled
_TIED_ROUND: Final = timedelta(minutes=3)  # from its opening to a drop that still belongs to it
_Result: TypeAlias = Literal["win", "lose", "tie"]


def coupons_at_tables(seen: Round, expected: Sequence[Expected], chapter: str) -> Iterator[Redeemed]:
    """Tell of the coupons in a round: how each was played, and how its wager ended.

    A wager ended as it was paid; where that was not seen, as it was owed; where that is open too, nothing is
    said, and `coupons_dropped` says the rest. In a void round it is returned.
    """
    owed = {key_of(each): each.cents for each in expected}
    for key, wager in seen.wagers.items():
        if wager.coupon is None:
            continue
        seat, bettor, name, _ = key
        yield Played(
            at=moment(seen.at),
            serial=wager.coupon,
            table=seen.table,
            round=seen.number,
            chapter=chapter,
            seat=seat,
            patron=bettor,
            wager=name,
            value_cents=wager.coupon_cents,
            chips_cents=wager.cents,
            on_coupon_cents=wager.coupon_cents,
            underneath=True,
            visible=True,
            in_betting_area=True,
            against_house=True,
            by="dealer",
            expiry_verified=True,
        )
        gain = _gain(seen, key, owed.get(key))
        if gain is not None:
            yield Settled(
                at=moment(max(seen.at, seen.settled_at.get(key, seen.at))),
                serial=wager.coupon,
                table=seen.table,
                round=seen.number,
                result=_result(gain),
            )


def _gain(seen: Round, key: Key, owed: int | None) -> int | None:
    if seen.void:
        return 0
    if seen.paid is None:
        return owed
    return seen.paid[key].cents if key in seen.paid else 0


def _result(gain: int) -> _Result:
    if not gain:
        return "tie"
    return "win" if gain > 0 else "lose"


def coupons_dropped(
    played: Sequence[Redeemed], tables: Iterable[TableDay], until: datetime
) -> Iterator[Settled | Dropped]:
    """Yield which coupons went into a box, each drop for the play before it at its table.

    What was dropped and not played is told where it was dropped, or at the end of the day, `until`. Of a play
    whose end is not known a drop says that it was settled; without one it is taken as returned. What tied was
    dropped with its round, if at all.
    """
    settled = {_name(each): each.at for each in played if isinstance(each, Settled)}
    for day in tables:
        left = [(coupon, at, box.name) for box in day.boxes for coupon, at in box.coupons]
        plays = [each for each in played if isinstance(each, Played) and each.table == day.table]
        # A coupon that tied may be played again, and is dropped then.
        for tied, play in sorted(((_tied(played, each), each) for each in plays), key=_by_end):
            latest = play.at + _TIED_ROUND if tied else until
            own = (drop for drop in left if drop[0] == play.serial and _within(drop[1], play.at, latest))
            into = next(own, None)
            if _name(play) not in settled:
                result: _Result | None = None if into is not None else "tie"
                yield Settled(
                    at=play.at, serial=play.serial, table=day.table, round=play.round, result=result
                )
            if into is not None:
                left.remove(into)
                since = settled.get(_name(play), play.at)
                # Without the moment of settlement nothing is late; two clocks do not put a drop before it.
                told = moment(into[1]) if into[1] is not None and since > play.at else since
                yield Dropped(at=max(since, told), serial=into[0], table=day.table, drop_box=into[2])
        for coupon, at, box_name in left:
            when = until if at is None else moment(at)
            yield Dropped(at=when, serial=coupon, table=day.table, drop_box=box_name)


def _name(each: Redeemed) -> tuple[object, object, object]:
    return each.serial, each.table, each.round


def _by_end(ended: tuple[bool, Played]) -> tuple[bool, datetime]:
    tied, play = ended
    return tied, play.at


def _within(at: int | None, earliest: datetime, latest: datetime) -> bool:
    return at is None or earliest <= moment(at) <= latest


def _tied(played: Sequence[Redeemed], play: Played) -> bool:
    """Return True if a play ended in a tie."""
    return any(
        isinstance(each, Settled)
        and (each.serial, each.table, each.round, each.result) == (play.serial, play.table, play.round, "tie")
        for each in played
    )


def coupons_counted(counts: Iterable[BoxCounted], known: Iterable[str]) -> Iterator[Counted]:
    """Yield which coupons were found in boxes; of the `known` ones the coupons' own ledger tells that."""
    told = set(known)
    for count in counts:
        found = [coupon for coupon in count.coupons if coupon not in told]
        if found:
            yield Counted(at=moment(count.at), serials=[*found], table=count.table, drop_box=count.box)
