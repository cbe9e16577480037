"""Does the text admit the decks at the table, and are they changed as often as it requires?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import Fact, Word, fact
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.account import Preparation
from projections.engine.procedures.case import ProcedureCase
from schemas.events import ItemMoved
from schemas.procedures import DISCARD_RACK, SHUFFLER, TABLE, Mark

DECKS_WRONG: Final = Kind(
    "decks_wrong",
    severity="critical",
    asks="Are the cards that came to the table as many decks, of as many cards, as the text admits?",
    false_positives="A count of decks or cards that was keyed in wrongly.",
    sources=("cards",),
)
DECKS_NOT_ALIKE: Final = Kind(
    "decks_not_alike",
    severity="medium",
    asks="Do the decks of a batch look alike, and are there cover cards enough?",
    false_positives="A back colour or design under two names.",
    sources=("cards",),
)
DECKS_NOT_CHANGED: Final = Kind(
    "decks_not_changed",
    severity="medium",
    asks="Were the decks at the table changed as often as the text says?",
    false_positives="A change of decks that the card inventory system was not told of.",
    sources=("cards",),
)
BATCHES_WRONG: Final = Kind(
    "batches_wrong",
    severity="medium",
    asks="Are the two batches of a table with a shuffler as many decks, of one design and two colours?",
    false_positives="A back colour or design under two names.",
    sources=("cards",),
)
BATCH_REPEATED: Final = Kind(
    "batch_repeated",
    severity="medium",
    asks="Do the two batches change places with each shoe, one shuffled in the device meanwhile?",
    false_positives="A batch that the shuffler named wrongly; a shuffler that was out of use.",
    sources=("cards", "shuffler"),
)
BATCHES_MIXED: Final = Kind(
    "batches_mixed",
    severity="critical",
    asks="Do only cards of the batch in play lie in the discard rack?",
    false_positives="A batch that was named wrongly.",
    sources=("cards", "shuffler"),
)
KINDS: Final = (
    DECKS_WRONG,
    DECKS_NOT_ALIKE,
    DECKS_NOT_CHANGED,
    BATCHES_WRONG,
    BATCH_REPEATED,
    BATCHES_MIXED,
)

_HOUR: Final = 3_600_000_000
_BATCHES: Final = 2


def _receipts(case: ProcedureCase) -> list[ItemMoved]:
    """Return what came to the table in this window of cards."""
    return [move for _, move in case.window.events(ItemMoved) if move.kind == "cards" and move.place == TABLE]


def check_decks_received(case: ProcedureCase) -> Iterator[Raised]:
    """Raise cards that came to the table in a number that the text does not admit, or that differ in look."""
    for receipt in _receipts(case):
        yield from _numbers(case, receipt)
    likeness = case.duty("decks_alike")
    if likeness is None:
        return
    by_item: dict[str, list[ItemMoved]] = {}
    for receipt in _receipts(case):
        by_item.setdefault(receipt.item, []).append(receipt)
    marks: tuple[Mark, ...] = ("back_color", "design")
    for item, receipts in by_item.items():
        for mark in marks:
            if len({receipt.marks[mark] for receipt in receipts if mark in receipt.marks}) > 1:
                message = fact("procedures.checks.decks_not_alike", batch=item, mark=Word(mark))
                yield case.found(DECKS_NOT_ALIKE, message, (likeness.cite,), who=f"batch {item}, {mark}")


def _numbers(case: ProcedureCase, receipt: ItemMoved) -> Iterator[Raised]:
    figures, who = receipt.figures, f"batch {receipt.item}"
    admitted, cards = case.duty("batch_decks"), case.duty("cards_per_deck")
    if admitted is not None and "decks" in figures and figures["decks"] not in admitted.value:
        message = fact("procedures.checks.decks_not_admitted", batch=receipt.item, decks=figures["decks"])
        yield case.found(DECKS_WRONG, message, (admitted.cite,), who=who)
    if cards is not None and "cards_per_deck" in figures and figures["cards_per_deck"] not in cards.value:
        message = fact(
            "procedures.checks.cards_per_deck_wrong", batch=receipt.item, cards=figures["cards_per_deck"]
        )
        yield case.found(DECKS_WRONG, message, (cards.cite,), who=f"{who}, cards")
    least = case.duty("cover_cards_least")
    if least is not None and "cover_cards" in figures and figures["cover_cards"] < least.value:
        message = fact(
            "procedures.checks.cover_cards_too_few",
            batch=receipt.item,
            cards=figures["cover_cards"],
            least=least.value,
        )
        yield case.found(DECKS_NOT_ALIKE, message, (least.cite,), who=f"{who}, cover cards")


def check_decks_changed(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a shoe from the decks of the one before, or rounds from decks that were opened too long ago."""
    duty = case.duty("decks_changed")
    if duty is None or "cards" not in case.sources:
        return
    preparation = case.window.preparation
    if duty.value == "each_shoe":
        if preparation is not None and preparation.preceding is not None and not preparation.receipts():
            message = fact("procedures.checks.decks_not_changed", shoe=preparation.shoe)
            gaps = case.unreported(preparation.since, preparation.opened, "cards", "pit")
            yield case.found(
                DECKS_NOT_CHANGED, message, (duty.cite,), who=f"shoe {preparation.shoe}", gaps=gaps
            )
        return
    came, opened = case.window.after.batch_opened, case.opened
    if came is None or opened is None:
        return
    limit = came + duty.value * _HOUR
    # One finding for each batch: at the first round that is too late.
    if opened.at > limit and (case.window.before.last_round_at or 0) <= limit:
        message = fact("procedures.checks.decks_too_old", hours=duty.value)
        yield case.found(
            DECKS_NOT_CHANGED,
            message,
            (duty.cite,),
            who=f"decks opened at {came}",
            gaps=case.unreported(came, opened.at, "cards"),
            undetermined=len(case.window.after.received) > 1
            and case.duty("decks_changed_unless_two") is not None,
        )


