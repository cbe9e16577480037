"""The cut of the cards and the cover card, worked by hand for every chapter that has the duty.

A stack of eight decks is 416 cards, 384 without the tens (Spanish 21); of six 312; of four 208.
"""

from typing import Any

from projections.engine.findings import Finding
from tests.law.procedure_table import DEALER, ProcedureTable

CUT = ("cards_not_cut", "cut_too_shallow", "cut_not_completed", "cover_card_too_low")


def cut_table(
    chapter: str,
    *,
    above: int | None = 100,
    behind: int | None = 110,
    total: int | None = 416,
    omit: str = "",
    lose: str = "",
    **table: Any,
) -> ProcedureTable:
    """Return a table that cut its cards with so many above the cover card, and so many behind it later."""
    floor = ProcedureTable(chapter, **table).open()
    for step, count in (("cut_made", above), ("stack_rotated", None), ("cover_card_inserted", behind)):
        if step != omit:
            size = total if step != "stack_rotated" else None
            floor.step(step, is_lost=step == lose, by=DEALER, count=count, total=size)  # type: ignore[arg-type]  a step by its name
    return floor.load().round().close()


def weights(found: list[Finding]) -> list[tuple[str, str]]:
    """Return check and weight of each finding."""
    return [(each.check, each.weight) for each in found]


def prove_cut(chapter: str, cite: str) -> None:
    """Prove that a cut leaves ten cards at least above and below the cover card, by measure."""
    for above in (10, 406):
        assert cut_table(chapter, above=above).findings(*CUT) == []
    for above in (9, 407):
        (found,) = cut_table(chapter, above=above).findings(*CUT)
        assert (found.check, found.weight, found.citations) == ("cut_too_shallow", "mismatch", (cite,))
        assert found.message.args["least"] == 10
        assert min(found.message.args["above"], found.message.args["below"]) == 9  # type: ignore[type-var]  both are numbers
    for unmeasured in ({"above": None}, {"total": None}):
        found_weights = weights(cut_table(chapter, **unmeasured).findings("cut_too_shallow"))  # type: ignore[arg-type]  one of the two
        assert found_weights == [("cut_too_shallow", "undetermined")]


def prove_cut_before_loading(chapter: str, cite: str) -> None:
    """Prove that cards which nobody cut are found, and what is lost or has no source is not."""
    (found,) = cut_table(chapter, omit="cut_made").findings(*CUT)
    assert (found.check, found.weight, found.citations) == ("cards_not_cut", "mismatch", (cite,))
    assert weights(cut_table(chapter, lose="cut_made").findings(*CUT)) == [("cards_not_cut", "undetermined")]
    assert cut_table(chapter, omit="cut_made", without=("pit",)).findings(*CUT) == []


def prove_cut_completed(chapter: str, cite: str, *, cover_card: str = "mismatch") -> None:
    """Prove that the cards above the cover card go to the bottom, and a cover card is inserted."""
    (found,) = cut_table(chapter, omit="stack_rotated").findings(*CUT)
    assert (found.check, found.weight, found.citations) == ("cut_not_completed", "mismatch", (cite,))
    (found,) = cut_table(chapter, omit="cover_card_inserted").findings(*CUT)
    assert (found.check, found.weight, found.citations) == ("cut_not_completed", cover_card, (cite,))
    # What was done before the cut completes none.
    early = ProcedureTable(chapter).open()
    early.step("stack_rotated", by=DEALER).step("cut_made", by=DEALER, count=100, total=416)
    early.step("cover_card_inserted", by=DEALER, count=110, total=416)
    (found,) = early.load().round().close().findings(*CUT)
    assert (found.check, found.weight, found.citations) == ("cut_not_completed", "mismatch", (cite,))
    for lost in ("stack_rotated", "cover_card_inserted"):
        assert weights(cut_table(chapter, lose=lost).findings(*CUT)) == [
            ("cut_not_completed", "undetermined")
        ]


def prove_cover_card(chapter: str, cite: str, least: int, *, total: int = 416, **table: Any) -> None:
    """Prove that so many cards at least stand behind the cover card."""
    assert cut_table(chapter, behind=least, total=total, **table).findings(*CUT) == []
    (found,) = cut_table(chapter, behind=least - 1, total=total, **table).findings(*CUT)
    assert (found.check, found.weight, found.citations) == ("cover_card_too_low", "mismatch", (cite,))
    assert (found.message.args["behind"], found.message.args["least"]) == (least - 1, least)
    (found,) = cut_table(chapter, behind=None, total=total, **table).findings(*CUT)
    assert (found.check, found.weight) == ("cover_card_too_low", "undetermined")
