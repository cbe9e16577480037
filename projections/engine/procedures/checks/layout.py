"""Do the layout, its signs and the table's boxes and rack have what the text asks for?

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
    severity="procedure",
    asks="Does the layout, or a sign at the table, show what the text asks for, and as many places?",
    false_positives="A checklist with a wrong tick; a layout that was changed and not inspected again.",
)
EQUIPMENT_WRONG: Final = Kind(
    "equipment_wrong",
    severity="procedure",
    asks="Are boxes, rack, marker buttons and shaker in their places, and is the rack as high as the cards?",
    false_positives="A checklist with a wrong tick; a rack that was measured in other decks.",
)
KINDS: Final = (LAYOUT_WRONG, EQUIPMENT_WRONG)

_EQUIPMENT: Final = frozenset(get_args(EquipmentPoint))
_SOURCES: Final = ("register", "pit", "cards")


def check_table(case: ProcedureCase) -> Iterator[Raised]:
    """Raise what an inspection did not find in order, at the first round that is dealt after it."""
    duties = [case.duty(name) for name in ("table_points", "table_most", "rack_height")]
    opened = case.opened
    if opened is None or not any(duties):
        return
    answers = dict(case.window.answers)
    for entry in case.window.entries:
        if isinstance(entry.event, ItemInspected) and entry.at <= opened.at:
            answers |= answers_of(entry.at, entry.event)
    last_round = case.window.last_round_at
    recent = {
        name: answer
        for name, answer in answers.items()
        if case.window.is_first_of_day or last_round is None or answer.at > last_round
    }
    yield from _points(case, recent, opened.at)
    yield from _figures(case, recent, opened.at)
    yield from _rack(case, recent, opened.at)


def _points(case: ProcedureCase, answers: dict[str, Answer], until: Micros) -> Iterator[Raised]:
    """Raise each point that is not in order; one that hangs on an option only where the house chose it."""
    duty, optional = case.duty("table_points"), case.duty("table_points_with")
    if duty is None:
        return
    for point, cite in duty.value.items():
        answer = answers.get(point)
        option = optional.value.get(point) if optional is not None else None
        if answer is None or answer.value or (option is not None and not case.options.get(option)):
            continue
        kind = EQUIPMENT_WRONG if point in _EQUIPMENT else LAYOUT_WRONG
        yield case.found(
            kind,
            fact("procedures.checks.not_in_order", point=Word(point)),
            (cite,) if isinstance(cite, str) else cite,
            who=f"table, {point}",
            gaps=case.unreported(answer.at, until, *_SOURCES),
        )


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
