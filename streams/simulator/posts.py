"""The people, cameras and documents of a table as the floor's sources report them: rightly, or with a fault.

For a table without these sources nothing is reported, and nothing drawn.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from random import Random
from typing import Any, Final

from schemas import events
from schemas.values import Person, Role
from streams.simulator.kinds import Kind
from streams.simulator.labels import ExpectedFinding, FaultLabel
from streams.simulator.plan import Plan
from streams.simulator.script import Happening
from streams.simulator.sessions import gaming_date

# docs/faults.md explains each kind.
POSTS: Final[Mapping[str, Kind]] = {
    "boxperson_away": Kind("staff_too_few", 0.1, "day of a table of Craps"),
    "camera_dark": Kind("table_not_covered", 0.05, "day of a table whose cameras the text numbers"),
    "container_from_elsewhere": Kind("carried_by_other", 0.05, "opening of a table"),
    "container_not_checked": Kind("container_not_checked", 0.05, "opening of a table"),
    "record_shredded": Kind("record_destroyed_early", 0.05, "day of a table"),
}
# Chapters whose tables a floorperson of a pit does not share with others, as 465a.35(c)(1) excludes them.
OWN_FLOORPERSON: Final = ("535", "543", "545", "623a", "629a", "631a")
_CRAPS: Final = "623a"
_WITHOUT_NUMBER: Final = ("545", "631a")  # how many cameras a Baccarat table needs was not printed
_AWAY: Final = 600_000_000  # microseconds
_GUARD: Final = Person("SG-1", "security")


def report_posts(
    plan: Plan, happenings: Sequence[Happening], rates: Mapping[str, float], rng: Random
) -> tuple[list[Happening], list[FaultLabel]]:
    """Return a day's happenings with what the floor's sources report of them, and the faults."""
    if "staff" not in plan.devices:
        return [*happenings], []
    posts = _Posts(plan, rates, rng)
    reported = [*posts.absences(happenings), *(made for each in happenings for made in posts.follow(each))]
    return sorted(reported, key=lambda each: each.at), posts.labels


class _Posts:
    """A table's posts while its day is played through again."""

    def __init__(self, plan: Plan, rates: Mapping[str, float], rng: Random) -> None:
        self.plan, self.rates, self.rng = plan, rates, rng
        self.labels: list[FaultLabel] = []
        self.staff: dict[str, Role] = {}
        self.floorperson: str | None = None
        self.unchecked = False

    def follow(self, each: Happening) -> Iterator[Happening]:
        """Yield a happening with what is reported besides it."""
        yield each
        match each.kind:
            case events.TableOpened:
                yield from self._open(each.at)
            case events.RoundOpened if self.unchecked:
                self.unchecked = False
                self._label("container_not_checked", f"container at {each.at}", each.at)
            case events.DealerAssigned:
                has_stick = self.plan.chapter == _CRAPS and each.fields.get("calling", False)
                yield self._assign(each.at, each.fields["dealer"], "stickperson" if has_stick else "dealer")
            case events.DealerRelieved:
                yield self._leave(each.at, each.fields["dealer"])
            case events.FloorpersonAssigned:
                if self.floorperson is not None:
                    yield self._leave(each.at, self.floorperson)
                self.floorperson = each.fields["floorperson"]
                yield self._assign(each.at, each.fields["floorperson"], "floorperson")
            case events.TableClosed:
                yield from [self._leave(each.at, name) for name in list(self.staff)]
                self.floorperson = None

    def absences(self, happenings: Iterable[Happening]) -> Iterator[Happening]:
        """Yield who leaves a post and comes back, and which camera goes dark, in the middle of the play."""
        ends = [each.at for each in happenings if each.kind is events.RoundClosed]
        if len(ends) < 8:  # noqa: PLR2004  too short a day for it to show
            return
        if self.plan.chapter == _CRAPS and self._strikes("boxperson_away"):
            since, until = self._span(ends)
            self._label("boxperson_away", f"boxperson since {since}", since)
            yield self._staff(since, self._boxperson, "boxperson")
            yield self._staff(until, self._boxperson, "boxperson", self.plan.name)
        if self.plan.chapter not in _WITHOUT_NUMBER and self._strikes("camera_dark"):
            since, until = self._span(ends)
            self._label("camera_dark", f"camera since {since}", since)
            yield self._camera(since, 1, "failed")
            yield self._camera(until, 1, "working")

    def _open(self, at: int) -> Iterator[Happening]:
        for number in range(1, 3 if self.plan.chapter == _CRAPS else 2):
            yield self._camera(at, number, "working")
        if self.plan.chapter == _CRAPS:
            yield self._assign(at, self._boxperson, "boxperson")
        yield from self._bring_container(at)
        if self._strikes("record_shredded"):
            record = f"R-{self.plan.number}-{at}"
            self._label("record_shredded", f"record_destroyed {record}", at)
            day = gaming_date(at) - timedelta(days=self.rng.randint(10, 1500))
            yield self._event(
                at, "register", events.DocumentFiled, document="record_destroyed", number=record, dated=day
            )

    def _bring_container(self, at: int) -> Iterator[Happening]:
        item, origin = f"CONT-{self.plan.number}", "cage"
        if self._strikes("container_from_elsewhere"):
            origin = "pit 9"
            self._label("container_from_elsewhere", f"{item} at {at}", at)
        yield self._event(
            at,
            "pit",
            events.ItemMoved,
            kind="inventory_container",
            item=item,
            place="table",
            origin=origin,
            persons=(_GUARD,),
        )
        if self._strikes("container_not_checked"):
            self.unchecked = True
            return
        by = Person(f"FL-{self.plan.number}", "floorperson")
        yield self._event(
            at, "pit", events.ItemInspected, kind="inventory_container", item=item, passed=True, by=by
        )

    @property
    def _boxperson(self) -> str:
        return f"BX-{self.plan.number}"

    def _span(self, ends: Sequence[int]) -> tuple[int, int]:
        """Return from the end of which round the fault lasts, and until when."""
        since = ends[self.rng.randrange(len(ends) // 4, len(ends) // 2)]
        return since, next((at for at in ends if at >= since + _AWAY), ends[-1])

    def _assign(self, at: int, name: str, role: Role) -> Happening:
        self.staff[name] = role
        return self._staff(at, name, role, self.plan.name)

    def _leave(self, at: int, name: str) -> Happening:
        return self._staff(at, name, self.staff.pop(name))

    def _staff(self, at: int, name: str, role: Role, *tables: str) -> Happening:
        return self._event(at, "staff", events.StaffAssigned, person=Person(name, role), tables=tables)

    def _camera(self, at: int, number: int, state: str) -> Happening:
        return self._event(
            at,
            "recorder",
            events.DeviceStateReported,
            kind="surveillance_camera",
            item=f"CAM-{self.plan.number}-{number}",
            state=state,
            covers=f"end {number}",
        )

    @staticmethod
    def _event(at: int, source: str, reported: type[events.Reported], /, **fields: Any) -> Happening:
        return Happening(at, reported, fields, None, source)

    def _strikes(self, kind: str) -> bool:
        return self.rng.random() < self.rates[kind]

    def _label(self, kind: str, who: str, at: int) -> None:
        check = POSTS[kind].check or ""
        self.labels.append(
            FaultLabel(
                fault=kind,
                table=self.plan.name,
                gaming_date=str(gaming_date(at)),
                round=None,
                shoe=None,
                primary=ExpectedFinding(check=check, who=who),
                follows=[],
                delta_cents=None,
            )
        )
