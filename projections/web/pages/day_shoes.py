"""The shoes of a table's gaming day: their rounds one after another, and what was found of them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct

from projections.engine.conclusion import Verdict
from projections.engine.facts import Fact
from projections.engine.findings import FindingBase
from projections.engine.observation import PieceKind
from projections.engine.table_layout import kind_of
from projections.store.rows import Row, micros
from projections.views.roads import Hand, Road, roads_of
from schemas.values import Micros

_FIRST: Final[Sequence[PieceKind]] = ("card", "tile", "dice")
# What the terminal calls a shoe where the game has none, as every round names one.
_NO_SHOE: Final[Mapping[PieceKind, str]] = {"tile": "Tiles", "dice": "Dice"}


class RoundOfDay(Struct, frozen=True):
    """A round in its day: when it opened, its verdict, what it brought the house, its findings.

    `won_cents` includes vigorish, and later corrections; it is None if the settlement was not seen.
    """

    about: str
    round: str
    at: Micros | None
    verdict: Verdict
    dealer: str | None
    won_cents: int | None
    findings: list[FindingBase[Fact]]


class ShoeOfDay(Struct, frozen=True):
    """The rounds that were dealt from one shoe, one after another, and the findings on the shoe itself.

    If `kind` is no card there was no shoe: it is the tiles or the dice that were used. `roads` are its
    results in the trade's displays.
    """

    shoe: str | None
    rounds: list[RoundOfDay]
    findings: list[FindingBase[Fact]]
    kind: PieceKind = "card"
    roads: list[Road] = []

    @property
    def title(self) -> str:
        """Return its name: a shoe, or what was played with if there is none.

        >>> ShoeOfDay("105-04", [], []).title, ShoeOfDay("tiles 109", [], [], "tile").title
        ('Shoe 105-04', 'Tiles 109')
        """
        word = _NO_SHOE.get(self.kind, "Shoe")
        name = self.shoe or "of no name"
        return f"{word} {name.removeprefix(f'{word.lower()} ')}"

    @property
    def verdicts(self) -> Mapping[str, int]:
        """Return how many rounds have which verdict."""
        return Counter(each.verdict for each in self.rounds)

    @property
    def won_cents(self) -> int:
        """Return what the rounds whose settlement was seen brought the house."""
        return sum(each.won_cents or 0 for each in self.rounds)


def shoes_of(
    rounds: Sequence[Row],
    won: Mapping[str, int | None],
    found: Mapping[str, list[FindingBase[Fact]]],
    shoes: dict[str, list[FindingBase[Fact]]],
) -> Iterable[ShoeOfDay]:
    """Yield the shoes with their rounds; those with findings and no round of the day come last."""
    for shoe, rows in groupby(rounds, key=lambda row: row["shoe"]):
        dealt = list(rows)
        yield ShoeOfDay(
            shoe,
            [
                RoundOfDay(
                    row["id"],
                    row["round"],
                    micros(row["opened"]),
                    row["verdict"],
                    row["dealer"],
                    won.get(row["id"], 0),
                    found[row["id"]],
                )
                for row in dealt
            ],
            shoes.pop(shoe, []),
            kind_dealt(dealt),
            roads_of_rows(dealt),
        )
    for shoe, findings in shoes.items():
        yield ShoeOfDay(shoe, [], findings)


def roads_of_rows(rounds: Sequence[Row]) -> list[Road]:
    """Return the roads of a shoe by the rows of its rounds, in order."""
    if not rounds:
        return []
    hands = [
        Hand(
            row["round"],
            row["verdict"],
            row["outcome"],
            row["announced"],
            [(act["who"], act["what"]) for act in row["play"] or ()],
        )
        for row in rounds
    ]
    return roads_of(rounds[0]["chapter"], hands)


def kind_dealt(rounds: Iterable[Row]) -> PieceKind:
    """Return what rounds were played with.

    The default is cards, and tiles if dice only decide who begins.

    >>> play = [{"who": "dice", "what": "3-4"}, {"who": "seat1", "what": "6-5"}]
    >>> kind_dealt([{"play": None}, {"play": play}]), kind_dealt([{"play": play[:1]}])
    ('tile', 'dice')
    """
    acts = ((act["who"], act["what"]) for row in rounds for act in row["play"] or ())
    kinds = {kind_of(who, what) for who, what in acts}
    return next((kind for kind in _FIRST if kind in kinds), "card")
