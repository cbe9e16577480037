"""The announcement, then payment and collection by 631a.12(b) and 631a.13, rightly or with one mistake."""

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from schemas import events
from streams.simulator import schemes
from streams.simulator.games.baccarat.naming import is_wrong_call, vigorish_base, vigorish_check
from streams.simulator.games.baccarat.rules import (
    BONUS_PAYS,
    BONUSES,
    PERCENT,
    Ways,
    bonus_gain,
    gain,
    gain_as_called,
    is_natural,
    points,
)
from streams.simulator.games.baccarat.rules import vigorish as vigorish_on
from streams.simulator.games.baccarat.table import Round, Table
from streams.simulator.procedures import Procedures
from streams.simulator.table import Made, Stake

_RATE_MISTAKEN: Final = (4, 10)  # per cent, where 5 is due
_VIGORISH_FIRST: Final = ("541", "543", "545")  # before the winner is paid, 541.12(b) and its like
_TO_THE_RESULT: Final = ("player", "banker", "tie", "dragon_7", "panda_8")


class Act(Struct):
    """Settlement of one wager by the dealer: gain and vigorish as settled, and what is corrected later."""

    stake: Stake
    gain: int
    vigorish: int
    right_gain: int = 0
    right_vigorish: int = 0
    put_right: str | None = None


def announce(table: Table, current: Round) -> str:
    """Announce the result, 631a.12(a); give the call that the wagers are settled by."""
    call = current.believed.call(ez=table.ways.ez)
    settled_by = call
    table.script.wait(900, 1800)
    announced = call
    if not current.is_open and not current.is_void:
        other = table.rng.choice(_wrong_calls(call, table.ways))
        if table.strikes("announced_wrong", current):
            announced, current.made = other, Made("announced_wrong")
        elif table.strikes("settled_as_announced", current):
            announced = settled_by = other
            current.made = Made("settled_as_announced")
    current.announced = announced
    table.script.tell(events.OutcomeAnnounced, round=current.name, outcome=announced)
    return settled_by


def _wrong_calls(call: str, ways: Ways) -> list[str]:
    calls = ["player", "banker", "tie", *(("dragon_7", "panda_8") if ways.ez else ())]
    return [other for other in calls if is_wrong_call(other, call)]


def settle(table: Table, current: Round, call: str, procedures: Procedures) -> list[Act]:
    """Settle every wager that is still open; return what must be corrected once the round has closed."""
    acts = [
        _rightly(table, current, stake, call) for stake in current.stakes.values() if not stake.is_settled
    ]
    if not current.is_void and not current.is_open:
        for act in acts:
            if schemes.looks_away(table, current, act.stake, act.gain):
                act.gain = act.vigorish = 0
        _err(table, current, acts)
    acts = [act for act in acts if act.stake.total]
    losers = sorted((act for act in acts if act.gain < 0), key=_position)
    others = sorted((act for act in acts if act.gain >= 0), key=_position, reverse=True)
    winners = [act for act in others if act.gain > 0]
    kinds = _wrong_orders(table, losers, winners, procedures.paying)
    wrongly = procedures.settles_wrongly(current, kinds)
    order = [*losers, *others]
    if wrongly == "paid_too_soon":
        order.sort(key=lambda act: act is not winners[0])
    elif wrongly == "paid_out_of_turn":
        order = [*losers, *reversed(others)]
    late = next((act for act in winners if act.vigorish), None) if wrongly == "vigorish_out_of_turn" else None
    for act in order:
        is_vigorish_first = (table.plan.chapter in _VIGORISH_FIRST) is not (act is late)
        _carry_out(table, current, act, is_vigorish_first=is_vigorish_first)
    in_time = [act for act in acts if act.put_right == "in time"]
    for act in in_time:
        put_right(table, current, act)
        act.stake.gain += act.right_gain
        act.stake.vigorish += act.right_vigorish
    return [act for act in acts if act.put_right == "late"]


def _wrong_orders(table: Table, losers: list[Act], winners: list[Act], paying: int) -> Iterator[str]:
    """Yield the mistakes in the order of payment that there is occasion for, 631a.12(b) and its like."""
    chapter = table.plan.chapter
    judged = (*_TO_THE_RESULT, *BONUSES) if chapter == "631a" else _TO_THE_RESULT
    if chapter not in ("631a", *_VIGORISH_FIRST) or not winners:
        return
    if winners[0].stake.wager in judged and any(act.stake.wager in judged for act in losers):
        yield "paid_too_soon"
    if len({act.stake.key[0] for act in winners if act.stake.wager in judged}) > paying:
        yield "paid_out_of_turn"
    if any(act.vigorish for act in winners if act.stake.wager in judged):
        yield "vigorish_out_of_turn"


