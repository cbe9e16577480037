"""Chapter 551, Spanish 21: the game as the audit asks for it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import ClassVar, Final

from projections.engine.adjudication import UNDECIDED, Adjudication, Defect, Ruling, returned
from projections.engine.facts import fact
from projections.engine.game import Discards, Game, Laid, Reason
from projections.engine.games.blackjack.dealer_hand import DealerHand
from projections.engine.games.blackjack.hands import PAIR, act_fault, first_hand, matches, up_card
from projections.engine.games.blackjack.manner import KINDS
from projections.engine.games.blackjack.player_hand import REFUSE, near_doubts
from projections.engine.games.blackjack.side_endings import PARTS, side_endings
from projections.engine.games.blackjack.stakes import (
    DOUBLE,
    INSURANCE,
    MATCH,
    hand_of,
    insured_after,
    stake_faults,
)
from projections.engine.games.spanish21 import narrative
from projections.engine.games.spanish21.play import TEN_RANK, PlayedRound, decided, judge_play
from projections.engine.games.spanish21.rules import Rules, rules_of
from projections.engine.games.spanish21.wagers import (
    FIXED_PAYOUT,
    NOT_DEALT_TO,
    fixed_payouts,
    hand_rulings,
    insurance,
    match_the_dealer,
    reckon,
)
from projections.engine.kinds import LATE_WAGER, VOID_NOT_CALLED
from projections.engine.observation import Doubt, Key, Round
from projections.engine.side_wagers import Ending
from schemas.rulebook import Rulebook
from schemas.values import CARDS

WAGER: Final = "wager"
_WORDS: Final = ("stand", "draw", "double", "split", "surrender", "rescue", "dead", REFUSE)
_DEALER_WORDS: Final = ("no_more_bets", "void")
_INSURED_UNTIL: Final = ("551.10(b)",)
_TOTALS: Final = tuple(str(total) for total in range(4, 22))
_VOID: Final = Ruling("push", "551.16(b)", reason=fact("games.spanish21.wager_of_void_round"))
_VOIDED: Final = Ruling("push", "551.16(a)", reason=fact("games.spanish21.wager_of_round_called_void"))
_TENS_MISREAD: Final = (
    "A face card read as a 10, or one 10 read twice, where no second reader is connected; a call of void "
    "that was not keyed."
)
_FALSE_POSITIVES: Final[Mapping[tuple[str, str | None], str]] = {("void_not_called", None): _TENS_MISREAD}


class Spanish21(Game):
    """The game of Chapter 551."""

    roads = ("dealer",)
    calls = ("blackjack", "bust", *_TOTALS, "void")
    kinds = KINDS
    false_positives: ClassVar = _FALSE_POSITIVES
    due_alone = frozenset({FIXED_PAYOUT})
    discards = Discards("discard rack", "551.8(i)")
    own_time: ClassVar = {INSURANCE: _INSURED_UNTIL}
    side_parts = PARTS

    def fault(self, who: str, what: str) -> str | None:
        """Accept cards on and off hands, players' decisions, and a call of void."""
        return act_fault(who, what, _WORDS, _DEALER_WORDS)

    def made_during_play(self, key: Key) -> bool:
        """Return True for doubles, insurance and stakes of split hands, which come after "no more bets"."""
        return key.wager in (DOUBLE, INSURANCE) or key.hand is not None

    def time_ended(self, wager: str, play: Sequence[tuple[str, str]]) -> Collection[int]:
        """551.10(b): insurance is made before the hole card is in the reader, so before any decision."""
        del wager
        return decided(play)

    def wager_faults(self, observed: Round, book: Rulebook) -> dict[Key, Defect]:
        """Return the stakes that are missing, differ or are not allowed."""
        rules = rules_of(book)
        if observed.void or _tens(observed) >= rules.tens_void:
            return {}
        now = judge_play(rules, tuple(observed.play))
        insured = insured_after(observed.play, decided(observed.play))
        insurances = [key for key in observed.wagers if key.wager == INSURANCE]
        late = {key: _insured_late(key) for key in insurances if key.person in insured}
        return late | stake_faults(observed, now.layout, rules.manner, WAGER, now.broken)

    def doubts(self, observed: Round) -> list[Doubt]:
        """Add doubts about decisions that were made too near to a card of their seat."""
        return near_doubts(observed)

    def adjudicate(
        self, observed: Round, book: Rulebook, improper: Collection[Key], void_coupons: Collection[Key]
    ) -> Adjudication:
        """Judge a round by the text; the money of `improper` wagers is left open."""
        rules = rules_of(book)
        if not observed.wagers and not observed.dealt():
            return Adjudication(None, {})  # no player
        if (tens := _tens(observed) >= rules.tens_void) or observed.void:
            owed = returned(observed.wagers, _VOID if tens else _VOIDED, improper, void_coupons)
            return Adjudication("void", owed, ("void",), () if observed.void else (_NOT_CALLED,))
        now = judge_play(rules, tuple(observed.play))
        owed = {}
        for key, wager in observed.wagers.items():
            rulings = None if key in improper else _rulings(rules, book, now, key)
            coupon = 0 if key in void_coupons else wager.coupon_cents
            owed[key] = UNDECIDED if rulings is None else reckon(rules, rulings, wager, coupon)
        owed.update(fixed_payouts(rules, observed, now, improper))
        outcome = _outcome(rules, now.dealer) if now.dealt and now.in_turn else None
        return Adjudication(
            outcome=outcome,
            owed=owed,
            calls=(outcome,) if outcome is not None else (),
            defects=now.defects,
            uncertain=now.unsure,
        )

    def side_endings(
        self, observed: Round, book: Rulebook, key: Key, parts: frozenset[str]
    ) -> Iterable[Ending]:
        """Return what the seat's first two cards and the dealer's hand can have been."""
        rules = rules_of(book)
        now = judge_play(rules, tuple(observed.play))
        sure = parts if now.in_turn else parts - {"dealer"}
        return side_endings(rules.manner, now.layout, now.dealer, key, sure) if now.dealt else ()

    def hands(self, observed: Round) -> list[Laid]:
        """Return each hand with its cards and its total."""
        return narrative.hands(observed.play)

    def reasons(self, observed: Round, book: Rulebook) -> list[Reason]:
        """Return the play hand by hand, each step with its provision."""
        rules = rules_of(book)
        if _tens(observed) >= rules.tens_void:
            return [(fact("games.spanish21.tens_found"), "551.16(b)")]
        if observed.void:
            return [(fact("games.spanish21.called_void"), "551.16(a)")]
        return narrative.reasons(rules, judge_play(rules, tuple(observed.play)))


