"""A finding derived to the last cent: what was asked, what it stands on, and what would make it wrong."""

from datetime import date
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from projections.catalogue import asks_of, false_positives_of
from projections.engine.adjudication import UNDECIDED, Reckoning
from projections.engine.audit.account_conclusions import INVENTORY
from projections.engine.audit.judge import check_context
from projections.engine.audit.readings import TextReading, fixed
from projections.engine.check_context import RoundCase
from projections.engine.conclusion import Conclusion
from projections.engine.conclusion import Line as AccountLine
from projections.engine.facts import Cents, Fact, fact
from projections.engine.findings import Finding, FindingOf, FindingView, wager_of
from projections.engine.observation import Key, LyingOf, Round, who_of
from projections.views.alternatives import Alternative, alternatives_of
from projections.views.conclusion_view import Cited, Line, LineOf, LineView, cited, finding_view, line_view
from projections.views.hand_view import Heading, hands, heading, reasons
from projections.views.table_picture import lying_view
from projections.views.text import text
from projections.views.wager_view import steps
from schemas.house import House
from schemas.law_text import chapter
from schemas.rulebook import Rulebook

_W = TypeVar("_W", Fact, str)


class DerivedOf(Struct, Generic[_W], frozen=True, kw_only=True):
    """A finding with all that it is based on; `reasons`, `steps`, `rounding` are empty if there are none.

    `patron` is who sat in the seat that it names, if that is known and may be shown. `renamed` has it if the
    table knew another at the time. `readings` are those that no option changes and on which a step is based.
    `lines` are those of the shoe's account about the person of the finding.
    """

    finding: FindingOf[_W]
    patron: str | None = None
    renamed: str | None = None
    heading: Heading
    asks: str
    citations: tuple[Cited, ...]
    hands: tuple[LyingOf[_W], ...]
    reasons: tuple[LineOf[_W], ...]
    steps: tuple[LineOf[_W], ...]
    rounding: tuple[_W, ...]
    otherwise: tuple[Alternative, ...]
    readings: tuple[TextReading, ...]
    lines: tuple[AccountLine, ...]
    false_positives: str


DerivedFindingFacts: TypeAlias = DerivedOf[Fact]
DerivedFinding: TypeAlias = DerivedOf[str]


def render_finding(derived: DerivedFindingFacts) -> DerivedFinding:
    """Return a finding with all that it stands on in words."""
    fields = {name: getattr(derived, name) for name in derived.__struct_fields__}
    return DerivedFinding(
        **fields
        | {
            "finding": finding_view(derived.finding),
            "hands": tuple(map(lying_view, derived.hands)),
            "reasons": tuple(map(line_view, derived.reasons)),
            "steps": tuple(map(line_view, derived.steps)),
            "rounding": tuple(map(text, derived.rounding)),
        }
    )


class DerivedAccountFinding(Struct, frozen=True, kw_only=True):
    """A finding of an account with all that it stands on: the steps of its sum, and the account's lines.

    Of an inventory they are all; of a ledger the sums, and the lines of what the finding names.
    """

    finding: FindingView
    account: str
    table: str
    gaming_date: date
    chapter: str
    title: str
    zone: str
    asks: str
    citations: tuple[Cited, ...]
    steps: tuple[LineView, ...]
    lines: tuple[AccountLine, ...]
    false_positives: str


def derive_finding(
    finding: Finding, concluded: Conclusion, observed: Round | None, book: Rulebook | None, house: House
) -> DerivedFinding:
    """Return what `derive_finding_facts` does, in words."""
    return render_finding(derive_finding_facts(finding, concluded, observed, book, house))