def put_right(table: Table, current: Round, act: Act) -> None:
    """Correct a mistake: move the chips that were wrong and key it."""
    stake = act.stake
    table.script.wait(2500, 5000)
    table.tray += act.right_vigorish - act.right_gain
    stake.patron.chips += act.right_gain - act.right_vigorish
    table.script.tell(
        events.SettlementAdjusted,
        round=current.name,
        seat=stake.patron.seat,
        wager=stake.wager,
        cents=act.right_gain,
        vigorish_cents=act.right_vigorish,
        bettor=stake.patron.bettor,
    )


def _position(act: Act) -> tuple[int, str, str]:
    seat, bettor, wager, _ = act.stake.key
    return seat, bettor or "", wager


def _rightly(table: Table, current: Round, stake: Stake, call: str) -> Act:
    """Settle one wager as the dealer takes the hands to be."""
    ways, wager = table.ways, stake.wager
    if wager in _TO_THE_RESULT:
        won = gain_as_called(wager, stake.total, call, ways)
    elif wager in BONUSES:
        won = gain(wager, stake.total, current.believed, ways)
    else:
        won = stake.total if table.rng.random() < 0.1 else -stake.total  # noqa: PLR2004  a spot without a rule
    return Act(stake, won, _vigorish(table, stake, won))


def _vigorish(table: Table, stake: Stake, won: int) -> int:
    ways = table.ways
    base = vigorish_base(stake, won, ways)
    rounding = ways.vigorish_rounding_cents
    if stake.patron.seat in table.odd_seats:
        rounding = table.unit - rounding
    return vigorish_on(base, rounding, PERCENT[ways.vigorish]) if base else 0


def _carry_out(table: Table, current: Round, act: Act, *, is_vigorish_first: bool) -> None:
    table.script.wait(500, 1100)
    act.stake.gain, act.stake.vigorish, act.stake.is_settled = act.gain, act.vigorish, True
    first, then = (_take, _pay) if is_vigorish_first else (_pay, _take)
    first(table, current, act)
    if act.vigorish:
        table.script.wait(300, 700)
    then(table, current, act)


def _pay(table: Table, current: Round, act: Act) -> None:
    """Pay a winner or collect a loser."""
    stake = act.stake
    stake.patron.chips += stake.total + act.gain
    table.tray -= act.gain
    if act.gain:
        kind = events.ChipsPaid if act.gain > 0 else events.ChipsCollected
        table.tell(kind, current, stake, abs(act.gain))


def _take(table: Table, current: Round, act: Act) -> None:
    """Take vigorish, or mark it."""
    stake = act.stake
    if act.vigorish:
        if table.ways.vigorish_deferred:
            owner = (stake.patron.seat, stake.patron.bettor)
            table.owed[owner] = table.owed.get(owner, 0) + act.vigorish
            table.tell(events.VigorishMarked, current, stake, act.vigorish)
        else:
            stake.patron.chips -= act.vigorish
            table.tray += act.vigorish
            table.tell(events.VigorishCollected, current, stake, act.vigorish)


def _err(table: Table, current: Round, acts: list[Act]) -> None:
    """Make one mistake in payment and collection, out of those that are possible."""
    if current.made is not None:
        return
    chances = [chance for act in acts if not act.stake.is_open for chance in _chances(table, current, act)]
    table.rng.shuffle(chances)
    for kind, act, change in chances:
        if table.strikes(kind, current):
            seat, bettor, wager, _ = act.stake.key
            current.made = Made(kind, seat, bettor, wager)
            change(act)
            return


_Chance = tuple[str, Act, Callable[[Act], None]]


def _chances(table: Table, current: Round, act: Act) -> Iterator[_Chance]:
    stake = act.stake
    if not stake.cents:
        return
    if act.gain > 0:
        yield from _winner_chances(table, current, act)
    elif act.gain < 0:
        yield "loser_not_collected", act, _paying(0)
        yield "loser_paid", act, _paying(stake.total)
    else:
        yield "push_collected", act, _paying(-stake.total)
        vigorish = _vigorish(table, stake, stake.total)
        if vigorish_base(stake, 0, table.ways):
            yield "vigorish_not_taken_on_tie", act, _paying(0, 0)
        is_dragon_7 = table.ways.ez and current.believed.dragon_7
        yield "dragon_7_banker_paid" if is_dragon_7 else "push_paid", act, _paying(stake.total, vigorish)


