"""However events arrive, what is concluded of them in the end is the same, byte for byte."""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from projections.engine.audit.table_audit import AuditProgress, TableAudit
from projections.engine.conclusion import Conclusion, canonical
from schemas import events as e
from schemas.codec import decode, encode
from schemas.events import Event
from schemas.house import House
from tests.builders.strategies import STEADY
from tests.builders.table_audit import AuditedTable, audit_events
from tests.builders.table_script import (
    BANKER_WINS,
    PLAYER_WINS,
    SECOND,
    TIE,
    Script,
    Spot,
    build_house,
    frame_of,
)

BANKER: Final[Spot] = (1, "banker")
PLAYER: Final[Spot] = (4, "player")
MONEY: Final[Spot] = (4, "house_money")
ON_TIE: Final[Spot] = (6, "tie")

# ── rounds that a story is made of; each takes about a quarter of a minute ───────────────────────────


def owes(s: Script) -> None:
    wagers = {BANKER: 1000, PLAYER: 2000}
    s.play(BANKER_WINS, wagers, "banker", {PLAYER: -2000, BANKER: 1000}, {BANKER: 50}, marked=True)


def overpays(s: Script) -> None:
    s.play(PLAYER_WINS, {PLAYER: 2000}, "player", {PLAYER: 2500})


def ties(s: Script) -> None:
    s.play(TIE, {BANKER: 1000, ON_TIE: 100}, "tie", {ON_TIE: 800})


def adds_house_money(s: Script) -> None:
    s.begin({PLAYER: 2000, MONEY: 500})
    s.no_more_bets({PLAYER: 2000, MONEY: 500})
    s.deal("P2c B6d P2h BKd")
    s.add_payout(MONEY, "player", 1500, after=1)
    s.deal("P4c")  # 8 to 6
    s.announce("player")
    s.settle({PLAYER: 3500})
    s.end()


def puts_right_in_time(s: Script) -> None:
    s.begin({PLAYER: 2000})
    s.no_more_bets({PLAYER: 2000})
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({PLAYER: 2500})
    s.adjust(PLAYER, -500)
    s.end()


def puts_right_late(s: Script) -> None:
    overpays(s)
    s.adjust(PLAYER, -500)


def corrects(s: Script) -> None:
    s.begin()
    mistaken = s.on(PLAYER, e.ChipsPlaced, 3000)
    right = s.on(PLAYER, e.ChipsPlaced, 2000)
    s.correct(mistaken)
    s.no_more_bets({PLAYER: 2000})
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({PLAYER: 2000})
    s.end()
    s.correct(right, msgspec.structs.replace(right, cents=2000))


def bets_late(s: Script) -> None:
    s.begin({PLAYER: 2000})
    s.no_more_bets({PLAYER: 2000})
    s.on(BANKER, e.ChipsPlaced, 500, after=1)
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({PLAYER: 2000, BANKER: -500})
    s.end()


def loses_touch(s: Script) -> None:
    s.begin({PLAYER: 2000})
    s.say("T", e.DeviceWentSilent, silent="C")
    s.no_more_bets({PLAYER: 2000})
    s.deal(PLAYER_WINS)
    s.say("T", e.DeviceCameBack, back="C")
    s.announce("player")
    s.settle({PLAYER: 2000})
    s.end()


def is_void(s: Script) -> None:
    s.begin({PLAYER: 2000})
    s.no_more_bets({PLAYER: 2000})
    s.deal("P2c B6d PKc BKd")
    s.say("S", e.ShoeExhausted, round=s.number)
    s.tell(e.RoundVoided)
    s.end()


# ── what happens between them ────────────────────────────────────────────────────────────────────────


def nothing(_: Script) -> None:
    pass


def new_shoe(s: Script) -> None:
    s.load(f"shoe {s.count + 1}")


def pays_off(s: Script) -> None:
    s.pay_off(1, 50)


def leaves(s: Script) -> None:
    s.say("T", e.PlayerLeft, seat=1)


def people(s: Script) -> None:
    s.buy(4, 50_000)
    s.say("T", e.DealerAssigned, dealer=f"D-{s.count}", calling=True)
    s.say("T", e.DevicesPolled, heard=s.heard())


def restarts(s: Script) -> None:
    s.restart("S")


def new_rules(s: Script) -> None:
    s.change_rules(vigorish_deferred=True, house_money=True, tie_odds=8 + s.count)


ROUNDS: Final[tuple[Callable[[Script], None], ...]] = (
    owes,
    overpays,
    ties,
    adds_house_money,
    puts_right_in_time,
    puts_right_late,
    corrects,
    bets_late,
    loses_touch,
    is_void,
)
BETWEEN: Final[tuple[Callable[[Script], None], ...]] = (
    nothing,
    new_shoe,
    pays_off,
    leaves,
    people,
    restarts,
    new_rules,
)