# ── Two batches and a shuffler ────────────────────────────────────────────────────────────────────────


def check_batches(case: ProcedureCase) -> Iterator[Raised]:
    """Raise two batches that differ in size or design, or do not in colour."""
    received = [
        each.event for each in case.window.after.received.values() if isinstance(each.event, ItemMoved)
    ]
    if len(received) != _BATCHES or not _receipts(case):
        return
    one, other = received
    sizes, colors = case.duty("batches_equal"), case.duty("batches_colored")
    who = "two batches"
    decks, others = one.figures.get("decks"), other.figures.get("decks")
    if sizes is not None and decks is not None and others is not None and decks != others:
        message = fact("procedures.checks.batches_unequal", decks=decks, others=others)
        yield case.found(BATCHES_WRONG, message, (sizes.cite,), who=who)
    if colors is not None:
        for mark, same_is_wrong in (("back_color", True), ("design", False)):
            found = _marked(one, mark), _marked(other, mark)
            if None not in found and (found[0] == found[1]) is same_is_wrong:
                message = fact(
                    "procedures.checks.batches_marked", mark=Word(mark), is_same=int(same_is_wrong)
                )
                yield case.found(BATCHES_WRONG, message, (colors.cite,), who=f"{who}, {mark}")


def _marked(receipt: ItemMoved, mark: str) -> str | None:
    return next((name for each, name in receipt.marks.items() if each == mark), None)


def check_batches_alternate(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a batch in two shoes running, and one that came into play without having been in the shuffler."""
    preparation = case.window.preparation
    if (
        preparation is None
        or preparation.preceding is None
        or len(case.window.after.received) != _BATCHES
        or "shuffler" not in case.sources
        or not preparation.batch
    ):
        return
    turns, stored = case.duty("batches_alternate"), case.duty("batch_stored")
    gaps = case.unreported(preparation.since, preparation.opened, "shuffler", "shoe")
    who = f"shoe {preparation.shoe}"
    if turns is not None and preparation.batch == preparation.preceding_batch:
        message = fact("procedures.checks.batch_repeated", shoe=preparation.shoe, batch=preparation.batch)
        yield case.found(BATCH_REPEATED, message, (turns.cite,), who=who, gaps=gaps)
    elif stored is not None and not _was_stored(preparation):
        message = fact("procedures.checks.batch_not_stored", shoe=preparation.shoe, batch=preparation.batch)
        yield case.found(BATCH_REPEATED, message, (stored.cite,), who=who, gaps=gaps)


def _was_stored(preparation: Preparation) -> bool:
    return any(
        isinstance(entry.event, ItemMoved) and entry.event.place == SHUFFLER for entry in preparation.entries
    )


def check_discard_rack(case: ProcedureCase) -> Iterator[Raised]:
    """Raise cards of another batch than the one in play that came into the discard rack."""
    duty, batch = case.duty("rack_of_one_batch"), case.window.after.batch
    if duty is None or not batch or case.window.preparation is not None:
        return
    for _, move in case.window.events(ItemMoved):
        if move.place == DISCARD_RACK and move.item != batch:
            message: Fact = fact("procedures.checks.batches_mixed", batch=move.item, in_play=batch)
            yield case.found(BATCHES_MIXED, message, (duty.cite,), who=f"batch {move.item}")
