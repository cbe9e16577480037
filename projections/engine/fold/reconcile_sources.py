"""From a table's reports of one round to the observed round, with its doubts."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from projections.engine.facts import Arg, CardRef, Cents, DeviceRef, Fact, HandRef, WagerRef, fact
from projections.engine.fold.table_state import Building
from projections.engine.game import Game
from projections.engine.observation import (
    CloseActs,
    Doubt,
    Gap,
    Key,
    LateMove,
    Move,
    ReadAlone,
    Round,
    Scope,
    key_of,
    who_of,
)
from schemas.events import (
    PROCEDURAL,
    BankTaken,
    CardDrawn,
    CardSeen,
    ChipsPlaced,
    ChipsRemoved,
    Deed,
    DiceRolled,
    Event,
    HandCalled,
    HandDecided,
    HandExposed,
    HandReset,
    MarkersCleared,
    NumberMarked,
    PayoutAdded,
    PayoutHanded,
    RangeIndicated,
    RollCancelled,
    ShooterNamed,
    TileLaid,
    TilesDealt,
)
from schemas.values import CARDS, is_certain

# ── What was done in a round besides cards and chips, in the words of the round record ────────────────


def describe_deed(deed: Deed) -> tuple[str, str]:  # noqa: C901, PLR0911, PLR0912  one case an event
    """Return a deed as `(who, what)` in the words of the round record.

    Raises:
        TypeError: there are no words for this kind of event.

    >>> describe_deed(PayoutHanded(device="T", epoch=1, seq=9, at=0, round="1", seat=3, cents=6000))
    ('seat3', 'house_money_take')
    >>> describe_deed(DiceRolled(device="D", epoch=1, seq=9, at=0, round="1", dice="3-4"))
    ('dice', '3-4')
    """
    match deed:
        case HandDecided():
            return deed.hand, deed.decision
        case TileLaid():
            return deed.hand, deed.tile
        case TilesDealt():
            return deed.position, "deal"
        case DiceRolled():
            return "dice", deed.dice
        case HandCalled():
            return f"seat{deed.seat}", deed.result
        case RangeIndicated():
            return "dealer", deed.range
        case NumberMarked():
            return "dealer", f"mark {deed.number}"
        case MarkersCleared():
            return "dealer", "clear"
        case RollCancelled():
            return "dealer", "no_roll"
        case ShooterNamed():
            return "shooter", f"seat{deed.seat}"
        case BankTaken():
            return f"seat{deed.seat}", "co_bank" if deed.co_bank else "bank"
        case HandExposed():
            return deed.position, "exposed"
        case HandReset():
            return deed.position, "reset"
        case PayoutHanded():
            return f"seat{who_of(deed.seat, deed.bettor)}", f"{deed.wager}_take"
        case PayoutAdded():
            return f"seat{who_of(deed.seat, deed.bettor)}", f"{deed.wager}_add_{deed.to}"
        case _:
            raise TypeError(f"there are no words for {type(deed).__name__}")


# ── What was done in a round besides the dealing: each act with its words and its device's clock ──────


class Act(Struct, frozen=True):
    """Act to be merged into the play: its words, when by its device's clock, and after how many cards."""

    words: tuple[str, str]
    at: int
    device: str
    after_cards: int | None = None


def acts_of(building: Building, game: Game, events: Sequence[Event]) -> list[Act]:
    """Return what was done besides the dealing of time, with moves of wagers that have their own."""
    acts = [Act(describe_deed(deed), deed.at, deed.device, deed.drawn) for deed in building.deeds]
    if not game.wagers_close:
        chips = [event for event in events if isinstance(event, ChipsPlaced | ChipsRemoved)]
        acts += [
            Act((f"seat{who_of(event.seat, event.bettor)}", f"{move} {event.wager}"), event.at, event.device)
            for event, move in moves(chips)
        ]
    return sorted(acts, key=lambda act: act.at)


def moves(events: Iterable[ChipsPlaced | ChipsRemoved]) -> Iterator[tuple[ChipsPlaced | ChipsRemoved, Move]]:
    """Yield each move of chips with what it did to its wager."""
    on_spot: dict[Key, int] = {}
    for event in events:
        key = key_of(event)
        before = on_spot.get(key, 0)
        placed = isinstance(event, ChipsPlaced)
        on_spot[key] = before + event.cents if placed else before - event.cents
        move: Move = "increase" if before else "place"
        if not placed:
            move = "reduce" if on_spot[key] else "withdraw"
        yield event, move


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Wagers made during play whose time ends by itself: what surely came after it, and what is too close.


