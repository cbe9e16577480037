"""Signatories: the people around a table, in the cage, in the count room and in finance."""

from typing import Final

from schemas.coupon_log import Signer
from schemas.values import Person

_TABLES_OF_A_PIT: Final = 6


def floorperson(table: int) -> Person:
    """Return the floorperson of a table, by its number."""
    return Person(f"FP-{table // _TABLES_OF_A_PIT:02}", "floorperson")


def dealer(name: str) -> Person:
    """Return a dealer as one who signs."""
    return Person(name, "dealer")


def security(number: int) -> Person:
    """Return one of the security department; they take turns."""
    return Person(f"SEC-{1 + number % 4}", "security")


CHIP_BANK: Final = Person("CB-1", "chip_bank")
FINANCE: Final = Person("FIN-1", "finance")
TABLE_GAMES: Final = Person("TG-1", "table_games")
COUNT_TEAM: Final = (
    Person("CT-1", "count_team"),
    Person("CT-2", "count_team"),
    Person("CT-3", "count_team"),
)


def signer(department: str, *, supervisor: bool = True) -> Signer:
    """Return someone of a department on a paper of the coupon programme."""
    return Signer(
        name=f"{department.title()} {'Supervisor' if supervisor else 'Clerk'}",
        signature=True,
        credential=f"{department[:3].upper()}-{1 if supervisor else 2}",
        department=department,
        supervisor=supervisor,
    )
