"""Adjudication of a round by its game: who won, what each wager is owed and why, and each sum's steps."""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from projections.engine.facts import Cents, Fact, Word, fact
from projections.engine.findings import Kind, Step
from projections.engine.observation import Key, Wager
from schemas.rulebook import Rulebook

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# A game's adjudication of a round: who won, what each wager is owed and why, and which cards were wrong. The
# form is the same for every game; `projections.engine.games` holds the games.

Result: TypeAlias = Literal["win", "lose", "push"]


class Defect(Struct, frozen=True, gc=False):
    """A card, an act or a stake that the rules did not allow, or asked for in vain."""

    kind: Kind
    message: Fact
    cites: tuple[str, ...]
    who: str | None = None
    seat: int | None = None
    wager: str | None = None
    bettor: str | None = None
    hand: str | None = None

    @property
    def check(self) -> str:
        """Return the name of the check that raises it."""
        return self.kind.check


class Ruling(Struct, frozen=True, gc=False):
    """Decision of one kind of wager by the play, and the odds at which it is paid if it wins.

    `reason` describes it if there is more than winning, losing and returning. `because` are the steps by
    which the play led to it, if its cards or tiles do not count as they lay.
    """

    result: Result
    cite: str
    odds: Fraction | None = None
    odds_cite: str | None = None
    reason: Fact | None = None
    because: tuple[Step, ...] = ()


class Vigorish(Struct, frozen=True, gc=False):
    """Vigorish on an amount by the law: expected by the house's choice, exact, rounded; in cents.

    `exact` has lost a fraction of a cent if `fraction` is true. `basis` is the amount that it is computed
    from, won or wagered (`of`). `unit` is the multiple up to which it may be rounded. `rounding_cite` is the
    clause for rounding if it is not `cite`.
    """

    expected: int
    exact: int
    rounded: int
    fraction: bool
    basis: int
    rate: Fraction
    unit: int
    cite: str
    rounding_cite: str | None = None
    of: Literal["won", "wagered"] = "won"

    def permits(self, cents: int) -> bool:
        """Return True if the text permits taking so much, whichever way the house chose."""
        return cents in (self.exact, self.rounded)


