"""Custody of what is carried to a table, and of papers: the inventory's container, requests, records."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from projections.engine.facts import Fact, SerialRef, Word, fact, listed
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.case import ProcedureCase
from projections.engine.procedures.posts import FLOOR_CHAPTER, floor_duty
from schemas.events import DocumentFiled, ItemInspected, ItemMoved, RoundOpened
from schemas.law_text import chapter
from schemas.procedures import CAGE, CHIP_BANK, TABLE, DocumentKind

CARRIED_BY_OTHER: Final = Kind(
    "carried_by_other",
    severity="medium",
    asks="Were the inventory's container and the copies of a Fill Request Slip carried by those who must?",
    false_positives="A person who was keyed in with another role.",
    sources=("pit",),
)
CONTAINER_NOT_CHECKED: Final = Kind(
    "container_not_checked",
    severity="medium",
    asks="Did a floorperson see before play that the container was the table's, and unlock it?",
    false_positives="An inspection that was not keyed in.",
    sources=("pit",),
)
RECORD_DESTROYED_EARLY: Final = Kind(
    "record_destroyed_early",
    severity="medium",
    asks="Was each record kept as many years as the text says?",
    false_positives="A record that was entered with the day of another.",
    paper="slip",
    sources=("register",),
)
KINDS: Final = (CARRIED_BY_OTHER, CONTAINER_NOT_CHECKED, RECORD_DESTROYED_EARLY)

_YEARS_OF: Final[dict[DocumentKind, str]] = {
    "record_destroyed": "records_kept_years",
    "voucher_report_destroyed": "voucher_reports_kept_years",
}


def check_carried(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a container that security did not bring from the cage, and request copies in other hands."""
    for entry in case.window.entries:
        move = entry.event
        if not isinstance(move, ItemMoved):
            continue
        match move.kind, move.place:
            case "inventory_container", place if place == TABLE:
                name = "container_carried"
            case "fill_request", place if place == CHIP_BANK:
                name = "fill_request_carried"
            case "fill_request", place if place == TABLE:
                name = "fill_request_laid"
            case _:
                continue
        duty = floor_duty(name, case.day)
        if duty is None:
            continue
        roles = (duty.value,) if isinstance(duty.value, str) else tuple(duty.value)
        who = f"{move.item} at {entry.at}"
        if not move.persons or not any(person.role in roles for person in move.persons):
            message = fact(
                "procedures.checks.carried_by_other",
                item=move.item,
                place=Word(move.place),
                roles=listed(*map(Word, roles)),
                by=listed(*(Word(person.role) for person in move.persons)),
            )
            yield case.found(CARRIED_BY_OTHER, message, (duty.cite,), who=who, undetermined=not move.persons)
        elif move.kind == "inventory_container" and move.origin != CAGE:
            message = fact("procedures.checks.not_from_cage", item=move.item, origin=move.origin)
            yield case.found(
                CARRIED_BY_OTHER, message, (duty.cite,), who=who, undetermined=move.origin is None
            )


def check_container(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a table that was opened from a container which no floorperson had seen to be its own.

    It is asked of a table at whose container something was reported since it was closed.
    """
    duty = floor_duty("container_unlocked", case.day)
    if duty is None or "pit" not in case.sources:
        return
    container = case.window.before.container
    for entry in case.window.entries:
        opened = entry.event
        if isinstance(opened, RoundOpened) and container.is_opening and container.is_reported:
            message = _container_fault(container.inspection, opened.round, duty.value)
            if message is not None:
                gaps = case.unreported(container.since, entry.at, "pit")
                yield case.found(
                    CONTAINER_NOT_CHECKED, message, (duty.cite,), who=f"container at {entry.at}", gaps=gaps
                )
        container = container.after(entry.at, opened)


def _container_fault(inspection: ItemInspected | None, opened: str, role: str) -> Fact | None:
    """Return what was wrong with the inspection of the container before a round that opened the table."""
    if inspection is None:
        return fact("procedures.checks.container_not_checked", round=opened)
    if inspection.by.role != role:
        return fact("procedures.checks.container_checked_by_other", role=Word(inspection.by.role))
    if not inspection.passed:
        return fact("procedures.checks.container_foreign", item=inspection.item)
    return None


def check_records_kept(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a record that was destroyed before its years were over, 465a.6(c).

    For papers on vouchers the text says "should", so it is open whether they must be kept.
    """
    for _, filed in case.window.events(DocumentFiled):
        if filed.document not in _YEARS_OF:
            continue
        years = chapter(FLOOR_CHAPTER).numbers_on(case.day).get(_YEARS_OF[filed.document])
        if years is not None and case.day < (until := _years_after(filed.dated, years.value)):
            message = fact(
                "procedures.checks.record_destroyed_early",
                number=SerialRef(filed.number),
                dated=filed.dated.isoformat(),
                until=until.isoformat(),
            )
            yield case.found(
                RECORD_DESTROYED_EARLY,
                message,
                (years.cite,),
                who=f"{filed.document} {filed.number}",
                undetermined=filed.document == "voucher_report_destroyed",
            )


def _years_after(day: date, years: int) -> date:
    """Return the same day so many years later, the first of March where there is none.

    >>> _years_after(date(2016, 2, 29), 5), _years_after(date(2016, 2, 28), 5)
    (datetime.date(2021, 3, 1), datetime.date(2021, 2, 28))
    """
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return date(day.year + years, 3, 1)
