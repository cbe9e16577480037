"""Pay tables of side wagers that another text approves, in a form that a house writes and that is settled by.

A pay table is its lines in order. The first one whose conditions hold decides the wager; where none holds it
loses.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import asdict

from schemas.values import MOST_ODDS, Name, odds

Rank: TypeAlias = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
Suit: TypeAlias = Literal["c", "d", "h", "s"]
_Figure: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
Figures: TypeAlias = _Figure | Annotated[tuple[_Figure, ...], Meta(min_length=1)]

RETURNED: Final = "push"
UNDECIDED: Final = "undecided"


class CardTest(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Conditions on some cards, all of which must hold.

    `same` is what all of them share: a pair shares its rank, a colored pair rank and color, a perfect pair
    rank and suit. `ranks` are exactly the ranks that they have, in any order; `among` ranks, `suits` suits
    to which each belongs. `straight` cards follow one another, the ace high or low. `total` is the Point
    Count or the point total, or several of them; `cards` how many cards there are; `natural` whether they
    are a Natural, or a Blackjack.
    """

    same: tuple[Literal["rank", "suit", "color"], ...] = ()
    ranks: tuple[Rank, ...] = ()
    among: tuple[Rank, ...] = ()
    suits: tuple[Suit, ...] = ()
    straight: bool | None = None
    total: Figures | None = None
    cards: Figures | None = None
    natural: bool | None = None


class Condition(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Conditions on a round, all of which must hold: on its hands, on who won, by how many points.

    `first_two` are the first two cards of the seat that wagers, `up_card` is the dealer's first card. Which
    of them a game can answer the page on side wagers lists.
    """

    player: CardTest | None = None
    player_first_two: CardTest | None = None
    banker: CardTest | None = None
    banker_first_two: CardTest | None = None
    first_two: CardTest | None = None
    first_two_and_up_card: CardTest | None = None
    up_card: CardTest | None = None
    dealer_first_two: CardTest | None = None
    dealer: CardTest | None = None
    winner: Literal["player", "banker", "tie"] | None = None
    margin: Figures | None = None

    def parts(self) -> Iterator[str]:
        """Yield what it is about: hands, winner, margin."""
        yield from (name for name in self.__struct_fields__ if getattr(self, name) is not None)


class PayLine(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename={"when": "if"}):
    """A line of a pay table: its name, when it holds, and what it pays.

    `when` is a condition, or several, one of which is enough. It `pays` odds as the law prints them, `push`
    if the wager is returned, `undecided` if the text is silent.
    """

    name: Name
    when: Condition | Annotated[tuple[Condition, ...], Meta(min_length=1)]
    pays: Name

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Return the conditions of which one is enough."""
        return self.when if isinstance(self.when, tuple) else (self.when,)

    @property
    def fault(self) -> str | None:
        """Return why it pays no odds that there are; None if nothing is wrong with them."""
        try:
            _ = self.paid_at
        except ValueError as error:
            return str(error)
        return None

    @property
    def paid_at(self) -> Fraction | None:
        """Return the odds; None if the wager is returned, or left open.

        Raises:
            ValueError: they are no odds that a wager can be paid at.
        """
        if self.pays in (RETURNED, UNDECIDED):
            return None
        try:
            paid = odds(self.pays)
        except (ValueError, ZeroDivisionError):
            paid = Fraction(0)
        if not 0 < paid <= MOST_ODDS:
            raise ValueError(f'{self.pays!r} are no odds; write them as "25 to 1", or {RETURNED}')
        return paid


class SideWager(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A side wager that another text approves: that text's citation, and the pay table.

    The pay table is its lines. Of a text that is on file it is the letter of its paytable, or the odds by the
    names of its lines where the text has no odds here.
    """

    cite: Name
    paytable: Annotated[tuple[PayLine, ...], Meta(min_length=1)] | Name | dict[Name, Name]

    def __hash__(self) -> int:
        return hash((self.cite, str(self.paytable)))


def figures(stated: int | tuple[int, ...]) -> frozenset[int]:
    """Return the figures that a condition admits.

    >>> sorted(figures((8, 9))), sorted(figures(6))
    ([8, 9], [6])
    """
    return frozenset((stated,) if isinstance(stated, int) else stated)


def faults_of_lines(
    lines: Iterable[PayLine], answered: frozenset[str]
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield what of a pay table is at fault though it is of the form: the place in it, and why.

    `answered` are the parts of a condition that the game can answer.
    """
    above: list[tuple[Condition, str]] = []
    for n, line in enumerate(lines):
        place = ("paytable", n)
        if line.fault is not None:
            yield (*place, "pays"), line.fault
        for m, condition in enumerate(line.conditions):
            at = (*place, "if", m) if isinstance(line.when, tuple) else (*place, "if")
            for part in condition.parts():
                if part not in answered:
                    yield (*at, part), f"{part}: this game has {', '.join(sorted(answered)) or 'no part'}"
            by = next((name for other, name in above if _covers(other, condition)), None)
            if by is not None:
                yield at, f"{line.name} is never reached: {by}, above it, holds whenever it does"
        above += [(condition, line.name) for condition in line.conditions]


def _covers(wide: Condition, narrow: Condition) -> bool:
    """Return True if a condition holds whenever another one does, as far as their fields show."""
    return all(_asks_no_less(getattr(narrow, part), getattr(wide, part)) for part in wide.parts())


def _asks_no_less(narrow: object, wide: object) -> bool:
    if not isinstance(wide, CardTest):
        return _admits_no_more(narrow, wide)
    return isinstance(narrow, CardTest) and all(
        _shared(narrow) >= _shared(wide)
        if name == "same"
        else _admits_no_more(getattr(narrow, name), required)
        for name, required in asdict(wide).items()
        if required not in (None, ())
    )


def _admits_no_more(narrow: Any, wide: Any) -> bool:
    if isinstance(wide, int | tuple) and isinstance(narrow, int | tuple) and narrow != ():
        return figures(narrow) <= figures(wide)
    return bool(narrow == wide)


def _shared(test: CardTest) -> set[str]:
    """Return what cards share; those of one suit share its color."""
    return {*test.same, *(("color",) if "suit" in test.same else ())}
