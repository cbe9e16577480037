"""The shoes of a table's gaming day: their rounds one after another, and what was found of them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from projections.hand.conclusion import Verdict
from projections.hand.findings import Finding
from projections.store.rows import Row
from projections.store.times import micros
from schemas.values import Micros


class RoundOfDay(Struct, frozen=True):
    """A round in its day: when it opened, its verdict, what it brought the house, what was found of it.

    `won_cents` has vigorish in it, and what was put right later; it is None where settlement was not seen.
    """

    about: str
    round: str
    at: Micros | None
    verdict: Verdict
    dealer: str | None
    won_cents: int | None
    findings: list[Finding]


class ShoeOfDay(Struct, frozen=True):
    """The rounds that were dealt from one shoe, one after another, and what was found of the shoe itself."""

    shoe: str | None
    rounds: list[RoundOfDay]
    findings: list[Finding]

    @property
    def verdicts(self) -> Mapping[str, int]:
        """How many rounds have which verdict."""
        return Counter(each.verdict for each in self.rounds)

    @property
    def won_cents(self) -> int:
        """What the rounds whose settlement was seen brought the house."""
        return sum(each.won_cents or 0 for each in self.rounds)


def shoes_of(
    rounds: Sequence[Row],
    won: Mapping[str, int | None],
    found: Mapping[str, list[Finding]],
    shoes: dict[str, list[Finding]],
) -> Iterable[ShoeOfDay]:
    """Lay rounds out by shoe; a shoe with findings and no round of the day comes last."""
    for shoe, dealt in groupby(rounds, key=lambda row: row["shoe"]):
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
        )
    for shoe, findings in shoes.items():
        yield ShoeOfDay(shoe, [], findings)
