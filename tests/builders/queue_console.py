"""A console on a floor that goes on, with alerts of each urgency in its queue."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from projections.casework.actions import Actor
from projections.engine.observation import Round
from projections.store.runs import Run
from projections.store.store import Store
from projections.web.bootstrap import OpenConsole, open_commands, wall_clock
from projections.web.live.broadcaster import LiveFloor
from schemas.house import House
from schemas.room_settings import RoomSettings
from tests.builders.alerts import DAY, MINUTE, PEOPLE, SECOND, TABLES, build_conclusion, build_finding

RUN = Run("live", datetime(2025, 3, 1, tzinfo=UTC), "1.0", "the floor")


EVIL: Final = "<script>alert(1)</script>"


ANN: Final = Actor("ann", "supervisor", SECOND, PEOPLE)


WEEK: Final = RoomSettings(act_within_minutes=7 * 24 * 60)


def build_round(number: str, at: int, dealer: str = "D-7") -> Round:
    return Round(table="BAC-1", number=number, day=DAY, at=at, dealer=dealer)


def open_queue_console(path: Path) -> OpenConsole:
    """Open a console on a floor that goes on.

    A round with three findings, one with a grave one, a small one, one of which nothing is proven.
    """
    now = wall_clock()
    rounds = [
        ("0", [build_finding(f"m{n}", bettor="anna", message=f"anna: {EVIL}") for n in range(3)]),
        ("8", [build_finding("g", severity="critical", check="late_wager", net_cents=0)]),
        ("9", [build_finding("small", expected_cents=500, observed_cents=0, net_cents=500, favours="house")]),
        ("10", [build_finding("u", weight="undetermined", severity="data", check="data_missing")]),
    ]
    store = Store(path)
    store.write(
        RUN,
        [(build_round(n, now + at), build_conclusion(n, *all_), 1) for at, (n, all_) in enumerate(rounds)],
    )
    house = House(house="here", tables=TABLES)
    live = LiveFloor(store.reading(), house.zone, "ok")
    return OpenConsole(path, store, house, live, open_commands(store, WEEK, TABLES, now, live=True))


def make_overdue(opened: OpenConsole, name: str) -> None:
    """Make an alert overdue for twenty minutes, as if it had come before that."""
    noted = opened.commands.alert_queue.arrivals[name]
    fields = {field: getattr(noted, field) for field in noted.__struct_fields__}
    fields["taken_due"] -= 20 * MINUTE
    opened.commands.alert_queue.record_arrival(type(noted)(**fields))