def _winner_chances(table: Table, current: Round, act: Act) -> Iterator[_Chance]:
    stake, won, ways = act.stake, act.gain, table.ways
    chip = table.rng.choice([chip for chip in (500, 2500, 10000) if chip <= won] or [won])
    yield "winner_overpaid", act, _paying(won + chip, act.vigorish)
    yield "winner_not_paid", act, _paying(0)
    yield "winner_collected", act, _paying(-stake.total)
    yield "overpaid_put_right_late", act, _put_right(chip, 0, "late")
    if won > chip:
        yield "winner_underpaid", act, _paying(won - chip, act.vigorish)
        yield "underpaid_put_right_late", act, _put_right(-chip, 0, "late")
        yield "put_right_in_time", act, _put_right(-chip, 0, "in time")
    yield "put_right_in_time", act, _put_right(chip, 0, "in time")
    if stake.wager == "tie":
        yield "tie_overpaid", act, _paying(stake.total * (ways.tie_odds + 1))
        if ways.tie_odds > 8:  # noqa: PLR2004  the least odds of 631a.13(b)
            yield "tie_underpaid", act, _paying(stake.total * 8)
    if stake.wager in BONUSES:
        yield from _bonus_chances(current, act, ways)
    if stake.wager == "banker":
        yield from _vigorish_chances(act, ways, table.unit)
    elif stake.wager == "player" and not ways.ez:
        rounding = ways.vigorish_rounding_cents
        yield "vigorish_on_player", act, _paying(won, vigorish_on(won, rounding, PERCENT[ways.vigorish]))


def _bonus_chances(current: Round, act: Act, ways: Ways) -> Iterator[_Chance]:
    own, other = current.believed.player, current.believed.banker
    if act.stake.wager == "dragon_bonus_banker":
        own, other = other, own
    if is_natural(own):
        by_margin = BONUS_PAYS[ways.dragon_bonus or "A"].get(points(own) - points(other), 1) * act.stake.total
        if by_margin > act.gain:
            yield "natural_bonus_by_margin", act, _paying(by_margin)
        return
    for table in BONUS_PAYS:
        wrong = bonus_gain(act.stake.total, own, other, table)
        if wrong != act.gain:
            way = "over" if wrong > act.gain else "under"
            yield f"bonus_by_wrong_table_{way}", act, _paying(wrong)


def _vigorish_chances(act: Act, ways: Ways, unit: int) -> Iterator[_Chance]:
    won = act.gain
    base, percent = vigorish_base(act.stake, won, ways), PERCENT[ways.vigorish]
    if not base:
        # With EZ Baccarat none is due; with 25% of a tied wager none on a win, 541.13(f).
        yield "vigorish_at_ez" if ways.ez else "vigorish_on_win", act, _paying(won, vigorish_on(won, unit))
        return
    yield "vigorish_not_taken", act, _paying(won, 0)
    if not ways.vigorish_deferred:
        yield "put_right_in_time", act, _put_right(0, -act.vigorish, "in time")
    for rate in _RATE_MISTAKEN:
        if vigorish_check(base, base * rate // 100, percent, unit) == "vigorish_wrong":
            yield "vigorish_wrong_rate", act, _paying(won, base * rate // 100)
    down = vigorish_on(base, unit, percent) - unit
    if ways.vigorish_rounding_cents and 0 < down < vigorish_on(base, 0, percent) < down + unit:
        yield "vigorish_rounded_down", act, _paying(won, down)


def _paying(cents: int, vigorish: int = 0) -> Callable[[Act], None]:
    def change(act: Act) -> None:
        act.gain, act.vigorish = cents, vigorish

    return change


def _put_right(cents: int, vigorish: int, when: str) -> Callable[[Act], None]:
    """Settle wrongly by a sum, and correct it by the same sum."""

    def change(act: Act) -> None:
        act.gain, act.vigorish = act.gain + cents, act.vigorish + vigorish
        act.right_gain, act.right_vigorish = -cents, -vigorish
        act.put_right = when

    return change
