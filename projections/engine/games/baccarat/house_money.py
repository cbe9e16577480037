"""House Money: what the winners chose to do with the payout, and whether they could.

631a.9(e), 627a.8(d), 629a.8(c)(3).
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from msgspec import Struct

from projections.engine.adjudication import UNDECIDED, Defect, Reckoning, silent_on
from projections.engine.facts import Word, fact
from projections.engine.games.baccarat.rules import (
    HOUSE_MONEY_EARLY,
    HOUSE_MONEY_LATE,
    HOUSE_MONEY_NOT_WON,
    HOUSE_MONEY_WITHOUT_WAGER,
    Rules,
)
from projections.engine.observation import Doubt, Key, Round, person

_TAKE: Final = "house_money_take"
_ADD: Final = {"house_money_add_player": "player", "house_money_add_banker": "banker"}
WORDS: Final = frozenset({_TAKE, *_ADD})

_BY_TIME: Final = (HOUSE_MONEY_LATE, HOUSE_MONEY_EARLY)

_TWICE: Final = fact("games.baccarat.house_money_twice")

_CARDS_BEFORE: Final = 4  # settled after the first four cards and before any third, 631a.9(e)


class Election(Struct, frozen=True, gc=False):
    """House Money choice of one person: payout taken, or added to a wager `on` a hand, after some cards."""

    seat: int
    bettor: str | None
    on: str | None
    cards_before: int

    @property
    def wager(self) -> Key:
        """The House Money wager that it speaks of."""
        return Key(self.seat, self.bettor, "house_money", None)

    @property
    def target(self) -> Key | None:
        """The wager that grows by the payout."""
        return Key(self.seat, self.bettor, self.on, None) if self.on is not None else None


def elections(observed: Round) -> list[Election]:
    """Find the choices in a round's play, in order."""
    found = []
    cards = 0
    for who, what in observed.play:
        if who in ("player", "banker"):
            cards += 1
        elif what in WORDS:
            seat, bettor = person(who)
            found.append(Election(seat, bettor, _ADD.get(what), cards))
    return found


def doubts(observed: Round, cite: str) -> list[Doubt]:
    """Add doubts about choices too close to the fourth or the fifth card to decide which came first.

    `cite` is the chapter's provision on when they are made.
    """
    dealt = [place for place, (who, _) in enumerate(observed.play) if who in ("player", "banker")]
    bounds = dealt[_CARDS_BEFORE - 1 : _CARDS_BEFORE + 1]
    doubted = {}
    for pair in observed.close_acts:
        who, what = observed.play[pair.act]
        if what in WORDS and pair.other in bounds and pair.act not in doubted:
            doubted[pair.act] = Doubt(
                HOUSE_MONEY_LATE.check,
                Key(*person(who), _ADD.get(what, "house_money"), None),
                fact("games.baccarat.house_money_too_near"),
                pair.devices,
                (cite,),
                "house_money",
            )
    return list(doubted.values())


def judged(
    rules: Rules,
    observed: Round,
    chosen: Sequence[Election],
    pairs: Collection[int],
    improper: Collection[Key],
) -> tuple[list[Election], dict[Key, Reckoning], list[Defect]]:
    """Part the choices: those that count, the wagers whose money they leave open, and what was wrong.

    A payout of an improper wager, and one that was disposed of twice, leave open what they were added to. If
    two readers differ on whether the wager lay there, nothing is said to be wrong.
    """
    counting: list[Election] = []
    opened: dict[Key, Reckoning] = {}
    defects: list[Defect] = []
    too_near = {
        doubt.key.person
        for doubt in observed.doubts
        if doubt.check == HOUSE_MONEY_LATE.check and doubt.cites and doubt.key is not None
    }
    times = Counter(choice.wager for choice in chosen)
    for choice in chosen:
        fault = _fault(rules, observed, choice, pairs)
        if fault is None and (times[choice.wager] > 1 or choice.wager in improper):
            if choice.target is not None:
                twice = silent_on(_TWICE, rules.cite("house_money_added"))
                opened[choice.target] = twice if times[choice.wager] > 1 else UNDECIDED
            continue
        if fault is None:
            counting.append(choice)
            continue
        by_time = fault.kind in _BY_TIME
        is_known = observed.money_known and not _may_lie_there(observed, choice, pairs)
        if (choice.wager[:2] not in too_near) if by_time else is_known:
            defects.append(fault)
        if by_time and choice.target is not None:
            opened.setdefault(choice.target, UNDECIDED)
    return counting, opened, defects


def _may_lie_there(observed: Round, choice: Election, pairs: Collection[int]) -> bool:
    """Return True if the wager that a choice lacks was seen by one of two readers, and could have won.

    A House Money Wager without a pair has lost, whether it was made or not.
    """
    may_win = set(pairs) != {0}
    lacking = choice.wager if choice.wager not in observed.wagers else choice.target
    return may_win and lacking is not None and any(doubt.key == lacking for doubt in observed.doubts)


def _fault(rules: Rules, observed: Round, choice: Election, pairs: Collection[int]) -> Defect | None:
    if choice.cards_before < _CARDS_BEFORE:
        kind, message = HOUSE_MONEY_EARLY, fact("games.baccarat.house_money_early")
        cite = "house_money_settled"
    elif choice.cards_before > _CARDS_BEFORE:
        kind, message = HOUSE_MONEY_LATE, fact("games.baccarat.house_money_late")
        cite = "house_money_settled"
    elif choice.wager not in observed.wagers or set(pairs) == {0}:
        kind, message = HOUSE_MONEY_NOT_WON, fact("games.baccarat.house_money_not_won")
        cite = "house_money_loses"
    elif choice.target is not None and choice.target not in observed.wagers:
        kind = HOUSE_MONEY_WITHOUT_WAGER
        message = fact("games.baccarat.house_money_without_wager", on=Word(choice.on or ""))
        cite = "house_money_added"
    else:
        return None
    return Defect(
        kind,
        message,
        (rules.cite(cite),),
        seat=choice.seat,
        wager="house_money",
        bettor=choice.bettor,
    )


def added(rules: Rules, counting: Sequence[Election], payouts: Mapping[Key, int]) -> dict[Key, int]:
    """Return by how many cents each wager grew, 631a.9(e)(1)(i).

    A fraction of a cent stays with the player.
    """
    grown: dict[Key, int] = {}
    for choice in counting:
        payout = payouts.get(choice.wager, 0)
        if choice.target is not None and payout > 0:
            grown[choice.target] = grown.get(choice.target, 0) + int(payout * rules.house_money_portion)
    return grown
