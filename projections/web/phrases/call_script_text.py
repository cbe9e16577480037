"""A round as it can be read to the floor over the telephone: what to do at each seat, and why.

Why is what came, each wager that was not settled as owed, some of those that were settled as the text permits
though not as the house chose, whatever else was found, and the rest by their number. It accuses nobody, and
names persons only as far as what it is made from does.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, Literal, TypeAlias

from projections.engine.checks.announced import ANNOUNCED_WRONG
from projections.engine.facts import Fact
from projections.engine.findings import FindingBase, wager_of
from projections.engine.games import game_of
from projections.engine.observation import ASIDE, key_of
from projections.views.finding_text import finding_text
from projections.views.layout.picture_text import LyingView, counted, place_of
from projections.views.layout.table_picture import Place
from projections.views.wager_view import Spot
from projections.web.phrases.call_script import CallScript, acts, hand_sums
from projections.web.phrases.page_phrases import minute
from projections.web.records.record_views import Told
from schemas.values import dollars, in_words

_UNSAID: Final = ASIDE | {"dead"}  # hands that nobody plays
_Laid: TypeAlias = tuple[Place, Spot]  # a wager and where it lies
_Stands: TypeAlias = Literal["off", "within", "as owed", "open", "not seen"]
_MOST_PERMITTED: Final = 3  # of wagers of which nothing is to be put right


def saying(told: Told, zone: str) -> str:
    """Say a round: where and when, what to do at each seat, what came, and what was found."""
    return call_script(told, zone).says()


def call_script(told: Told, zone: str) -> CallScript:
    """Return a round as it is read out.

    What was found of a hand that all play on or against stands with what came: what is owed follows from it.
    Every wager that was not settled as owed is told; of those that were settled as the text permits, and of
    which nothing is to be put right, three at most.
    """
    opened = f", {minute(told.at, zone)}" if told.at is not None else ""
    common = [finding for finding in told.findings if _is_common(finding, told)]
    rest = [finding for finding in told.findings if finding not in common]
    why = "; ".join([_came(told), *_found(told, common), *_settled(told), *_found(told, rest)])
    return CallScript(f"Round {told.round} at {told.table}{opened}", acts(told), hand_sums(told), why)


# ── what came ────────────────────────────────────────────────────────────────────────────────────────


def _came(told: Told) -> str:
    if ("dealer", "void") in told.play:
        return "called void"
    common = [place for place in told.places if not place.title.startswith("Seat ")]
    says = [said for said in map(_lies, common) if said]
    if says and told.counts_all:
        says[-1] += " by all cards seen"
    if game_of(told.chapter).calls:
        # A dealer's count is the result of his game, and is said already.
        if told.outcome is None:
            says.append("result open")
        elif told.outcome not in {counted(hand) for place in common for hand in place.hands}:
            says.append(f"result {in_words(told.outcome)}")
        found = any(
            finding.check == ANNOUNCED_WRONG.check for finding in told.findings
        )  # which is said later
        if told.announced not in (None, told.outcome) and not found:
            says.append(f"announced {in_words(told.announced)}")
    return ", ".join(says) or "nothing was seen"


def _lies(place: Place) -> str:
    """Return what the hands of a common place came to: the faces of dice, the counts of anything else."""
    played = [hand for hand in place.hands if hand.hand.partition(".")[0] not in _UNSAID]
    rolls = [piece.face for hand in played for piece in hand.pieces if piece.kind == "dice"]
    if rolls:
        return f"dice {', '.join(roll or 'not seen' for roll in rolls)}"
    counts = _counts(played)
    return f"{place.title} {counts}" if counts else ""


def _counts(hands: Iterable[LyingView]) -> str:
    """Return what hands came to, each half of a hand that was set in two by its name.

    >>> _counts([LyingView("seat1.high", (), "Gong, rank 20"), LyingView("seat1.low", (), "value 8")])
    'high hand Gong, rank 20 and low hand value 8'
    """
    return " and ".join(
        f"{half} hand {count}" if (half := hand.hand.partition(".")[2]).isalpha() else count
        for hand in hands
        if (count := counted(hand))
    )


# ── the money ────────────────────────────────────────────────────────────────────────────────────────


def _settled(told: Told) -> Iterator[str]:
    wagers: dict[_Stands, list[_Laid]] = defaultdict(list)
    for place in told.places:
        for spot in place.wagers:
            wagers[_stands(spot)].append((place, spot))
    off, within = wagers["off"], wagers["within"]
    yield from (_wager(place, spot) for place, spot in off)
    yield from _within(within, max(0, _MOST_PERMITTED - len(off)))
    if settled := len(wagers["as owed"]):
        yield f"{_wagers(settled, other=bool(off or within))} settled as owed"
    if undecided := len(wagers["open"]):
        yield f"{_wagers(undecided)} left open"
    if unseen := len(wagers["not seen"]):
        yield f"the settlement of {_wagers(unseen)} not seen"
    if not any(wagers.values()):
        yield "no wager seen"


def _stands(spot: Spot) -> _Stands:
    """Return how a wager stands: settled against the rule, as the rule permits, as owed, or not known."""
    if differs(spot):
        return "off"
    if spot.permitted_by is not None:
        return "within"
    if spot.owed_cents is None:
        return "open"
    return "not seen" if spot.paid_cents is None else "as owed"


def _within(within: list[_Laid], most: int) -> Iterator[str]:
    """Say wagers whose vigorish was rounded as the text permits, and not as the house chose."""
    for place, spot in within[:most]:
        yield f"{_laid(place, spot)} {_paid_within(spot)}, {_by(spot)}: nothing to put right"
    for by, unsaid in Counter(_by(spot) for _, spot in within[most:]).items():
        yield f"{_wagers(unsaid, other=True)} settled {by}"


def differs(spot: Spot) -> bool:
    """Return True if what was paid, or taken as vigorish, is known not to be as the text has it."""
    return any(spot.against_the_rule)


def _wagers(count: int, *, other: bool = False) -> str:
    return f"{count} {'other ' if other else ''}wager{'' if count == 1 else 's'}"


def _wager(place: Place, spot: Spot) -> str:
    """Say a wager that was not settled as owed, with the hand that it hung on where the seat has one.

    >>> place, owed = Place("Seat 3", (), ()), {"coupon_cents": 0, "coupon": None, "hand": None}
    >>> righted = dict.fromkeys(("righted_cents", "righted_vigorish_cents", "later_cents"), 0)
    >>> banker = Spot(**owed, **righted, later_vigorish_cents=0, seat=3, bettor=None, wager="banker",
    ...     cents=10000, owed_cents=10000, owed_vigorish_cents=500, paid_cents=10000,
    ...     paid_vigorish_cents=0, difference_cents=0, vigorish_difference_cents=-500, favours="patron",
    ...     steps=())
    >>> _wager(place, banker)
    'seat 3 banker $100.00 was paid $100.00, $95.00 is owed after vigorish'
    """
    return f"{_laid(place, spot)} {_paid(spot)}, {_owed(spot)}"


def _laid(place: Place, spot: Spot) -> str:
    """Return a wager and what lay on it, with the hand that it hung on."""
    who = place_of(f"seat{spot.seat}" if spot.seat else "dealer")
    who = who[0].lower() + who[1:] + (f" {spot.bettor}" if spot.bettor else "")
    of = f" hand {spot.hand.partition('.')[2] or 1}" if spot.hand else ""
    counts = _counts(hand for hand in place.hands if _plays(hand.hand, spot))
    held = f" with {counts}," if counts else ""
    coupon = f" and a coupon of {dollars(spot.coupon_cents)}" if spot.coupon_cents else ""
    chips = dollars(spot.cents) if spot.cents or not coupon else "no chips"
    return f"{who}{of}{held} {in_words(spot.wager)} {chips}{coupon}"


def _plays(hand: str, spot: Spot) -> bool:
    """Return True if a wager hangs on a hand: on its own, else on the seat's first, or both halves of it."""
    if spot.hand is not None:
        return hand == spot.hand
    return not hand.partition(".")[2].isdigit()


