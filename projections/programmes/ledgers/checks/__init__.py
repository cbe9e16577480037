"""The checks of what crosses tables: one question a file, all of them listed here.

A check looks at a day of all ledgers and raises what it finds; it never fails and never writes.
`LEDGER_CHECKS` says in which account each is asked; of every account it is asked whether its ledger is whole.
"""

from collections.abc import Callable, Iterable
from typing import Final, Literal, TypeAlias

from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.checks import (
    box,
    box_content,
    check_book,
    check_exchange,
    check_paper,
    error_notice,
    escort,
    incomplete,
    matched,
    request,
    slip_dropped,
    slip_in_box,
    slip_numbers,
    slip_voided,
)
from projections.programmes.ledgers.day_context import DayCase

Account: TypeAlias = Literal["slips", "drop", "counter_checks"]

LEDGER_CHECKS: Final[tuple[tuple[Account, Callable[[DayCase], Iterable[Raised]]], ...]] = (
    ("slips", request.check),  # 465a.38(a), (b)
    ("slips", escort.check),
    ("slips", matched.check),  # 465a.36(b)(5)
    ("slips", slip_numbers.check),  # 465a.3(c)
    ("slips", slip_voided.check),
    ("slips", error_notice.check),
    ("drop", box.check),  # 465a.25(a)(3)
    ("drop", box_content.check),  # 465a.36(b)(2), 603a.20(m)(1)
    ("drop", slip_in_box.check),  # 465a.3(a), 465a.37(e), 465a.41(d)
    ("drop", slip_dropped.check),
    ("counter_checks", check_book.check),  # 609a.13(c)(3)
    ("counter_checks", check_exchange.check),  # 465a.36(b)(2)
    ("counter_checks", check_paper.check),
)

KINDS: Final[tuple[Duty, ...]] = (
    *request.KINDS,
    *escort.KINDS,
    *matched.KINDS,
    *slip_numbers.KINDS,
    *slip_voided.KINDS,
    *error_notice.KINDS,
    *box.KINDS,
    *box_content.KINDS,
    *slip_in_box.KINDS,
    *slip_dropped.KINDS,
    *check_book.KINDS,
    *check_exchange.KINDS,
    *check_paper.KINDS,
    *incomplete.KINDS,
)
