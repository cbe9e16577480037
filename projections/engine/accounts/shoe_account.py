"""Account of a shoe's rounds: the cards seen and missing, the vigorish taken, and contradictions.

It is made from the rounds as observed and judged. The fold of the table's events never writes to it.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import Final

from msgspec import Struct, field

from projections.engine.accounts.shoe_order import ShoeOrder
from projections.engine.adjudication import Vigorish
from projections.engine.check_context import RoundCase, Surplus
from projections.engine.facts import CardRef, Fact, HandRef, fact
from projections.engine.observation import Gap, Round, who_of
from projections.engine.pack import Pack
from projections.engine.shoe import Shoe, note_gaps
from projections.engine.shoe_odds import levels_of
from schemas.values import CARDS, RANKS, SUITS, dollars, is_certain

_NOTED_ROUNDS: Final = 8  # of those whose cards are in doubt; a few are enough
_TELLING_CARDS: Final = ("shoe", "terminal")  # sources without which a shoe's cards are not all known


class Balance(Struct, frozen=True):
    """Contents of a shoe by its account, and as they were seen at its end.

    `short` is by how many cards it ended short, or long if it is below 0. `lacking` counts the cards that
    were not seen, `over` those that were seen beyond what the pack holds. `unseen` cards were dealt or
    counted unread. If there are any, they account for some of `lacking`. `open` is what leaves the count
    open: cards may have left the shoe that were not reported.
    """

    short: int
    lacking: dict[str, int]
    over: dict[str, int]
    unseen: int
    open: tuple[Fact, ...] = ()

    @property
    def is_wrong(self) -> bool:
        """Return True if the cards do not come out: by their number or, if all were read, by their kinds."""
        return self.short != 0 or (not self.unseen and bool(self.lacking or self.over))

    @property
    def is_even(self) -> bool:
        """Return True if every card was surely reported, none was lacking and none was one too many."""
        return not (self.is_wrong or self.over or self.open)


class ShoesBefore(Struct, frozen=True):
    """Knowledge of a table's cards from the shoes before this one.

    `even` is the last one that ended with every card there, and `next` the one after it, since which the
    cards may have been other ones; None if no shoe was counted. Each has its gaming date, as a house may give
    its shoes the same names every day.
    """

    even: str | None = None
    next: str | None = None
    even_day: date | None = None
    next_day: date | None = None

    def followed_by(self, shoe: Shoe) -> "ShoesBefore":
        """Return what they leave to be known once a shoe is in play."""
        if self.even is None or self.next is not None:
            return self
        return ShoesBefore(self.even, shoe.title(), self.even_day, shoe.day)


class Accrued(Struct, frozen=True):
    """Vigorish that the law takes of one person by the house's choice; how much of it rounding up added."""

    cents: int = 0
    rounding: int = 0


