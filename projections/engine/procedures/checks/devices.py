"""Shufflers that jam or fail, and the card reader: inspected each day, and no play while it is broken."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import DeviceRef, Word, fact
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.case import MANUAL, ProcedureCase
from schemas.events import DeviceStateReported, ItemInspected, ItemMoved, ProcedureStepTaken, RoundOpened
from schemas.procedures import FLOORPERSON_OR_ABOVE

JAM_NOT_RESHUFFLED: Final = Kind(
    "jam_not_reshuffled",
    severity="medium",
    asks="Were the cards shuffled again after the shuffler jammed or stopped?",
    false_positives="A jam that was reported after it was over.",
    sources=("shuffler",),
)
SHUFFLER_NOT_MARKED: Final = Kind(
    "shuffler_not_marked",
    severity="medium",
    asks="Was a broken shuffler covered, marked or removed before the cards were shuffled in another way?",
    false_positives="A cover or a sign that was not keyed in.",
    sources=("pit",),
)
READER_NOT_INSPECTED: Final = Kind(
    "reader_not_inspected",
    severity="medium",
    asks="Did a floorperson inspect the card reader at the beginning of the gaming day?",
    false_positives="An inspection that was not keyed in.",
    sources=("pit",),
)
READER_BROKEN: Final = Kind(
    "reader_broken",
    severity="critical",
    asks="Did the game stop until the broken card reader was repaired or replaced?",
    false_positives="A repair that was not keyed in.",
    sources=("pit",),
)
SHOE_NOT_ADMITTED: Final = Kind(
    "shoe_not_admitted",
    severity="critical",
    asks="Was the dealing shoe a manual one, or an approved one that shuffles?",
    false_positives="An approval that the register was not told of.",
    sources=("pit", "register"),
)
KINDS: Final = (
    JAM_NOT_RESHUFFLED,
    SHUFFLER_NOT_MARKED,
    READER_NOT_INSPECTED,
    READER_BROKEN,
    SHOE_NOT_ADMITTED,
)


def check_jam(case: ProcedureCase) -> Iterator[Raised]:
    """Raise cards that came into play after a jam without a complete shuffle since."""
    preparation, duty = case.window.preparation, case.duty("jam_reshuffled")
    if preparation is None or duty is None or "shuffler" not in case.sources:
        return
    jams = [
        entry.at
        for entry in preparation.entries
        if isinstance(entry.event, DeviceStateReported) and entry.event.state == "jammed"
    ]
    if jams and not any(jams[-1] <= at <= preparation.ready for at, _ in preparation.steps("shuffled")):
        message = fact("procedures.checks.jam_not_reshuffled", shoe=preparation.shoe)
        gaps = case.unreported(jams[-1], preparation.opened, "shuffler", "pit")
        yield case.found(JAM_NOT_RESHUFFLED, message, (duty.cite,), who=f"shoe {preparation.shoe}", gaps=gaps)


def check_shuffler_marked(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a shuffle by hand while a broken shuffler was not marked or, where the text asks, removed."""
    duty = case.duty("broken_shuffler")
    if duty is None or "pit" not in case.sources:
        return
    admitted = ("removed",) if duty.value == "removed" else ("out_of_order", "removed")
    states = {name: state for name, (kind, state) in case.window.before.devices.items() if kind == "shuffler"}
    failed = {name: state in ("failed", "out_of_order") for name, state in states.items()}
    for entry in case.window.entries:
        event = entry.event
        if isinstance(event, DeviceStateReported) and event.kind == "shuffler":
            states[event.item] = event.state
            failed[event.item] = event.state == "failed" or (
                failed.get(event.item, False) and event.state != "working"
            )
        elif isinstance(event, ProcedureStepTaken) and event.step == "shuffled" and event.by is not None:
            unmarked = [name for name, has in failed.items() if has and states[name] not in admitted]
            gaps = case.unreported(case.window.since, entry.at, "pit") if unmarked else ()
            for name in unmarked:
                to_remove = int(duty.value == "removed")
                device = DeviceRef(name)
                message = fact(
                    "procedures.checks.shuffler_not_marked", device=device, is_to_be_removed=to_remove
                )
                who = f"{name} at {entry.at}"
                yield case.found(SHUFFLER_NOT_MARKED, message, (duty.cite,), who=who, gaps=gaps)


def check_reader_inspected(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a gaming day whose first round was dealt before a floorperson had inspected the card reader."""
    duty = case.duty("reader_inspected")
    if duty is None or "pit" not in case.sources or not case.window.is_first_of_day or case.opened is None:
        return
    opened = case.opened.at
    inspections = [
        entry.event
        for entry in case.window.after.inspected
        if isinstance(entry.event, ItemInspected)
        and entry.event.kind == "card_reader"
        and entry.at <= opened + case.uncertainty
    ]
    gaps = case.unreported(case.window.after.day_since, opened, "pit")
    if not inspections:
        message = fact("procedures.checks.reader_not_inspected")
        yield case.found(READER_NOT_INSPECTED, message, (duty.cite,), who="card reader", gaps=gaps)
    elif inspections[-1].by.role not in FLOORPERSON_OR_ABOVE:
        message = fact("procedures.checks.reader_inspected_by_other")
        yield case.found(READER_NOT_INSPECTED, message, (duty.cite,), who="card reader", gaps=gaps)
    elif not inspections[-1].passed:
        message = fact("procedures.checks.reader_found_wrong")
        yield case.found(READER_NOT_INSPECTED, message, (duty.cite,), who="card reader", gaps=gaps)


def check_reader_broken(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a round that was opened while the card reader was broken."""
    duty = case.duty("reader_broken")
    if duty is None:
        return
    broken = {
        name
        for name, (kind, state) in case.window.before.devices.items()
        if (kind, state) == ("card_reader", "failed")
    }
    for entry in case.window.entries:
        event = entry.event
        if isinstance(event, DeviceStateReported) and event.kind == "card_reader":
            if event.state == "failed":
                broken.add(event.item)
            elif event.state == "working":
                broken.discard(event.item)
        elif isinstance(event, RoundOpened) and broken:
            message = fact("procedures.checks.reader_broken", round=event.round)
            gaps = case.unreported(case.window.since, entry.at, "pit", "shuffler")
            yield case.found(READER_BROKEN, message, (duty.cite,), who=f"round {event.round}", gaps=gaps)


def check_shoe(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a dealing shoe that is not manual where it has to be, unless an approved one may stand in."""
    manual, shuffling = (case.law.duty(name, case.day) for name in ("manual_shoe", "shuffling_shoe"))
    brought, opened = case.window.after.shoe_device, case.opened
    if brought is None or opened is None or not isinstance(brought.event, ItemMoved):
        return
    since, move = case.window.before.last_round_at, brought.event
    is_new = case.window.is_first_of_day or since is None or since < brought.at <= opened.at
    if case.shoe_kind == MANUAL or not is_new or (manual is None and shuffling is None):
        return
    approved = case.window.after.approved.get(move.item)
    if shuffling is not None and approved is not None and approved <= case.day:
        return
    message = fact(
        "procedures.checks.shoe_not_admitted",
        device=DeviceRef(move.item),
        make=Word(case.shoe_kind),
        is_approved=int(approved is not None),
    )
    yield case.found(
        SHOE_NOT_ADMITTED,
        message,
        [each.cite for each in (manual, shuffling) if each is not None],
        who=f"shoe {move.item}",
        gaps=case.unreported(0, opened.at, "register", "cards"),  # an approval may be of any day
        undetermined=shuffling is not None and "register" not in case.sources,
    )
