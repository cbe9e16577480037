"""Wagers that came out otherwise, and their sums, as the rows of a list."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from projections.engine.audit.restitution import Effect, Share, Sum, Tally
from projections.engine.observation import Round
from replay.lists.writers import Form, Row, write_rows
from replay.recording.seated_rounds import Seated
from schemas.values import dollars

_CENTS: Final = "_cents"
_UNKNOWN: Final = "not known"
# What a column holds: the sum as it was, and what it becomes, are named by the verb.
_HEAD: Final = (
    "kind", "gaming_date", "table", "round", "shoe", "dealer", "seat", "bettor", "patron", "renamed", "wager",
    "hand", "effect", "rounds", "hands", "stake_cents",
)  # fmt: skip
_TAIL: Final = ("difference_cents", "to_patron_cents", "to_house_cents", "says")


class Ledger:
    """Turns affected rounds into rows and keeps their sums, which are rows of their own at the end.

    `was` and `becomes` name the two columns of money that are held against each other.
    """

    def __init__(self, was: str, becomes: str) -> None:
        self.columns = (*_HEAD, was, becomes, *_TAIL)
        self._was, self._becomes = was, becomes
        self._tally = Tally()

    def line(self, kind: str, **cells: object) -> Row:
        """Return a row of the list; columns that are not named stay empty."""
        return {column: cells.get(column) for column in self.columns} | {"kind": kind}

    def round_rows(
        self, each: Seated, shares: Sequence[Share], idle: Effect | None = None, says: str = ""
    ) -> Iterator[Row]:
        """Yield a row of the round and one for each of its wagers, and add them to the sums.

        A round in which nothing was wagered has the effect `idle`.
        """
        seen = each.seen
        about, patrons = _about(seen), each.patrons()
        whole = Sum()
        whole.add(shares)
        effects = dict.fromkeys(share.effect for share in shares) if shares else [idle or ""]
        yield self.line("round", **about, effect=", ".join(effects), says=says, **self._sums(whole))
        for share in shares:
            seat, bettor, wager, hand = share.key
            yield self.line(
                "wager",
                **about,
                seat=seat,
                bettor=bettor,
                patron=patrons.get(share.key),
                renamed=each.says_of(share.key),
                wager=wager,
                hand=hand,
                effect=share.effect,
                stake_cents=share.stake,
                difference_cents=share.difference,
                says=share.says,
                **{self._was: share.was, self._becomes: share.becomes},
            )
        names = {"dealer": seen.dealer or "", "table": seen.table}
        self._tally.add(shares, names, patrons, idle)

    def sum_rows(self) -> Iterator[Row]:
        """Yield the sums by patron, dealer and table, and in total; after all rounds."""
        for by, name, effect, total in self._tally.lines():
            cells: dict[str, object] = {} if by == "total" else {by: name or _UNKNOWN}
            yield self.line(by, **cells, effect=effect or "all", **self._sums(total))

    def _sums(self, total: Sum) -> dict[str, object]:
        known = total.known > 0
        return {
            "rounds": total.rounds,
            "hands": total.hands,
            "stake_cents": total.stake,
            self._was: total.was,
            self._becomes: total.becomes,
            "difference_cents": total.difference,
            "to_patron_cents": total.to_patron if known else None,
            "to_house_cents": total.to_house if known else None,
        }


def _about(seen: Round) -> dict[str, object]:
    return {
        "gaming_date": str(seen.day),
        "table": seen.table,
        "round": seen.number,
        "shoe": seen.shoe,
        "dealer": seen.dealer,
    }


def write_money(rows: Iterable[Row], form: Form, columns: Sequence[str]) -> None:
    """Print rows as `write_rows` does; cents are written as dollars where people read them."""
    if form != "table":
        write_rows(rows, form, columns)
        return
    head = [column.removesuffix(_CENTS) for column in columns]
    write_rows((_for_people(row) for row in rows), form, head)


def _for_people(row: Row) -> Row:
    """Write the cents of a row as dollars.

    >>> _for_people({"round": "17", "owed_cents": -2500, "paid_cents": None})
    {'round': '17', 'owed': '-$25.00', 'paid': None}
    """
    return {
        name.removesuffix(_CENTS): dollars(cell) if name.endswith(_CENTS) and isinstance(cell, int) else cell
        for name, cell in row.items()
    }
