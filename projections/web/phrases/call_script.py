"""Call script: what is read to the floor of a round by telephone, what to do at each seat, and why."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final, Literal, TypeAlias

from msgspec import UNSET, Struct

from projections.casework.alerts.queues import Sum
from projections.engine.accounts.checks.shoe import round_of
from projections.engine.facts import Fact
from projections.engine.findings import FindingBase, wager_of
from projections.engine.games import game_of
from projections.engine.kinds import ANNOUNCED_WRONG
from projections.engine.observation import OUT_OF_PLAY, hand_name, key_of
from projections.views.finding_text import finding_text
from projections.views.table_picture import (
    LyingView,
    PicturePlace,
    called,
    counted,
    describe_piece,
    place_of,
    sums,
)
from projections.views.time_text import minute
from projections.views.wager_view import Spot
from projections.web.phrases.page_phrases import MONEY_WORDS, sums_in_words
from projections.web.phrases.table_markup import drawn_table
from projections.web.records.record_reader import spot as spot_of
from projections.web.records.record_views import RecordView
from schemas.ledgers import is_table, table_called
from schemas.values import dollars, in_words, short_dollars

# ── The call script of a round for the floor: what to do at each seat, and then why ──────────────────────
# It contains every wager that was not settled by the text, however many there are. It goes by seat, as the
# pit does: chips change hands there once, whatever the wagers and the findings are. The two sides stay
# separate, so that a script has the same sums as the row of the queue.


class Correction(Struct, frozen=True):
    """Money to change hands at a seat, with one bettor: what is owed there, and what was overpaid.

    Cents, neither below zero. Seat 0 is the dealer, who bets where a patron banks.
    """

    seat: int
    bettor: str | None
    owed_cents: int
    overpaid_cents: int

    @property
    def net_cents(self) -> int:
        """Return what is to be paid; below zero what is to be collected."""
        return self.owed_cents - self.overpaid_cents


class CallScript(Struct, frozen=True):
    """A round as it is read out: which it is, what to do at each seat, what that comes to, and why."""

    round: str
    acts: tuple[str, ...]
    sums: tuple[Sum, ...]
    why: str

    def read_out(self) -> str:
        """Return the whole script as one text, with the sums if there is more than one act.

        >>> CallScript("Round 4 at T-1, 20:15", (), (), "called void").read_out()
        'Round 4 at T-1, 20:15: called void.'
        >>> CallScript("Round 4 at T-1, 20:15", ("Seat 1: pay $5",), (), "called void").read_out()
        'Round 4 at T-1, 20:15. Seat 1: pay $5. Called void.'
        """
        if not self.acts:
            return f"{self.round}: {self.why}."
        total = [sums_in_words(self.sums)] if len(self.acts) > 1 else []
        return f"{'. '.join([self.round, *self.acts, *total])}. {self.reason}"

    @property
    def reason(self) -> str:
        """Return what came and why, as a sentence of its own."""
        return f"{self.why[:1].upper()}{self.why[1:]}."


def act_at(seat: int, corrections: Sequence[Correction]) -> str:
    """Return what to do at a seat: at once where it goes one way, else person by person.

    >>> act_at(1, [Correction(1, None, 126_100, 0)]), act_at(0, [Correction(0, None, 0, 5_350)])
    ('Seat 1: pay $1,261', 'Dealer: take back $53.50')
    >>> act_at(4, [Correction(4, None, 10_000, 2_500)])
    'Seat 4: pay $75 ($100 owed, $25 overpaid)'
    >>> act_at(1, [Correction(1, "A", 118_000, 0), Correction(1, "B", 8_100, 0)])
    'Seat 1: pay $1,261 (A $1,180, B $81)'
    >>> act_at(6, [Correction(6, "A", 9_000, 0), Correction(6, "B", 0, 12_000)])
    'Seat 6: pay A $90, take back $120 from B'
    """
    at = f"Seat {seat}" if seat else "Dealer"
    if len(corrections) == 1:
        (only,) = corrections
        both = only.owed_cents and only.overpaid_cents
        parts = (
            f" ({short_dollars(only.owed_cents)} owed, {short_dollars(only.overpaid_cents)} overpaid)"
            if both
            else ""
        )
        who = f" {only.bettor}" if only.bettor else ""
        return f"{at}{who}: {_act(only.net_cents)}{parts}"
    names = [each.bettor or "the player" for each in corrections]
    nets = [each.net_cents for each in corrections]
    if all(net > 0 for net in nets) or all(net < 0 for net in nets):
        each = ", ".join(f"{name} {short_dollars(abs(net))}" for name, net in zip(names, nets, strict=True))
        return f"{at}: {_act(sum(nets))} ({each})"
    ways = (
        f"pay {name} {short_dollars(net)}" if net > 0 else f"take back {short_dollars(-net)} from {name}"
        for name, net in zip(names, nets, strict=True)
        if net
    )
    return f"{at}: {', '.join(ways) or _act(0)}"


def acts(record: RecordView) -> tuple[str, ...]:
    """Return what to do at each seat of a round, in their order."""
    by_seat = groupby(corrections(record), key=lambda each: each.seat)
    return tuple(act_at(seat, list(at_seat)) for seat, at_seat in by_seat)


def _act(net: int) -> str:
    return (
        f"pay {short_dollars(net)}"
        if net > 0
        else f"take back {short_dollars(-net)}"
        if net
        else "nothing to pay"
    )


def corrections(record: RecordView) -> list[Correction]:
    """Return what must change hands at each seat of a round, in their order; empty if all is right."""
    found: dict[tuple[int, str | None], Correction] = {}
    for spot, cents in _wrong(record):
        at = spot.seat, spot.bettor
        correction = found.get(at, Correction(*at, 0, 0))
        owed, overpaid = correction.owed_cents + max(-cents, 0), correction.overpaid_cents + max(cents, 0)
        found[at] = Correction(*at, owed, overpaid)
    return [found[at] for at in sorted(found, key=lambda at: (at[0], at[1] or ""))]


def hand_sums(record: RecordView) -> tuple[Sum, ...]:
    """Return what a round's wagers come to, each side apart, what is owed to patrons first."""
    wrong = [cents for _, cents in _wrong(record)]
    owed, overpaid = [-cents for cents in wrong if cents < 0], [cents for cents in wrong if cents > 0]
    sums = Sum("house", sum(owed), len(owed)), Sum("patron", sum(overpaid), len(overpaid))
    return tuple(each for each in sums if each.count)


