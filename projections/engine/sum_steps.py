"""The steps of a sum: how the cents owed on a wager come about, each step with its provision."""

from msgspec import Struct

from projections.engine.adjudication import Reckoning
from projections.engine.facts import Cents, Word, fact
from projections.engine.findings import Step
from projections.engine.observation import Key
from schemas.rulebook import Rulebook


class Summand(Struct, frozen=True, gc=False):
    """A step, and the cents that it adds to what the player is owed, vigorish taken off."""

    step: Step
    adds: int = 0


def steps_of(key: Key, reckoning: Reckoning, book: Rulebook) -> tuple[Step, ...]:
    """Return how a wager's gain and vigorish were reckoned; nothing where the money is open."""
    return tuple(each.step for each in summands_of(key, reckoning, book))


def summands_of(key: Key, reckoning: Reckoning, book: Rulebook) -> tuple[Summand, ...]:
    """Return the steps as `steps_of` does, so that what they add makes the gain less the vigorish."""
    ruled = reckoning.ruling
    if reckoning.cents is None or ruled is None:
        return ()
    wager = Word(key[2])
    steps = []
    if key[2] in book.wagers:  # what is due without a wager has no stake
        steps.append(
            Summand(
                Step(fact("engine.chips_wagered", wager=wager), book.clauses["wagers"][0], reckoning.stake)
            )
        )
    if reckoning.added is not None:
        steps.append(Summand(reckoning.added))
    if reckoning.coupon:
        steps.append(Summand(Step(fact("engine.coupon_under_it"), "603a.21(b)", reckoning.coupon)))
    steps += [Summand(step) for step in ruled.because]
    if ruled.result == "push":
        gain = Step(ruled.says or fact("engine.returned", wager=wager), ruled.cite, reckoning.cents)
    elif ruled.result == "lose":
        gain = Step(ruled.says or fact("engine.loses", wager=wager), ruled.cite, reckoning.cents)
    elif ruled.odds is None:  # what it brings is no multiple of the stake
        gain = Step(ruled.says or fact("engine.wins", wager=wager), ruled.cite, reckoning.cents)
    else:
        steps.append(Summand(Step(ruled.says or fact("engine.wins", wager=wager), ruled.cite)))
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
    says = fact(
        "engine.vigorish_of",
        percent=taken.rate.numerator * 100 // taken.rate.denominator,
        basis=Cents(taken.basis),
        of=taken.of,
        is_dropped=int(taken.fraction),
    )
    steps = [Summand(Step(says, taken.cite, taken.exact), -taken.exact)]
    if taken.expected != taken.exact:
        rounded = Step(fact("engine.rounded_up"), taken.rounding_cite or taken.cite, taken.expected)
        steps.append(Summand(rounded, taken.exact - taken.expected))
    return steps
