"""From an observed round to a verdict: the game adjudicates, the checks run, the heaviest finding decides."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date

from msgspec.structs import replace

from projections.engine.accounts.shoe_account import ShoeAccount
from projections.engine.adjudication import UNDECIDED, Adjudication, Defect, Reckoning, Ruling
from projections.engine.check_context import NOTHING_PAID, RoundCase, Surplus
from projections.engine.checks import CHECKS
from projections.engine.checks.data import refuse
from projections.engine.checks.plugin_checks import plugin_checks
from projections.engine.conclusion import Conclusion, ConclusionOf, Expected, Line, Verdict, button_lines
from projections.engine.facts import fact, listed
from projections.engine.findings import BY_DEFAULT, HOUSE_CONTROL, Finding, Raised, Weight, identify
from projections.engine.game import Game
from projections.engine.games import game_of
from projections.engine.improper_wagers import coupon_faults, wager_faults
from projections.engine.kinds import NOT_IN_FORCE
from projections.engine.observation import Key, Round
from projections.engine.pack import pack_of
from projections.engine.side_wagers import Paytable, parts_of, settled
from schemas.house import SeverityThresholds
from schemas.rulebook import Rulebook


def judge(
    observed: Round,
    book: Rulebook,
    surplus: tuple[Surplus, ...] = (),
    thresholds: SeverityThresholds = BY_DEFAULT,
) -> Conclusion:
    """Judge one round: alone, or with the `surplus` that the other rounds of its shoe show."""
    surplus = surplus or ShoeAccount().count(observed, pack_of(book))
    return conclude_round(check_context(observed, book, surplus), thresholds)


def conclude_round(case: RoundCase, thresholds: SeverityThresholds = BY_DEFAULT) -> Conclusion:
    """Return the conclusion on a round: run every check, the heaviest finding is the verdict."""
    owed = case.ruled.owed
    return conclude(
        case.observed,
        _open_what_one_reader_says(case, _run_checks(case)),
        outcome=case.ruled.outcome,
        expected=tuple(_expected(key, each.cents, each.vigorish_cents) for key, each in owed.items()),
        is_open=any(each.cents is None and _is_open(case.observed, key, each) for key, each in owed.items()),
        chapter=case.book.chapter,
        rulebook=case.book.digest,
        thresholds=thresholds,
    )


def _run_checks(case: RoundCase) -> list[Raised]:
    checks: tuple[Callable[[RoundCase], Iterable[Raised]], ...] = (*CHECKS, *plugin_checks())
    return [found for check in checks for found in check(case)]


def _open_what_one_reader_says(case: RoundCase, raised: list[Raised]) -> list[Raised]:
    """Return what was raised, undetermined where it depends on what only one of two readers reported.

    It depends on that if it is not raised once that reading is left out.
    """
    observed = case.observed
    doubts = [doubt for doubt in observed.doubts if doubt.read_alone]
    if not doubts or all(each.weighs != "mismatch" for each in raised):
        return raised
    alone = {what: doubt for doubt in doubts for what in doubt.read_alone}
    settlement = alone.pop("settlement", None)
    without = replace(
        observed,
        doubts=[*observed.doubts, *(replace(doubt, scope=what) for what, doubt in alone.items())],
        paid=observed.paid if settlement is None else None,
    )
    certain = {
        (each.kind.check, each.subject)
        for each in _run_checks(check_context(without, case.book, case.surplus))
        if each.weighs == "mismatch"
    }
    why = listed(*dict.fromkeys(doubt.message for doubt in doubts))
    return [
        each
        if each.weighs != "mismatch" or (each.kind.check, each.subject) in certain
        else replace(
            each,
            weight="undetermined",
            message=fact("checks.read_by_one", message=each.message, why=why),
        )
        for each in raised
    ]


def _is_open(observed: Round, key: Key, owed: Reckoning) -> bool:
    """Return True if money that no one knows leaves a round open.

    What is yet to be decided does if settled.
    """
    return not owed.pending or (observed.paid is not None and key in observed.paid)


def check_context(observed: Round, book: Rulebook, surplus: tuple[Surplus, ...] = ()) -> RoundCase:
    """Return a round with the game's adjudication; what is in doubt is left open."""
    game = game_of(book.chapter)
    improper = (
        {**wager_faults(observed, game, book), **game.wager_faults(observed, book)} if observed.wagers else {}
    )
    void_coupons = coupon_faults(observed, game, book)
    if not observed.cards_known:
        ruled = Adjudication(None, dict.fromkeys(observed.wagers, UNDECIDED))
    else:
        undecided = [*improper, *_doubtful(observed)] if observed.doubts else improper
        ruled = _ruled(observed, book, game, undecided, void_coupons)
    return RoundCase(observed, book, game, ruled, improper, void_coupons, surplus)


def _ruled(
    observed: Round,
    book: Rulebook,
    game: Game,
    undecided: Collection[Key],
    void_coupons: Mapping[Key, Defect],
) -> Adjudication:
    """Return the game's adjudication; wagers under a coupon without a text in force are left open."""
    ruled = _with_side_wagers(observed, book, game, undecided, void_coupons)
    void = [key for key, each in void_coupons.items() if each.kind is not NOT_IN_FORCE]
    if len(void) == len(void_coupons):
        return ruled
    counted = _with_side_wagers(observed, book, game, undecided, void).owed
    for key, each in counted.items():
        if (each.cents, each.vigorish_cents) != (ruled.owed[key].cents, ruled.owed[key].vigorish_cents):
            ruled.owed[key] = UNDECIDED
    return ruled


