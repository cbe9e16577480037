"""The table's money by the events' account: chips in the tray, cash in the drop box, tokes in the tip box."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import pytest
from msgspec.json import encode

from projections.engine.accounts.table_accounts import TableAccounts
from projections.engine.audit.table_audit import AuditProgress, TableAudit
from schemas import events as e
from schemas.events import Event
from schemas.house import House, Submission, TableSetup
from streams.simulator import faults
from streams.simulator.floor import CHAPTER, plan
from streams.simulator.plan import options
from streams.simulator.playing import TableDay, play_table
from streams.simulator.simulate import START
from tests.builders.table_audit import audit_events
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, Script, build_house

HOUR: Final = 3_600_000_000
OPENED: Final = int(START.timestamp()) * 1_000_000
SEAT_1: Final = (1, "banker")
SEAT_4: Final = (4, "player")


def account(events: Sequence[Event]) -> TableAccounts:
    """Return the table's accounts after its events."""
    return audit_events(events, build_house(vigorish_deferred=True, house_money=True)).audit.progress.accounts


# ── by hand; the tray begins with 100,000.00 ─────────────────────────────────────────────────────────

OPENER: Final = 100_000_00


def script() -> Script:
    s = Script()
    s.open()
    return s


def test_wagers_settled() -> None:
    s = script()
    s.play(BANKER_WINS, {SEAT_1: 1000, SEAT_4: 2500}, "banker", {SEAT_4: -2500, SEAT_1: 1000}, {SEAT_1: 50})
    assert account(s.events).inventory.expected == OPENER + 2500 - 1000 + 50


def test_vigorish_marked_reaches_the_tray_when_it_is_paid() -> None:
    s = script()
    s.play(BANKER_WINS, {SEAT_1: 1000}, "banker", {SEAT_1: 1000}, {SEAT_1: 50}, marked=True)
    assert account(s.events).inventory.expected == OPENER - 1000
    s.pay_off(1, 50)
    s.close()
    assert account(s.events).inventory.expected == OPENER - 1000 + 50


def test_house_money_added_has_left_the_tray() -> None:
    s = script()
    s.begin({SEAT_4: 2000, (4, "house_money"): 500})
    s.no_more_bets({SEAT_4: 2000, (4, "house_money"): 500})
    s.deal("P2c B6d P2h BKd")
    s.add_payout((4, "house_money"), "player", 1000, after=1, handed=500)
    s.deal("P4c")
    s.announce("player")
    s.settle({SEAT_4: 3000})
    s.end()
    tray = account(s.events).inventory
    assert tray.expected == OPENER - 1500 - 3000
    assert tray.expected == s.tray


@pytest.mark.parametrize("inside", [True, False])
def test_cash_chips_fills_and_tokes(*, inside: bool) -> None:
    s = script()
    number = s.begin() if inside else None
    s.say("T", e.ChipsBought, round=number, seat=1, cents=30_000)
    s.say("T", e.ChipsColoredUp, round=number, seat=1, cents=10_000)
    s.say("T", e.TokeGiven, round=number, seat=1, cents=700)
    s.say("T", e.FillReceived, round=number, slip="F-1", cents=1_000_000)
    s.tray += 1_000_000 - 30_000
    if not inside:
        s.begin()
    s.no_more_bets()
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.end()
    heard = audit_events(s.events)
    tray = heard.audit.progress.accounts.inventory
    assert (tray.expected, tray.boxes[-1].cash, tray.tips) == (OPENER - 30_000 + 1_000_000, 30_000, 700)
    assert heard.verdicts() == {"1": "clean"}  # the tray bears it out


@pytest.mark.parametrize("closed", [True, False])
def test_what_was_put_right_is_booked(*, closed: bool) -> None:
    s = script()
    s.begin({SEAT_4: 2000})
    s.no_more_bets({SEAT_4: 2000})
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({SEAT_4: 2500})
    if closed:
        s.end()
    s.adjust(SEAT_4, -500)
    if not closed:
        s.end()
    assert account(s.events).inventory.expected == OPENER - 2000


# ── a simulated floor ────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module", params=["clean", "faults of dealers"])
def floor(request: pytest.FixtureRequest) -> list[TableDay]:
    rates = faults.NONE if request.param == "clean" else faults.rates()
    return [play_table(each, "money", dict(rates), OPENED, OPENED + HOUR) for each in plan(8)]


