"""Cards of an open table without players."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import Word, fact
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.case import ProcedureCase
from schemas.events import TableOpened

IDLE_CARDS_NOT_SPREAD: Final = Kind(
    "idle_cards_not_spread",
    severity="medium",
    asks="Were the cards taken out of the shoe and spread while nobody played at the open table?",
    false_positives="A pause that the house does not count as one without gaming activity.",
    sources=("pit",),
)
IDLE_CARDS_PLAYED_ON: Final = Kind(
    "idle_cards_played_on",
    severity="medium",
    asks="Were cards that lay spread while nobody played washed, shuffled and cut before the next round?",
    false_positives="A step that the pit terminal was not told of.",
    sources=("pit",),
)
KINDS: Final = (IDLE_CARDS_NOT_SPREAD, IDLE_CARDS_PLAYED_ON)

_MINUTE: Final = 60_000_000


def check_idle_spread(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a pause beyond the house's setting in which the cards were not spread; no text has a figure."""
    duty, before = case.duty("idle_spread"), case.window.before.last_round_at
    opened = case.opened
    minutes = case.settings.idle_minutes
    if duty is None or before is None or opened is None or not minutes or "pit" not in case.sources:
        return
    if any(case.window.events(TableOpened)):
        return
    if opened.at - before > minutes * _MINUTE and not any(case.window.steps("spread")):
        message = fact(
            "procedures.checks.idle_cards_not_spread", minutes=(opened.at - before) // _MINUTE, most=minutes
        )
        yield case.found(
            IDLE_CARDS_NOT_SPREAD, message, (duty.cite,), who=f"pause from {before}", undetermined=True
        )


def check_idle_reshuffled(case: ProcedureCase) -> Iterator[Raised]:
    """Raise cards that were spread and went back into play as they were, or without being washed."""
    spread, washed = case.duty("idle_spread"), case.duty("idle_washed")
    if spread is None or washed is None or "pit" not in case.sources or not any(case.window.steps("spread")):
        return
    preparation = case.window.preparation
    gaps = case.unreported(case.window.since, case.window.until, "pit", "shoe", "terminal")
    if preparation is None:
        if case.window.has_round:
            message = fact("procedures.checks.idle_cards_played_on", shoe=case.window.shoe)
            who = f"shoe {case.window.shoe}"
            yield case.found(IDLE_CARDS_PLAYED_ON, message, (washed.cite,), who=who, gaps=gaps)
        return
    exchanged = case.duty("idle_exchanged")
    if len(case.window.after.received) > 1:
        if exchanged is not None and preparation.batch and preparation.batch == preparation.preceding_batch:
            message = fact("procedures.checks.idle_batch_not_exchanged", batch=preparation.batch)
            who = f"shoe {preparation.shoe}"
            yield case.found(IDLE_CARDS_PLAYED_ON, message, (exchanged.cite,), who=who, gaps=gaps)
        return
    if preparation.is_opening:
        return
    for name in ("washed", "stacked"):
        if preparation.last("washed" if name == "washed" else "stacked") is None:
            message = fact("procedures.checks.idle_step_missing", shoe=preparation.shoe, step=Word(name))
            who = f"shoe {preparation.shoe}, {name}"
            yield case.found(IDLE_CARDS_PLAYED_ON, message, (washed.cite,), who=who, gaps=gaps)
