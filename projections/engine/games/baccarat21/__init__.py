"""Chapter 681a, 21 Baccarat: the game as the audit asks for it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from projections.engine.adjudication import (
    UNDECIDED,
    Adjudication,
    Defect,
    Ruling,
    agreed,
    reckon,
    returned,
)
from projections.engine.facts import Word, fact
from projections.engine.findings import HOUSE_CONTROL
from projections.engine.game import Discards, Game, Laid, Reason
from projections.engine.games.baccarat21 import narrative
from projections.engine.games.baccarat21.play import (
    HANDS,
    Deal,
    Score,
    initial_faults,
    possible_deals,
    possibly_natural,
    proven,
)
from projections.engine.games.baccarat21.rules import Rules, rules_of
from projections.engine.games.baccarat21.wagers import (
    BONUS_ON,
    ON_HANDS,
    OPTIONAL,
    on_awards,
    on_hands,
    side_ending,
    winner,
)
from projections.engine.games.blackjack.manner import STAKE_MISSING
from projections.engine.observation import OUT_OF_PLAY, Key, Round, key_of
from projections.engine.side_wagers import Ending, readings
from schemas.rulebook import Rulebook
from schemas.values import CARDS

_DEALER_WORDS: Final = ("no_more_bets", "void")
# The chapter has no void round; one that was called is accepted.
_VOID: Final = Ruling("push", HOUSE_CONTROL, reason=fact("games.baccarat21.void_returned"))
_FALSE_POSITIVES: Final[Mapping[tuple[str, str | None], str]] = {
    (STAKE_MISSING.check, None): (
        "A player with chips on the spots of two seats; a wager on a hand that was not read."
    ),
}


class Baccarat21(Game):
    """Two hands that draw to 17 and are compared; wagers on either, on their tie, and on their cards."""

    roads = ("bead_plate", "big_road")
    calls = ("player", "banker", "tie", "void")
    kinds = (STAKE_MISSING,)
    false_positives = _FALSE_POSITIVES
    discards = Discards("discard rack", "681a.7(l)")
    side_parts = frozenset({"player", "player_first_two", "banker", "banker_first_two", "winner"})

    def fault(self, who: str, what: str) -> str | None:
        """Accept cards on and off the two hands, and the dealer's announcements."""
        if who in HANDS or who in OUT_OF_PLAY:
            return None if what in CARDS else f"{what!r} is not a card"
        if who == "dealer":
            words = ", ".join(_DEALER_WORDS)
            return None if what in _DEALER_WORDS else f"the dealer does not say {what!r}; known are {words}"
        return f"{who!r} takes no part in this game"

    def wager_faults(self, observed: Round, book: Rulebook) -> dict[Key, Defect]:
        """681a.6(c), (d): return the Tie and Bonus Wagers of people who have no wager on a hand.

        No text says how such a wager is settled.
        """
        del book
        if observed.void or observed.simulated:
            return {}
        moved = [key_of(move) for move in observed.late]
        on_hands = [
            key for key in (*observed.wagers, *observed.wagers_in_doubt(), *moved) if key.wager in ON_HANDS
        ]
        faults: dict[Key, Defect] = {}
        for key in observed.wagers:
            seat, bettor, wager, _ = key
            if wager in OPTIONAL and not any(_may_be(each, seat, bettor) for each in on_hands):
                faults[key] = Defect(
                    STAKE_MISSING,
                    fact("games.baccarat21.wager_on_hand_missing", wager=Word(wager)),
                    ("681a.6(c)", "681a.6(d)"),
                    seat=seat,
                    wager=wager,
                    bettor=bettor,
                )
        return faults

    def adjudicate(
        self, observed: Round, book: Rulebook, improper: Collection[Key], void_coupons: Collection[Key]
    ) -> Adjudication:
        """Judge a round by the text; the money of `improper` wagers is left open."""
        if observed.void:
            return Adjudication("void", returned(observed.wagers, _VOID, improper, void_coupons))
        cards = observed.cards(*HANDS)
        faults = initial_faults(cards)
        if faults:
            return Adjudication(None, dict.fromkeys(observed.wagers, UNDECIDED), defects=tuple(faults))
        rules = rules_of(book)
        player, banker = ("".join(card[0] for to, card in cards if to == hand) for hand in HANDS)
        naturals = possibly_natural(rules, player) + possibly_natural(rules, banker)
        requested = bonus_asks_card(rules, observed, improper) if any(naturals) else (False, False)
        deals = possible_deals(rules, player, banker, requested)
        scores = _scores(deals)
        owed = {}
        for key, wager in observed.wagers.items():
            rulings = None if key in improper else _rulings(rules, key.wager, deals, scores)
            coupon = 0 if key in void_coupons else wager.coupon_cents
            owed[key] = (
                UNDECIDED
                if rulings is None
                else agreed([reckon(ruled, wager.cents, coupon) for ruled in rulings])
            )
        outcomes = _outcomes(rules, scores)
        defects, uncertain = proven(deals)
        return Adjudication(
            outcome=next(iter(outcomes)) if len(outcomes) == 1 else None,
            owed=owed,
            calls=outcomes,
            defects=defects,
            uncertain=uncertain,
        )

    def side_endings(
        self, observed: Round, book: Rulebook, key: Key, parts: frozenset[str]
    ) -> Iterable[Ending]:
        """Return how both hands can have ended."""
        del key, parts
        dealt = observed.cards(*HANDS)
        if initial_faults(dealt):
            return []
        rules, hands = rules_of(book), [hand for hand, _ in dealt]
        requested = bonus_asks_card(rules, observed, ())
        return [
            side_ending(rules, list(zip(hands, cards, strict=True)), requested)
            for cards in readings([card for _, card in dealt])
        ]

    def hands(self, observed: Round) -> list[Laid]:
        """Return both hands with their cards as they were dealt, and what they count by 681a.7(f) and (g)."""
        lying = {hand: tuple(card for _, card in observed.cards(hand)) for hand in HANDS}
        counts = narrative.counted(lying, observed.day)
        return [Laid(hand, cards, counts[hand]) for hand, cards in lying.items()]

    def reasons(self, observed: Round, book: Rulebook) -> list[Reason]:
        """Return the play step by step, each step with its provision."""
        rules = rules_of(book)
        return narrative.reasons(
            rules, observed.cards(*HANDS), bonus_asks_card(rules, observed, ()), void=observed.void
        )


