"""Chapter 685a, Down Under Blackjack: the game as the audit asks for it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, Final

from projections.engine.adjudication import (
    Adjudication,
    Defect,
    Reckoning,
    Ruling,
    agreed,
    reckon,
    returned,
)
from projections.engine.facts import CardRef, Fact, HandRef, fact
from projections.engine.findings import HOUSE_CONTROL
from projections.engine.game import Discards, Game, Laid, Reason
from projections.engine.games.blackjack.dealer_hand import DealerEnd
from projections.engine.games.blackjack.hands import (
    ACE,
    DEALER,
    PAIR,
    act_fault,
    first_hand,
    lay_out,
    matches,
    up_card,
)
from projections.engine.games.blackjack.manner import KINDS
from projections.engine.games.blackjack.player_hand import REFUSE, near_doubts
from projections.engine.games.blackjack.side_endings import PARTS, side_endings
from projections.engine.games.blackjack.stakes import (
    DOUBLE,
    INSURANCE,
    MATCH,
    hand_of,
    insured_after,
    split_defects,
    stake_faults,
)
from projections.engine.games.downunder import narrative
from projections.engine.games.downunder.play import PlayedRound, judge_play, lights
from projections.engine.games.downunder.rules import (
    EVEN_MONEY,
    RANGES,
    SURRENDER,
    WRONG_RANGE,
    Rules,
    rules_of,
)
from projections.engine.games.downunder.wagers import (
    NOT_DEALT,
    SPLIT_RETURNED,
    bet,
    double_down,
    insurance,
    match_the_dealer,
    split_bet,
)
from projections.engine.kinds import LATE_WAGER, WAGER_NOT_PERMITTED
from projections.engine.observation import Doubt, Key, Round
from projections.engine.side_wagers import Ending
from schemas.rulebook import Rulebook
from schemas.values import RANKS, SUITS

BET: Final = "bet"
_WORDS: Final = ("stand", "draw", "double", "split", "dead", EVEN_MONEY, REFUSE, SURRENDER)
_INSURED_UNTIL: Final = ("685a.8(b)",)
_DEALER_WORDS: Final = (*RANGES, "void")
# The chapter has no void round; one that was called is accepted.
_VOID: Final = Ruling("push", HOUSE_CONTROL, reason=fact("games.downunder.wager_of_round_called_void"))


class DownUnderBlackjack(Game):
    """Blackjack in which the players learn the range of the dealer's hole card, and his 22 wins nothing."""

    roads = ("dealer",)
    calls = ("blackjack", "bust", *(str(total) for total in range(4, 23)), "void")
    kinds = (*KINDS, WRONG_RANGE)
    discards = Discards("discard rack", "685a.7(s)")
    own_time: ClassVar = {INSURANCE: _INSURED_UNTIL}
    side_parts = PARTS

    def fault(self, who: str, what: str) -> str | None:
        """Accept cards on and off hands, decisions, and the ranges of the card reader."""
        return act_fault(who, what, _WORDS, _DEALER_WORDS)

    def made_during_play(self, key: Key) -> bool:
        """685a.6(c): insurance, doubles and the stakes of split hands are made after the first card."""
        return key.wager in (DOUBLE, INSURANCE) or key.hand not in (None, first_hand(key.seat))

    def time_ended(self, wager: str, play: Sequence[tuple[str, str]]) -> Collection[int]:
        """685a.8(b): insurance is made before the hole card is in the reader, which its light shows."""
        del wager
        return lights(play)

    def doubts(self, observed: Round) -> list[Doubt]:
        """Add doubts about decisions that the clocks do not part from a card."""
        return near_doubts(observed)

    def wager_faults(self, observed: Round, book: Rulebook) -> dict[Key, Defect]:
        """Find stakes that lack or differ, insurance out of its time, Match-the-Dealer without its decks."""
        if observed.void:
            return {}
        rules = rules_of(book)
        layout = lay_out(observed.play, rules.manner.ranks)
        broken = split_defects(layout, rules.manner).broken
        faults = stake_faults(observed, layout, rules.manner, BET, broken)
        late = insured_after(observed.play, lights(observed.play))
        for key in observed.wagers:
            seat, bettor, wager, _ = key
            if wager == MATCH and rules.match_odds is None:
                message = fact("games.downunder.no_match_with_decks", decks=book.decks)
                found = Defect(
                    WAGER_NOT_PERMITTED, message, ("685a.6(e)",), seat=seat, wager=wager, bettor=bettor
                )
            elif wager == INSURANCE and (seat, bettor) in late:
                message = fact("games.downunder.insured_late")
                found = Defect(LATE_WAGER, message, _INSURED_UNTIL, seat=seat, wager=wager, bettor=bettor)
            else:
                continue
            faults.setdefault(key, found)
        return faults

    def adjudicate(
        self, observed: Round, book: Rulebook, improper: Collection[Key], void_coupons: Collection[Key]
    ) -> Adjudication:
        """Judge a round by the text; the money of `improper` wagers is left open."""
        if not observed.wagers and not observed.dealt():
            return Adjudication(None, {})  # no player
        if observed.void:
            return Adjudication("void", returned(observed.wagers, _VOID, improper, void_coupons))
        rules = rules_of(book)
        found = judge_play(rules, observed.play)
        owed = {}
        for key, wager in observed.wagers.items():
            rulings = _rulings(rules, found, key) if key not in improper and found.settles else ()
            coupon = 0 if key in void_coupons else wager.coupon_cents
            owed[key] = agreed([reckon(ruled, wager.cents, coupon) for ruled in rulings])
        outcomes = {outcome(rules, end) for end in found.dealer.ends}
        is_complete = found.settles and found.dealer.is_complete
        return Adjudication(
            outcome=next(iter(outcomes)) if is_complete and len(outcomes) == 1 else None,
            owed=owed,
            calls=outcomes if is_complete else (),
            defects=found.defects,
            uncertain=found.unsure,
            unseen=tuple(_unread_suits(found, owed)),
        )

    def side_endings(
        self, observed: Round, book: Rulebook, key: Key, parts: frozenset[str]
    ) -> Iterable[Ending]:
        """Return what the seat's first two cards and the dealer's hand can have been."""
        rules = rules_of(book)
        found = judge_play(rules, observed.play)
        return side_endings(rules.manner, found.layout, found.dealer, key, parts) if found.settles else ()

    def hands(self, observed: Round) -> list[Laid]:
        """Return the players' hands and the dealer's with their totals."""
        return narrative.hands(observed)

    def reasons(self, observed: Round, book: Rulebook) -> list[Reason]:
        """Return the play step by step, each step with its provision."""
        return narrative.reasons(rules_of(book), observed)