def _with_side_wagers(
    observed: Round,
    book: Rulebook,
    game: Game,
    undecided: Collection[Key],
    void_coupons: Collection[Key],
) -> Adjudication:
    """Return the game's adjudication, with the side wagers that the house's pay tables settle."""
    tables = {
        key: Paytable(book.approval(key.wager) or "", lines)
        for key in observed.wagers
        if (lines := book.side_lines(key.wager)) is not None
    }
    ruled = game.adjudicate(observed, book, [*undecided, *tables], void_coupons)
    for key, table in tables.items():
        if key not in undecided:
            wager = observed.wagers[key]
            coupon = wager.coupon_cents if key not in void_coupons else 0
            if ruled.outcome == "void":
                (cite, *_) = book.clauses.get("cards_run_out", (HOUSE_CONTROL,))
                void = Ruling("push", cite, reason=fact("engine.round_void"))
                ruled.owed[key] = Reckoning(0, void, wager.cents, coupon=coupon)
            else:
                endings = game.side_endings(observed, book, key, parts_of(table.lines))
                even = book.options.get("match_play_pays") == "even"
                ruled.owed[key] = settled(table, wager, coupon, endings, coupon_even=even)
    return ruled


def settlement_error_cents(case: RoundCase) -> int | None:
    """Return the cents that the table inventory would have more, had the settlement been reported as owed.

    It is 0 if each wager was reported as owed, and None if that is not known: also where a stake is in doubt.
    """
    observed = case.observed
    if observed.paid is None or not observed.cards_known or observed.wagers_in_doubt():
        return None
    ruled = _ruled(observed, case.book, case.game, case.improper, case.void_coupons)
    off, same_side = 0, True
    for key in ruled.owed.keys() | observed.paid.keys():
        owed, paid = ruled.owed.get(key), observed.paid.get(key, NOTHING_PAID)
        cents, vigorish = (owed.cents, owed.vigorish_cents) if owed is not None else (0, 0)
        if cents is None or vigorish is None:
            return None
        if owed is not None and owed.vigorish is not None and owed.vigorish.permits(paid.vigorish_cents):
            vigorish = paid.vigorish_cents
        same_side = same_side and (cents, vigorish) == (paid.cents, paid.vigorish_cents)
        off += paid.cents - cents + vigorish - paid.vigorish_cents
    return off if off or same_side else None


def _doubtful(observed: Round) -> list[Key]:
    in_doubt = observed.wagers_in_doubt()
    return [key for key in observed.wagers if key in in_doubt or not observed.money_known]


def not_in_force(observed: Round, chapter: str, reason: str) -> Conclusion:
    """Conclude that no text of the chapter was in force on the round's gaming date."""
    return conclude(
        observed,
        [refuse(chapter, reason)],
        outcome=None,
        expected=tuple(_expected(key, None, None) for key in observed.wagers),
        is_open=True,
        chapter=chapter,
    )


def _expected(key: Key, cents: int | None, vigorish_cents: int | None) -> Expected:
    return Expected(
        seat=key.seat,
        wager=key.wager,
        bettor=key.bettor,
        hand=key.hand,
        cents=cents,
        vigorish_cents=vigorish_cents,
    )


def conclude(
    observed: Round,
    raised: Sequence[Raised],
    *,
    outcome: str | None,
    expected: tuple[Expected, ...],
    is_open: bool,
    chapter: str,
    rulebook: str | None = None,
    thresholds: SeverityThresholds = BY_DEFAULT,
) -> Conclusion:
    """Weigh what the checks raised; money left open without a proven error leaves the round undetermined."""
    findings, notes = findings_and_notes(
        raised, f"{observed.day}|{observed.table}|{observed.number}", observed.day, thresholds
    )
    return ConclusionOf(  # called for every round, and the alias takes its time
        table=observed.table,
        round=observed.number,
        shoe=observed.shoe,
        gaming_date=observed.day,
        chapter=chapter,
        verdict=verdict_of(raised, is_open=is_open),
        outcome=outcome,
        expected=expected,
        findings=findings,
        notes=notes,
        rulebook=rulebook,
        lines=tuple(button_lines(observed.buttons)),
    )


def verdict_of(raised: Sequence[Raised], *, is_open: bool) -> Verdict:
    """Return the heaviest weight raised; `undetermined` if nothing is proven and money is open."""
    return heaviest(("undetermined" if is_open else "clean", *(each.weighs for each in raised)))


def heaviest(weights: Iterable[Verdict | Weight]) -> Verdict:
    """Return the heaviest of several answers: proven, else undecided, else clean."""
    found = set(weights)
    if "mismatch" in found:
        return "mismatch"
    return "undetermined" if "undetermined" in found else "clean"


def conclude_account(
    table: str,
    account: str,
    day: date,
    chapter: str,
    raised: Sequence[Raised],
    lines: Iterable[Line],
    thresholds: SeverityThresholds = BY_DEFAULT,
) -> Conclusion:
    """Return the conclusion of an account of a day, a table's or a ledger's, by what was raised of it."""
    findings, notes = findings_and_notes(raised, f"{day}|{table}|{account}", day, thresholds)
    return Conclusion(
        table=table,
        account=account,
        gaming_date=day,
        chapter=chapter,
        verdict=verdict_of(raised, is_open=False),
        outcome=None,
        expected=(),
        findings=findings,
        notes=notes,
        lines=tuple(lines),
    )


def findings_and_notes(
    raised: Sequence[Raised], about: str, day: date, thresholds: SeverityThresholds
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Part findings from notes, each with its identity."""
    if not raised:
        return (), ()
    found = identify(list(raised), about=about, day=day, thresholds=thresholds)
    identified = list(zip(raised, found, strict=True))
    return (
        tuple(finding for each, finding in identified if each.weighs != "note"),
        tuple(finding for each, finding in identified if each.weighs == "note"),
    )