def _may_be(key: Key, seat: int, bettor: str | None) -> bool:
    """Return True if a wager may be a person's own: where one of the two is not named it may be anyone's."""
    return key.seat == seat and (bettor is None or key.bettor in (None, bettor))


def bonus_asks_card(
    rules: Rules, observed: Round, improper: Collection[Key]
) -> tuple[bool | None, bool | None]:
    """Return for each hand whether a Bonus Wager requires its card with a natural, 681a.7(f)(2).

    It is None if such a wager may have been there and is improper, moved too late, or was not surely seen:
    then both the card and its absence are right. It is also None if no wager or settlement was seen.
    """
    placed = {key.wager for key in observed.wagers}
    lying = {key.wager for key in observed.wagers if key not in improper} if improper else placed
    doubtful = placed | {move.wager for move in observed.late}
    if not observed.wagers and observed.paid is None:
        doubtful.update(BONUS_ON)
    doubtful |= {key.wager for key in observed.wagers_in_doubt()}
    if not observed.money_known:
        doubtful.update(BONUS_ON)

    def bonus_wagered(hand: str) -> bool | None:
        wagers = {wager for wager, on in BONUS_ON.items() if rules.any_bonus_draws or on == hand}
        if lying & wagers:
            return True
        return None if doubtful & wagers else False

    return bonus_wagered("player"), bonus_wagered("banker")


def _scores(deals: Sequence[Deal]) -> list[tuple[Score, Score]] | None:
    """Return every way in which both hands may be compared; None if a card is missing."""
    found = []
    for deal in deals:
        for player in deal.player.scores:
            for banker in deal.banker.scores:
                if player is None or banker is None:
                    return None
                found.append((player, banker))
    return found if len(found) == 1 else list(dict.fromkeys(found))


def _rulings(
    rules: Rules, wager: str, deals: Sequence[Deal], scores: list[tuple[Score, Score]] | None
) -> list[Ruling] | None:
    """Return every way in which a wager may be decided; None if a card is missing that it depends on."""
    if wager not in BONUS_ON:
        return None if scores is None else [on_hands(rules, wager, *pair) for pair in scores]
    hand = BONUS_ON[wager]
    found = []
    for deal in deals:
        for awards in (deal.player if hand == "player" else deal.banker).awards:
            if awards is None:
                return None
            found.append(on_awards(rules, hand, awards))
    return found


def _outcomes(rules: Rules, scores: list[tuple[Score, Score]] | None) -> set[str]:
    """Return the results of the Player and Banker Wagers that the cards allow."""
    return {winner(rules, *pair) for pair in scores or ()}


def game(chapter: str) -> Game:
    """Return the game of a chapter."""
    del chapter
    return Baccarat21()
