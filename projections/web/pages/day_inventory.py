"""A table inventory through its gaming day: what is known to have moved it, and when; every count of it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from operator import itemgetter
from typing import Final

from msgspec import Struct

from projections.engine.conclusion import Line
from projections.engine.findings import HOUSE_CONTROL
from schemas.values import Micros

_AT: Final = itemgetter(0)
_LISTING: Final = "listing_"
_IN_PLAY: Final = (f"{_LISTING}opening", f"{_LISTING}drop")
_BOX: Final = "box"
_SUM: Final = "expected"
_REASONS: Final = "465a.36(b)"  # the opener and what it may be changed by
_OLD_BOX: Final = "465a.41(d)"  # that of a table which stays open; of one that closes no text was seen


class _Kind(Struct, frozen=True):
    """What a line is called, by which sign its sum goes into the tray, and its section."""

    words: str
    sign: int
    cite: str


_KINDS: Final[Mapping[str, _Kind]] = {
    "fill": _Kind("Fill", 1, "465a.36(b)(5)"),
    "credit": _Kind("Credit", -1, "465a.36(b)(5)"),
    "box_check": _Kind("Counter Check", -1, "465a.36(b)(2)"),
    f"{_LISTING}opening": _Kind("Opening count", 0, "465a.37(c)"),
    f"{_LISTING}drop": _Kind("Drop count", 0, "465a.41(a)"),
    f"{_LISTING}closing": _Kind("Closing count", 0, "465a.36(c)"),
    f"{_LISTING}shift": _Kind("Shift count", 0, "465a.36(c)"),
    _BOX: _Kind("Drop box off", 0, HOUSE_CONTROL),
}


class InventoryStep(Struct, frozen=True):
    """A line of the account at its moment: chips with a paper, a count, or a drop box as it came off.

    There the day's line moves by `moved_cents` and says then that the tray holds `holds_cents`; where the
    account has no opener that is what it holds beyond what it began with. At a count the difference is what
    the line did not know: chips sold for cash since, what no reader of chips saw, what was untyped.
    """

    at: Micros
    line: Line
    moved_cents: int
    holds_cents: int
    cites: tuple[str, ...]


class Closing(Struct, frozen=True):
    """How the count comes with which a day ended, by the account of its inventory; cents.

    `terms` are the opener and what went in and out, whose sum was expected. `marked_cents` of vigorish were
    marked and not paid: they are in the line of the day, and not in the tray.
    """

    count: str
    terms: list[Line]
    expected_cents: int
    expected_cites: tuple[str, ...]
    counted_cents: int
    counted_cites: tuple[str, ...]
    difference_cents: int
    marked_cents: int


def called(line: Line) -> str:
    """Return what a step is.

    >>> called(Line(name="listing_drop", of="TI-2")), called(Line(name="box"))
    ('Drop count TI-2', 'Drop box off')
    """
    return " ".join(filter(None, (_KINDS[line.name].words, line.of)))


def opener_of(lines: Iterable[Line]) -> int | None:
    """Return what an account says the day began with, in cents; None where nobody knows."""
    return next((line.cents for line in lines if line.name == "opener"), None)


def closing_of(
    lines: Sequence[Line],
    steps: Iterable[InventoryStep],
    marked: int,
    cites_on: Callable[[str], tuple[str, ...]],
) -> Closing | None:
    """Return how the count comes with which a day ended; None where none did, or nobody knows the opener.

    `marked` is the vigorish that was marked and not paid, cents.

    >>> lines = [Line(name="opener", cents=900), Line(name="fills", cents=500), Line(name="cash", cents=-150)]
    >>> lines += [Line(name="expected", cents=1_250), Line(name="closer", of="TI-1", cents=1_200)]
    >>> lines.append(Line(name="listing_closing", of="TI-1", cents=1_200, at=30))
    >>> cites = lambda cite: (cite,)
    >>> closing = closing_of(lines, inventory_steps(lines, [], set(), cites), 0, cites)
    >>> closing.count, [each.name for each in closing.terms], closing.difference_cents, closing.counted_cites
    ('Closing count TI-1', ['opener', 'fills', 'cash'], -50, ('465a.36(c)',))
    """
    expected = next((line.cents for line in lines if line.name == _SUM), None)
    slip = next((line.of for line in lines if line.name == "closer"), None)
    counts = (each for each in steps if each.line.name.startswith(_LISTING))
    last = next((each for each in counts if each.line.of == slip), None)
    if expected is None or last is None or last.line.cents is None:
        return None
    return Closing(
        count=called(last.line),
        terms=list(takewhile(lambda line: line.name != _SUM, lines)),
        expected_cents=expected,
        expected_cites=cites_on(_REASONS),
        counted_cents=last.line.cents,
        counted_cites=last.cites,
        difference_cents=last.line.cents - expected,
        marked_cents=marked,
    )


def inventory_steps(
    lines: Sequence[Line],
    won: Iterable[tuple[Micros, int]],
    wrong: Collection[str],
    cites_on: Callable[[str], tuple[str, ...]],
) -> list[InventoryStep]:
    """Lay the lines of an inventory account that have a moment along the day.

    `won` is what each round brought the house, at its moment; `wrong` are the slips that were found not to
    say what lay there, and leave the line where it was. `cites_on` cites a section as of the day.

    >>> lines = [Line(name="opener", cents=900), Line(name="fill", of="F-1", cents=500, at=20)]
    >>> lines.append(Line(name="listing_drop", of="TI-1", cents=1_350, at=30))
    >>> steps = inventory_steps(lines, [(10, 100)], set(), lambda cite: (cite,))
    >>> [(each.moved_cents, each.holds_cents, each.cites) for each in steps]
    [(500, 1500, ('465a.36(b)(5)',)), (-150, 1350, ('465a.41(a)',))]
    """
    moments: list[tuple[Micros, Line | int]] = [*won]
    moments += [(line.at, line) for line in lines if line.name in _KINDS and line.at is not None]
    holds, in_play = opener_of(lines) or 0, False
    steps: list[InventoryStep] = []
    for at, each in sorted(moments, key=_AT):
        if isinstance(each, int):
            holds += each
            continue
        moved = _moved(each, holds, wrong)
        holds += moved
        cite = _OLD_BOX if each.name == _BOX and in_play else _KINDS[each.name].cite
        steps.append(InventoryStep(at, each, moved, holds, cites_on(cite)))
        in_play = each.name in _IN_PLAY or (in_play and not each.name.startswith(_LISTING))
    return steps


def inventory_line(
    opener: int, won: Iterable[tuple[Micros, int]], steps: Iterable[InventoryStep]
) -> Iterator[tuple[Micros, int]]:
    """Yield what the line of the day says from which moment on, cents; `won` as the steps were laid by it.

    >>> step = InventoryStep(20, Line(name="fill"), 500, 1500, ())
    >>> list(inventory_line(900, [(10, 100), (30, -40)], [step]))
    [(10, 1000), (20, 1500), (30, 1460)]
    """
    holds = opener
    for at, moved in sorted([*won, *((each.at, each.moved_cents) for each in steps)], key=_AT):
        holds += moved
        yield at, holds


def _moved(line: Line, holds: int, wrong: Collection[str]) -> int:
    cents = line.cents or 0
    if not line.name.startswith(_LISTING):
        return _KINDS[line.name].sign * cents
    return 0 if line.of in wrong else cents - holds
