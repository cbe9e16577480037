"""Dice from the store to the table: who brings, inspects, seals and places them, and how long they stay.

603a.13(f) has three ways; which of them a house follows is a setting of its house file.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from projections.engine.facts import Word, fact, listed
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.case import ProcedureCase
from projections.engine.procedures.entries import Noted
from schemas.events import (
    DiceRolled,
    DocumentFiled,
    ItemInspected,
    ItemMoved,
    NoticeGiven,
    ProcedureStepTaken,
    TableClosed,
)
from schemas.procedures import FLOORPERSON_OR_ABOVE, PIT_STAND, STORAGE, TABLE
from schemas.values import Micros, Person

DICE_BROUGHT_BY_OTHER: Final = Kind(
    "dice_brought_by_other",
    severity="medium",
    asks="Were dice, and the keys to them, only in the hands of those who may have them?",
    false_positives="A person under another role.",
    sources=("pit", "cards"),
)
DICE_NOT_INSPECTED: Final = Kind(
    "dice_not_inspected",
    severity="critical",
    asks="Were the dice inspected before they were used, by whom, before whom and with what the text names?",
    false_positives="An inspection that was not keyed in; a person under another role.",
    sources=("pit",),
)
DICE_NOT_SEALED: Final = Kind(
    "dice_not_sealed",
    severity="critical",
    asks="Were inspected dice sealed and labelled, and was the seal looked at before they were used?",
    false_positives="A checklist with a wrong tick; a seal that was broken after the dice had been placed.",
    sources=("pit", "cards"),
)
DICE_PLACED_BY_OTHER: Final = Kind(
    "dice_placed_by_other",
    severity="medium",
    asks="Were the dice put into cup or shaker by the right person, before the right one, and as many?",
    false_positives="A person under another role.",
    sources=("pit",),
)
DICE_TOO_LONG: Final = Kind(
    "dice_too_long",
    severity="medium",
    asks="Were the dice changed as often as the text says?",
    false_positives="A change of dice that was not keyed in.",
    sources=("pit", "dice"),
)
DICE_NOT_REMOVED: Final = Kind(
    "dice_not_removed",
    severity="critical",
    asks="Were doubtful dice taken out of use, and was a Dice Discrepancy Report filed?",
    false_positives="A report that the register was not told of.",
    sources=("pit", "register"),
)
KINDS: Final = (
    DICE_BROUGHT_BY_OTHER,
    DICE_NOT_INSPECTED,
    DICE_NOT_SEALED,
    DICE_PLACED_BY_OTHER,
    DICE_TOO_LONG,
    DICE_NOT_REMOVED,
)

_HOUR: Final = 3_600_000_000
_SOURCES: Final = ("pit", "cards", "register")
_INSTRUMENTS: Final = ("micrometer", "balancing_caliper", "steel_square", "magnet")
_SURFACE: Final = ("flat_surface", "in_view")
_PIT_MANAGER: Final = ("pit_manager", "shift_manager")
_SURVEILLANCE: Final = "surveillance"


class _Dice(Struct, frozen=True):
    """A set of dice that is placed: what was done with it before, by the way that the house follows."""

    case: ProcedureCase
    way: Mapping[str, Any]
    item: str
    placed: Micros
    history: tuple[Noted, ...]

    @property
    def who(self) -> str:
        """Whom a finding about the set is about."""
        return f"dice {self.item}"

    def moves(self) -> list[tuple[Micros, ItemMoved]]:
        """Return where it came, in order."""
        return [(each.at, each.event) for each in self.history if isinstance(each.event, ItemMoved)]

    def inspections(self, *, of_seal: bool) -> list[tuple[Micros, ItemInspected]]:
        """Return the looks at its seal alone, or the inspections with instruments."""
        found = [(each.at, each.event) for each in self.history if isinstance(each.event, ItemInspected)]
        return [(at, each) for at, each in found if ("seal_intact" in each.checklist) is of_seal]

    def found(self, kind: Kind, message: Any, cite: str, *, about: str = "", open_: bool = False) -> Raised:
        """Raise a finding about it; what was not reported of it leaves it undetermined."""
        gaps = self.case.unreported(0, self.placed, *_SOURCES)  # a set may have been in reserve for days
        who = f"{self.who}, {about}" if about else self.who
        return self.case.found(kind, message, (cite,), who=who, gaps=gaps, undetermined=open_)

    @property
    def has_no_boxperson(self) -> bool:
        """Return True if it is a game at which a floorperson stands for the boxperson."""
        duty = self.case.duty("dice_without_boxperson")
        return duty is not None and self.case.game in duty.value

    def may(self, person: Person, roles: Collection[str]) -> bool:
        """Return True if somebody has one of these roles, at a table that may have no boxperson."""
        admitted = set(roles)
        if self.has_no_boxperson and "boxperson" in admitted:
            admitted = admitted - {"boxperson"} | {"floorperson"}
        return person.role in admitted or ("floorperson" in admitted and person.role in FLOORPERSON_OR_ABOVE)

    def cite(self, name: str) -> str:
        """Return a clause of the way; if it has two, the second is for a table without a boxperson."""
        clause = self.way[name]
        if isinstance(clause, str):
            return clause
        return str(clause[int(self.has_no_boxperson)])


def _way(case: ProcedureCase) -> Mapping[str, Any] | None:
    """Return the requirements of the house's way; None if it has none, or nobody reports it."""
    duty = case.duty("dice")
    if duty is None or not case.settings.dice_alternative or "pit" not in case.sources:
        return None
    way: Mapping[str, Any] = duty.value[case.settings.dice_alternative]
    return way


