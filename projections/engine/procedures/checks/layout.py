"""Do the layout, its signs and the table's boxes and rack have what the text asks for, and are they approved?

No text asks for such an inspection at a time: what one found holds until the next, and a table that none was
reported of is not asked for any.
"""

from collections.abc import Iterator
from typing import Final, get_args

from projections.engine.facts import Word, fact
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.account import Answer, answers_of
from projections.engine.procedures.case import ProcedureCase
from schemas.events import ItemInspected
from schemas.procedures import EquipmentPoint
from schemas.values import Micros

LAYOUT_WRONG: Final = Kind(
    "layout_wrong",
    severity="medium",
    asks="Does the layout, or a sign at the table, show what the text asks for, and as many places?",
    false_positives="A checklist with a wrong tick; a layout that was changed and not inspected again.",
    sources=("register",),
)
EQUIPMENT_WRONG: Final = Kind(
    "equipment_wrong",
    severity="medium",
    asks="Are boxes, rack, marker buttons and shaker in their places, and is the rack as high as the cards?",
    false_positives="A checklist with a wrong tick; a rack that was measured in other decks.",
    sources=("register",),
)
LAYOUT_NOT_APPROVED: Final = Kind(
    "layout_not_approved",
    severity="medium",
    asks="Had the layout, and where the text asks for it the table and the shaker, been approved before use?",
    false_positives="An approval that the register was not told of.",
    sources=("register",),
)
KINDS: Final = (LAYOUT_WRONG, EQUIPMENT_WRONG, LAYOUT_NOT_APPROVED)

_EQUIPMENT: Final = frozenset(get_args(EquipmentPoint))
_SOURCES: Final = ("register", "pit", "cards")


def check_table(case: ProcedureCase) -> Iterator[Raised]:
    """Raise what an inspection did not find in order, at the first round that is dealt after it."""
    duties = [case.duty(name) for name in ("table_points", "table_most", "rack_height")]
    opened = case.opened
    if opened is None or not any(duties):
        return
    answers = dict(case.window.before.answers)
    for at, inspection in case.window.events(ItemInspected):
        if at <= opened.at:
            answers |= answers_of(at, inspection)
    recent = {name: answer for name, answer in answers.items() if _is_due(case, answer.at)}
    yield from _points(case, recent, opened.at)
    yield from _figures(case, recent, opened.at)
    yield from _rack(case, recent, opened.at)


def check_layout_approved(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a layout, make of table or shaker that was used and not approved by then, by the register.

    It is asked of what an inspection named, at the first round after it and at the first of each day.
    """
    duty, opened, inspection = case.duty("table_approved"), case.opened, case.window.after.layout
    if duty is None or opened is None or inspection is None or "register" not in case.sources:
        return
    if not isinstance(inspection.event, ItemInspected) or inspection.at > opened.at:
        return
    for mark, cite in duty.value.items() if _is_due(case, inspection.at) else ():
        item = inspection.event.marks.get(mark)
        approved = case.window.after.approved.get(item) if item is not None else None
        if item is None or (approved is not None and approved <= case.day):
            continue
        message = fact(
            "procedures.checks.layout_not_approved",
            mark=Word(mark),
            item=item,
            approved=approved.isoformat() if approved is not None else None,
        )
        gaps = case.unreported(0, opened.at, "register")  # an approval may be of any day
        yield case.found(LAYOUT_NOT_APPROVED, message, (cite,), who=f"table, {mark}", gaps=gaps)


def _is_due(case: ProcedureCase, at: Micros) -> bool:
    """Return True if what an inspection found at a moment is asked of the window: at its first round."""
    last_round = case.window.before.last_round_at
    return case.window.is_first_of_day or last_round is None or at > last_round


def _points(case: ProcedureCase, answers: dict[str, Answer], until: Micros) -> Iterator[Raised]:
    """Raise each point that is not in order; one that depends on an option only where the house chose it."""
    duty, optional = case.duty("table_points"), case.duty("table_points_with")
    if duty is None:
        return
    for point, cite in duty.value.items():
        answer = answers.get(point)
        option = optional.value.get(point) if optional is not None else None
        if answer is None or answer.value or (option is not None and not _is_offered(case, option)):
            continue
        kind = EQUIPMENT_WRONG if point in _EQUIPMENT else LAYOUT_WRONG
        yield case.found(
            kind,
            fact("procedures.checks.not_in_order", point=Word(point)),
            (cite,) if isinstance(cite, str) else cite,
            who=f"table, {point}",
            gaps=case.unreported(answer.at, until, *_SOURCES),
        )


def _is_offered(case: ProcedureCase, option: str) -> bool:
    """Return True if the house chose an option, or offers a wager that no option names."""
    return bool(case.options.get(option)) or option in case.settings.optional_wagers.get(case.law.chapter, ())


def _figures(case: ProcedureCase, answers: dict[str, Answer], until: Micros) -> Iterator[Raised]:
    """Raise more places than the text admits, or fewer than it asks for."""
    for name, is_most in (("table_most", True), ("table_least", False)):
        duty = case.duty(name)
        for figure, limit in duty.value.items() if duty is not None else ():
            answer = answers.get(figure)
            if duty is None or answer is None or answer.value == limit:
                continue
            if (answer.value > limit) is is_most:
                message = fact(
                    "procedures.checks.places_wrong",
                    figure=Word(figure),
                    count=answer.value,
                    limit=limit,
                    is_most=int(is_most),
                )
                gaps = case.unreported(answer.at, until, *_SOURCES)
                yield case.found(LAYOUT_WRONG, message, (duty.cite,), who=f"table, {figure}", gaps=gaps)


def _rack(case: ProcedureCase, answers: dict[str, Answer], until: Micros) -> Iterator[Raised]:
    """Raise a rack of another height than the cards in use, unless a mark on it is at theirs."""
    duty, height, mark = case.duty("rack_height"), answers.get("rack_decks"), answers.get("mark_decks")
    if duty is None or height is None or height.value == case.decks:
        return
    if height.value > case.decks and mark is not None and mark.value == case.decks:
        return
    message = fact(
        "procedures.checks.rack_height_wrong",
        height=height.value,
        mark=mark.value if mark is not None else None,
        decks=case.decks,
    )
    cites = duty.value if height.value > case.decks else duty.value[:1]
    gaps = case.unreported(height.at, until, *_SOURCES)
    yield case.found(EQUIPMENT_WRONG, message, cites, who="table, rack height", gaps=gaps)