def insert_late_wagers(
    order: list[Act],
    started: Sequence[Act],
    game: Game,
    events: Sequence[Event],
    apart: Callable[[str, str], int],
    doubts: list[Doubt],
) -> None:
    """Merge surely late wagers into the play; add a doubt if the clocks do not separate one from its end.

    `order` is the play with its times, after what had `started` before "no more bets"; it does not contain
    what was wagered in time. `apart` returns how far the clocks of two devices can differ, in microseconds.
    """
    acts = [*started, *order]
    play = [act.words for act in acts]
    chips = [event for event in events if isinstance(event, ChipsPlaced | ChipsRemoved)]
    late: list[Act] = []
    for event, move in moves(chips):
        if event.wager not in game.own_time or move not in ("place", "increase"):
            continue
        who = f"seat{who_of(event.seat, event.bettor)}"
        wagered = Act((who, f"{move} {event.wager}"), event.at, event.device)
        ends = [acts[place] for place in game.time_ended(event.wager, play)]
        after = [(wagered.at - end.at, apart(event.device, end.device), end) for end in ends]
        if any(by > within for by, within, _ in after):
            late.append(wagered)
            continue
        close_ones = [each for each in after if each[0] >= -each[1]]
        if close_ones:
            key = key_of(event)
            doubts.append(_too_near(key, close_ones[0], event.device, game.own_time[event.wager]))
    for wagered in late:
        order.insert(_place(order, wagered), wagered)


def _place(order: Sequence[Act], late: Act) -> int:
    """Find the place after everything that came before it by the clocks; what ended its time is of that."""
    return max((place for place, act in enumerate(order, 1) if act.at <= late.at), default=0)


def _too_near(key: Key, pair: tuple[int, int, Act], device: str, cites: tuple[str, ...]) -> Doubt:
    after, within, end = pair
    near_end = fact("fold.changed_near_end", after=after, end=" ".join(end.words), within=within)
    return Doubt("late_wager", key, near_end, (device,), cites)


# ── The play of a round in the words of the round record: what was said, done and dealt, in order ─────
# Cards keep the order in which they left the shoe. Other acts are placed by the number of cards that the
# terminal recorded before them, and otherwise by the clocks.


def play_of(
    building: Building,
    observed: Round,
    game: Game,
    events: Sequence[Event],
    cards: list[tuple[str, str]],
    times: Sequence[int],
    tolerance: Callable[[str], int],
    sources: Mapping[str, str],
) -> list[tuple[str, str]]:
    """Write a round in the words of the round record; note in `observed` what the clocks leave open.

    `times` are those of the cards. `tolerance` returns how far a source's clock can differ from the
    terminal's, in microseconds. `sources` has what each device reads.
    """
    acts = acts_of(building, game, events)
    called = building.wagers_closed_at
    before = 0 if called is None else sum(1 for act in acts if act.at < called and not act.after_cards)
    play = [act.words for act in acts[:before]]
    if building.simulated:
        play.append(("dealer", "simulated"))
    if called is not None:
        play.append(("dealer", "no_more_bets"))
    play.extend(
        (f"seat{who_of(move.seat, move.bettor)}", f"{move.move} {move.wager}") for move in observed.late
    )
    if len(acts) > before or game.own_time:
        shoe = next((device for device, reads in sources.items() if reads == "shoe"), "")
        order = interleaved(acts[before:], cards, times, shoe)
        timed = {id(act) for act in order}

        def apart(one: str, other: str) -> int:
            """Return how far two devices' clocks can be from each other."""
            each = [tolerance(sources.get(device, "")) for device in (one, other)]
            return sum(each) - tolerance("terminal")

        insert_late_wagers(order, acts[:before], game, events, apart, observed.doubts)
        readers = ("shoe",) if cards else ("tiles", "dice", "chips")
        placed = [(place, act) for place, act in enumerate(order, len(play)) if id(act) in timed]
        observed.close_acts = list(_close_pairs(placed, max(tolerance(source) for source in readers)))
        play.extend(act.words for act in order)
    else:
        play.extend(cards)
    play.extend(("discard", each.card or "??") for each in building.discards)
    if building.void:
        play.append(("dealer", "void"))
    return play