def spots_of(record: RecordView) -> Iterable[Spot]:
    """Return the wagers of a round, place by place."""
    return (spot for place in record.places for spot in place.wagers)


def _wrong(record: RecordView) -> Iterator[tuple[Spot, int]]:
    """Yield the wagers that were not settled as owed; those of which that is not certain are left out.

    It is certain where a sum is proven, whatever else of the wager is undetermined: a lost wager is lost with
    its coupon or without.
    """
    proven = {
        wager_of(each)
        for each in record.findings
        if each.weight == "mismatch" and each.net_cents is not UNSET
    }
    uncertain = {wager_of(each) for each in record.findings if each.weight == "undetermined"} - proven
    for spot in spots_of(record):
        if spot.net_cents and key_of(spot) not in uncertain:
            yield spot, spot.net_cents


# ── A round as it can be read to the floor over the telephone: what to do at each seat, and why ───────
# The reasons are the cards, each wager that was not settled as owed, some of those that were settled as the
# text permits though not as the house chose, other findings, and the number of the rest. It accuses nobody,
# and names persons only as far as its input does.

_UNSAID: Final = OUT_OF_PLAY | {"dead"}  # hands without a player
_Laid: TypeAlias = tuple[PicturePlace, Spot]  # a wager and its place
_Stands: TypeAlias = Literal["off", "within", "as owed", "open", "not seen"]
_MOST_PERMITTED: Final = 3  # of wagers that need no correction


def call_script_text(record: RecordView, zone: str) -> str:
    """Return a round in one line: where and when, what to do at each seat, what came, what was found."""
    return call_script(record, zone).read_out()


def call_script(record: RecordView, zone: str) -> CallScript:
    """Return the call script of a round.

    Findings on a hand that all play on or against come with the cards, because what is owed follows from
    them. Every wager that was not settled as owed is included. Of those that were settled as the text permits
    and need no correction, at most three are.
    """
    opened = f", {minute(record.at, zone)}" if record.at is not None else ""
    common = [finding for finding in record.findings if _is_common(finding, record)]
    rest = [finding for finding in record.findings if finding not in common]
    why = "; ".join([_came(record), *_found(record, common), *_settled(record), *_found(record, rest)])
    return CallScript(f"Round {record.round} at {record.table}{opened}", acts(record), hand_sums(record), why)


# ── what came ────────────────────────────────────────────────────────────────────────────────────────


def _came(record: RecordView) -> str:
    if ("dealer", "void") in record.play:
        return "called void"
    common = [place for place in record.places if not place.title.startswith("Seat ")]
    phrases = [phrase for phrase in map(_lies, common) if phrase]
    if phrases and record.counts_all:
        phrases[-1] += " by all cards seen"
    if game_of(record.chapter).calls:
        # A dealer's count is the result of his game, and is included already.
        if record.outcome is None:
            phrases.append("result open")
        elif record.outcome not in {counted(hand) for place in common for hand in place.hands}:
            phrases.append(f"result {in_words(record.outcome)}")
        found = any(
            finding.check == ANNOUNCED_WRONG.check for finding in record.findings
        )  # which comes later
        if record.announced not in (None, record.outcome) and not found:
            phrases.append(f"announced {in_words(record.announced)}")
    return ", ".join(phrases) or "nothing was seen"