def _paid(spot: Spot) -> str:
    gain, vigorish = spot.paid_cents or 0, spot.paid_vigorish_cents or 0
    if differs(spot) and gain - vigorish == _owed_net(spot):  # the two differences make up for each other
        return f"was settled at {_apart(gain, vigorish)}"
    if gain == vigorish == 0:
        return "was returned"
    if gain - vigorish < 0:
        return f"had {dollars(vigorish - gain)} collected"
    return f"was paid {dollars(gain - vigorish)}"


def _paid_within(spot: Spot) -> str:
    """Return what was paid, with the vigorish taken of it.

    Where the wager was returned, what was kept of it.
    """
    vigorish = f"{dollars(spot.paid_vigorish_cents or 0)} of vigorish"
    return f"{_paid(spot)} after {vigorish}" if spot.paid_cents else f"was returned less {vigorish}"


def _by(spot: Spot) -> str:
    return f"within the rule ({spot.permitted_by})"


def _owed(spot: Spot) -> str:
    gain, vigorish = spot.owed_cents or 0, _owed_vigorish(spot)
    if gain - vigorish == (spot.paid_cents or 0) - (spot.paid_vigorish_cents or 0):
        return f"by the rule it is {_apart(gain, vigorish)}"
    after = " after vigorish" if vigorish else " without vigorish" if spot.paid_vigorish_cents else ""
    if spot.permitted_by is not None:
        after = f" after {dollars(vigorish)} of vigorish, {_by(spot)}"
    if gain == vigorish == 0:
        return f"it is to be returned{after}" if spot.cents else "nothing is owed"
    if gain - vigorish < 0:
        return f"{dollars(vigorish - gain)} is to be collected{after}"
    return f"{dollars(gain - vigorish)} is owed{after}"


def _owed_net(spot: Spot) -> int:
    return (spot.owed_cents or 0) - _owed_vigorish(spot)


def _owed_vigorish(spot: Spot) -> int:
    """Return the vigorish by the rule: what was taken if the text permits it, else what the house chose."""
    taken = spot.permitted_by is not None
    return (spot.paid_vigorish_cents if taken else spot.owed_vigorish_cents) or 0


def _apart(gain: int, vigorish: int) -> str:
    return f"a gain of {dollars(gain)} and {dollars(vigorish)} of vigorish"


# ── what else was found ──────────────────────────────────────────────────────────────────────────────


def _is_common(finding: FindingBase[Fact], told: Told) -> bool:
    """Return True if a finding is proven of a hand at a common place: the dealer's, the Banker's."""
    places = {place.title for place in told.places if not place.title.startswith("Seat ")}
    return finding.weight == "mismatch" and isinstance(finding.who, str) and place_of(finding.who) in places


def _found(told: Told, findings: Iterable[FindingBase[Fact]]) -> Iterator[str]:
    """Say each finding that is not the difference of a wager that was said, or counted, already."""
    said = {key_of(spot) for place in told.places for spot in place.wagers if differs(spot)}
    for finding in findings:
        if not (isinstance(finding.expected_cents, int) and wager_of(finding) in said):
            open_ = "undetermined, " if finding.weight == "undetermined" else ""
            yield open_ + finding_text(finding)
