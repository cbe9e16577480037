"""A table's gaming day: its shoes and rounds in order, what was found of them, what play brought, its sums.

The store keeps no time of fills, credits and drops, and no count of the tray by round: the line through the
day is what play brought the house, settled wagers and vigorish, and the account's sums stand beside it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import Final

from msgspec import Struct

from projections.console.access.embargo import Hidden
from projections.console.access.subjects import within
from projections.console.records.queries import Reader
from projections.hand.conclusion import Line, Verdict
from projections.hand.findings import Finding
from projections.store.rows import Row, finding_of, lines_of
from projections.store.times import micros
from schemas.values import Micros

NOTHING: Final = Hidden()
_ROWS: Final = """
    SELECT * FROM rounds WHERE run = $run AND gaming_date = $day AND table_id = $table
    QUALIFY revision = max(revision) OVER (PARTITION BY id)
    ORDER BY opened NULLS LAST, id
"""
_MONEY: Final = """
    SELECT id, revision, bool_and(paid_cents IS NOT NULL) AS settled,
        -sum(paid_cents + coalesce(later_cents, 0))::BIGINT AS won,
        sum(paid_vigorish_cents + coalesce(later_vigorish_cents, 0))::BIGINT AS vigorish
    FROM settlements WHERE run = $run AND id IN (SELECT unnest($ids)) AND seat > 0
    GROUP BY id, revision
"""
_FOUND: Final = """
    SELECT * FROM findings
    WHERE run = $run AND round_id IN (SELECT unnest($ids)) AND weight <> 'note' ORDER BY ordinal
"""


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


class AccountOfDay(Struct, frozen=True):
    """An account of the day, such as its inventory: its verdict, its lines, what was found of it."""

    account: str
    verdict: Verdict
    lines: list[Line]
    findings: list[Finding]


class TableDay(Struct, frozen=True):
    """All that a run has of a table's gaming day, in order."""

    run: str
    table: str
    day: date
    chapter: str
    shoes: list[ShoeOfDay]
    accounts: list[AccountOfDay]

    @property
    def rounds(self) -> list[RoundOfDay]:
        """Its rounds, in order."""
        return [each for shoe in self.shoes for each in shoe.rounds]


def table_day(reader: Reader, run: str, table: str, day: date, hidden: Hidden = NOTHING) -> TableDay | None:
    """Read a table's gaming day as a run of the store has it, but what is withheld; None where nothing is."""
    rows = [
        row
        for row in reader.ask(_ROWS, {"run": run, "day": day, "table": table})
        if not hidden.hides(within(row["id"]))
    ]
    if not rows:
        return None
    latest = {row["id"]: row["revision"] for row in rows}
    money = reader.ask(_MONEY, {"run": run, "ids": list(latest)})
    won = {row["id"]: _won(row) for row in money if latest[row["id"]] == row["revision"]}
    found = found_of(reader, run, latest, hidden)
    shoes = {row["shoe"]: found[row["id"]] for row in rows if row["round"] is None and row["account"] is None}
    return TableDay(
        run=run,
        table=table,
        day=day,
        chapter=rows[0]["chapter"],
        shoes=list(_shoes([row for row in rows if row["round"] is not None], won, found, shoes)),
        accounts=[
            AccountOfDay(
                row["account"],
                row["verdict"],
                lines_of(row),
                found[row["id"]],
            )
            for row in rows
            if row["account"] is not None
        ],
    )


def found_of(
    reader: Reader, run: str, revisions: Mapping[str, int], hidden: Hidden
) -> defaultdict[str, list[Finding]]:
    """Read what was found in these revisions of rounds, shoes and accounts of a run, but what is withheld."""
    found: defaultdict[str, list[Finding]] = defaultdict(list)
    for row in reader.ask(_FOUND, {"run": run, "ids": list(revisions)}):
        if revisions[row["round_id"]] == row["revision"] and not hidden.hides([f"alert:{row['id']}"]):
            found[row["round_id"]].append(finding_of(row, Finding))
    return found


def _won(row: Row) -> int | None:
    return row["won"] + row["vigorish"] if row["settled"] else None


def _shoes(
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