def derive_finding_facts(
    finding: Finding, concluded: Conclusion, observed: Round | None, book: Rulebook | None, house: House
) -> DerivedFindingFacts:
    """Derive a finding; `observed` is None for a shoe, `book` for it and if no text was in force."""
    case = check_context(observed, book) if observed is not None and book is not None else None
    key = wager_of(finding)
    day = concluded.gaming_date
    play, sums = reasons(case), steps(case, key) if key is not None else _reckoned(finding, day)
    return DerivedFindingFacts(
        finding=finding,
        heading=heading(concluded, observed, case, house),
        asks=asks_of(finding.check),
        citations=tuple(cited(provision, day) for provision in finding.citations),
        hands=hands(observed, concluded.chapter, case) if observed is not None else (),
        reasons=play,
        steps=sums,
        rounding=_rounding(case, key) if key is not None else (),
        otherwise=alternatives_of(case.observed, case.book, key, finding) if case is not None else (),
        readings=fixed(
            (*finding.citations, *(line.cited.provision for line in sums)),
            (line.cited.provision for line in play),
        ),
        lines=_of_the_shoe(concluded, _who(finding)),
        false_positives=false_positives_of(finding, concluded.chapter),
    )


def derive_account_finding(
    finding: Finding, conclusion: Conclusion, account: str, house: House
) -> DerivedAccountFinding:
    """Derive a finding of an account."""
    day = conclusion.gaming_date
    names = {finding.who, finding.serial, finding.patron, finding.table}
    return DerivedAccountFinding(
        finding=finding_view(finding),
        account=account,
        table=conclusion.table,
        gaming_date=day,
        chapter=conclusion.chapter,
        title=chapter(conclusion.chapter).title,
        zone=house.zone,
        asks=asks_of(finding.check),
        citations=tuple(cited(provision, day) for provision in finding.citations),
        steps=tuple(map(line_view, _reckoned(finding, day))),
        lines=tuple(
            line
            for line in conclusion.lines
            if account == INVENTORY or line.of is None or names & {line.of, line.box}
        ),
        false_positives=false_positives_of(finding, conclusion.chapter),
    )


def _reckoned(finding: Finding, day: date) -> tuple[Line, ...]:
    """Return the steps that a finding brings with it."""
    return tuple(Line(step.says, step.cents, cited(step.cite, day)) for step in finding.steps or ())


def _rounding(case: RoundCase | None, key: Key) -> tuple[Fact, ...]:
    """Return what happened to fractions of a cent, and of the house's choice to round the vigorish."""
    owed = case.owed(key) if case is not None else UNDECIDED
    lines = [fact("views.fraction_of_gain", exact=_exact_gain(owed))] if owed.fraction else []
    taken = owed.vigorish
    if case is not None and taken is not None:
        unit, due = Cents(taken.unit), taken.basis * taken.rate
        exact = _mixed(due)
        if due == taken.rounded:
            lines.append(fact("views.vigorish_even", exact=exact, unit=unit))
        elif taken.expected == taken.rounded:
            lines.append(fact("views.vigorish_rounded", exact=exact, unit=unit))
        else:
            lines.append(fact("views.vigorish_not_rounded", exact=exact, dropped=int(taken.fraction)))
    return tuple(lines)


def _exact_gain(owed: Reckoning) -> Fact | None:
    """Return the gain before its fraction of a cent was dropped, as far as the odds define it."""
    ruled = owed.ruling
    stake = owed.stake + (owed.added.cents or 0 if owed.added is not None else 0)
    if ruled is None or ruled.odds is None or owed.cents is None:
        return None
    # A coupon is paid at the wager's odds or 1 to 1, as the house reads it: the sum shows which.
    ways = ((stake + owed.coupon) * ruled.odds, stake * ruled.odds + owed.coupon)
    exact = next((way for way in ways if way // 1 == owed.cents), None)
    return _mixed(exact) if exact is not None else None


def _mixed(cents: Fraction) -> Fact:
    """Return cents, and the remaining fraction of a cent.

    >>> text(_mixed(Fraction(165, 4))), text(_mixed(Fraction(41)))
    ('$0.41 and 1/4 of a cent', '$0.41')
    """
    units, rest = divmod(cents, 1)
    return fact("views.cents_and_part", cents=Cents(units), part=str(rest) if rest else None)


def _of_the_shoe(conclusion: Conclusion, who: str | None) -> tuple[AccountLine, ...]:
    """Return a person's lines of a shoe; those of a round are of its marker buttons."""
    return tuple(line for line in conclusion.lines if line.of == who) if conclusion.round is None else ()


def _who(finding: Finding) -> str | None:
    """Return the person whom a finding is about as an account names them."""
    if not isinstance(finding.seat, int):
        return None
    return who_of(finding.seat, finding.bettor or None)
