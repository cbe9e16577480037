"""A table played, sensed and reported: by itself, or day after day with its money on a floor."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from schemas.codec import Frame
from streams.simulator.chance import Chance
from streams.simulator.delivery import deliver
from streams.simulator.frames import Arrival, cut
from streams.simulator.games import SCRIPTS
from streams.simulator.labels import Label, SensorLabel
from streams.simulator.money.books import Books
from streams.simulator.money.closing import shut_days, uncounted
from streams.simulator.money.laying import lay
from streams.simulator.money.till import Till, first_day
from streams.simulator.plan import Plan
from streams.simulator.posts import report_posts
from streams.simulator.reporting import Clock, Reporter
from streams.simulator.script import Happening
from streams.simulator.sensors import sense, set_clocks
from streams.simulator.sessions import Daily, Session, gaming_date
from streams.simulator.supervision import supervised
from streams.simulator.table import Table


class TableDay(Struct, frozen=True):
    """A table as it stood at its close, the arrivals of its events, their frames, and what was injected."""

    table: Table
    arrivals: list[Arrival]
    frames: list[Frame]
    labels: list[Label]


class TableRun(Struct, frozen=True):
    """A table through all days of a floor: how many rounds, its events as they arrive, its labels."""

    name: str
    rounds: int
    arrivals: list[Arrival]
    labels: list[Label]


def play_table(plan: Plan, seed: str, rates: dict[str, float], start: int, end: int) -> TableDay:
    """Play one table between two moments, microseconds UTC, without what people do with its money."""
    rng = _rng(seed, plan.name)
    table = SCRIPTS[plan.chapter].play(plan, rng, rates, start, end)
    arrivals, mishaps = _Devices(plan).tell(table.script.happenings, rates, rng, rng)
    frames = list(cut(plan.name, arrivals))
    return TableDay(table, arrivals, frames, [*table.labels, *_dated(mishaps, gaming_date(start))])


def play_days(plan: Plan, seed: str, daily: Daily, sessions: Sequence[Session], books: Books) -> TableRun:
    """Play a table day after day with its money, and enter its part in the floor's books."""
    devices = _Devices(plan)
    run = TableRun(plan.name, 0, [], [])
    carried = first_day(plan, _rng(seed, plan.name, "money"))
    shut = shut_days(sessions, daily, _rng(seed, plan.name, "shut"))
    for session in sessions:
        if session.day in shut:
            run.labels.append(uncounted(plan.name, session.day))
            continue
        later = [] if session is sessions[0] else [str(session.day)]
        rng, rates = _rng(seed, plan.name, *later), daily[session.day]
        table = SCRIPTS[plan.chapter].play(plan, rng, rates, session.first, session.last)
        till = Till(table, session.day, carried, books, rates, _rng(seed, plan.name, "money", *later))
        floor_rng = _rng(seed, plan.name, "floorpersons", *later)
        posts_rng = _rng(seed, plan.name, "posts", *later)
        happenings, breaches = report_posts(plan, list(supervised(plan, lay(till))), rates, posts_rng)
        arrivals, mishaps = devices.tell(happenings, rates, rng, floor_rng)
        run.arrivals.extend(arrivals)
        run.labels.extend((*table.labels, *till.labels, *breaches))
        run.labels.extend(_dated(mishaps, session.day))
        run = replace(run, rounds=run.rounds + len(table.past))
        if table.rules != plan.rules:
            plan = replace(plan, ways=table.ways, later=None, rules=table.rules)
    return run


def _dated(labels: Iterable[SensorLabel], day: date) -> Iterator[SensorLabel]:
    return (replace(each, gaming_date=str(day)) for each in labels)


class _Devices:
    """A table's devices, with their clocks and numbers, over all its days."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.clocks: dict[str, Clock] = {}

    def tell(
        self, happenings: list[Happening], rates: dict[str, float], rng: Random, floor_rng: Random
    ) -> tuple[list[Arrival], list[SensorLabel]]:
        """Return what arrives of a day's reports, and what went wrong with them."""
        if not self.clocks:
            self.clocks = set_clocks(self.plan, rng)
            self.reporter = Reporter(self.plan.devices, self.clocks)
        sensed = sense(self.plan, happenings, self.clocks, rng, rates)
        reports = self.reporter.report(sensed.happenings)
        arrivals, mishaps = deliver(self.plan.name, reports, rng, rates, floor_rng)
        return arrivals, [*sensed.labels, *mishaps]


def _rng(*seed: str) -> Random:
    return Chance("/".join(seed))
