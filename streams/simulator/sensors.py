"""Sensors: silence, restarts, clocks that were off, wrong readings."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from msgspec import Struct

from schemas import events
from streams.simulator.labels import SensorLabel
from streams.simulator.misreads import misread
from streams.simulator.plan import Plan
from streams.simulator.reporting import Clock
from streams.simulator.script import Happening

_SECOND: Final = 1_000_000
_HOUR: Final = 3600 * _SECOND


class Span(Struct, frozen=True):
    """Span of a round, microseconds UTC."""

    name: str
    opened: int
    closed: int


class Sensed(Struct):
    """Readings of the devices, with their clocks by source, and the labels of what they got wrong."""

    happenings: list[Happening]
    clocks: dict[str, Clock]
    labels: list[SensorLabel]


def set_clocks(plan: Plan, rng: Random) -> dict[str, Clock]:
    """Set the clocks of a table's devices, each a little off the terminal's."""
    return {
        source: Clock(0 if source == "terminal" else rng.randint(-30_000, 30_000)) for source in plan.devices
    }


def sense(
    plan: Plan,
    happenings: Sequence[Happening],
    clocks: dict[str, Clock],
    rng: Random,
    rates: dict[str, float],
) -> Sensed:
    """Make the devices notice what happened at a table, with the faults that the rates ask for."""
    sensed = Sensed(list(happenings), clocks, [])
    _Outages(plan, rng, sensed).befall(rates)
    misread(plan, rng, rates, sensed.happenings, sensed.labels)
    return sensed


class _Outages:
    """Devices that are away for a while; no two at once, so that each label has the whole of its span."""

    def __init__(self, plan: Plan, rng: Random, sensed: Sensed) -> None:
        self.plan = plan
        self.rng = rng
        self.sensed = sensed
        self.rounds = _spans(sensed.happenings)
        self.taken: list[tuple[int, int]] = []

    def befall(self, rates: dict[str, float]) -> None:
        """Draw, for each hour of play, whether a device falls silent, restarts, or loses the time."""
        if not self.rounds:
            return
        last = self.rounds[-1].closed
        kinds: dict[str, Callable[[int, int], None]] = {
            "device_silent": self._silence,
            "device_restarted": self._restart,
            "clock_off": self._clock_off,
        }
        for start in range(self.rounds[0].opened, last, _HOUR):
            for kind, happens in kinds.items():
                if rates[kind] and self.rng.random() < rates[kind]:
                    happens(start, min(start + _HOUR, last))

    def _silence(self, start: int, end: int) -> None:
        source = self._device()
        begin = self.rng.randint(start, end)
        back = begin + self.rng.randint(20, 180) * _SECOND
        if back >= self.rounds[-1].closed or not self._take(begin, back):
            return
        device = self.plan.devices[source]
        hit = self._blind(source, begin, back)
        self._insert(begin, events.DeviceWentSilent, silent=device)
        self._insert(back, events.DeviceCameBack, back=device)
        self._label("device_silent", device, hit, begin, back, {})

    def _restart(self, start: int, end: int) -> None:
        source = self.rng.choice(list(self.plan.devices))
        down = self.rng.randint(1500, 9000) * 1000
        in_round = self.rng.choice((True, False))
        begin = self._moment(start, end, down, in_round=in_round)
        if begin is None or not self._take(begin, begin + down):
            return
        if not in_round and any(
            each.source == source and begin <= each.at < begin + down for each in self.sensed.happenings
        ):
            return
        hit = self._blind(source, begin, begin + down)
        clock = self.sensed.clocks[source]
        clock.restarts = sorted([*clock.restarts, begin + down])
        detail = {"in_round": in_round, "epoch": clock.epoch(begin + down)}
        self._label("device_restarted", self.plan.devices[source], hit, begin, begin + down, detail)

    def _clock_off(self, start: int, end: int) -> None:
        source = self._device()
        rounds = [span for span in self.rounds if start <= span.opened < end]
        if not rounds:
            return
        first = self.rng.randrange(len(rounds))
        hit = rounds[first : first + self.rng.randint(1, 5)]
        begin, back = hit[0].opened - _SECOND // 2, hit[-1].closed + _SECOND // 4
        if not self._take(begin, back):
            return
        shift = self.rng.choice((-1, 1)) * self.rng.randint(500, 5000) * 1000
        self.sensed.clocks[source].off.append((begin, back, shift))
        self.sensed.labels.append(
            SensorLabel(
                sensor="clock_off",
                table=self.plan.name,
                device=self.plan.devices[source],
                rounds=[span.name for span in hit],
                shoes=[],
                detail={"shift_us": shift},
            )
        )

    def _device(self) -> str:
        return self.rng.choice([source for source in self.plan.devices if source != "terminal"])

    def _moment(self, start: int, end: int, down: int, *, in_round: bool) -> int | None:
        """Find a moment in a round, or one between two rounds that leaves time for being down."""
        if in_round:
            spans = [(span.opened, span.closed - down) for span in self.rounds]
        else:
            spans = [
                (before.closed + 1, after.opened - down)
                for before, after in zip(self.rounds, self.rounds[1:], strict=False)
            ]
        fitting = [(low, high) for low, high in spans if start <= low < high < end]
        return self.rng.randint(*self.rng.choice(fitting)) if fitting else None

    def _take(self, begin: int, end: int) -> bool:
        """Reserve a span of time, with a minute to either side, unless an outage is near."""
        margin = 60 * _SECOND
        if any(begin - margin < taken_end and taken < end + margin for taken, taken_end in self.taken):
            return False
        self.taken.append((begin, end))
        return True

    def _blind(self, source: str, begin: int, end: int) -> list[Happening]:
        """Remove from what was noticed all that a device would have seen in a span of time."""
        missed = [each for each in self.sensed.happenings if each.source == source and begin <= each.at < end]
        gone = {id(each) for each in missed}
        self.sensed.happenings = [each for each in self.sensed.happenings if id(each) not in gone]
        return missed

    def _insert(self, at: int, kind: type[events.Reported], **fields: Any) -> None:
        happenings = self.sensed.happenings
        place = next((n for n, each in enumerate(happenings) if each.at >= at), len(happenings))
        open_round = next((span.name for span in self.rounds if span.opened < at <= span.closed), None)
        shoe = happenings[max(place - 1, 0)].shoe
        happenings.insert(place, Happening(at, kind, {**fields, "round": open_round}, shoe))

    def _label(
        self, kind: str, device: str, hit: list[Happening], begin: int, end: int, detail: dict[str, Any]
    ) -> None:
        overlapped = [span.name for span in self.rounds if span.opened < end and begin < span.closed]
        before = [span.name for span in self.rounds if span.closed <= begin]
        after = [span.name for span in self.rounds if span.opened >= end]
        self.sensed.labels.append(
            SensorLabel(
                sensor=kind,
                table=self.plan.name,
                device=device,
                rounds=list(dict.fromkeys(each.round for each in hit if each.round is not None)),
                shoes=list(
                    dict.fromkeys(each.shoe for each in hit if each.round is None and each.shoe is not None)
                ),
                detail={
                    "from": begin,
                    "to": end,
                    "open_rounds": overlapped,
                    "between": [] if overlapped else [*before[-1:], *after[:1]],
                    "unseen": len(hit),
                    **detail,
                },
            )
        )


def _spans(happenings: list[Happening]) -> list[Span]:
    spans = []
    opened: dict[str, int] = {}
    for each in happenings:
        if each.kind is events.RoundOpened:
            opened[each.fields["round"]] = each.at
        elif each.kind is events.RoundClosed:
            name = each.fields["round"]
            spans.append(Span(name, opened[name], each.at))
    return spans
