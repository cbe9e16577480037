"""A finding derived to the last cent: what was asked, what it stands on, and what would make it wrong."""

from fractions import Fraction

from msgspec import Struct

from projections.adjudication import UNDECIDED
from projections.case import Case
from projections.checks import KINDS
from projections.cited import Cited, Line, cited
from projections.describe import Heading, hands, heading, reasons
from projections.drawing.lying import Lying
from projections.findings import Finding
from projections.judge import Conclusion, consider
from projections.otherwise import Otherwise, otherwise
from projections.round import Key, Round
from projections.spots import steps
from schemas.house import House
from schemas.rulebook import Rulebook


class FindingShown(Struct, frozen=True, kw_only=True):
    """A finding with all that it stands on; `reasons`, `steps`, `rounding` are empty where there are none."""

    finding: Finding
    heading: Heading
    asks: str
    citations: tuple[Cited, ...]
    hands: tuple[Lying, ...]
    reasons: tuple[Line, ...]
    steps: tuple[Line, ...]
    rounding: tuple[str, ...]
    otherwise: tuple[Otherwise, ...]
    false_positives: str


def show_finding(
    found: Finding, concluded: Conclusion, seen: Round | None, book: Rulebook | None, house: House
) -> FindingShown:
    """Derive a finding; `seen` is absent for a shoe, `book` for it and where no text was in force."""
    case = consider(seen, book) if seen is not None and book is not None else None
    key = _key(found)
    day = concluded.gaming_date
    return FindingShown(
        finding=found,
        heading=heading(concluded, seen, case, house),
        asks=KINDS[found.check].asks,
        citations=tuple(cited(provision, day) for provision in found.citations),
        hands=hands(seen, concluded.chapter, case) if seen is not None else (),
        reasons=reasons(case),
        steps=steps(case, key) if key is not None else (),
        rounding=_rounding(case, key) if key is not None else (),
        otherwise=otherwise(case.seen, case.book, key, found) if case is not None and key is not None else (),
        false_positives=KINDS[found.check].false_positives,
    )


def _rounding(case: Case | None, key: Key) -> tuple[str, ...]:
    """Say what became of fractions of a cent, and of the house's choice to round the vigorish."""
    owed = case.owed(key) if case is not None else UNDECIDED
    said = ["a fraction of a cent of the gain is dropped"] if owed.fraction else []
    taken = owed.vigorish
    if case is not None and taken is not None:
        unit = taken.unit
        exact = _mixed(taken.basis * taken.rate)
        if taken.basis * taken.rate == taken.rounded:
            said.append(f"vigorish of {exact} cents is a multiple of {unit} cents: nothing to round")
        elif taken.expected == taken.rounded:
            said.append(f"vigorish of {exact} cents is rounded up to the next multiple of {unit} cents")
        else:
            dropped = ": the fraction of a cent is dropped" if taken.fraction else ""
            said.append(f"vigorish of {exact} cents is not rounded by the house's choice{dropped}")
    return tuple(said)


def _mixed(number: Fraction) -> str:
    """Write a fraction with its whole part first.

    >>> _mixed(Fraction(165, 4)), _mixed(Fraction(41)), _mixed(Fraction(1, 20))
    ('41 1/4', '41', '1/20')
    """
    whole, rest = divmod(number, 1)
    return " ".join(str(part) for part in (whole, rest) if part) or "0"


def _key(found: Finding) -> Key | None:
    """Name the wager that a finding is about, if it is about one."""
    if not isinstance(found.seat, int) or not isinstance(found.wager, str):
        return None
    return (found.seat, found.bettor or None, found.wager, found.hand or None)