class ShoeAccount(Struct):
    """A shoe as far as its rounds describe it.

    `cards` counts the cards seen, with burned ones. `alone` counts those of them that only one of two readers
    read, because the other had a gap. `unread` counts what was read of cards that were not fully read (`9?`,
    `??`), and `face_down` the cards that were burned unread. The cards of the `doubtful` rounds are not all
    known. `ways` has the rounds in which vigorish was first taken exact and first rounded, if the two differ.
    `accrued` is by person (`3`, `3/anna`), and `rules` are those by which it was computed. `conflicts` are
    the devices that contradicted each other, once for each round in which they did. `unknown` is what was not
    reported of the shoe or not read; `noted` of these gaps came from the table's events. `before` is what the
    table's earlier shoes show of its cards. `decks` is how many its rounds are played with by the rulebook,
    None before the first of them. `is_rare` is true if a full and shuffled shoe would seldom keep back the
    cards that were not seen. `order` is that in which they came.
    """

    cards: dict[str, int] = field(default_factory=dict)
    alone: dict[str, int] = field(default_factory=dict)
    unread: dict[str, int] = field(default_factory=dict)
    face_down: int = 0
    doubtful: tuple[str, ...] = ()
    ways: dict[str, str] = field(default_factory=dict)
    accrued: dict[str, Accrued] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    conflicts: tuple[tuple[str, ...], ...] = ()
    unknown: list[Gap] = field(default_factory=list)
    noted: int = 0
    before: ShoesBefore = ShoesBefore()
    decks: int | None = None
    is_rare: bool = False
    order: ShoeOrder = ShoeOrder()

    def note(self, gaps: Sequence[Gap]) -> None:
        """Add what the table's events have left open of the shoe since the last call."""
        note_gaps(self.unknown, gaps[self.noted :])
        self.noted = len(gaps)

    def raises(self, shoe: Shoe) -> bool:
        """Return True if there is anything to raise about the shoe before it ends."""
        return bool(
            shoe.lapses
            or len(self.ways) > 1
            or self.conflicts
            or self.unknown
            or shoe.left is not None
            or self.is_rare
            or self.order.runs
            or (shoe.decks is not None and self.decks not in (None, shoe.decks))
        )

    def burn(self, observed: Round, face_down: int) -> None:
        """Count the cards that were burned before a round; so many of the shoe were burned unread."""
        self.face_down = face_down
        for card in observed.burned:
            self.cards[card] = self.cards.get(card, 0) + 1

    def count(self, observed: Round, pack: Pack | None) -> tuple[Surplus, ...]:
        """Count a round's cards, and return those that the pack does not hold that often.

        Cards that were not read, or that two readers read differently, are not counted and leave the shoe's
        count open: it is then a lower bound. A count that rests on one of two readers alone proves nothing
        either. A game without a pack is played without cards: cards that a device reports there are ignored.
        """
        if pack is None:
            return ()
        surplus: dict[int, Surplus] = {}
        if not observed.cards_known:
            self.doubtful = (*self.doubtful, observed.number)[:_NOTED_ROUNDS]
        if observed.covered:
            return ()  # a card that the second reader alone saw proves no surplus; the shoe's hole is noted
        for place, (who, card) in enumerate(observed.play):
            if card not in CARDS:
                continue  # a word
            if is_certain(card):
                self.cards[card] = times = self.cards.get(card, 0) + 1
                if observed.uncovered:
                    self.alone[card] = self.alone.get(card, 0) + 1
                if times > pack.decks and self._is_over(card, times, pack.decks):
                    surplus[place] = Surplus(who, card, times)
            else:
                self._note_unread(observed.number, who, card)
        surplus = dict(self._beyond(observed, pack, is_named=bool(surplus))) | surplus
        return tuple(surplus[place] for place in sorted(surplus))

    def look_for_absence(self, pack: Pack, one_in: int) -> None:
        """Note whether the cards seen are rare: such as one in so many full and shuffled shoes shows.

        A shoe that gave a card that it cannot hold is not full, so its missing cards are no sign of anything.
        """
        drawn, kinds = self.read_of(pack), len(self.cards)
        least = min(self.cards.values(), default=0) if kinds >= pack.kinds else 0
        most = max(self.cards.values(), default=0)
        of_cards, of_ranks, of_repeats = levels_of(pack, one_in)
        # The least seen card decides of cards; of ranks only where four such cards would be worth a warning.
        self.is_rare = most <= pack.decks and (
            drawn >= _level(of_cards, least, pack)
            or drawn >= _level(of_repeats, most, pack)
            or (
                drawn >= _level(of_ranks, len(SUITS) * least, pack)
                and drawn >= _level(of_ranks, self._fewest_of_a_rank(pack), pack)
            )
        )

    def _fewest_of_a_rank(self, pack: Pack) -> int:
        """Return how many cards were read of the rank that was read least."""
        seen = dict.fromkeys(pack.ranks, 0)
        for card, times in self.cards.items():
            if card[0] in seen:
                seen[card[0]] += times
        return min(seen.values())

    def read_of(self, pack: Pack) -> int:
        """Return how many cards of a pack were read whole."""
        if pack.ranks == RANKS:
            return sum(self.cards.values())
        return sum(times for card, times in self.cards.items() if card[0] in pack.ranks)

    def of_rank(self, rank: str) -> int:
        """Return how many cards of a rank were read whole."""
        return sum(self.cards.get(rank + suit, 0) for suit in SUITS)

    def _is_over(self, card: str, times: int, decks: int) -> bool:
        """Return True if a card surely left the shoe too often; note it if only one reader read that."""
        if times - self.alone.get(card, 0) > decks:
            return True
        over = fact("accounts.card_over_by_one_reader", card=CardRef(card), times=times)
        note_gaps(self.unknown, [Gap("", "cards", over)])
        return False

    def _note_unread(self, number: str, who: str, card: str) -> None:
        """Count a card of a round that was not read whole."""
        self.unread[card] = self.unread.get(card, 0) + 1
        if who != "discard":  # a card discarded face down is not for anyone to read
            unread = fact("accounts.card_unread", at=HandRef(who), card=CardRef(card), round=number)
            note_gaps(self.unknown, [Gap("", "cards", unread)])

    def _beyond(self, observed: Round, pack: Pack, *, is_named: bool) -> Iterator[tuple[int, Surplus]]:
        """Yield by place a round's cards beyond all that a pack holds, or else beyond its number of a rank.

        If anything of the shoe was not reported there are none: another shoe may have been loaded. There is
        none of a rank if a card of the round `is_named` already.
        """
        dealt = self._dealt(self.face_down)
        by_rank_alone = RANKS if self.unread and not is_named else ""
        ranks = [rank for rank in by_rank_alone if self._of_rank(rank) > pack.holds(f"{rank}?")]
        if (dealt <= pack.size and not ranks) or any(self._openings()):
            return
        cards = [(place, *act) for place, act in enumerate(observed.play) if act[1] in CARDS]
        if dealt > pack.size:
            over = min(dealt - pack.size, len(cards))
            for number, (place, who, _) in enumerate(cards[len(cards) - over :], 1):
                yield place, Surplus(who, "??", dealt - over + number, holds=pack.size)
            return
        for rank in ranks:
            last = next(((place, who) for place, who, card in reversed(cards) if card[0] == rank), None)
            if last is not None:
                place, who = last
                yield place, Surplus(who, f"{rank}?", self._of_rank(rank), holds=pack.holds(f"{rank}?"))

    def _of_rank(self, rank: str) -> int:
        """Return how many cards of a rank were seen; 0 if the suit of each was read."""
        unread = self.unread.get(f"{rank}?", 0)
        return unread and unread + self.of_rank(rank)

    def _dealt(self, face_down: int) -> int:
        """Return how many cards left the shoe, seen or not, so many of them burned unread."""
        return sum(self.cards.values()) + sum(self.unread.values()) + face_down

    def _openings(self) -> Iterator[Fact]:
        """Yield what leaves open how many cards left the shoe."""
        for gap in self.unknown:
            if gap.source in _TELLING_CARDS:
                yield gap.message
        for number in self.doubtful:
            yield fact("accounts.cards_in_doubt", round=number)

    def balance(self, shoe: Shoe, pack: Pack) -> Balance | None:
        """Balance a shoe at its end against its pack; None if what was left in it was not counted."""
        if shoe.left is None:
            return None
        seen, unseen = dict(self.cards), sum(self.unread.values()) + shoe.face_down
        for card in (*shoe.burned, *(shoe.rest or ())):  # burned after its last round, and left in it
            if is_certain(card):
                seen[card] = seen.get(card, 0) + 1
            else:
                unseen += 1
        if shoe.rest is None:
            unseen += shoe.left
        short = pack.size - self._dealt(shoe.face_down) - len(shoe.burned) - shoe.left
        openings = [*self._openings()]
        if shoe.decks is None:
            openings.append(fact("accounts.loading_not_reported"))
        if shoe.rest is not None and len(shoe.rest) != shoe.left:
            openings.append(fact("accounts.rest_counted_twice", left=shoe.left, read=len(shoe.rest)))
        off = {card: seen.get(card, 0) - pack.holds(card) for card in (*pack.cards(), *seen)}
        return Balance(
            short=short,
            lacking={card: -times for card, times in off.items() if times < 0},
            over={card: times for card, times in off.items() if times > 0},
            unseen=unseen,
            open=tuple(openings),
        )

    def remember(self, case: RoundCase) -> None:
        """Record from a judged round what shows only over several rounds."""
        for way in _ways_taken(case):
            self.ways.setdefault(way, case.observed.number)
        for key, reckoning, _ in case.settlements:
            if reckoning.vigorish is not None:
                self._accrue(who_of(*key.person), reckoning.vigorish)
        conflicts = (doubt for doubt in case.observed.doubts if doubt.check == "source_conflict")
        self.conflicts += tuple(sorted({doubt.devices for doubt in conflicts if doubt.devices}))

    def _accrue(self, who: str, due: Vigorish) -> None:
        """Book what a win owes, and by which rule."""
        before = self.accrued.get(who, Accrued())
        self.accrued[who] = Accrued(before.cents + due.expected, before.rounding + due.expected - due.exact)
        rule = rule_of(due)
        if rule not in self.rules:
            self.rules += (rule,)

    def copied(self) -> "ShoeAccount":
        """Copy it for a fold that may have to be done again."""
        return ShoeAccount(
            dict(self.cards),
            dict(self.alone),
            dict(self.unread),
            self.face_down,
            self.doubtful,
            dict(self.ways),
            dict(self.accrued),
            self.rules,
            self.conflicts,
            list(self.unknown),
            self.noted,
            self.before,
            self.decks,
            self.is_rare,
            self.order,
        )


