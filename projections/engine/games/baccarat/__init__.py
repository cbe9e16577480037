"""Baccarat, Mini- and Midibaccarat (631a, 545, 541, 543, 627a, 629a): the game's interface for the audit.

What the chapters share is written once, after Chapter 631a. Differences are in their law files, or in a
function that names the section.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import Final

from projections.engine.adjudication import (
    UNDECIDED,
    Adjudication,
    Defect,
    Reckoning,
    Ruling,
    Vigorish,
    agreed,
    returned,
)
from projections.engine.facts import fact
from projections.engine.game import Discards, Game, Laid, Reason
from projections.engine.games.baccarat import house_money, narrative
from projections.engine.games.baccarat.play import Deal, possible_deals, possible_pairs
from projections.engine.games.baccarat.rules import CARDS_EXTRA, FALSE_POSITIVES, KINDS, Rules, rules_of
from projections.engine.games.baccarat.wagers import (
    is_dragon_7,
    is_panda_8,
    reckon,
    side_ending,
    vigorish,
    vigorish_on_tie,
    winner,
)
from projections.engine.kinds import CARD_EXTRA
from projections.engine.observation import OUT_OF_PLAY, Doubt, Key, Round
from projections.engine.side_wagers import Ending, readings
from schemas.law_text import chapter
from schemas.rulebook import Rulebook
from schemas.values import CARDS

_HANDS: Final = ("player", "banker")

_RACK: Final = Discards("discard rack", "541.12(c)")
_BUCKET: Final = Discards("discard bucket", "543.12(c)")
# Chapters 627a and 629a, as far as they are printed, refer to 541 and 543 for this.
_DISCARDS: Final = {
    "541": _RACK,
    "543": _BUCKET,
    "545": Discards("discard bucket", "545.12(c)"),
    "627a": _RACK,
    "629a": _BUCKET,
    "631a": Discards("discard bucket", "631a.12(c)"),
}


_WINNERS: Final = {"dragon_7": "banker", "panda_8": "player"}


class Baccarat(Game):
    """The game of one chapter: two hands, one tableau, wagers on either."""

    roads = ("bead_plate", "big_road")
    winners = _WINNERS
    calls = ("player", "banker", "tie", "dragon_7", "panda_8", "void")
    counted_hands = _HANDS  # 631a.12(a)
    side_parts = frozenset({"player", "player_first_two", "banker", "banker_first_two", "winner", "margin"})
    kinds = KINDS
    false_positives = FALSE_POSITIVES

    def __init__(self, number: str) -> None:
        """Set up the game of a chapter; its law file has the words of the play."""
        self._chapter = number
        self.discards = _DISCARDS[number]

    @cached_property
    def _dealer_words(self) -> tuple[str, ...]:
        """Return the dealer's announcements; not every chapter has simulated rounds."""
        simulated = ("simulated",) if "simulated_round" in chapter(self._chapter).clauses else ()
        return ("no_more_bets", *simulated, "void")

    @cached_property
    def _seat_words(self) -> frozenset[str]:
        """Return what a seat does: the choices of House Money, where the chapter has it."""
        return house_money.WORDS if "house_money" in chapter(self._chapter).wagers else frozenset()

    def fault(self, who: str, what: str) -> str | None:
        """Accept cards on and off the two hands, the dealer's announcements, and choices of House Money."""
        if who in _HANDS or who in OUT_OF_PLAY:
            return None if what in CARDS else f"{what!r} is not a card"
        if who == "dealer":
            words = ", ".join(self._dealer_words)
            return (
                None if what in self._dealer_words else f"the dealer does not say {what!r}; known are {words}"
            )
        if who.startswith("seat"):
            return None if what in self._seat_words else f"{who} does not do {what!r}"
        return f"{who!r} takes no part in this game"

    def doubts(self, observed: Round) -> list[Doubt]:
        """Add doubts about House Money that was settled too near to a card."""
        if not self._seat_words:
            return []
        return house_money.doubts(observed, chapter(self._chapter).clauses["house_money_settled"][0])

    def adjudicate(
        self, observed: Round, book: Rulebook, improper: Collection[Key], void_coupons: Collection[Key]
    ) -> Adjudication:
        """Judge a round by the text; the money of `improper` wagers is left open."""
        rules = rules_of(book)
        if observed.void or observed.exhausted:
            void = Ruling("push", rules.cite("cards_run_out"), reason=fact("games.baccarat.void_returned"))
            return Adjudication("void", returned(observed.wagers, void, improper, void_coupons))
        cards = observed.cards(*_HANDS)
        deals = possible_deals(rules, cards)
        settles = all(deal.settles for deal in deals)
        chosen = house_money.elections(observed) if len(observed.play) > len(cards) else []
        pairs = {0}
        opened: dict[Key, Reckoning] = {}
        wrong: list[Defect] = []
        if deals[0].initial and (chosen or any(key.wager == "house_money" for key in observed.wagers)):
            pairs = possible_pairs(cards)
            chosen, opened, wrong = house_money.judged(rules, observed, chosen, pairs, improper)
        else:
            chosen = []
        coupons = {
            key: 0 if key in void_coupons else wager.coupon_cents for key, wager in observed.wagers.items()
        }
        ends = [
            (deal, count, self._added(rules, observed, chosen, coupons, deal, count))
            for deal in deals
            for count in pairs
        ]
        owed = {}
        for key, wager in observed.wagers.items():
            if key in improper or key in opened:
                owed[key] = opened.get(key, UNDECIDED) if key not in improper else UNDECIDED
                continue
            owed[key] = agreed(
                [
                    reckon(rules, key.wager, deal, count, wager.cents, coupons[key], grown.get(key, 0))
                    for deal, count, grown in ends
                ]
            )
        return Adjudication(
            outcome=_agreed_outcome(deals) if settles else None,
            owed=owed,
            calls=_calls_of(rules, deals) if settles else (),
            defects=(*_proven(rules, deals), *wrong),
            uncertain=len({deal.defects for deal in deals}) > 1,
            point_counts=_point_counts(deals) if settles else {},
        )

    @staticmethod
    def _added(
        rules: Rules,
        observed: Round,
        chosen: list[house_money.Election],
        coupons: dict[Key, int],
        deal: Deal,
        pairs: int,
    ) -> dict[Key, int]:
        """Return what each wager grew by, where hands and pairs were these."""
        if not chosen:
            return {}
        payouts = {
            choice.wager: reckon(
                rules,
                "house_money",
                deal,
                pairs,
                observed.wagers[choice.wager].cents,
                coupons[choice.wager],
                0,
            ).cents
            or 0
            for choice in chosen
        }
        return house_money.added(rules, chosen, payouts)

    def side_endings(
        self, observed: Round, book: Rulebook, key: Key, parts: frozenset[str]
    ) -> Iterable[Ending]:
        """Return how both hands can have ended."""
        del key, parts
        dealt = observed.cards(*_HANDS)
        hands = [hand for hand, _ in dealt]
        return [
            side_ending(rules_of(book), list(zip(hands, cards, strict=True)))
            for cards in readings([card for _, card in dealt])
        ]

    def vigorish_on(self, gain: int, stake: int, wager: str, book: Rulebook) -> Vigorish | None:
        """Compute the vigorish on what a wager won, or on its stake where it was returned."""
        if wager != "banker":
            return None
        rules = rules_of(book)
        return vigorish(rules, gain) if gain > 0 else vigorish_on_tie(rules, stake)

    def hands(self, observed: Round) -> list[Laid]:
        """Return both hands with their cards as they were dealt, and the Point Counts, 631a.6(b)."""
        laid = [(hand, tuple(card for _, card in observed.cards(hand))) for hand in _HANDS]
        return [Laid(hand, cards, narrative.points(cards)) for hand, cards in laid]

    def reasons(self, observed: Round, book: Rulebook) -> list[Reason]:
        """Return the play step by step, each step with its provision."""
        return narrative.reasons(rules_of(book), observed.cards(*_HANDS), void=observed.void)


