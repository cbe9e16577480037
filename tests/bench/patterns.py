"""How often the patterns have a lead on clean months: `python -m tests.bench.patterns MONTHS [RATE ...]`.

A month is played here with cards and people of its own, dealt by tests/golden/incidents, which shares nothing
with the program: patrons who come back, wager flat, at random, more after a loss or more after a win, on the
hands and on the Dragon 7; dealers who are mistaken now and then for anybody; wagers late for no reason.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import Final

import click
from msgspec import Struct

from projections.engine.card_signals import Result, signals_of
from projections.engine.observation import Key, Move
from replay.patterns.exact_tails import clopper_pearson
from replay.patterns.played_rounds import (
    HandId,
    LateWager,
    PlayedHand,
    PlayedRound,
    SettledWager,
    weighed_win,
)
from replay.patterns.registry import PATTERNS
from schemas.rulebook import Rulebook, rulebook
from tests.golden.incidents.dealing import deal, decks, points

CHAPTER: Final = "631a"
TABLES: Final = 3
DAYS: Final = 30
ROUNDS: Final = 60  # of a table and day
PATRONS: Final = 60
DEALERS: Final = 9
SEATS: Final = 5
_LEFT: Final = 14  # cards behind the cut card
_MISTAKEN: Final = 1 / 400  # of a wager, either way
_LATE: Final = 1 / 100  # of a round
_STAKES: Final = (2500, 5000, 10_000)
_DRAGON: Final = 40  # to 1


class Patron(Struct):
    """A person who comes back: whom they back, how they wager, and what they lost or won last."""

    name: str
    likes_banker: float
    likes_dragon: float
    manner: str
    base: int
    size: int
    left: int = 0

    def stake(self, rng: Random) -> int:
        """Return the cents of the next wager on a hand."""
        if self.manner == "at random":
            return self.base * rng.randint(1, 8)
        return self.base if self.manner == "flat" else self.size

    def hear(self, result: Result) -> None:
        """Count how it ended: some wager more after a loss, some after a win."""
        raises = {"after a loss": "lose", "after a win": "win"}.get(self.manner)
        self.size = min(2 * self.size, 32 * self.base) if result == raises else self.base


class Shoe:
    """A shoe of eight decks, and what is known of a round that was dealt from it."""

    def __init__(self, name: str, rng: Random) -> None:
        self.name = name
        self.cards = decks(8)
        rng.shuffle(self.cards)

    def deal(self) -> tuple[list[tuple[str, str]], dict[str, Result]]:
        """Deal a round; give its play, and how each wager ends."""
        told, won = deal(self.cards)
        play = [({"P": "player", "B": "banker"}[each[0]], each[1:]) for each in told.split()]
        banker = [card for who, card in play if who == "banker"]
        dragon = won == "banker" and len(banker) == 3 and points(banker) == 7
        ends: dict[str, Result] = {
            hand: "win" if won == hand else "push" if won == "tie" else "lose"
            for hand in ("player", "banker")
        }
        if dragon:
            ends["banker"] = "push"  # instead of vigorish
        return play, ends | {"dragon_7": "win" if dragon else "lose"}


def month(seed: int, book: Rulebook) -> Iterator[PlayedRound]:
    """Play a clean month."""
    rng = Random(seed)  # noqa: S311  months that can be played again
    manners = ("flat", "at random", "after a loss", "after a win")
    patrons = [
        Patron(
            f"P-{n}",
            rng.random(),
            rng.choice((0, 0, 1)),
            rng.choice(manners),
            base := rng.choice(_STAKES),
            base,
        )
        for n in range(PATRONS)
    ]
    for table in range(TABLES):
        shoe = Shoe("0", rng)
        for day in range(DAYS):
            seated: dict[int, Patron] = {}
            for number in range(ROUNDS):
                if len(shoe.cards) < _LEFT:
                    shoe = Shoe(str(int(shoe.name) + 1), rng)
                _sit(seated, patrons, rng)
                hands_id = HandId(date(2025, 3, 1) + timedelta(day), f"BAC-{table}", str(number))
                dealer = f"D-{(table + day + number // 25) % DEALERS}"
                yield _round(hands_id, shoe, dealer, seated, rng, book)


def _sit(seated: dict[int, Patron], patrons: list[Patron], rng: Random) -> None:
    for seat in range(1, SEATS + 1):
        if seat in seated and seated[seat].left <= 0:
            del seated[seat]
        if seat not in seated and rng.random() < 0.3:
            here = {each.name for each in seated.values()}
            patron = rng.choice([each for each in patrons if each.name not in here])
            patron.left = rng.randint(15, 90)
            seated[seat] = patron


def _round(
    hands_id: HandId, shoe: Shoe, dealer: str, seated: dict[int, Patron], rng: Random, book: Rulebook
) -> PlayedRound:
    game = signals_of(CHAPTER)
    stakes = {seat: _wagers(seat, patron, rng) for seat, patron in seated.items()}
    late_seat = rng.choice([*seated]) if seated and rng.random() < _LATE else None
    late_wager, move = (
        rng.choice(("player", "banker")),
        rng.choice(("place", "increase", "reduce", "withdraw")),
    )
    play, ends = shoe.deal()
    hands = []
    for seat, patron in seated.items():
        patron.left -= 1
        gains = {key: _gain(key[2], cents, ends) for key, cents in stakes[seat].items()}
        overpaid = 0
        for key in gains:
            if rng.random() < _MISTAKEN:
                wrong = rng.choice((500, 2500)) * rng.choice((1, -1))
                gains[key] += wrong
                overpaid += max(wrong, 0)
        main = next(key[2] for key in stakes[seat])
        patron.hear(ends[main])
        hands.append(
            PlayedHand(
                seat,
                None,
                patron.name,
                settled=[SettledWager(key[2], ends[key[2]]) for key in stakes[seat]],
                late=[_late(late_wager, move, ends)] if seat == late_seat else [],
                overpaid_cents=overpaid,
                signals=game.signals(seat, stakes[seat], play),
                weighed=weighed_win(book, stakes[seat], gains, play),
            )
        )
    return PlayedRound(hands_id, shoe.name, dealer, hands, game.count(card for _, card in play))


def _late(wager: str, move: Move, ends: dict[str, Result]) -> LateWager:
    return LateWager(wager, move, ends[wager])


def _wagers(seat: int, patron: Patron, rng: Random) -> dict[Key, int]:
    hand = "banker" if rng.random() < patron.likes_banker else "player"
    wagers: dict[Key, int] = {Key(seat, None, hand, None): patron.stake(rng)}
    if patron.likes_dragon:
        wagers[Key(seat, None, "dragon_7", None)] = rng.choice((500, 1000, 2500))
    return wagers


def _gain(wager: str, cents: int, ends: dict[str, Result]) -> int:
    if ends[wager] != "win":
        return -cents if ends[wager] == "lose" else 0
    return _DRAGON * cents if wager == "dragon_7" else cents


def main() -> None:
    """Play the months and count those with a lead, pattern by pattern."""
    months = int(sys.argv[1])
    rates = [Fraction(each) for each in sys.argv[2:]] or [Fraction(1, 20), Fraction(1, 1000)]
    book = rulebook(CHAPTER, date(2025, 3, 1), {"ez": True}, 8)
    found: Counter[tuple[str, Fraction]] = Counter()
    rounds = hands = 0
    began = time.monotonic()
    for seed in range(months):
        looking = [pattern() for pattern in PATTERNS.values()]
        for played in month(seed, book):
            rounds += 1
            hands += len(played.hands)
            for each in looking:
                each.count_round(played)
        for each in looking:
            for rate in rates:
                found[each.name, rate] += any(True for _ in each.leads(rate))
    click.echo(f"{months} months, {rounds:,} rounds, {hands:,} hands, {time.monotonic() - began:.0f} s")
    for rate in rates:
        for name in PATTERNS:
            low, high = clopper_pearson(found[name, rate], months, Fraction(5, 100))
            click.echo(
                f"{name} at {float(rate)}: {found[name, rate]} of {months} months with a lead, "
                f"{100 * float(low):.2f} % to {100 * float(high):.2f} %"
            )


if __name__ == "__main__":
    main()