def interleaved(
    acts: Sequence[Act], cards: list[tuple[str, str]], times: Sequence[int], shoe: str
) -> list[Act]:
    """Insert each act between the cards that it fell between, as far as that is known."""
    after: list[list[Act]] = [[] for _ in range(len(cards) + 1)]
    for act in acts:
        by_clock = sum(1 for time in times if time <= act.at)
        after[min(act.after_cards if act.after_cards is not None else by_clock, len(cards))].append(act)
    order = after[0]
    for card, at, following in zip(cards, times, after[1:], strict=True):
        order += [Act(card, at, shoe), *following]
    return order


def _close_pairs(placed: list[tuple[int, Act]], tolerance: int) -> Iterator[CloseActs]:
    """Find what another device reported within `tolerance` microseconds of each act."""
    timed = sorted((act.at, place, act.device) for place, act in placed if act.after_cards is None)
    times = [at for at, _, _ in timed]
    for place, act in placed:
        if act.after_cards is None and act.words[1] not in CARDS:
            first, last = bisect_left(times, act.at - tolerance), bisect_right(times, act.at + tolerance)
            others = sorted((other, device) for _, other, device in timed[first:last])
            yield from (
                CloseActs(place, other, (device,) if device else ())
                for other, device in others
                if device != act.device
            )


# ── From a table's reports of one round to the observed round, with its doubts ────────────────────────
# Two readings of one quantity are compared here, and the devices' clocks too. What only one connected source
# reads is taken as read.

_COUNTS: Final = 2  # of the tray in a round

# What is unknown if a device that alone reads it did not report.
SCOPE: dict[str, Scope] = {
    "terminal": "all",
    "shoe": "cards",
    "chips": "money",
    "reader": "cards",
    "tiles": "cards",
    "dice": "cards",
}


class Circumstances(Struct, gc=False):
    """State of a table's devices in a round: their sources, gaps, and clocks (microseconds).

    `readers` are the devices by their sources, `silent` the sources that did not report everything.
    """

    sources: Mapping[str, str]
    gaps: Sequence[Gap]
    uncertainty: int
    game: Game
    readers: dict[str, str] = {}
    silent: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Look up once what is asked of each round a dozen times."""
        self.readers = {source: device for device, source in self.sources.items()}
        self.silent = frozenset([gap.source for gap in self.gaps])

    def device(self, source: str) -> str | None:
        """Return the device that reads a source, if one is connected."""
        return self.readers.get(source)

    def devices(self, *sources: str) -> tuple[str, ...]:
        """Return the devices that read some sources, in the sources' order."""
        return tuple(self.readers[source] for source in sources if source in self.readers)

    def hears(self, source: str) -> bool:
        """Return True if a source is connected and reported everything."""
        return source in self.readers and source not in self.silent

    def tolerance(self, building: Building, source: str) -> int:
        """Return how far a source's clock can be from the terminal's in this round, in microseconds."""
        device = self.device(source)
        polls = [poll.heard for poll in (building.opened, building.closed) if poll is not None]
        offsets = [abs(poll[device].offset) for poll in polls if device in poll]
        return self.uncertainty + max(offsets, default=0)


def reconcile(building: Building, observed: Round, around: Circumstances, events: Sequence[Event]) -> Round:
    """Fill `observed`, which has the round's identity, from its devices' reports, and return it."""
    doubts = observed.doubts
    covered = not around.hears("shoe") and around.hears("camera") and bool(building.seen_cards)
    for gap in around.gaps:
        if gap.source in PROCEDURAL:
            continue  # nothing of a round depends on them
        scope = "second" if covered and gap.source == "shoe" else SCOPE.get(gap.source, "second")
        is_alone = scope == "second"  # the other reader alone was read
        doubts.append(
            Doubt(
                "data_missing",
                scope,
                fact("fold.alone", gap=gap.message) if is_alone else gap.message,
                (gap.device,),
                read_alone=_read_alone(building, around.game, gap.source, covered=covered),
            )
        )
    observed.covered = covered
    observed.uncovered = (
        len(building.seen_cards) < len(building.cards)
        and around.device("camera") is not None
        and not around.hears("camera")
    )
    cards, times = _cards(building, around, doubts, covered=covered)
    _wagers(building, observed, around, doubts, events)
    _money(building, observed, around, doubts)
    observed.play = play_of(
        building,
        observed,
        around.game,
        events,
        cards,
        times,
        lambda source: around.tolerance(building, source),
        around.sources,
    )
    observed.announced = building.announced
    observed.void = building.void
    observed.simulated = building.simulated
    observed.exhausted = building.exhausted
    observed.second_coupons = building.second_coupons
    observed.settled_at = _by_terminal(building, around)
    return observed


