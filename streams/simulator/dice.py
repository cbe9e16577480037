"""Dice from the store to the table by the three ways of 603a.13(f): rightly, or with a labelled fault."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final

from schemas import events
from schemas.values import Person, Role
from streams.simulator.kinds import Kind
from streams.simulator.table import Table

_SET: Final = "set of dice"
_SECOND: Final = "set of dice inspected in the pit"
_THIRD: Final = "set of dice inspected in the store"

_BY_EACH_WAY: Final[Mapping[str, Kind]] = {
    "dice_not_inspected": Kind("dice_not_inspected", 0.1, _SET),
    "magnet_left_out": Kind("dice_not_inspected", 0.25, _SET),
    "dice_brought_alone": Kind("dice_brought_by_other", 0.25, _SET),
    "dice_placed_by_dealer": Kind("dice_placed_by_other", 0.25, "set of dice that others place"),
    "doubtful_dice_rolled": Kind("dice_not_removed", 0.1, _SET),
}
# What can go wrong by each way of 603a.13(f); docs/faults.md explains each kind.
DICE_BY_WAY: Final[Mapping[int, Mapping[str, Kind]]] = {
    1: _BY_EACH_WAY,
    2: {
        **_BY_EACH_WAY,
        "dice_inspected_alone": Kind("dice_not_inspected", 0.25, _SECOND),
        "dice_distributed_by_other": Kind("dice_brought_by_other", 0.25, _SECOND),
    },
    3: {
        **_BY_EACH_WAY,
        "surveillance_not_notified": Kind("dice_not_inspected", 0.25, _THIRD),
        "dice_inspected_without_security": Kind("dice_not_inspected", 0.25, _THIRD),
        "dice_left_unsealed": Kind("dice_not_sealed", 0.25, _THIRD),
        "seal_not_looked_at": Kind("dice_not_sealed", 0.25, _THIRD),
        "broken_seal_ignored": Kind("dice_not_sealed", 0.25, _THIRD),
    },
}
DICE: Final[Mapping[str, Kind]] = {name: kind for way in DICE_BY_WAY.values() for name, kind in way.items()}
DICE_OF: Final[Mapping[str, tuple[Role, int]]] = {
    "535": ("floorperson", 3),
    "623a": ("boxperson", 5),
}  # who is responsible for them at the table, and how many
_PAI_GOW: Final = "535"
_INSTRUMENTS: Final = ("micrometer", "balancing_caliper", "steel_square", "magnet", "flat_surface", "in_view")
_SHIFT_MANAGER: Final = Person("SM", "shift_manager")
_PIT_MANAGER: Final = Person("PM", "pit_manager")
_SECURITY: Final = Person("SE", "security")
_FLOORPERSON: Final = Person("FL", "floorperson")


class DiceDelivery:
    """The way of one set of dice to a table, by the alternative that the house follows."""

    def __init__(self, table: Table, dealer: Person, label: Callable[[str, str], None]) -> None:
        role, self.count = DICE_OF[table.plan.chapter]
        self.table, self.dealer, self.label = table, dealer, label
        self.supervisor = Person("BX", role)
        self.item = f"dice {table.plan.number} of {table.gaming_date()}"

    def bring(self) -> None:
        """Bring the set from the store, inspect and place it, and perhaps roll it though it is doubted."""
        ways = {1: self._inspect_at_table, 2: self._inspect_in_pit, 3: self._inspect_in_store}
        ways[self.table.plan.dice_way]()
        if self._strikes("doubtful_dice_rolled", ""):
            notice = {"notice": "defect", "to": "pit_manager", "by": self.dealer, "item": self.item}
            self._tell(events.NoticeGiven, "pit", **notice)
            report = {"number": f"DD-{self.item}", "dated": date.fromisoformat(self.table.gaming_date())}
            filed = {"document": "discrepancy_report", "kind": "dice", "item": self.item, **report}
            self._tell(events.DocumentFiled, "register", **filed)

    def _inspect_at_table(self) -> None:
        """603a.13(f)(1): the pit manager issues the set, boxperson and dealer inspect it at the table."""
        self._leave_store()
        self._move("table", "pit", _PIT_MANAGER)
        if not self._strikes("dice_not_inspected", ""):
            self._inspect(self.supervisor, self.dealer, place="table")
        self._place(self.supervisor, self.dealer)

    def _inspect_in_pit(self) -> None:
        """603a.13(f)(2): two inspect the set in the pit, one of whom takes it to the table."""
        self._leave_store()
        giver = self.supervisor
        if not self._strikes("dice_not_inspected", ""):
            is_alone = self._strikes("dice_inspected_alone", ", witness")
            self._inspect(self.supervisor, self.dealer if is_alone else _FLOORPERSON, place="pit")
            if self._strikes("dice_distributed_by_other", ", distributed"):
                giver = _SECURITY
        self._move("table", "pit", giver)
        if self.table.plan.chapter == _PAI_GOW:
            self._step_placed(self.dealer, _FLOORPERSON)
        else:
            self._place(self.supervisor, self.dealer)

    def _inspect_in_store(self) -> None:
        """603a.13(f)(3): three persons inspect the set in the store and seal it; the seal is looked at."""
        if not self._strikes("dice_not_inspected", ""):
            if not self._strikes("surveillance_not_notified", ", notice"):
                notice = {"notice": "inspection", "to": "surveillance", "by": _FLOORPERSON, "item": self.item}
                self._tell(events.NoticeGiven, "pit", **notice)
            is_two = self._strikes("dice_inspected_without_security", ", present")
            present = () if is_two else (_SECURITY,)
            self._inspect(_FLOORPERSON, _SHIFT_MANAGER, place="storage", persons=present)
        sealed = not self._strikes("dice_left_unsealed", ", seal")
        self._leave_store(sealed=sealed, figures={"dice": self.count})
        if not self._strikes("seal_not_looked_at", ", look"):
            is_whole = not self._strikes("broken_seal_ignored", ", broken")
            look = {"passed": is_whole, "checklist": {"seal_intact": is_whole}}
            people = {"by": self.supervisor, "verified_by": self.dealer}
            self._tell(events.ItemInspected, "pit", kind="dice", item=self.item, **people, **look)
        self._place(self.supervisor, self.dealer)

    # ── acts ─────────────────────────────────────────────────────────────────────────────────────────

    def _leave_store(self, **how: Any) -> None:
        persons = [_SHIFT_MANAGER]
        if not self._strikes("dice_brought_alone", " to pit"):
            persons.append(_SECURITY)
        self._move("pit", "storage", *persons, **how)

    def _move(self, place: str, origin: str, *persons: Person, **how: Any) -> None:
        moved = {"kind": "dice", "item": self.item, "place": place, "origin": origin, "persons": persons}
        self._tell(events.ItemMoved, "cards", **moved, **how)

    def _inspect(self, by: Person, witness: Person, **where: Any) -> None:
        checklist = dict.fromkeys(_INSTRUMENTS, True)
        checklist["magnet"] = not self._strikes("magnet_left_out", ", magnet")
        inspected = {"passed": True, "by": by, "verified_by": witness, "checklist": checklist}
        self._tell(events.ItemInspected, "pit", kind="dice", item=self.item, **inspected, **where)

    def _place(self, by: Person, before: Person) -> None:
        self._step_placed(self.dealer if self._strikes("dice_placed_by_dealer", "") else by, before)

    def _step_placed(self, by: Person, witness: Person) -> None:
        placed = {"item": self.item, "by": by, "witness": witness, "count": self.count}
        self._tell(events.ProcedureStepTaken, "pit", step="dice_placed", **placed)

    def _strikes(self, kind: str, about: str) -> bool:
        """Return True if a fault is made, and label it."""
        is_made = self.table.strikes(kind)
        if is_made:
            self.label(kind, f"dice {self.item}{about}")
        return is_made

    def _tell(self, event: type[events.Reported], source: str, **fields: Any) -> None:
        self.table.script.wait(30_000, 90_000)
        self.table.script.tell(event, source=source, **fields)
