"""Tables whose staff and surveillance cameras are reported, one or all of a floor; times in seconds."""

from datetime import date
from typing import Any, Final

from projections.engine.conclusion import Conclusion, Line
from projections.programmes.supervision.floor_day import judge_supervision
from schemas import events as e
from schemas.house import House, TableSetup
from schemas.values import Person, Role
from tests.law.procedure_table import TABLE, ProcedureTable

DAY: Final = date(2019, 3, 1)
_SECOND: Final = 1_000_000
_PEOPLE: Final[dict[Role, tuple[str, ...]]] = {
    "dealer": ("dana", "dora", "duke"),
    "stickperson": ("stan", "stella"),
    "boxperson": ("bob",),
    "floorperson": ("fred", "fay"),
    "pit_manager": ("pam",),
}


class FloorTable(ProcedureTable):
    """A table whose people are reported by the staff source alone, and none by its terminal."""

    def __init__(self, number: str, *, day: date = DAY, **more: Any) -> None:
        super().__init__(number, day=day, readers={"W": "staff", "R": "recorder"}, **more)

    def open_with(self, *roles: Role, cameras: int = 0) -> "FloorTable":
        """Open the table with one person for each role named, and so many working cameras."""
        for number in range(1, cameras + 1):
            self.camera(f"CAM-{number}", "working", covers=f"end {number}")
        self.say("terminal", e.TableOpened, inventory_cents=0, heard=self.heard())
        for role in dict.fromkeys(roles):
            for name in _PEOPLE[role][: roles.count(role)]:
                self.assign(name, role, after=0)
        return self

    def assign(self, name: str, role: Role, *tables: str, after: float = 5, is_lost: bool = False) -> None:
        """Report that a person has the table from now on, or the tables that are named."""
        at = tables or (TABLE,)
        self.say("staff", e.StaffAssigned, after, is_lost=is_lost, person=Person(name, role), tables=at)

    def relieve(self, name: str, role: Role, *, after: float = 5, is_lost: bool = False) -> None:
        """Report that a person has another table from now on."""
        self.assign(name, role, "T-9", after=after, is_lost=is_lost)

    def camera(self, item: str, state: str, *, after: float = 5, is_lost: bool = False, **more: Any) -> None:
        """Report the state of a surveillance camera."""
        self.say(
            "recorder",
            e.DeviceStateReported,
            after,
            is_lost=is_lost,
            kind="surveillance_camera",
            item=item,
            state=state,
            **more,
        )

    def play(self, after: float = 100) -> "FloorTable":
        """Play a round of five seconds; it is over so many seconds from now."""
        self.now += after - 10
        self.round(shoe="1")
        return self


class FloorDay:
    """Tables by name, which of them each floorperson had from second to second of noon, and what is found."""

    def __init__(self, *tables: str | tuple[str, dict[str, Any]], **house: Any) -> None:
        setups = [each if isinstance(each, tuple) else (each, {}) for each in tables]
        self.house = House(
            house="floor",
            zone="UTC",
            tables={
                f"T-{number}": TableSetup(chapter=chapter, sources={}, **more)
                for number, (chapter, more) in enumerate(setups, 1)
            },
            **house,
        )
        self.noon = self.house.bounds(DAY)[0] + 6 * 3600 * _SECOND
        self.had: dict[str, list[tuple[str, int, int | None]]] = {name: [] for name in self.house.tables}
        self.unreported: set[str] = set()

    def have(self, person: str, since: int, until: int | None, *tables: int) -> "FloorDay":
        """Script a floorperson who takes tables at a second and leaves them at another, or not at all."""
        for number in tables:
            self.had[f"T-{number}"].append((person, since, until))
        return self

    def accounts(self) -> list[Conclusion]:
        """Return what each table's account of procedures says of its supervision."""
        return [
            Conclusion(
                table=name,
                account="procedures",
                gaming_date=DAY,
                chapter=self.house.tables[name].chapter,
                verdict="clean",
                outcome=None,
                expected=(),
                findings=(),
                notes=(),
                lines=tuple(self._lines(name, spans)),
            )
            for name, spans in self.had.items()
        ]

    def _lines(self, name: str, spans: list[tuple[str, int, int | None]]) -> list[Line]:
        lines = []
        for person, since, until in spans:
            lines.append(Line(name="supervision_began", of=person, at=self.noon + since * _SECOND))
            if until is not None:
                lines.append(Line(name="supervision_ended", of=person, at=self.noon + until * _SECOND))
        return [*lines, *([Line(name="staff_unreported", count=1)] if name in self.unreported else ())]

    def concluded(self, day: date = DAY) -> Conclusion:
        """Return the floor's account of a day."""
        found = judge_supervision(day, self.accounts(), self.house)
        assert found is not None
        return found

    def raised(self) -> list[tuple[str, str, tuple[str, ...]]]:
        """Return check, weight and citations of each finding."""
        return [(each.check, each.weight, each.citations) for each in self.concluded().findings]