def _placed(case: ProcedureCase, way: Mapping[str, Any]) -> Iterator[tuple[ProcedureStepTaken, _Dice]]:
    """Yield each set that was placed in the window, with its history up to then."""
    for placed, step in case.window.steps("dice_placed"):
        if step.item is not None:
            history = tuple(each for each in case.window.after.dice.get(step.item, ()) if each.at <= placed)
            yield step, _Dice(case, way, step.item, placed, history)


def check_dice_brought(case: ProcedureCase) -> Iterator[Raised]:
    """Raise dice that the wrong people brought from the store or held in reserve, and keys in wrong hands."""
    way = _way(case)
    if way is None:
        return
    for _, move in case.window.events(ItemMoved):
        if move.kind not in ("dice", "key"):
            continue
        roles = {person.role for person in move.persons}
        lacking: list[str] = []
        cite = way["brought"]
        if move.kind == "key":
            lacking = [] if roles <= set(_PIT_MANAGER) and roles else ["pit_manager"]
            cite = way["keys"]
        elif move.origin == STORAGE:
            lacking = [role for role in ("shift_manager", "security") if role not in roles]
            if move.place == PIT_STAND and way.get("reserve_brought") and not roles & set(_PIT_MANAGER[:1]):
                lacking, cite = [*lacking, "pit_manager"], way["reserve_brought"]
        elif move.place == PIT_STAND:
            lacking = [] if roles & set(_PIT_MANAGER) else ["pit_manager"]
            cite = way["reserve"]
        elif move.place == TABLE and "issued" in way:
            lacking = [] if roles & set(_PIT_MANAGER) else ["pit_manager"]
            cite = way["issued"]
        if lacking:
            message = fact(
                "procedures.checks.dice_brought_by_other",
                item=move.item,
                place=Word(move.place),
                lacking=listed(*(Word(role) for role in lacking)),
            )
            who = f"{move.kind} {move.item} to {move.place}"
            is_open = not move.persons
            yield case.found(DICE_BROUGHT_BY_OTHER, message, (cite,), who=who, undetermined=is_open)


def check_dice_distributed(case: ProcedureCase) -> Iterator[Raised]:
    """Raise dice that somebody else than their inspector in the pit gave to the table.

    No text says who gives dice of the reserve.
    """
    way = _way(case)
    for _, dice in _placed(case, way) if way is not None and "distributed" in way else ():
        yield from _distributed(dice)


def _distributed(dice: _Dice) -> Iterator[Raised]:
    inspected = dice.inspections(of_seal=False)
    given = [move for _, move in dice.moves() if move.place == TABLE]
    if not inspected or not given or _is_from_reserve(dice):
        return
    inspector, persons = inspected[-1][1].by, given[-1].persons
    if inspector.name not in {person.name for person in persons}:
        message = fact(
            "procedures.checks.dice_brought_by_other",
            item=dice.item,
            place=Word(TABLE),
            lacking=listed(Word(inspector.role)),
        )
        yield dice.found(
            DICE_BROUGHT_BY_OTHER,
            message,
            dice.way["distributed"],
            about="distributed",
            open_=not persons,
        )


