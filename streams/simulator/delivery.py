"""The way from the devices to the gateway: what is lost, doubled, delayed or overtaken on it."""

from collections.abc import Iterable
from random import Random
from typing import Any, Final

from schemas.events import KINDS_OF, FloorpersonAssigned
from streams.simulator.frames import Arrival
from streams.simulator.labels import SensorLabel
from streams.simulator.reporting import Report

_KINDS: Final = ("event_lost", "event_doubled", "events_out_of_order", "event_late")

# How late, against a patience of 10 and a lateness of 120 seconds: in milliseconds.
_LATE: Final = {
    "within_patience": (3000, 8000),
    "within_lateness": (20_000, 100_000),
    "beyond_lateness": (180_000, 600_000),
}


def deliver(
    table: str, reports: Iterable[Report], rng: Random, rates: dict[str, float], others: Random
) -> tuple[list[Arrival], list[SensorLabel]]:
    """Carry reports to the gateway; return what arrives there, and what went wrong on the way.

    Faults of floorpersons' reports are drawn from `others`, so that all other reports are the same without
    them.
    """
    total = sum(rates[kind] for kind in _KINDS)
    arrivals: list[Arrival] = []
    labels: list[SensorLabel] = []
    last: dict[str, int] = {}
    dealt_from: str | None = None
    for report in reports:
        event = report.event
        if event.round is not None:
            dealt_from = report.shoe
        generator = others if isinstance(event, FloorpersonAssigned) else rng
        arrives = report.at + 1000 * generator.randint(15, 60)
        before = last.get(event.device, 0)
        if arrives <= before:
            arrives = before + 1
        last[event.device] = arrives
        if not total or generator.random() >= total:
            arrivals.append(Arrival(arrives, event))
            continue
        kind = generator.choices(_KINDS, [rates[kind] for kind in _KINDS])[0]
        times, detail = _mishap(kind, arrives, generator)
        arrivals += [Arrival(at, event) for at in times]
        labels.append(_label(kind, table, report, dealt_from, detail))
    return arrivals, labels


def _mishap(kind: str, arrives: int, rng: Random) -> tuple[list[int], dict[str, Any]]:
    if kind == "event_lost":
        return [], {}
    if kind == "event_doubled":
        return [arrives, arrives + 1000 * rng.randint(20, 2000)], {}
    if kind == "events_out_of_order":
        delay = rng.randint(1200, 4000)
        return [arrives + 1000 * delay], {"delay_ms": delay}
    how = rng.choice(list(_LATE))
    delay = rng.randint(*_LATE[how])
    late = arrives + 1000 * delay
    return [late], {"delay_ms": delay, "how": how, "arrives": late}


def _label(
    kind: str, table: str, report: Report, dealt_from: str | None, detail: dict[str, Any]
) -> SensorLabel:
    """Return the label of what happened to a report.

    One of the terminal's hits the shoe of the last round too: nobody can know that what is missing is not
    another round of it.
    """
    event = report.event
    shoes = [report.shoe] if type(event) not in KINDS_OF["terminal"] else [dealt_from, report.shoe]
    between = shoes if event.round is None else []
    return SensorLabel(
        sensor=kind,
        table=table,
        device=event.device,
        rounds=[event.round] if event.round is not None else [],
        shoes=[shoe for shoe in dict.fromkeys(between) if shoe is not None],
        detail={"event": type(event).__name__, "id": [event.device, event.epoch, event.seq], **detail},
    )