def _level(levels: Sequence[int], seen: int, pack: Pack) -> int:
    """Return from how many cards on it is a warning to have seen one so often; never is above the size."""
    return levels[seen] if seen < len(levels) else pack.size + 1


def _ways_taken(case: RoundCase) -> Iterator[str]:
    """Yield for each vigorish whose exact and rounded sums differ which of the two was taken."""
    for _, reckoning, paid in case.settlements:
        due = reckoning.vigorish
        if due is None or due.exact == due.rounded or paid.cents != reckoning.cents:
            continue
        if paid.vigorish_cents == due.exact and paid.vigorish_cents:
            yield "exact"
        elif paid.vigorish_cents == due.rounded:
            yield "rounded"


def rule_of(due: Vigorish) -> str:
    """Return by which rule vigorish was computed.

    >>> from fractions import Fraction
    >>> rule_of(Vigorish(75, 52, 75, True, 1050, Fraction(1, 20), 25, "631a.13(c)"))
    '5% of what is won, rounded up to $0.25, 631a.13(c)'
    """
    way = f"rounded up to {dollars(due.unit)}" if due.expected != due.exact else "exact"
    if due.exact == due.rounded and not due.fraction:
        way = "exact, as nothing was to be rounded"
    return f"{_percent(due.rate)} of what is {due.of}, {way}, {due.rounding_cite or due.cite}"


@lru_cache(maxsize=64)  # a house has a few rates
def _percent(rate: Fraction) -> str:
    return f"{rate * 100}%"