def check_dice_inspected(case: ProcedureCase) -> Iterator[Raised]:
    """Raise dice that were placed without the inspection that the way of the house asks for."""
    way = _way(case)
    if way is None:
        return
    for _, dice in _placed(case, way):
        if way["place"] == STORAGE:
            yield from _inspected_in_store(dice)
            yield from _sealed_in_store(dice)
        elif not _is_sealed_reserve(dice):
            yield from _inspected(dice)


def _is_from_reserve(dice: _Dice) -> bool:
    """Return True if the set's last place was the pit stand."""
    return any(PIT_STAND in (move.place, move.origin) for _, move in dice.moves())


def _is_sealed_reserve(dice: _Dice) -> bool:
    """Return True if the set was stored sealed in the pit stand and needs no other inspection."""
    return "sealed" in dice.way and any(move.place == PIT_STAND and move.sealed for _, move in dice.moves())


def _inspected(dice: _Dice) -> Iterator[Raised]:
    """Check the inspection at the table or in the pit, and the one after a set left the reserve."""
    is_reserve = _is_from_reserve(dice)
    arrived = max((at for at, move in dice.moves() if move.place in (PIT_STAND, TABLE)), default=0)
    if dice.way["place"] == PIT_STAND:  # inspected in the pit, and then brought to the table
        arrived = max((at for at, move in dice.moves() if move.place == PIT_STAND), default=0)
    done = [each for at, each in dice.inspections(of_seal=False) if at >= arrived and each.passed]
    cite = dice.way["reserve_inspected"] if is_reserve else dice.cite("inspected")
    if not done:
        message = fact("procedures.checks.dice_not_inspected", item=dice.item)
        yield dice.found(DICE_NOT_INSPECTED, message, cite)
        return
    last = done[-1]
    inspectors = ("floorperson",) if is_reserve and "reserve_two" in dice.way else dice.way["inspectors"]
    watchers = inspectors if "reserve_two" in dice.way else dice.way["watchers"]
    witness = last.verified_by
    if not dice.may(last.by, inspectors):
        message = fact("procedures.checks.dice_inspected_by_other", item=dice.item, role=Word(last.by.role))
        yield dice.found(DICE_NOT_INSPECTED, message, cite, about="inspector")
    if witness is None or not dice.may(witness, watchers) or witness.name == last.by.name:
        message = fact("procedures.checks.dice_inspected_alone", item=dice.item)
        yield dice.found(DICE_NOT_INSPECTED, message, cite, about="witness")
    yield from _points(dice, last)


def _points(dice: _Dice, inspection: ItemInspected) -> Iterator[Raised]:
    """Check the four instruments, a flat surface and the view of surveillance."""
    answers = dict(inspection.checklist)
    for names, clause in ((_INSTRUMENTS, "instruments"), (_SURFACE, "surface")):
        for point in names:
            answer = answers.get(point)  # type: ignore[call-overload]
            if answer is False or (answers and answer is None):
                message = fact("procedures.checks.dice_point_lacking", item=dice.item, point=Word(point))
                yield dice.found(
                    DICE_NOT_INSPECTED, message, dice.way[clause], about=point, open_=answer is None
                )
    if answers.get("instruments_locked") is False and "locked" in dice.way:
        message = fact(
            "procedures.checks.dice_point_lacking", item=dice.item, point=Word("instruments_locked")
        )
        yield dice.found(DICE_NOT_INSPECTED, message, dice.way["locked"], about="instruments")


def _inspected_in_store(dice: _Dice) -> Iterator[Raised]:
    """Check the inspection in the store: who was there, and that surveillance was notified before."""
    passed = [(at, each) for at, each in dice.inspections(of_seal=False) if each.passed]
    done = [(at, each) for at, each in passed if each.place in (None, STORAGE)]
    if not done:
        message = fact("procedures.checks.dice_not_inspected", item=dice.item)
        yield dice.found(DICE_NOT_INSPECTED, message, dice.way["inspected"])
        return
    at, last = done[-1]
    present = [last.by, *([last.verified_by] if last.verified_by is not None else []), *last.persons]
    roles = {person.role for person in present}
    lacking = [role for role in ("shift_manager", "security") if role not in roles]
    # Three persons: the shift manager's assistant stands in for no floorperson.
    if sum(person.role in FLOORPERSON_OR_ABOVE for person in present) < 2:  # noqa: PLR2004  he and the other
        lacking.append("floorperson")
    if lacking:
        message = fact(
            "procedures.checks.dice_inspected_without",
            item=dice.item,
            lacking=listed(*(Word(role) for role in lacking)),
        )
        yield dice.found(DICE_NOT_INSPECTED, message, dice.way["present"], about="present")
    if last.by.role not in FLOORPERSON_OR_ABOVE:
        message = fact("procedures.checks.dice_inspected_by_other", item=dice.item, role=Word(last.by.role))
        yield dice.found(DICE_NOT_INSPECTED, message, dice.way["inspected"], about="inspector")
    notices = [
        each.at
        for each in dice.history
        if isinstance(each.event, NoticeGiven)
        and (each.event.notice, each.event.to) == ("inspection", _SURVEILLANCE)
    ]
    if not any(notice <= at for notice in notices):
        message = fact("procedures.checks.surveillance_not_notified", item=dice.item)
        yield dice.found(DICE_NOT_INSPECTED, message, dice.way["notified"], about="notice")
    yield from _points(dice, last)