def _read_alone(building: Building, game: Game, source: str, *, covered: bool) -> tuple[ReadAlone, ...]:
    """Return what one of two readers read alone, because some reports of the other, a source, are missing."""
    match source:
        case "shoe" if covered:
            return ("cards",)
        case "tray" if len(building.counts) < _COUNTS:
            return ("settlement",)
        case "camera":
            unseen = [key for key in building.wagers if key not in building.stacks]
            stakes = [key for key in unseen if not game.made_during_play(key)]
            return (*stakes, "cards") if len(building.seen_cards) < len(building.cards) else (*stakes,)
        case _:
            return ()


def _by_terminal(building: Building, around: Circumstances) -> dict[Key, int]:
    """Return by the terminal's clock when wagers over a coupon were settled."""
    polled = building.closed.heard if building.closed is not None else {}
    chips = polled.get(around.device("chips") or "")
    offset = chips.offset if chips is not None else 0
    return {key: at - offset for key, at in building.settled_at.items()}


def _cards(
    building: Building, around: Circumstances, doubts: list[Doubt], *, covered: bool
) -> tuple[list[tuple[str, str]], list[int]]:
    """Return the cards in order with their times: the shoe's, or the second reader's if it has a hole."""
    shoe_cards, cards_seen = building.cards, building.seen_cards
    if covered:
        _contradicted(shoe_cards, cards_seen, around, doubts)
        return [(each.hand, each.card) for each in cards_seen], [each.at for each in cards_seen]
    cards: list[tuple[str, str]] = [(each.hand, each.card) for each in shoe_cards]
    if cards_seen and around.hears("shoe"):
        cards = _compared(shoe_cards, cards_seen, around, doubts)
    return cards, [each.at for each in shoe_cards]


def _compared(
    shoe_cards: Sequence[CardDrawn],
    cards_seen: Sequence[CardSeen],
    around: Circumstances,
    doubts: list[Doubt],
) -> list[tuple[str, str]]:
    """Compare the shoe's reading with the second one; what one could not read the other supplies.

    A card that they contradict each other about is one that was not read. Where the second reader has a
    hole, what it did report is compared all the same.
    """
    second: dict[tuple[str, int], str] = {(each.hand, each.place): each.card for each in cards_seen}
    has_camera = around.hears("camera")
    places: dict[str, int] = {}
    agreed: list[tuple[str, str]] = []
    for each in shoe_cards:
        places[each.hand] = place = places.get(each.hand, 0) + 1
        other = second.pop((each.hand, place), None)
        if other is None and not has_camera:
            agreed.append((each.hand, each.card))
        elif other is not None and same_card(each.card, other):
            agreed.append((each.hand, each.card if is_certain(each.card) else other))
        else:
            agreed.append((each.hand, "??"))
            what = fact("fold.card_at", at=HandRef(each.hand), place=place)
            doubts.append(_conflict(around, what, CardRef(each.card), _read(other)))
    doubts.extend(
        _conflict(around, fact("fold.card_at", at=HandRef(hand), place=place), _read(None), CardRef(card))
        for (hand, place), card in second.items()
    )
    return agreed


def _contradicted(
    shoe_cards: Sequence[CardDrawn],
    cards_seen: Sequence[CardSeen],
    around: Circumstances,
    doubts: list[Doubt],
) -> None:
    """Add a doubt about the second reader if the shoe has a gap and read a card that it did not."""
    for hand in dict.fromkeys(each.hand for each in shoe_cards):
        others = iter([each.card for each in cards_seen if each.hand == hand])
        for each in shoe_cards:
            if each.hand == hand and not any(same_card(each.card, other) for other in others):
                other_cards = fact("fold.other_cards")
                doubts.append(_conflict(around, HandRef(hand), CardRef(each.card), other_cards))
                break


def same_card(one: str, other: str) -> bool:
    """Return True if two readings can be of one card.

    >>> same_card("9s", "9?"), same_card("9s", "9d"), same_card("0?", "Kd"), same_card("0?", "9d")
    (True, False, True, False)
    """
    if one == other:
        return True
    ranks = one[0] == other[0] or "?" in (one[0], other[0])
    tens = {one[0], other[0]} <= set("0TJQK") and "0" in (one[0], other[0])
    return (ranks or tens) and (one[1] == other[1] or "?" in (one[1], other[1]))