_NOT_CALLED: Final = Defect(
    VOID_NOT_CALLED,
    fact("games.spanish21.not_called_void"),
    ("551.16(b)",),
)


def _insured_late(key: Key) -> Defect:
    return Defect(LATE_WAGER, fact("games.spanish21.insured_late"), _INSURED_UNTIL, **key._asdict())


def _tens(observed: Round) -> int:
    """551.16(b): count the 10s that came from the shoe, wherever they were put."""
    return sum(1 for _, what in observed.play if what in CARDS and what[0] == TEN_RANK)


def _rulings(rules: Rules, book: Rulebook, now: PlayedRound, key: Key) -> list[Ruling] | None:
    """Return how a wager is decided, for every reading of unread cards; None if no text decides it."""
    seat, _, wager, patron = key
    hand = now.layout.hand(first_hand(seat))
    if patron is None and not now.layout.dealt.get(seat) and not (hand is not None and hand.cards):
        return [NOT_DEALT_TO] if now.any_dealt and (hand is None or not hand.foreign) else None
    if not now.dealt or now.layout.dealer.begun_wrongly:
        return None
    if wager == INSURANCE:
        return insurance(rules, now.dealer.ends)
    if wager == MATCH:
        return _matching(rules, book, now, seat)
    ends = now.ends.get(hand_of(key))
    if ends is None or not now.in_turn:
        return None
    return hand_rulings(rules, wager, ends, now.dealer.ends, first=hand_of(key) == first_hand(seat))


def _matching(rules: Rules, book: Rulebook, now: PlayedRound, seat: int) -> list[Ruling] | None:
    first_two, up = now.layout.dealt.get(seat, ()), up_card(now.layout)
    hand = now.layout.hand(first_hand(seat))
    if len(first_two) < PAIR or up is None or hand is None or hand.begun_wrongly:
        return None
    found = matches([step.what for step in first_two], up.what, rules.manner.ranks)
    return match_the_dealer(rules, found, book.decks)


def _outcome(rules: Rules, dealer: DealerHand) -> str | None:
    """Return the dealer's result, where it is known."""
    results = {
        "blackjack" if end.blackjack else "bust" if end.total > rules.manner.limit else str(end.total)
        for end in dealer.ends
    }
    return results.pop() if dealer.is_complete and len(results) == 1 else None


def game(chapter: str) -> Game:
    """Return the game of a chapter."""
    del chapter
    return Spanish21()
