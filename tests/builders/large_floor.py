"""A floor of a hundred tables in eight pits, with an hour of play and a few mistakes, for its pages."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from projections.casework.table_status import DeviceReports, Lag, TableStatus
from projections.engine.conclusion import Conclusion
from projections.engine.observation import Key, Round, Wager
from projections.engine.silence import LostDevice, SilentDevices
from projections.store.runs import Run
from projections.store.store import Store
from projections.web.bootstrap import OpenConsole, open_commands, wall_clock
from projections.web.live.broadcaster import LiveFloor
from schemas.events import Source
from schemas.house import House, TableLimits, TableSetup
from schemas.room_settings import Due, DueTimes, RoomSettings
from tests.builders.alerts import build_conclusion, build_finding

_MINUTE: Final = 60_000_000
_RUN: Final = Run("live", datetime(2025, 3, 1, tzinfo=UTC), "1.0", "the floor")
_GAMES: Final = ("631a", "631a", "681a", "551")
_NAMES: Final = {"631a": "BAC", "681a": "TOB", "551": "SP"}
_DECKS: Final = {"681a": 4, "551": 8}
_ROUNDS: Final = 30  # of each table in the hour
_WAGERS: Final = 6  # of each round
_WITH_LIMITS: Final = 5  # tables of which the house file says the limits
# By table, what its latest rounds show: cents, and whom the mistake favours.
_MISTAKES: Final = {
    "BAC-101": [(231_900, "house"), (29_800, "patron")],
    "BAC-117": [(5_300, "patron")],
    "TOB-155": [(12_500, "patron"), (2_500, "house"), (50_000, "house")],
    "BAC-142": [(40_000, "house")],
}
_SILENT: Final = {"BAC-103": ("C-BAC-103",), "BAC-130": ("C-BAC-130", "S-BAC-130", "V-BAC-130")}


def large_house(tables: int = 100) -> House:
    """Return a house of so many tables, thirteen of them to a pit."""
    setups = {}
    for number in range(tables):
        chapter = _GAMES[number % len(_GAMES)] if number >= tables // 2 else "631a"
        name = f"{_NAMES[chapter]}-{101 + number}"
        sources: dict[str, Source] = {f"C-{name}": "chips", f"S-{name}": "shoe", f"T-{name}": "terminal"}
        limits = TableLimits(2_500, 500_000) if number < _WITH_LIMITS else None
        setups[name] = TableSetup(chapter=chapter, sources=sources, pit=str(number // 13 + 1), limits=limits)
    return House(house="Riverside", tables=setups)


def open_large_floor(path: Path, tables: int = 100, *, overdue: bool = True) -> OpenConsole:
    """Store an hour of a floor and open a console that follows it; what is wrong there is overdue or not."""
    house, now = large_house(tables), wall_clock()
    day, begun = house.gaming_date(now), now - 60 * _MINUTE
    store = Store(path)
    names = list(house.tables)
    mistakes = {each: _MISTAKES[each] for each in names if each in _MISTAKES}
    rounds: list[tuple[Round, Conclusion, int]] = []
    for place, name in enumerate(names):
        wrong = mistakes.get(name, [])
        for number in range(_ROUNDS):
            at = begun + number * 2 * _MINUTE + place * 100_000
            key = f"{number + 1}"
            found = []
            if number >= _ROUNDS - len(wrong):
                cents, side = wrong[number - _ROUNDS]
                check = "paid_too_much" if side == "patron" else "paid_too_little"
                net = cents if side == "patron" else -cents
                found = [
                    build_finding(
                        f"{name}-{key}", check=check, net_cents=net, favours=side, seat=1, wager="player"
                    )
                ]
            wagers = {Key(seat + 1, None, "player", None): Wager(2_500) for seat in range(_WAGERS)}
            seen = Round(table=name, number=key, day=day, at=at, wagers=wagers, dealer=f"D-{place}")
            said = build_conclusion(
                key, *found, table=name, gaming_date=day, chapter=house.tables[name].chapter
            )
            rounds.append((seen, said, 1))
    store.write(_RUN, rounds)
    due = Due(taken=1, closed=60) if overdue else Due(taken=600, closed=600)
    room = RoomSettings(act_within_minutes=60, due=DueTimes(critical=due, high=due))
    # Its alerts came five minutes ago.
    commands = open_commands(store, room, house.tables, now - 5 * _MINUTE, live=True)
    opened = OpenConsole(path, store, house, LiveFloor(store.reading(), house.zone, "ok"), commands)
    opened.live.set_state("large", statuses(house, now), {name: Lag(40_000, now) for name in names})
    return opened


def statuses(house: House, now: int) -> dict[str, TableStatus]:
    """Return how the tables stand: two are closed, two have silent devices, the others play."""
    *names, last, closed = house.tables
    open_tables = {
        name: TableStatus(
            open=True,
            since=now - 300 * _MINUTE,
            dealers=(f"D-{place}",),
            calling=f"D-{place}",
            calling_since=now - (20 + place % 50) * _MINUTE,
            round=f"{_ROUNDS + 1}",
            opened=now - _MINUTE // 2,
            last=f"{_ROUNDS}",
            closes=tuple(now - minute * _MINUTE for minute in range(58, 0, -2)),
            lost=SilentDevices({device: LostDevice(now - 4 * _MINUTE) for device in _SILENT.get(name, ())}),
            at=now - 900_000,
            received=now - 500_000,
            reports={
                device: DeviceReports(now - 500_000, tuple(range(20, 32)))
                for device in house.tables[name].sources
                if device not in _SILENT.get(name, ())
            },
        )
        for place, name in enumerate(names)
    }
    shut = TableStatus(
        open=False, since=now - 30 * _MINUTE, at=now - 30 * _MINUTE, received=now - 30 * _MINUTE
    )
    return open_tables | dict.fromkeys((last, closed), shut)
