"""Chapter 535, Pai Gow: the game as the audit asks for it."""

from collections.abc import Collection
from typing import Final

from projections.engine.adjudication import Adjudication, Defect, Vigorish
from projections.engine.game import Game, Laid, Reason
from projections.engine.games.paigow import narrative, play, round_judgement
from projections.engine.games.paigow.play import banks_of, lay_out
from projections.engine.games.paigow.round_judgement import RoundJudgement, near_doubts
from projections.engine.games.paigow.rules import FALSE_POSITIVES, KINDS, ranking_on, rules_of
from projections.engine.games.paigow.wagers import clause_of, vigorish
from projections.engine.observation import Doubt, Key, Round
from schemas.rulebook import Rulebook

_AREAS: Final = 6  # 535.2(b)(1); a seat beyond them cannot be read at all


class PaiGow(Game):
    """Four tiles set into two hands, against the dealer's or against those of a player who banks."""

    roads = ("bank",)
    kinds = KINDS
    false_positives = FALSE_POSITIVES
    dealer_wagers = True
    due_alone = frozenset({"bank", "co_bank"})
    reads = frozenset({"tiles", "dice"})

    def fault(self, who: str, what: str) -> str | None:
        """Accept rolls, stacks, tiles as they are laid, and acts of dealer and players."""
        return play.fault(who, what, _AREAS)

    def wager_faults(self, observed: Round, book: Rulebook) -> dict[Key, Defect]:
        """Return the wagers that do not go with who banks, and a bank that does not cover the others."""
        return round_judgement.faults(observed, banks_of(observed.play), rules_of(book))

    def coupon_fault(self, key: Key, observed: Round, book: Rulebook) -> Defect | None:
        """Return a coupon on another wager than a player's against the dealer, 603a.21(a)."""
        del book
        return round_judgement.coupon_fault(key, banks_of(observed.play))

    def doubts(self, observed: Round) -> list[Doubt]:
        """Add doubts about the tiles if the clocks do not decide which of two acts was first."""
        return near_doubts(observed) if observed.close_acts else []

    def adjudicate(
        self, observed: Round, book: Rulebook, improper: Collection[Key], void_coupons: Collection[Key]
    ) -> Adjudication:
        """Judge a round by the text; the money of `improper` wagers is left open."""
        return RoundJudgement(
            observed, lay_out(observed.play), rules_of(book), improper, void_coupons
        ).adjudicated()

    def hands(self, observed: Round) -> list[Laid]:
        """Return each hand of two tiles as it lies, and its pair or value, 535.4(a), (c)."""
        return narrative.hands(lay_out(observed.play), ranking_on(observed.day))

    def reasons(self, observed: Round, book: Rulebook) -> list[Reason]:
        """Return the play step by step, each with its provision."""
        rules, layout = rules_of(book), lay_out(observed.play)
        judgement = RoundJudgement(observed, layout, rules, (), ())
        return narrative.reasons(rules, layout, judgement, void=observed.void)

    def vigorish_on(self, gain: int, stake: int, wager: str, book: Rulebook) -> Vigorish | None:
        """Compute the vigorish on an amount won, or None if none is taken."""
        del stake
        cite = clause_of(wager, ())
        return vigorish(rules_of(book), gain, cite) if cite is not None and gain > 0 else None


def game(chapter: str) -> Game:
    """Return the game of a chapter."""
    del chapter
    return PaiGow()