def audited(day: TableDay, **other: Any) -> tuple[AuditProgress, list[Event]]:
    """Audit a table's day; return all that is known at its end, and its events.

    Where `other` options are named the house chose these, and not those by which the table was dealt.
    """
    table = day.table.plan
    sources: Any = {device: source for source, device in table.devices.items()}
    setup = TableSetup(CHAPTER, sources, table.decks)
    chosen = Submission(since=START.date(), chapter=CHAPTER, options=other or options(CHAPTER, table.ways))
    audit = TableAudit(table.name, House(house="money", tables={table.name: setup}, submissions=[chosen]))
    events: list[Event] = []
    for frame in day.frames:
        audit.feed(frame.events)
        events.extend(frame.events)
    audit.finish()
    return audit.progress, events


class Audited(NamedTuple):
    """A table's day with all that is known at its end, and its events, of which no test changes any."""

    day: TableDay
    progress: AuditProgress
    events: list[Event]


@pytest.fixture(scope="module")
def as_dealt(floor: list[TableDay]) -> list[Audited]:
    """Return the tables audited by the options by which they were dealt."""
    return [Audited(day, *audited(day)) for day in floor]


def test_the_account_is_what_the_tray_holds(as_dealt: list[Audited]) -> None:
    for day, progress, events in as_dealt:
        tray = progress.accounts.inventory
        counts = [event.cents for event in events if isinstance(event, e.InventoryCounted)]
        assert bool(counts) is ("tray" in day.table.plan.devices)
        assert tray.expected == day.table.tray
        moved_since = {e.MarkerButtonRemoved, e.ChipsBought, e.FillReceived, e.SettlementAdjusted}
        if counts and not moved_since & {type(event) for event in _since_last_count(events)}:
            assert tray.expected == counts[-1]


def test_the_table_s_state_is_made_by_its_events_whatever_the_law_says_of_them(
    as_dealt: list[Audited],
) -> None:
    changed = 0
    for day, progress, _ in as_dealt:
        otherwise, _ = audited(day, vigorish_rounding_cents=25, tie_odds=9)
        assert encode(otherwise.state) == encode(progress.state)
        changed += encode(otherwise.last) != encode(progress.last)
    assert changed  # a shoe's account hangs on what the law says


def _since_last_count(events: Sequence[Event]) -> Sequence[Event]:
    last = max(n for n, event in enumerate(events) if isinstance(event, e.InventoryCounted))
    return events[last:]


def test_the_drop_is_what_was_bought(as_dealt: list[Audited]) -> None:
    for day, progress, events in as_dealt:
        tray = progress.accounts.inventory
        bought = sum(event.cents for event in events if isinstance(event, e.ChipsBought))
        assert bought > 0
        assert sum(box.cash for box in tray.boxes) == bought == day.table.box


def test_the_tip_box_is_what_was_given(as_dealt: list[Audited]) -> None:
    given = 0
    for day, progress, events in as_dealt:
        tray = progress.accounts.inventory
        tokes = sum(event.cents for event in events if isinstance(event, e.TokeGiven))
        assert tray.tips == tokes == day.table.tips
        given += tokes
    assert given > 0


def test_chips_are_conserved(as_dealt: list[Audited]) -> None:
    """Balance the tray: opener, fills, what was lost and taken, less what was won and bought for cash."""
    for _, progress, events in as_dealt:
        tray = progress.accounts.inventory
        won = sum(event.cents for event in events if isinstance(event, e.ChipsPaid | e.PayoutHanded))
        won += sum(event.cents + event.handed_cents for event in events if isinstance(event, e.PayoutAdded))
        won += sum(event.cents for event in events if isinstance(event, e.SettlementAdjusted))
        lost = sum(event.cents for event in events if isinstance(event, e.ChipsCollected))
        taken = sum(
            event.cents for event in events if isinstance(event, e.VigorishCollected | e.MarkerButtonRemoved)
        )
        taken += sum(event.vigorish_cents for event in events if isinstance(event, e.SettlementAdjusted))
        fills = sum(event.cents for event in events if isinstance(event, e.FillReceived))
        (opener,) = [event.inventory_cents for event in events if isinstance(event, e.TableOpened)]
        assert tray.expected == opener + fills + lost + taken - won - tray.changes.get("cash", 0) * -1