def _read(card: str | None) -> Arg:
    return CardRef(card) if card is not None else fact("fold.no_card")


def _conflict(around: Circumstances, what: Arg, first: Arg, second: Arg) -> Doubt:
    readings = _readings(around, what, ("shoe", first), ("camera", second))
    return Doubt("source_conflict", "cards", readings, around.devices("shoe", "camera"))


def _wagers(
    building: Building, observed: Round, around: Circumstances, doubts: list[Doubt], events: Sequence[Event]
) -> None:
    late: dict[Key, LateMove] = {}
    called = building.wagers_closed_at
    if called is not None:
        tolerance = around.tolerance(building, "chips")
        if building.last_move_at >= called - tolerance:
            late = _late_moves(events, called, tolerance, doubts, around)
    elif around.game.wagers_close and building.wagers and not building.simulated and around.hears("terminal"):
        doubts.append(
            Doubt(
                "data_missing",
                "money",
                fact("fold.no_more_bets_not_reported"),
                around.devices("terminal"),
            )
        )
    observed.late = list(late.values())
    if building.stacks and around.hears("chips"):
        read = {key: wager.cents for key, wager in building.wagers.items()}
        seen = building.stacks
        spots = read.keys() | seen.keys() if around.hears("camera") else seen.keys()
        differ = [key for key in spots if read.get(key, 0) != seen.get(key, 0) and key not in late]
        doubts.extend(
            _stack_conflict(around, key, read.get(key, 0), seen.get(key, 0))
            for key in sorted(differ, key=str)
            if not around.game.made_during_play(key)
        )
    for key, wager in building.wagers.items():
        if wager.cents < 0:
            removed = fact("fold.more_removed_than_placed", spot=_spot(key))
            doubts.append(Doubt("data_missing", key, removed, around.devices("chips")))
        elif wager.cents or wager.coupon is not None:
            observed.wagers[key] = wager


def _stack_conflict(around: Circumstances, key: Key, read: int, second: int) -> Doubt:
    readings = _readings(around, _spot(key), ("chips", Cents(read)), ("camera", Cents(second)))
    return Doubt("source_conflict", key, readings, around.devices("chips", "camera"))


def _spot(key: Key) -> WagerRef:
    """Return a wager by its seat and name: two readers see one stack, whoever bets there."""
    return WagerRef(key.seat, None, key.wager, None)


def _readings(around: Circumstances, what: Arg, *readings: tuple[str, Arg]) -> Fact:
    """Return that two sources read one thing otherwise, each with the device that reads it."""
    (first, one), (second, other) = readings
    return fact(
        "fold.readings_differ",
        what=what,
        first=DeviceRef(around.device(first) or ""),
        one=one,
        second=DeviceRef(around.device(second) or ""),
        other=other,
    )


def _late_moves(
    events: Sequence[Event], called: int, tolerance: int, doubts: list[Doubt], around: Circumstances
) -> dict[Key, LateMove]:
    """Find the wagers that moved after the call, and doubt those that moved too close to it to decide."""
    late: dict[Key, LateMove] = {}
    chips = (event for event in events if isinstance(event, ChipsPlaced | ChipsRemoved))
    for event, move in moves(chips):
        key = key_of(event)
        if around.game.made_during_play(key):
            continue
        after = event.at - called
        if after > tolerance:
            late[key] = LateMove(event.seat, event.wager, move, event.bettor, event.hand)
        elif after >= -tolerance:
            doubts.append(
                Doubt(
                    "late_wager",
                    key,
                    fact("fold.changed_near_no_more_bets", after=after, within=tolerance),
                    around.devices("chips"),
                )
            )
    return late


def _money(building: Building, observed: Round, around: Circumstances, doubts: list[Doubt]) -> None:
    observed.paid = building.paid if around.device("chips") is not None else None
    if len(building.counts) >= _COUNTS and around.hears("chips"):
        change = building.counts[-1] - building.counts[0]
        if change != building.inventory_change:
            doubts.append(
                Doubt(
                    "source_conflict",
                    "money",
                    fact(
                        "fold.inventory_change_differs",
                        tray=DeviceRef(around.device("tray") or ""),
                        change=Cents(change),
                        chips=DeviceRef(around.device("chips") or ""),
                        accounted=Cents(building.inventory_change),
                    ),
                    around.devices("chips", "tray"),
                )
            )
