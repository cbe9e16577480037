"""The floor's procedures as people do them: rightly, or with a labelled fault, where a table reports them.

The figures are worked by hand from each chapter's text. For a table without a source of procedures nothing is
reported, and nothing drawn.
"""

from collections.abc import Mapping
from typing import Final

from schemas import events
from schemas.procedures import ProcedureStep
from schemas.values import Person
from streams.simulator.kinds import Kind
from streams.simulator.labels import ExpectedFinding, FaultLabel
from streams.simulator.shoe import Shoe
from streams.simulator.table import Table

# docs/faults.md says of each kind what is done.
PROCEDURES: Final[Mapping[str, Kind]] = {
    "cards_not_cut": Kind("cards_not_cut", 0.02, "shoe"),
    "cut_at_the_edge": Kind("cut_too_shallow", 0.03, "shoe"),
    "stack_not_rotated": Kind("cut_not_completed", 0.02, "shoe"),
    "cover_card_at_the_end": Kind("cover_card_too_low", 0.03, "shoe"),
}
SOURCES: Final = ("pit", "shuffler", "cards", "staff", "recorder", "register")

_LEAST_CUT: Final = 10
_BEHIND: Final = {"681a": 10}  # the least behind the cover card; of the others 14
_QUARTER: Final = ("551", "685a")  # or a quarter of the stack


def cut_cards(table: Table, shoe: Shoe) -> None:
    """Cut the cards of a shoe and insert the cover card, 631a.5(b) to (d) and its like."""
    if "pit" not in table.plan.devices:
        return
    rng, stack = table.rng, len(shoe.cards)
    dealer = Person(f"D-{table.plan.number}", "dealer")
    if table.strikes("cards_not_cut"):
        _label(table, "cards_not_cut", f"shoe {shoe.name}")
        return
    depth = rng.randint(_LEAST_CUT, stack - _LEAST_CUT)
    if table.strikes("cut_at_the_edge"):
        depth = rng.choice((rng.randint(1, _LEAST_CUT - 1), stack - rng.randint(1, _LEAST_CUT - 1)))
        _label(table, "cut_at_the_edge", f"shoe {shoe.name}")
    _step(table, "cut_made", seat=_cutter(table), by=dealer, count=depth, total=stack)
    if table.strikes("stack_not_rotated"):
        _label(table, "stack_not_rotated", f"shoe {shoe.name}, stack_rotated")
    else:
        _step(table, "stack_rotated", by=dealer)
    quarter = -(-stack // 4)
    least = quarter if table.plan.chapter in _QUARTER else _BEHIND.get(table.plan.chapter, 14)
    behind = rng.randint(least, least + 8)
    if table.strikes("cover_card_at_the_end"):
        behind = rng.randint(0, least - 1)
        _label(table, "cover_card_at_the_end", f"shoe {shoe.name}")
    _step(table, "cover_card_inserted", by=dealer, count=behind, total=stack)


def _cutter(table: Table) -> int | None:
    """Return who cuts: the player in the highest position, or nobody who is seated."""
    return max((patron.seat for patron in table.patrons), default=None)


def _step(table: Table, step: ProcedureStep, **fields: object) -> None:
    table.script.wait(3000, 9000)
    given = {name: value for name, value in fields.items() if value is not None}
    table.script.tell(events.ProcedureStepTaken, source="pit", step=step, **given)


def _label(table: Table, kind: str, who: str) -> None:
    check = PROCEDURES[kind].check
    table.labels.append(
        FaultLabel(
            fault=kind,
            table=table.plan.name,
            gaming_date=table.gaming_date(),
            round=None,
            shoe=None,
            primary=ExpectedFinding(check=check, who=who) if check is not None else None,
            follows=[],
            delta_cents=None,
        )
    )