def _agreed_outcome(deals: Sequence[Deal]) -> str | None:
    outcomes = {winner(deal) for deal in deals}
    return outcomes.pop() if len(outcomes) == 1 else None


def _calls_of(rules: Rules, deals: Sequence[Deal]) -> Collection[str]:
    if len(deals) == 1:
        return _calls(rules, deals[0])
    return {call for deal in deals for call in _calls(rules, deal)}


def _proven(rules: Rules, deals: Sequence[Deal]) -> tuple[Defect, ...]:
    """Return the defects of the cards that exist whatever an unread one was."""
    if len(deals) == 1:
        return deals[0].defects
    names = set.intersection(*({(each.check, each.who) for each in deal.defects} for deal in deals))
    if not names and all(any(each.check in CARDS_EXTRA for each in deal.defects) for deal in deals):
        # One card too many whatever the unread one was, though not always for the same reason.
        extra = fact("games.baccarat.card_extra_whatever_unread")
        cites = (rules.cite("one_third_card"), rules.cite("natural_stops"))
        return (Defect(CARD_EXTRA, extra, cites),)
    return tuple(defect for defect in deals[0].defects if (defect.check, defect.who) in names)


def _point_counts(deals: Sequence[Deal]) -> dict[str, set[int]]:
    return {"player": {deal.player for deal in deals}, "banker": {deal.banker for deal in deals}}


def _calls(rules: Rules, deal: Deal) -> tuple[str, ...]:
    """631a.12(a): with EZ Baccarat a Dragon 7 or Panda 8 is called too; either call is left to stand."""
    if rules.ez and is_dragon_7(deal):
        return ("dragon_7", "banker")
    if rules.ez and is_panda_8(deal):
        return ("panda_8", "player")
    return (winner(deal),)


def game(number: str) -> Game:
    """Return the game of a chapter."""
    return Baccarat(number)
