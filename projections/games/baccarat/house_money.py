"""House Money, 631a.9(e): what the winners chose to do with the payout, and whether they could."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from msgspec import Struct

from projections.adjudication import Defect
from projections.games.baccarat.rules import Rules
from projections.round import Key, Round, person

_TAKE: Final = "house_money_take"
_ADD: Final = {"house_money_add_player": "player", "house_money_add_banker": "banker"}
WORDS: Final = frozenset({_TAKE, *_ADD})

_CARDS_BEFORE: Final = 4  # settled after the first four cards and before any third, 631a.9(e)


class Election(Struct, frozen=True, gc=False):
    """One person's choice: the payout taken, or added to a wager `on` a hand, after so many cards."""

    seat: int
    bettor: str | None
    on: str | None
    cards_before: int

    @property
    def wager(self) -> Key:
        """The House Money wager that it speaks of."""
        return (self.seat, self.bettor, "house_money", None)

    @property
    def target(self) -> Key | None:
        """The wager that grows by the payout."""
        return (self.seat, self.bettor, self.on, None) if self.on is not None else None


def elections(seen: Round) -> list[Election]:
    """Find the choices in a round's play, in order."""
    found = []
    cards = 0
    for who, what in seen.play:
        if who in ("player", "banker"):
            cards += 1
        elif what in WORDS:
            seat, bettor = person(who)
            found.append(Election(seat, bettor, _ADD.get(what), cards))
    return found


def judged(
    seen: Round, chosen: Sequence[Election], pairs: Collection[int], improper: Collection[Key]
) -> tuple[list[Election], set[Key], list[Defect]]:
    """Part the choices: those that count, the wagers whose money they leave open, and what was wrong.

    A payout of an improper wager, and one that was disposed of twice, leave open what they were added to.
    """
    counting: list[Election] = []
    opened: set[Key] = set()
    defects: list[Defect] = []
    times = Counter(choice.wager for choice in chosen)
    for choice in chosen:
        fault = _fault(seen, choice, pairs)
        if fault is None and (times[choice.wager] > 1 or choice.wager in improper):
            opened |= {choice.target} if choice.target is not None else set()
            continue
        if fault is None:
            counting.append(choice)
            continue
        defects.append(fault)
        if fault.check in ("house_money_early", "house_money_late") and choice.target is not None:
            opened.add(choice.target)
    return counting, opened, defects


def _fault(seen: Round, choice: Election, pairs: Collection[int]) -> Defect | None:
    if choice.cards_before < _CARDS_BEFORE:
        check, message, cites = "house_money_early", "settled before both hands had two cards", ("631a.9(e)",)
    elif choice.cards_before > _CARDS_BEFORE:
        check, message, cites = "house_money_late", "settled after a third card was dealt", ("631a.9(e)",)
    elif choice.wager not in seen.wagers or set(pairs) == {0}:
        check, message = (
            "house_money_not_won",
            "a payout was taken or added without a winning House Money wager",
        )
        cites = ("631a.8(a)(7)(ii)",)
    elif choice.target is not None and choice.target not in seen.wagers:
        check, message = "house_money_without_wager", f"no wager on the {choice.on} to add the payout to"
        cites = ("631a.9(e)(1)",)
    else:
        return None
    return Defect(
        check, f"House Money: {message}", cites, seat=choice.seat, wager="house_money", bettor=choice.bettor
    )


def added(rules: Rules, counting: Sequence[Election], payouts: Mapping[Key, int]) -> dict[Key, int]:
    """Say by how many cents each wager grew, 631a.9(e)(1)(i); a fraction of a cent stays with the player."""
    grown: dict[Key, int] = {}
    for choice in counting:
        payout = payouts.get(choice.wager, 0)
        if choice.target is not None and payout > 0:
            grown[choice.target] = grown.get(choice.target, 0) + int(payout * rules.house_money_portion)
    return grown
