"""Are marketing's form, finance's reconciliation and the quarter's report there, complete and right?"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Any, Final

from msgspec import UNSET

from projections.engine.facts import Cents, Fact, Listed, Word, fact, listed
from projections.engine.findings import Raised
from projections.programmes.coupons import expected_papers
from projections.programmes.coupons.event_context import (
    Duty,
    EventContext,
    lacking,
    lacks_of,
    numbers,
    supervises,
)
from projections.programmes.coupons.expected_papers import (
    FIGURES,
    AtHand,
    counts,
    months_after,
    quarter_ends,
    ways_at_hand,
)
from projections.programmes.coupons.ledger import Redeemed
from schemas.coupon_log import Closed, DayClosed, QuarterlyReport, Reconciled, ReconciliationForm

# ── What is asked of marketing's daily form, 603a.20(j)(1)-(8) ────────────────────────────────────────

_FORM: Final = "Something that stands on the form but is not in the log."
_EVENT: Final = "An event of that day that is not in the log."

MISSING: Final = Duty(
    "form_missing",
    severity="medium",
    asks="Is there a form for each gaming day on which marketing had coupons to distribute?",
    false_positives="A form that is not in the log.",
    cites=("603a.20(j)",),
)
DATE: Final = Duty(
    "form_date_wrong",
    severity="medium",
    asks="Does the form have the date of its gaming day?",
    false_positives=_FORM,
    cites=("603a.20(j)(1)",),
)
RECEIVED: Final = Duty(
    "form_received_wrong",
    severity="by_amount",
    asks="Does the form have the serial numbers that came from finance?",
    false_positives=_EVENT,
    cites=("603a.20(j)(2)",),
)
TO_DISTRIBUTE: Final = Duty(
    "form_to_distribute_wrong",
    severity="by_amount",
    asks="Does the form have what there was to distribute?",
    false_positives=_EVENT,
    cites=("603a.20(j)(3)",),
)
DISTRIBUTED: Final = Duty(
    "form_distributed_wrong",
    severity="by_amount",
    asks="Does the form have what was distributed?",
    false_positives=_EVENT,
    cites=("603a.20(j)(4)",),
)
REMAINING: Final = Duty(
    "form_remaining_wrong",
    severity="by_amount",
    asks="Does the form have what remained?",
    false_positives=_EVENT,
    cites=("603a.20(j)(5)",),
)
VOIDED: Final = Duty(
    "form_voided_wrong",
    severity="by_amount",
    asks="Does the form have what was voided, and why?",
    false_positives=_EVENT,
    cites=("603a.20(j)(6)",),
)
VARIATIONS: Final = Duty(
    "form_variation_unexplained",
    severity="by_amount",
    asks="Does the form tell variations and explain them?",
    false_positives=_FORM,
    cites=("603a.20(j)(7)",),
)
SIGNER: Final = Duty(
    "form_supervisor_missing",
    severity="medium",
    asks="Does the form have name, signature and credential number of marketing's supervisor?",
    false_positives=_FORM,
    cites=("603a.20(j)(8)",),
)
NOT_CARRIED: Final = Duty(
    "kept_not_on_next_form",
    severity="by_amount",
    asks="Does the next gaming day's form have the coupons that were kept for it?",
    false_positives="A gaming day on which nothing was handed out and whose form is not in the log.",
    cites=("603a.20(k)", "603a.20(j)(3)"),
)
FORM_KINDS: Final = (
    MISSING,
    DATE,
    RECEIVED,
    TO_DISTRIBUTE,
    DISTRIBUTED,
    REMAINING,
    VOIDED,
    VARIATIONS,
    SIGNER,
    NOT_CARRIED,
)


# ── Is marketing's daily form there, complete and right? 603a.20(j), and (k) for what was kept ────────

_Serials = frozenset[str]


def check_form(moment: EventContext) -> Iterator[Raised]:
    """Raise what a form lacks or shows wrongly, and the gaming days without one."""
    event = moment.event
    if isinstance(event, DayClosed):
        if event.form is None:
            yield moment.found(MISSING, fact("coupons.closed_without_form", day=str(moment.day)))
        else:
            yield from _form(moment, event.form)
    yield from _missing(moment)


def _missing(moment: EventContext) -> Iterator[Raised]:
    due = moment.due
    if due is None:
        return
    for day, only_carried in sorted(moment.ledger.forms_due.items()):
        if day > due or day in moment.ledger.reported_forms:
            continue
        if not only_carried:
            yield moment.found(MISSING, fact("coupons.no_form", day=str(day)), serials=(), day=day)
        elif not (isinstance(moment.event, Closed) and day == moment.today):
            message = fact("coupons.kept_without_form", day=str(day))
            yield moment.found(NOT_CARRIED, message, serials=(), day=day)


def _form(moment: EventContext, form: ReconciliationForm) -> Iterator[Raised]:
    if form.date != moment.day:
        has = None if form.date is None else str(form.date)
        yield moment.found(DATE, fact("coupons.form_date_wrong", day=str(moment.day), has=has))
    lacks = lacking(form.by)
    if lacks:
        yield moment.found(SIGNER, fact("coupons.form_lacks", lacks=lacks_of(lacks)))
    elif not supervises(form.by, moment.settings.marketing):
        yield moment.found(SIGNER, fact("coupons.form_not_by_marketing"))
    excused = form.variations is not UNSET and not expected_papers.is_nothing(form.variations)
    if form.variations is UNSET:
        yield moment.found(VARIATIONS, fact("coupons.form_without_variations"))
    elif excused and not expected_papers.is_explained(form.variations):
        yield moment.found(VARIATIONS, fact("coupons.form_variation_unexplained"))
    yield from _figures(moment, form, excused=excused)


def _figures(moment: EventContext, form: ReconciliationForm, *, excused: bool) -> Iterator[Raised]:
    """Compare each figure with the ledger; what the form explains as a variation may differ."""
    ways = ways_at_hand(moment.ledger, moment.day)
    first_way = ways[0]
    compared: Sequence[tuple[Duty, str, Any, list[_Serials]]] = (
        (RECEIVED, "received", form.received, [each for way in ways for each in way.received]),
        (
            TO_DISTRIBUTE,
            "to_distribute",
            form.to_distribute,
            [each for way in ways for each in way.to_distribute],
        ),
        (DISTRIBUTED, "distributed", form.distributed, [each for way in ways for each in way.given_out]),
        (REMAINING, "remaining", form.remaining, [each for way in ways for each in way.remaining]),
        (VOIDED, "voided", form.voided, _voided(moment, first_way)),
    )
    for duty, what, reported, admitted in compared:
        if reported is UNSET or (reported is None and duty is not VOIDED):
            yield moment.found(duty, fact("coupons.form_silent", what=Word(what)))
        elif not excused and not _agrees(moment, reported, admitted):
            if duty is TO_DISTRIBUTE and first_way.carried and _agrees(moment, reported, [first_way.new]):
                message = fact("coupons.form_leaves_out_kept")
                yield moment.found(NOT_CARRIED, message, serials=first_way.carried)
                return
            message = fact(
                "coupons.form_wrong",
                what=Word(what),
                count=len(admitted[0]),
                serials=numbers(admitted[0]),
            )
            yield moment.found(duty, message, cites=(*duty.cites, "603a.20(j)(7)"))
    if isinstance(form.voided, list) and not expected_papers.is_explained(
        [each for each in form.voided if isinstance(each, dict)]
    ):
        yield moment.found(VOIDED, fact("coupons.form_void_unexplained"))


def _voided(moment: EventContext, at_hand: AtHand) -> list[_Serials]:
    """Return the ways to count what was voided: what marketing had, or all of that day."""
    coupons = moment.ledger.coupons.items()
    return [at_hand.voided, frozenset(serial for serial, each in coupons if each.voided_on == moment.day)]


def _agrees(moment: EventContext, reported: Any, admitted: list[_Serials]) -> bool:
    return any(
        way.agrees(each, _by_cents(moment, each))
        for way in expected_papers.read(reported)
        for each in admitted
    )


def _by_cents(moment: EventContext, serials: _Serials) -> Counter[int] | None:
    """Count coupons by their cents; None if the ledger lacks those of one."""
    cents = [moment.ledger.denomination(serial) for serial in serials]
    return None if None in cents else Counter(each for each in cents if each is not None)


# ── Does finance's reconciliation agree with what happened? 603a.20(m)(2), (3) ────────────────────────

SIGNATURES: Final = Duty(
    "signatures_not_reviewed",
    severity="medium",
    asks="Were the signatures on the papers reviewed?",
    false_positives="A review that is not in the log.",
    cites=("603a.20(m)(2)",),
)
WRONG: Final = Duty(
    "reconciliation_wrong",
    severity="by_amount",
    asks="Does the reconciliation show the coupons given, returned, voided, distributed and redeemed?",
    false_positives="An event of that day that is not in the log.",
    cites=("603a.20(m)(3)",),
)
RECONCILIATION_MISSING: Final = Duty(
    "reconciliation_missing",
    severity="by_amount",
    asks="Was each gaming day reconciled?",
    false_positives="A reconciliation that is not in the log.",
    cites=("603a.20(m)(3)", "603a.20(m)"),
)
RECONCILIATION_KINDS: Final = (SIGNATURES, WRONG, RECONCILIATION_MISSING)


def check_reconciliation(moment: EventContext) -> Iterator[Raised]:
    """Raise errors of a reconciliation, and days that nobody reconciled in time or at all."""
    event, overdue = moment.event, moment.overdue
    if overdue is not None:
        yield from _reconciliations_missing(moment, lambda day: day <= overdue)
    if isinstance(event, Reconciled):
        if not event.signatures_reviewed:
            yield moment.found(SIGNATURES, fact("coupons.signatures_not_reviewed"))
        admitted = counts(moment.ledger, moment.day)
        wrong = [
            _wrong(figure, reported, admitted[figure])
            for figure in FIGURES
            if (reported := getattr(event, figure)) not in admitted[figure]
        ]
        if wrong:
            yield moment.found(WRONG, fact("coupons.reconciliation_wrong", figures=listed(*wrong)))
        if moment.settings.each_day_reconciled:
            yield from _left_out(moment, before=True)
    elif isinstance(event, Closed):
        yield from _left_out(moment, before=False)


def _wrong(figure: str, reported: int | None, admitted: set[int]) -> Fact:
    return fact("coupons.figure_wrong", figure=Word(figure), told=reported, were=listed(*sorted(admitted)))


def _left_out(moment: EventContext, *, before: bool) -> Iterator[Raised]:
    """Raise the days that await reconciliation; with `before` those before the day that is reconciled."""
    yield from _reconciliations_missing(moment, lambda day: not (before and day >= moment.day))


def _reconciliations_missing(moment: EventContext, due: Callable[[date], bool]) -> Iterator[Raised]:
    """Raise the days that are due, and were not asked for before."""
    overdue = moment.ledger.overdue
    for day, tally in sorted(moment.ledger.tallies.items()):
        if tally.awaits and due(day) and (overdue is None or day > overdue):
            none = fact("coupons.no_reconciliation", day=str(day))
            yield moment.found(RECONCILIATION_MISSING, none, serials=(), day=day)


# ── Was what patrons redeemed in a quarter reported, and rightly? 603a.20(o) ──────────────────────────

REPORT_MISSING: Final = Duty(
    "quarterly_report_missing",
    severity="medium",
    asks="Was the quarter's report filed in time?",
    false_positives="A report that is not in the log, or a due date that the house file does not have.",
    cites=("603a.20(o)",),
)
REPORT_WRONG: Final = Duty(
    "quarterly_report_wrong",
    severity="by_amount",
    asks="Does the quarter's report list the value that patrons redeemed, by denomination?",
    false_positives="A redemption that is not in the log.",
    cites=("603a.20(o)",),
)
REPORT_KINDS: Final = (REPORT_MISSING, REPORT_WRONG)


def check_report(moment: EventContext) -> Iterator[Raised]:
    """Raise reports that are overdue, and reports that differ from what was redeemed."""
    yield from _overdue(moment)
    event = moment.event
    if not isinstance(event, QuarterlyReport):
        return
    if event.quarter is None:
        yield moment.found(REPORT_WRONG, fact("coupons.report_without_quarter"))
        return
    redeemed = moment.ledger.redeemed.get(event.quarter, Redeemed())
    reported = {cents: value for cents, value in (event.redeemed or {}).items() if value}
    if event.redeemed is None or reported not in _admitted(redeemed):
        message = fact(
            "coupons.report_wrong",
            quarter=event.quarter,
            told=_list(reported),
            redeemed=_list(redeemed.cents),
        )
        yield moment.found(REPORT_WRONG, message)


def _list(values: dict[int, int]) -> Listed:
    return listed(
        *(
            fact("coupons.redeemed", value=Cents(value), worth=Cents(cents))
            for cents, value in sorted(values.items())
        )
    )


def _admitted(redeemed: Redeemed) -> list[dict[int, int]]:
    """Return what a report may show: what ought not to have been redeemed may be left out."""
    proper = {cents: value - redeemed.improperly.get(cents, 0) for cents, value in redeemed.cents.items()}
    return [{cents: value for cents, value in each.items() if value} for each in (redeemed.cents, proper)]


def _overdue(moment: EventContext) -> Iterator[Raised]:
    """Raise the quarters whose report became overdue since the last event."""
    ledger = moment.ledger
    for quarter, redeemed in ledger.redeemed.items():
        late = months_after(quarter_ends(quarter), moment.settings.report_months)
        became = moment.today >= late and (ledger.today is None or ledger.today < late)
        if became and quarter not in ledger.reported and any(redeemed.cents.values()):
            message = fact("coupons.no_report", quarter=quarter, before=str(late))
            yield moment.found(REPORT_MISSING, message, serials=(), day=late)


KINDS: Final = (
    *FORM_KINDS,
    *RECONCILIATION_KINDS,
    *REPORT_KINDS,
)