def vigorish_of(
    amount: int,
    rate: Fraction,
    unit: int,
    *,
    rounds: bool,
    cite: str,
    rounding_cite: str | None = None,
    of: Literal["won", "wagered"] = "won",
) -> Vigorish:
    """Compute the vigorish on an amount, in cents: rounded up to a multiple of `unit`, or exact.

    An exact multiple is not changed. Without rounding, a fraction of a cent is dropped.

    >>> taken = vigorish_of(1050, Fraction(5, 100), 25, rounds=False, cite="535.10(k)")
    >>> taken.expected, taken.rounded, taken.fraction
    (52, 75, True)
    >>> vigorish_of(1000, Fraction(5, 100), 25, rounds=True, cite="535.10(k)").fraction
    False
    """
    exact, remainder = divmod(amount * rate.numerator, rate.denominator)
    rounded = -(-amount * rate.numerator // (rate.denominator * unit)) * unit
    return Vigorish(
        expected=rounded if rounds else exact,
        exact=exact,
        rounded=rounded,
        fraction=remainder != 0,
        basis=amount,
        rate=rate,
        unit=unit,
        cite=cite,
        rounding_cite=rounding_cite,
        of=of,
    )


class Reckoning(Struct, frozen=True, gc=False):
    """Amount owed on a wager: the player's gain in cents before vigorish, and the figures behind it.

    `cents` is None if no text decides it, or if it depends on a card that was not read. `pending` is true if
    it only depends on play still to come, which is noted. `silent` is what no text decides if that leaves the
    money open, with the closest provision. `added` is what joined the `stake` after it was made, `untaxed`
    the part of both that bears no vigorish.
    """

    cents: int | None
    ruling: Ruling | None = None
    stake: int = 0
    added: Step | None = None
    coupon: int = 0
    fraction: bool = False
    vigorish: Vigorish | None = None
    pending: bool = False
    untaxed: int = 0
    silent: Step | None = None

    @property
    def vigorish_cents(self) -> int | None:
        """The vigorish owed, in cents; None if the money itself is."""
        if self.cents is None:
            return None
        return self.vigorish.expected if self.vigorish is not None else 0


UNDECIDED = Reckoning(cents=None)


def gain_of(ruled: Ruling, stake: int, coupon: int, coupon_odds: Fraction | None = None) -> tuple[int, bool]:
    """Return the player's gain on a stake in cents, before vigorish, and whether a fraction was dropped.

    `coupon` is the value of a coupon that counts (603a.21); a lost one costs nothing. A winning one is paid
    at the wager's odds if it has no other `coupon_odds`. The texts are silent about fractions.

    >>> gain_of(Ruling("win", "685a.7(i)(1)", Fraction(3, 2), "685a.11(a)"), 1501, 0)
    (2251, True)
    """
    if ruled.result == "lose":
        return -stake, False
    if ruled.result == "push" or ruled.odds is None:
        return 0, False
    odds = ruled.odds
    gain, unit = (stake + coupon if coupon_odds is None else stake) * odds.numerator, odds.denominator
    if coupon and coupon_odds is not None:
        gain = gain * coupon_odds.denominator + coupon * coupon_odds.numerator * unit
        unit *= coupon_odds.denominator
    cents, rest = divmod(gain, unit)
    return cents, rest != 0


@lru_cache(maxsize=1 << 12)
def reckon(ruled: Ruling, cents: int, coupon: int, coupon_odds: Fraction | None = None) -> Reckoning:
    """Compute what a wager is owed by its gain (`gain_of`).

    >>> reckon(Ruling("win", "685a.7(i)(1)", Fraction(3, 2), "685a.11(a)"), 1501, 0).cents
    2251
    >>> reckon(Ruling("win", "631a.13(a)", Fraction(11)), 1000, 500, Fraction(1)).cents
    11500
    """
    gain, is_cut = gain_of(ruled, cents, coupon, coupon_odds)
    return Reckoning(gain, ruled, cents, coupon=coupon, fraction=is_cut)


def agreed(ways: Sequence[Reckoning]) -> Reckoning:
    """Return what every way in which a wager may be decided gives; open if they differ in money, or none is.

    Which of them it was nobody knows, so none is the reason unless all have the same.

    >>> lost = [Reckoning(-500, Ruling("lose", "1", reason=fact(code))) for code in "ab"]
    >>> agreed(lost).cents, agreed(lost).ruling.reason, agreed(lost[:1]).ruling.reason.code
    (-500, None, 'a')
    >>> agreed([*lost, Reckoning(500)]).cents, agreed([]).cents
    (None, None)
    """
    if len(ways) == 1:
        return ways[0]
    if len({(each.cents, each.vigorish_cents) for each in ways}) != 1:
        return UNDECIDED
    ruling = ways[0].ruling
    if ruling is None or len({each.ruling.reason if each.ruling is not None else None for each in ways}) == 1:
        return ways[0]
    return replace(ways[0], ruling=replace(ruling, reason=None))


def silent_on(reason: Fact, cite: str) -> Reckoning:
    """Return a reckoning that leaves a wager's money open because no text decides it.

    >>> silent_on(Fact("games.paigow.co_bank_odd_cent"), "535.11(r)").cents
    """
    return Reckoning(cents=None, silent=Step(reason, cite))


def returned(
    wagers: Mapping[Key, Wager], ruled: Ruling, improper: Collection[Key], void_coupons: Collection[Key]
) -> dict[Key, Reckoning]:
    """Return what each wager of a void round is owed: its stake, whole. That of `improper` ones is left open.

    >>> seat, void = Key(1, None, "tie", None), Ruling("push", "631a.15(e)")
    >>> due = returned({seat: Wager(2500)}, void, (), ())[seat]
    >>> due.cents, due.stake
    (0, 2500)
    """
    return {
        key: UNDECIDED
        if key in improper
        else Reckoning(0, ruled, wager.cents, coupon=0 if key in void_coupons else wager.coupon_cents)
        for key, wager in wagers.items()
    }


class Adjudication(Struct, gc=False):
    """A game's judgement of one round.

    `owed` has an entry for each wager, and for what is due without one. `calls` are the announcements that
    are right or that the text leaves undecided; it is empty if none can be judged. `uncertain` is true if an
    unread card, or acts too close in time, decide whether the round was played correctly. `unseen` names what
    was not seen if the money depends on it. `point_counts` are the final Point Counts by hand that can be
    right; a card that was not read leaves several.
    """

    outcome: str | None
    owed: dict[Key, Reckoning]
    calls: Collection[str] = ()
    defects: tuple[Defect, ...] = ()
    uncertain: bool = False
    unseen: tuple[Fact, ...] = ()
    point_counts: Mapping[str, Collection[int]] = {}


# ── The steps of a sum: how the cents owed on a wager come about, each step with its provision ────────


class Summand(Struct, frozen=True, gc=False):
    """A step, and the cents that it adds to what the player is owed, vigorish taken off."""

    step: Step
    adds: int = 0


def steps_of(key: Key, reckoning: Reckoning, book: Rulebook) -> tuple[Step, ...]:
    """Return the steps by which a wager's gain and vigorish were computed; empty if the money is open."""
    return tuple(each.step for each in summands_of(key, reckoning, book))


def summands_of(key: Key, reckoning: Reckoning, book: Rulebook) -> tuple[Summand, ...]:
    """Return the steps as `steps_of` does, so that what they add makes the gain less the vigorish."""
    ruled = reckoning.ruling
    if reckoning.cents is None or ruled is None:
        return ()
    wager = Word(key.wager)
    steps = []
    approval = book.approval(key.wager)
    if approval is not None or key.wager in book.wagers:  # what is due without a wager has no stake
        cite = book.clauses["wagers"][0] if approval is None else approval
        steps.append(Summand(Step(fact("engine.chips_wagered", wager=wager), cite, reckoning.stake)))
    if reckoning.added is not None:
        steps.append(Summand(reckoning.added))
    if reckoning.coupon:
        steps.append(Summand(Step(fact("engine.coupon_under_it"), "603a.21(b)", reckoning.coupon)))
    steps += [Summand(step) for step in ruled.because]
    if ruled.result == "push":
        gain = Step(ruled.reason or fact("engine.returned", wager=wager), ruled.cite, reckoning.cents)
    elif ruled.result == "lose":
        gain = Step(ruled.reason or fact("engine.loses", wager=wager), ruled.cite, reckoning.cents)
    elif ruled.odds is None:  # what it brings is no multiple of the stake
        gain = Step(ruled.reason or fact("engine.wins", wager=wager), ruled.cite, reckoning.cents)
    else:
        steps.append(Summand(Step(ruled.reason or fact("engine.wins", wager=wager), ruled.cite)))
        paid = fact(
            "engine.paid_at",
            odds=ruled.odds.numerator,
            to=ruled.odds.denominator,
            is_dropped=int(reckoning.fraction),
        )
        gain = Step(paid, ruled.odds_cite or ruled.cite, reckoning.cents)
    return (*steps, Summand(gain, reckoning.cents), *_vigorish(reckoning))


def _vigorish(reckoning: Reckoning) -> list[Summand]:
    taken = reckoning.vigorish
    if taken is None:
        return []
    message = fact(
        "engine.vigorish_of",
        percent=taken.rate.numerator * 100 // taken.rate.denominator,
        basis=Cents(taken.basis),
        of=taken.of,
        is_dropped=int(taken.fraction),
    )
    steps = [Summand(Step(message, taken.cite, taken.exact), -taken.exact)]
    if taken.expected != taken.exact:
        rounded = Step(fact("engine.rounded_up"), taken.rounding_cite or taken.cite, taken.expected)
        steps.append(Summand(rounded, taken.exact - taken.expected))
    return steps
