"""What a round, a shoe, an account or an alert is called in a link to it."""

from collections.abc import Collection
from typing import Final

from msgspec import Struct

from projections.store.rows import Row
from projections.web.records.store_queries import Kind, Reader
from schemas.ledgers import table_called
from schemas.values import in_words

_ALERTS: Final = """
    SELECT findings.id AS id, any_value(findings.check_name) AS "check", any_value(rounds.id) AS about,
        any_value(rounds.table_id) AS table_id, any_value(rounds.round) AS round,
        any_value(rounds.shoe) AS shoe, any_value(rounds.account) AS account,
        any_value(findings.seat) AS seat, any_value(findings.wager) AS wager
    FROM findings JOIN rounds
        ON rounds.run = findings.run AND rounds.id = findings.round_id AND rounds.revision = findings.revision
    WHERE findings.id IN (SELECT unnest($ids)) GROUP BY findings.id
"""


class Named(Struct, frozen=True):
    """An alert by its id: the key of what it is about, its table, its check, and how a link says all that.

    `what` is what was found, with its seat and wager where it has them: of one check a round can have many.
    """

    id: str
    about: str
    table: str
    check: str
    what: str
    called: str


def kind_of(row: Row) -> tuple[Kind, str]:
    """Tell of a row of `rounds` whether it is a round, a shoe or an account, and its name.

    >>> kind_of({"round": "88", "shoe": "3", "account": None})
    ('round', '88')
    """
    kind: Kind = "round" if row["round"] else "account" if row["account"] else "shoe"
    return kind, row[kind]


def called(row: Row) -> str:
    """Return what a row of `rounds` is called, with its table.

    >>> called({"table_id": "BAC-1", "round": None, "shoe": "3", "account": None})
    'BAC-1, shoe 3'
    """
    kind, name = kind_of(row)
    return f"{table_called(row['table_id'])}, {in_words(name) if kind == 'account' else f'{kind} {name}'}"


def named(reader: Reader, alerts: Collection[str]) -> dict[str, Named]:
    """Say of alerts what they are called, each by its id; one that the store does not have is left out.

    Whoever asks leaves out what is withheld from the person.
    """
    rows = reader.ask(_ALERTS, {"ids": sorted(alerts)}) if alerts else []
    found = {row["id"]: (row, _what(row)) for row in rows}
    return {
        name: Named(name, row["about"], row["table_id"], row["check"], what, f"{called(row)}: {what}")
        for name, (row, what) in found.items()
    }


def _what(row: Row) -> str:
    seat = f"seat {row['seat']}" if row["seat"] is not None else ""
    wager = in_words(row["wager"]) if row["wager"] is not None else ""
    return ", ".join(filter(None, (in_words(row["check"]), f"{seat} {wager}".strip())))