def _sealed_in_store(dice: _Dice) -> Iterator[Raised]:
    """Check seal and label when the dice left the store, and a look at them before they were opened."""
    left = [move for _, move in dice.moves() if move.origin == STORAGE]
    if left and left[-1].sealed is False:
        message = fact("procedures.checks.dice_not_sealed", item=dice.item)
        yield dice.found(DICE_NOT_SEALED, message, dice.way["sealed"], about="seal")
    yield from _sealed_number(dice, left)
    looks = dice.inspections(of_seal=True)
    if not looks:
        message = fact("procedures.checks.seal_not_looked_at", item=dice.item)
        yield dice.found(DICE_NOT_SEALED, message, dice.cite("opened"), about="look")
        return
    look = looks[-1][1]
    if not dice.may(look.by, dice.way["openers"]):
        message = fact("procedures.checks.seal_looked_at_by_other", item=dice.item, role=Word(look.by.role))
        yield dice.found(DICE_NOT_SEALED, message, dice.cite("opened"), about="look")
    yield from _broken(dice, dice.way["broken"])
    yield from _label(dice, look)


def _broken(dice: _Dice, cite: str) -> Iterator[Raised]:
    """Check that a set whose seal was found broken was inspected again."""
    looks = dice.inspections(of_seal=True)
    if not looks or looks[-1][1].checklist.get("seal_intact") is not False:
        return
    if not any(at >= looks[-1][0] and each.passed for at, each in dice.inspections(of_seal=False)):
        message = fact("procedures.checks.seal_broken", item=dice.item)
        yield dice.found(DICE_NOT_SEALED, message, cite, about="broken")


def _label(dice: _Dice, look: ItemInspected) -> Iterator[Raised]:
    for point in ("label_date", "label_signatures"):
        if dict(look.checklist).get(point) is False:
            message = fact("procedures.checks.dice_point_lacking", item=dice.item, point=Word(point))
            yield dice.found(DICE_NOT_SEALED, message, dice.way["sealed"], about=point)


def _sealed_number(dice: _Dice, moves: list[ItemMoved]) -> Iterator[Raised]:
    """Check that an envelope has a complete set or, if the text admits them, single dice of the reserve."""
    admitted = {dice.way["dice"], *([1] if "single" in dice.way else [])}
    count = moves[-1].figures.get("dice") if moves else None
    if count is not None and count not in admitted:
        is_single = count < dice.way["dice"] and "single" in dice.way
        message = fact(
            "procedures.checks.dice_sealed_number", item=dice.item, count=count, right=dice.way["dice"]
        )
        cite = dice.way["single"] if is_single else dice.way["sealed"]
        yield dice.found(DICE_NOT_SEALED, message, cite, about="number")