@st.composite
def stories(draw: st.DrawFn, least: int = 2) -> list[Event]:
    """Draw two to four rounds, all within the lateness window of two minutes."""
    s = Script(draw(st.sampled_from(["", "V", "VI", "I"])))
    s.open()
    for _ in range(draw(st.integers(least, 4))):
        draw(st.sampled_from(ROUNDS))(s)
        draw(st.sampled_from(BETWEEN))(s)
    if draw(st.booleans()):
        s.close()
    assert s.now < 110
    return s.events


def by(events: Sequence[Event]) -> House:
    """Return the house whose table has just the devices that a story's table has."""
    lacks = "".join(set("TSCVI") - {event.device for event in events})
    return build_house(without=lacks, vigorish_deferred=True, house_money=True)


def latest(heard: AuditedTable) -> bytes:
    """Return the latest conclusions in the form in which two runs are compared."""
    return canonical(each.conclusion for each in heard.history)


def delayed(most: float) -> st.SearchStrategy[list[tuple[int, float]]]:
    """Delay some of the events, by their place in the story, by up to so many seconds."""
    return st.lists(st.tuples(st.integers(0, 200), st.floats(0, most)), min_size=1, max_size=12)


def arrival(events: Sequence[Event], delays: Sequence[tuple[int, float]]) -> list[Event]:
    """Return events in the order in which they arrive."""
    late = {id(events[place % len(events)]): delay for place, delay in delays}
    return sorted(events, key=lambda event: event.at + late.get(id(event), 0) * SECOND)


@STEADY
@given(stories(), delayed(100), st.integers(1, 40))
def test_any_order_of_arrival(events: list[Event], delays: list[tuple[int, float]], frame: int) -> None:
    whole = latest(audit_events(events, by(events)))
    assert latest(audit_events(arrival(events, delays), by(events), frame=frame)) == whole


@STEADY
@given(stories(), st.lists(st.tuples(st.integers(0, 200), st.integers(0, 200)), max_size=20))
def test_any_doubling(events: list[Event], again: list[tuple[int, int]]) -> None:
    whole = audit_events(events, by(events), frame=1)
    doubled = list(events)
    for which, where in again:
        event = events[which % len(events)]
        doubled.insert(max(doubled.index(event), where % len(doubled)) + 1, event)
    heard = audit_events(doubled, by(events), frame=1)
    assert heard.history == whole.history
    assert heard.audit.progress.buffer.doubled == len(again)


@STEADY
@given(stories(), st.lists(st.integers(1, 30), min_size=1))
def test_any_framing(events: list[Event], sizes: list[int]) -> None:
    """Frames of any size, as bytes and back, give what one frame gives."""
    audit = TableAudit("BAC-1", by(events))
    heard = AuditedTable(audit)
    rest = list(events)
    while rest:
        for number, size in enumerate(sizes, 1):
            part, rest = rest[:size], rest[size:]
            if part:
                frame, unread = decode(encode(frame_of(part, number)), "story:1")
                assert unread == []
                heard.hear(audit.feed(frame.events))
    heard.hear(audit.finish())
    assert latest(heard) == latest(audit_events(events, by(events)))


@STEADY
@given(stories())
def test_a_second_run_is_the_first_again(events: list[Event]) -> None:
    assert (
        audit_events(events, by(events), frame=1).history == audit_events(events, by(events), frame=1).history
    )


@STEADY
@given(stories(), delayed(60), st.integers(1, 30))
def test_progress_outlives_a_restart(events: list[Event], delays: list[tuple[int, float]], size: int) -> None:
    """Progress written as JSON and read back between any two frames leads to the same conclusions."""
    arrived = arrival(events, delays)
    audit = TableAudit("BAC-1", by(events))
    heard = AuditedTable(audit)
    for start in range(0, len(arrived), size):
        heard.hear(audit.feed(arrived[start : start + size]))
        stored = msgspec.json.encode(audit.progress)
        audit = TableAudit("BAC-1", by(events))
        audit.progress = msgspec.json.decode(stored, type=AuditProgress)
    heard.hear(audit.finish())
    assert heard.history == audit_events(arrived, by(events), frame=size).history


def assert_accuses_no_one(events: list[Event], lost: set[int]) -> None:
    """Hold each conclusion that lacks events against the whole one: the same is proven, or less."""
    whole = audit_events(events, by(events))
    holed = audit_events([event for n, event in enumerate(events) if n not in lost], by(events))
    for number, concluded in holed.rounds.items():
        assert concluded.verdict in {"undetermined", whole.rounds[number].verdict}
        assert proven(concluded) <= proven(whole.rounds[number])


def proven(concluded: Conclusion) -> set[str]:
    return {finding.id for finding in concluded.findings if finding.weight == "mismatch"}


@STEADY
@given(stories(), st.lists(st.integers(0, 200), min_size=1, max_size=3))
def test_holes_accuse_no_one(events: list[Event], places: list[int]) -> None:
    assert_accuses_no_one(events, {place % len(events) for place in places})


@STEADY
@given(stories(), st.integers(0, 200), st.integers(2, 8))
def test_bursts_accuse_no_one(events: list[Event], first: int, size: int) -> None:
    first %= len(events)
    assert_accuses_no_one(events, set(range(first, first + size)))
