"""What a shoe's rounds come to: the cards it gave, how vigorish was taken, who contradicted whom.

It is kept from the rounds as they were seen and judged, and never written by the fold of the table's events.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from projections.engine.adjudication import Vigorish
from projections.engine.check_context import Case, Surplus
from projections.engine.facts import CardRef, HandRef, fact
from projections.engine.observation import Gap, Round, who_of
from projections.engine.shoe import Shoe, note_gaps
from schemas.values import CARDS, dollars, is_certain


class Accrued(Struct, frozen=True):
    """Vigorish that the law takes of one person by the house's choice; how much of it rounding up added."""

    cents: int = 0
    rounding: int = 0


class ShoeAccount(Struct):
    """A shoe as far as its rounds tell of it.

    `cards` is how often each was seen, burned ones among them; of these `alone` were read by one of two
    readers, as the other had a hole. `ways` is in which round vigorish was first taken exact, and first
    rounded, where the two differ; `accrued` is by person (`3`, `3/anna`), and `rules` are those by which it
    was reckoned. `conflicts` is in how many rounds two devices contradicted each other. `unknown` is what was
    not reported of the shoe or not read, of which `noted` gaps came from the table's events.
    """

    cards: dict[str, int] = field(default_factory=dict)
    alone: dict[str, int] = field(default_factory=dict)
    ways: dict[str, str] = field(default_factory=dict)
    accrued: dict[str, Accrued] = field(default_factory=dict)
    rules: list[str] = field(default_factory=list)
    conflicts: dict[str, int] = field(default_factory=dict)
    unknown: list[Gap] = field(default_factory=list)
    noted: int = 0

    def note(self, gaps: Sequence[Gap]) -> None:
        """Take over what the table's events left open of the shoe since this was last done."""
        note_gaps(self.unknown, gaps[self.noted :])
        self.noted = len(gaps)

    def raises(self, shoe: Shoe) -> bool:
        """Return True if there is anything to say of the shoe before it ends."""
        return bool(shoe.lapses or len(self.ways) > 1 or self.conflicts or self.unknown)

    def burn(self, observed: Round) -> None:
        """Count the cards that were burned before a round."""
        for card in observed.burned:
            self.cards[card] = self.cards.get(card, 0) + 1

    def count(self, observed: Round, decks: int) -> tuple[Surplus, ...]:
        """Count a round's cards, and give those that the decks do not hold that often.

        Cards that were not read, or not alike by two readers, are not counted and leave the shoe's count
        open: it stays one that the shoe surely reached. A count that it reached by what one of two readers
        alone read proves nothing either. A game without `decks` is played without cards: those that a device
        reports there are nothing of it, and nothing is proved by them.
        """
        if not decks:
            return ()
        surplus: list[Surplus] = []
        if observed.covered:
            return ()  # a card that the second reader alone saw proves no surplus; the shoe's hole is noted
        for who, card in observed.play:
            if card not in CARDS:
                continue  # a word
            if is_certain(card):
                self.cards[card] = times = self.cards.get(card, 0) + 1
                if observed.uncovered:
                    self.alone[card] = self.alone.get(card, 0) + 1
                if times - self.alone.get(card, 0) > decks:
                    surplus.append(Surplus(who, card, times))
                elif times > decks:
                    over = fact("accounts.card_over_by_one_reader", card=CardRef(card), times=times)
                    note_gaps(self.unknown, [Gap("", "cards", over)])
            elif who != "discard":  # a card discarded face down is not for anyone to read
                unread = fact(
                    "accounts.card_unread", at=HandRef(who), card=CardRef(card), round=observed.number
                )
                note_gaps(self.unknown, [Gap("", "cards", unread)])
        return tuple(surplus)

    def remember(self, case: Case) -> None:
        """Note of a judged round what only several rounds together tell."""
        for way in _ways_taken(case):
            self.ways.setdefault(way, case.observed.number)
        for key, reckoning, _ in case.settlements:
            if reckoning.vigorish is not None:
                self._accrue(who_of(*key[:2]), reckoning.vigorish)
        pairs = {
            doubt.device
            for doubt in case.observed.doubts
            if doubt.check == "source_conflict" and doubt.device is not None
        }
        for pair in sorted(pairs):
            self.conflicts[pair] = self.conflicts.get(pair, 0) + 1

    def _accrue(self, who: str, due: Vigorish) -> None:
        """Book what a win owes, and by which rule."""
        before = self.accrued.get(who, Accrued())
        self.accrued[who] = Accrued(before.cents + due.expected, before.rounding + due.expected - due.exact)
        rule = rule_of(due)
        if rule not in self.rules:
            self.rules.append(rule)

    def copied(self) -> "ShoeAccount":
        """Copy it for a fold that may have to be done again."""
        return ShoeAccount(
            dict(self.cards),
            dict(self.alone),
            dict(self.ways),
            dict(self.accrued),
            list(self.rules),
            dict(self.conflicts),
            list(self.unknown),
            self.noted,
        )


def _ways_taken(case: Case) -> Iterator[str]:
    """Say of each vigorish whose exact and rounded sums differ which of the two was taken."""
    for _, reckoning, paid in case.settlements:
        due = reckoning.vigorish
        if due is None or due.exact == due.rounded or paid.cents != reckoning.cents:
            continue
        if paid.vigorish_cents == due.exact and paid.vigorish_cents:
            yield "exact"
        elif paid.vigorish_cents == due.rounded:
            yield "rounded"


def rule_of(due: Vigorish) -> str:
    """Return by which rule vigorish was reckoned.

    >>> from fractions import Fraction
    >>> rule_of(Vigorish(75, 52, 75, True, 1050, Fraction(1, 20), 25, "631a.13(c)"))
    '5% of what is won, rounded up to $0.25, 631a.13(c)'
    """
    way = f"rounded up to {dollars(due.unit)}" if due.expected != due.exact else "exact"
    if due.exact == due.rounded and not due.fraction:
        way = "exact, as nothing was to be rounded"
    return f"{due.rate * 100}% of what is {due.of}, {way}, {due.rounding_cite or due.cite}"
