"""A table's gaming day as the ledgers need it: boxes, slips, sums, coupons, and its inventory account."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct, field

from projections.engine.accounts.checks.inventory import OPENING_COUNT_DIFFERS
from projections.engine.conclusion import Conclusion, Expected, Line
from projections.engine.findings import Finding
from projections.engine.observation import Key, Round, key_of
from schemas.coupon_log import Counted, Dropped, Played, Settled
from schemas.ledgers import BoxCounted
from schemas.values import moment

# ── A table's gaming day as the ledgers need it: boxes, slips and sums ────────────────────────────────

Carriage: TypeAlias = Literal["fill", "credit"]
CARRIAGES: Final[tuple[Carriage, ...]] = get_args(Carriage)


class TableBox(Struct):
    """Contents of a drop box by the table's account, in cents; coupons with the moment, if it is known.

    `off` is true if it was taken off. `owed` are the slips of fills and table credits that went into no box
    of the day, and may still go into this one, its last.
    """

    name: str | None
    cash: int = 0
    checks: dict[str, int] = field(default_factory=dict)
    coupons: list[tuple[str, int | None]] = field(default_factory=list)
    slips: list[str] = field(default_factory=list)
    off: bool = False
    owed: dict[str, Carriage] = field(default_factory=dict)

    def add(self, later: "TableBox") -> None:
        """Add what went into the same box on the next gaming day."""
        self.cash += later.cash
        self.checks |= later.checks
        self.coupons += later.coupons
        self.slips += later.slips
        self.owed = {
            slip: carried for slip, carried in (self.owed | later.owed).items() if slip not in self.slips
        }
        self.off = later.off


class TableDayAccount(Struct):
    """A table's inventory account of a day; sums in cents.

    `opener` is absent if it is unknown, `closer` if nothing was counted last. `balance` is the account's sum
    at the end, `differs` the openings at which the count was not the slip's, `is_doubtful` whether the table
    may be incomplete.
    """

    table: str
    opener: int | None = None
    closer: int | None = None
    balance: int = 0
    fills: list[Line] = []
    credits: list[Line] = []
    listings: list[Line] = []
    boxes: list[TableBox] = field(default_factory=list)
    differs: list[Finding] = []
    is_doubtful: bool = False

    @property
    def filled(self) -> int:
        """The fills, in cents."""
        return sum(each.cents or 0 for each in self.fills)

    @property
    def credited(self) -> int:
        """The table credits, in cents."""
        return sum(each.cents or 0 for each in self.credits)


# ── From the inventory account of a table to its day as the ledgers need it ───────────────────────────

_LISTING: Final = "listing_"


def table_day(account: Conclusion, *, is_unreported: bool = False) -> TableDayAccount:
    """Read a table's account; `is_unreported` if its terminal is known to have left something out that day.

    The account does not contain which boxes were taken off. All except the last were, as another took their
    place; the last was if the table was closed.
    """
    of: dict[str, list[Line]] = {}
    for line in account.lines:
        of.setdefault(line.name, []).append(line)
    listings = [line for line in account.lines if line.name.startswith(_LISTING)]
    closed = bool(listings) and listings[-1].name == f"{_LISTING}closing"
    boxes = _boxes(account.lines)
    for place, box in enumerate(boxes, 1):
        box.off = closed or place < len(boxes)
    dropped = {slip for box in boxes for slip in box.slips}
    for name, box in ((name, box) for box in boxes[-1:] for name in CARRIAGES):
        slips = (line.of for line in of.get(name, ()))
        box.owed |= {slip: name for slip in slips if slip is not None and slip not in dropped}
    return TableDayAccount(
        account.table,
        opener=of["opener"][0].cents if "opener" in of else None,
        closer=next((line.cents for line in of.get("closer", ()) if line.of is not None), None),
        balance=_sum(of, "expected") + _sum(of, "untyped"),
        fills=of.get("fill", []),
        credits=of.get("credit", []),
        listings=listings,
        boxes=boxes,
        differs=[each for each in account.findings if each.check == OPENING_COUNT_DIFFERS.check],
        is_doubtful=is_unreported or any(each.weight == "undetermined" for each in account.findings),
    )


def _sum(of: dict[str, list[Line]], name: str) -> int:
    return sum(line.cents or 0 for line in of.get(name, ()))


def _boxes(lines: Sequence[Line]) -> list[TableBox]:
    """Join the boxes: the contents of each follow it."""
    boxes: list[TableBox] = []
    for line in lines:
        if line.name == "box":
            boxes.append(TableBox(line.of, cash=line.cents or 0))
        elif line.of is None:
            continue
        elif line.name == "box_check":
            boxes[-1].checks[line.of] = line.cents or 0
        elif line.name == "box_coupon":
            boxes[-1].coupons.append((line.of, line.at))
        elif line.name == "box_slip":
            boxes[-1].slips.append(line.of)
    return boxes


# ── Reports of tables and count room on coupons, in the coupon log's own words ──────────────────────────
# A layout reader sees the coupon, its value and the chips, and the account of the table has which coupons
# went into which drop box. Neither sees whether the coupon was underneath, its value visible, chips of its
# value on it and all in the betting area, nor whether the dealer checked the expiry date: that is assumed. It
# is also assumed that the dealer redeemed it and that patrons wager against the house there.

Redeemed: TypeAlias = Played | Settled
_TIED_ROUND: Final = timedelta(minutes=3)  # from its opening to a drop that still belongs to it
_Result: TypeAlias = Literal["win", "lose", "tie"]


def coupons_at_tables(observed: Round, expected: Sequence[Expected], chapter: str) -> Iterator[Redeemed]:
    """Return the coupons of a round: how each was played, and how its wager ended.

    A wager ended as it was paid; if that was not seen, as it was owed. If that is open too, it is left out,
    and `coupons_dropped` has the rest. In a void round it is returned.
    """
    owed = {key_of(each): each.cents for each in expected}
    for key, wager in observed.wagers.items():
        if wager.coupon is None:
            continue
        seat, bettor, name, _ = key
        yield Played(
            at=moment(observed.at),
            serial=wager.coupon,
            table=observed.table,
            round=observed.number,
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
        gain = _gain(observed, key, owed.get(key))
        if gain is not None:
            yield Settled(
                at=moment(max(observed.at, observed.settled_at.get(key, observed.at))),
                serial=wager.coupon,
                table=observed.table,
                round=observed.number,
                result=_result(gain),
            )


def _gain(observed: Round, key: Key, owed: int | None) -> int | None:
    if observed.void:
        return 0
    if observed.paid is None:
        return owed
    return observed.paid[key].cents if key in observed.paid else 0


def _result(gain: int) -> _Result:
    if not gain:
        return "tie"
    return "win" if gain > 0 else "lose"


def coupons_dropped(
    played: Sequence[Redeemed], tables: Iterable[TableDayAccount], until: datetime
) -> Iterator[Settled | Dropped]:
    """Yield which coupons went into a box, each drop for the play before it at its table.

    A coupon that was dropped and not played is yielded at its drop, or at the end of the day, `until`. A drop
    shows that a play without a known end was settled; without a drop it counts as returned. What tied was
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
                # Without the moment of settlement nothing is late; two clocks cannot put a drop before it.
                dropped_at = moment(into[1]) if into[1] is not None and since > play.at else since
                yield Dropped(at=max(since, dropped_at), serial=into[0], table=day.table, drop_box=into[2])
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


def coupons_counted(counts: Iterable[BoxCounted], coupon_names: Iterable[str]) -> Iterator[Counted]:
    """Yield which coupons were found in boxes; for those named, the coupons' own ledger has that."""
    names = set(coupon_names)
    for count in counts:
        found = [coupon for coupon in count.coupons if coupon not in names]
        if found:
            yield Counted(at=moment(count.at), serials=[*found], table=count.table, drop_box=count.box)