def check_sealed_reserve(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a set that was taken from the reserve without a whole seal and label, or with too few dice."""
    way = _way(case)
    if way is None or way["place"] == STORAGE:
        return
    for _, dice in _placed(case, way):
        if not _is_sealed_reserve(dice):
            continue
        yield from _sealed_number(dice, [move for _, move in dice.moves() if move.sealed])
        if not dice.inspections(of_seal=False):
            message = fact("procedures.checks.dice_not_inspected", item=dice.item)
            yield dice.found(DICE_NOT_INSPECTED, message, way["sealed"])
        yield from _broken(dice, way["reserve_inspected"])
        for _, look in dice.inspections(of_seal=True):
            yield from _label(dice, look)


def check_dice_placed(case: ProcedureCase) -> Iterator[Raised]:
    """Raise dice that the wrong person, or the wrong order, put into cup or shaker."""
    way = _way(case)
    yield from _number(case)
    if way is None:
        return
    for step, dice in _placed(case, way):
        witness = step.witness
        if step.by is not None and not dice.may(step.by, way["placers"]):
            message = fact("procedures.checks.dice_placed_by_other", item=dice.item, role=Word(step.by.role))
            yield dice.found(DICE_PLACED_BY_OTHER, message, dice.cite("placed"))
        elif way["before"] and (witness is None or witness.role not in way["before"]):
            message = fact("procedures.checks.dice_placed_alone", item=dice.item)
            yield dice.found(DICE_PLACED_BY_OTHER, message, dice.cite("placed"), open_=witness is None)


def _number(case: ProcedureCase) -> Iterator[Raised]:
    """Raise more or fewer dice than the text has, whichever way the house follows."""
    number = case.duty("dice_in_shaker")
    if number is None:
        return
    for _, step in case.window.steps("dice_placed"):
        if step.count not in (None, number.value):
            message = fact("procedures.checks.dice_number_wrong", count=step.count, right=number.value)
            who = f"dice {step.item}, number"
            yield case.found(DICE_PLACED_BY_OTHER, message, (number.cite,), who=who)


def check_dice_changed(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a roll of dice that had been placed too long before, once a set."""
    duty, placed = case.duty("dice_hours"), case.window.before.dice_placed
    if duty is None:
        return
    last: Micros | None = case.window.since
    for entry in case.window.entries:
        event = entry.event
        if isinstance(event, ProcedureStepTaken) and event.step == "dice_placed":
            placed, last = entry, entry.at
        elif isinstance(event, DiceRolled) and placed is not None and last is not None:
            limit = placed.at + duty.value * _HOUR
            if entry.at > limit >= last:
                message = fact("procedures.checks.dice_too_long", hours=duty.value)
                gaps = case.unreported(placed.at, entry.at, "pit")
                yield case.found(
                    DICE_TOO_LONG, message, (duty.cite,), who=f"dice placed at {placed.at}", gaps=gaps
                )
            last = entry.at


def check_dice_removed(case: ProcedureCase) -> Iterator[Raised]:
    """Raise dice that went on being rolled though they were doubtful, and those without a report."""
    duty = case.duty("dice_removed")
    if duty is None or "pit" not in case.sources:
        return
    rolls = [at for at, _ in case.window.events(DiceRolled)]
    is_closing = any(case.window.events(TableClosed))
    for item, history in case.window.after.dice.items():
        doubts = [each.at for each in history if _is_doubt(each)]
        if not doubts:
            continue
        since = doubts[0]
        replaced = [
            each.at
            for name, others in case.window.after.dice.items()
            for each in others
            if each.at >= since and _takes_over(each, name, item)
        ]
        until = min(replaced, default=case.window.until + 1)
        later = [at for at in rolls if since + case.uncertainty < at < until]
        first = case.window.before.last_round_at
        if later and (first is None or not _rolled_before(case, since)):
            message = fact("procedures.checks.doubtful_dice_rolled", item=item)
            gaps = case.unreported(since, later[0], "pit", "cards")
            yield case.found(DICE_NOT_REMOVED, message, (duty.cite,), who=f"dice {item}", gaps=gaps)
        is_filed = any(isinstance(each.event, DocumentFiled) for each in history)
        if is_closing and not is_filed and "register" in case.sources:
            message = fact("procedures.checks.discrepancy_not_reported", item=item)
            who = f"dice {item}, report"
            yield case.found(DICE_NOT_REMOVED, message, (duty.cite,), who=who, undetermined=True)


def _is_doubt(entry: Noted) -> bool:
    """Return True if dice were found or called doubtful, or were to be removed."""
    event = entry.event
    if isinstance(event, ItemInspected):
        return not event.passed and "seal_intact" not in event.checklist
    return isinstance(event, NoticeGiven) and event.notice in ("defect", "removal_request")


def _takes_over(entry: Noted, name: str, item: str) -> bool:
    """Return True if the doubtful set left the table, or another was placed."""
    event = entry.event
    if isinstance(event, ItemMoved):
        return name == item and event.place != TABLE
    return name != item and isinstance(event, ProcedureStepTaken)


def _rolled_before(case: ProcedureCase, since: Micros) -> bool:
    """Return True if a window before had a round after that moment: it has been raised then."""
    return since < (case.window.before.last_round_at or 0)
