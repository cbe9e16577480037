"""The steps of a sum: how the cents owed on a wager come about, each step with its provision."""

from fractions import Fraction

from msgspec import Struct

from projections.hand.adjudication import Reckoning
from projections.hand.facts import verbatim
from projections.hand.findings import Step
from projections.hand.round import Key
from schemas.rulebook import Rulebook
from schemas.values import dollars, in_words


class Summand(Struct, frozen=True, gc=False):
    """A step, and the cents that it adds to what the player is owed, vigorish taken off."""

    step: Step
    adds: int = 0


def steps_of(key: Key, reckoning: Reckoning, book: Rulebook) -> tuple[Step, ...]:
    """Tell how a wager's gain and vigorish were reckoned; nothing where the money is open."""
    return tuple(each.step for each in summands_of(key, reckoning, book))


def summands_of(key: Key, reckoning: Reckoning, book: Rulebook) -> tuple[Summand, ...]:
    """Tell the steps as `steps_of` does, so that what they add makes the gain less the vigorish."""
    ruled = reckoning.ruling
    if reckoning.cents is None or ruled is None:
        return ()
    wager = in_words(key[2])
    steps = []
    if key[2] in book.wagers:  # what is due without a wager has no stake
        steps.append(
            Summand(Step(verbatim(f"{wager}: chips wagered"), book.clauses["wagers"][0], reckoning.stake))
        )
    if reckoning.added is not None:
        steps.append(Summand(reckoning.added))
    if reckoning.coupon:
        steps.append(Summand(Step(verbatim("Match Play Coupon under it"), "603a.21(b)", reckoning.coupon)))
    steps += [Summand(step) for step in ruled.because]
    if ruled.result == "push":
        gain = Step(ruled.says or verbatim(f"{wager} is returned"), ruled.cite, reckoning.cents)
    elif ruled.result == "lose":
        gain = Step(
            ruled.says or verbatim(f"{wager} loses: the chips are collected"), ruled.cite, reckoning.cents
        )
    elif ruled.odds is None:  # what it brings is no multiple of the stake
        gain = Step(ruled.says or verbatim(f"{wager} wins"), ruled.cite, reckoning.cents)
    else:
        steps.append(Summand(Step(ruled.says or verbatim(f"{wager} wins"), ruled.cite)))
        paid = f"paid at {_odds(ruled.odds)}{_dropped(reckoning.fraction)}"
        gain = Step(verbatim(paid), ruled.odds_cite or ruled.cite, reckoning.cents)
    return (*steps, Summand(gain, reckoning.cents), *_vigorish(reckoning))


def _vigorish(reckoning: Reckoning) -> list[Summand]:
    taken = reckoning.vigorish
    if taken is None:
        return []
    percent = f"{taken.rate.numerator * 100 // taken.rate.denominator}%"
    says = f"vigorish {percent} of {dollars(taken.basis)} {taken.of}{_dropped(taken.fraction)}"
    steps = [Summand(Step(verbatim(says), taken.cite, taken.exact), -taken.exact)]
    if taken.expected != taken.exact:
        rounded = Step(
            verbatim("rounded up as the house chose"), taken.rounding_cite or taken.cite, taken.expected
        )
        steps.append(Summand(rounded, taken.exact - taken.expected))
    return steps


def _odds(odds: Fraction) -> str:
    return f"{odds.numerator} to {odds.denominator}"


def _dropped(fraction: bool) -> str:  # noqa: FBT001  a word for a sentence, chosen by the only thing there is to say
    return ", a fraction of a cent dropped" if fraction else ""