def _lies(place: PicturePlace) -> str:
    """Return what the hands of a common place came to: the faces of dice, the counts of anything else."""
    played = [hand for hand in place.hands if hand_name(hand.hand).place not in _UNSAID]
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
        f"{half} hand {count}" if (half := hand_name(hand.hand).part).isalpha() else count
        for hand in hands
        if (count := counted(hand))
    )


# ── the money ────────────────────────────────────────────────────────────────────────────────────────


def _settled(record: RecordView) -> Iterator[str]:
    wagers: dict[_Stands, list[_Laid]] = defaultdict(list)
    for place in record.places:
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
    """Yield the wagers whose vigorish was rounded as the text permits, and not as the house chose."""
    for place, spot in within[:most]:
        yield f"{_laid(place, spot)} {_paid_within(spot)}, {_by(spot)}: nothing to put right"
    for by, unsaid in Counter(_by(spot) for _, spot in within[most:]).items():
        yield f"{_wagers(unsaid, other=True)} settled {by}"


def differs(spot: Spot) -> bool:
    """Return True if what was paid, or taken as vigorish, is known not to be as the text has it."""
    return any(spot.against_the_rule)


def _wagers(count: int, *, other: bool = False) -> str:
    return f"{count} {'other ' if other else ''}wager{'' if count == 1 else 's'}"


def _wager(place: PicturePlace, spot: Spot) -> str:
    """Return the phrase for a wager not settled as owed, with the hand that it rode on if the seat has one.

    >>> place, owed = PicturePlace("Seat 3", (), ()), {"coupon_cents": 0, "coupon": None, "hand": None}
    >>> righted = dict.fromkeys(("righted_cents", "righted_vigorish_cents", "later_cents"), 0)
    >>> banker = Spot(**owed, **righted, later_vigorish_cents=0, seat=3, bettor=None, wager="banker",
    ...     cents=10000, owed_cents=10000, owed_vigorish_cents=500, paid_cents=10000,
    ...     paid_vigorish_cents=0, difference_cents=0, vigorish_difference_cents=-500, favours="patron",
    ...     steps=())
    >>> _wager(place, banker)
    'seat 3 banker $100.00 was paid $100.00, $95.00 is owed after vigorish'
    """
    return f"{_laid(place, spot)} {_paid(spot)}, {_owed(spot)}"


def _laid(place: PicturePlace, spot: Spot) -> str:
    """Return a wager and its stake, with the hand that it depended on."""
    who = place_of(f"seat{spot.seat}" if spot.seat else "dealer")
    who = who[0].lower() + who[1:] + (f" {spot.bettor}" if spot.bettor else "")
    of = f" hand {hand_name(spot.hand).part or 1}" if spot.hand else ""
    counts = _counts(hand for hand in place.hands if _plays(hand.hand, spot))
    counted = f" with {counts}," if counts else ""
    coupon = f" and a coupon of {dollars(spot.coupon_cents)}" if spot.coupon_cents else ""
    chips = dollars(spot.cents) if spot.cents or not coupon else "no chips"
    return f"{who}{of}{counted} {in_words(spot.wager)} {chips}{coupon}"


def _plays(hand: str, spot: Spot) -> bool:
    """Return True if a wager is on a hand: on its own, else on the seat's first, or both halves of it."""
    if spot.hand is not None:
        return hand == spot.hand
    return not hand_name(hand).part.isdigit()


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

    If the wager was returned, it is what was deducted.
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


def _is_common(finding: FindingBase[Fact], record: RecordView) -> bool:
    """Return True if a finding is proven of a hand at a common place: the dealer's, the Banker's."""
    places = {place.title for place in record.places if not place.title.startswith("Seat ")}
    return finding.weight == "mismatch" and isinstance(finding.who, str) and place_of(finding.who) in places


def _found(record: RecordView, findings: Iterable[FindingBase[Fact]]) -> Iterator[str]:
    """Yield the text of each finding that is not the difference of a wager already reported or counted."""
    differing = {key_of(spot) for place in record.places for spot in place.wagers if differs(spot)}
    for finding in findings:
        if not (isinstance(finding.expected_cents, int) and wager_of(finding) in differing):
            open_ = "undetermined, " if finding.weight == "undetermined" else ""
            yield open_ + finding_text(finding)


# ── The functions by which the templates of a hand describe the table and the payments ────────────────

HAND_WORDS: Final[dict[str, Callable[..., Any]]] = MONEY_WORDS | {
    "call_script": call_script,
    "called": called,
    "counted": counted,
    "differs": differs,
    "is_table": is_table,
    "describe_piece": describe_piece,
    "drawn_table": drawn_table,
    "round_of": round_of,
    "sums": sums,
    "table_called": table_called,
    "weighed": spot_of,
}