def outcome(rules: Rules, dealer: DealerEnd) -> str:
    """Return what the dealer's hand came to: Blackjack, bust, or its total."""
    if dealer.blackjack:
        return "blackjack"
    return "bust" if dealer.total > rules.standoff else str(dealer.total)


def _rulings(rules: Rules, judged_round: PlayedRound, key: Key) -> Iterable[Ruling]:
    """Return every way in which the play can decide a wager; empty if no text decides it."""
    hand = judged_round.layout.hand(hand_of(key))
    if key.seat not in judged_round.layout.dealt and (hand is None or not hand.cards):
        return [NOT_DEALT]
    match key.wager:
        case "match_the_dealer":
            return _matched(rules, judged_round, key.seat)
        case "insurance":
            ends = judged_round.dealer.ends
            return [insurance(rules, end) for end in ends] if all(end.up == ACE for end in ends) else ()
        case "bet" | "double_down":
            return _by_hand(rules, judged_round, key)
        case _:
            return ()


def _matched(rules: Rules, judged_round: PlayedRound, seat: int) -> Iterable[Ruling]:
    cards, up = judged_round.layout.dealt.get(seat, ()), up_card(judged_round.layout)
    if rules.match_odds is None or len(cards) < PAIR or up is None:
        return ()
    ways = matches([step.what for step in cards], up.what, rules.manner.ranks)
    return [match_the_dealer(rules, rules.match_odds, way) for way in ways]


def _by_hand(rules: Rules, judged_round: PlayedRound, key: Key) -> Iterable[Ruling]:
    name = hand_of(key)
    if judged_round.blackjack and judged_round.layout.hand(name) is None:
        return [SPLIT_RETURNED]
    ways = judged_round.ends.get(name, [])
    if key.wager == DOUBLE:
        settled = double_down
        if not judged_round.blackjack and not all(way.doubled or way.left for way in ways):
            return ()
    else:
        settled = bet if name == first_hand(key.seat) else split_bet
    return [
        settled(rules, way, end, judged_round.dead_by) for way in ways for end in judged_round.dealer.ends
    ]


def _unread_suits(judged_round: PlayedRound, owed: Mapping[Key, Reckoning]) -> Iterator[Fact]:
    """Yield the cards whose suit was not read where Match-the-Dealer depends on it."""
    open_at = [key.seat for key, each in owed.items() if key.wager == MATCH and each.cents is None]
    if not open_at or not judged_round.settles:
        return
    dealer = [(DEALER, step) for step in judged_round.layout.dealer.opening[:1]]
    seats = [(first_hand(seat), step) for seat in open_at for step in judged_round.layout.dealt.get(seat, ())]
    for who, step in (*seats, *dealer):
        if step.what[0] in RANKS and step.what[1] not in SUITS:
            yield fact("games.downunder.suit_unread", at=HandRef(who), card=CardRef(step.what))


def game(chapter: str) -> Game:
    """Return the game of a chapter."""
    del chapter
    return DownUnderBlackjack()
