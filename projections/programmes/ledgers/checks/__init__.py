"""The checks of what crosses tables: one question a function, all of them listed here.

A check looks at a day of all ledgers and raises what it finds; it never fails and never writes.
`LEDGER_CHECKS` says in which account each is asked; of every account it is asked whether its ledger is whole.
"""

from collections.abc import Callable, Iterable
from typing import Final, Literal, TypeAlias

from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.checks import boxes, counter_checks, fills, incomplete, slips
from projections.programmes.ledgers.day_context import DayCase

Account: TypeAlias = Literal["slips", "drop", "counter_checks"]

LEDGER_CHECKS: Final[tuple[tuple[Account, Callable[[DayCase], Iterable[Raised]]], ...]] = (
    ("slips", fills.check_request),  # 465a.38(a), (b)
    ("slips", fills.check_escort),
    ("slips", fills.check_matched),  # 465a.36(b)(5)
    ("slips", slips.check_slip_numbers),  # 465a.3(c)
    ("slips", slips.check_slip_voided),
    ("slips", slips.check_error_notice),
    ("drop", boxes.check_box),  # 465a.25(a)(3)
    ("drop", boxes.check_box_content),  # 465a.36(b)(2), 603a.20(m)(1)
    ("drop", boxes.check_slip_in_box),  # 465a.3(a), 465a.37(e), 465a.41(d)
    ("drop", boxes.check_slip_dropped),
    ("counter_checks", counter_checks.check_check_book),  # 609a.13(c)(3)
    ("counter_checks", counter_checks.check_check_exchange),  # 465a.36(b)(2)
    ("counter_checks", counter_checks.check_check_paper),
)

KINDS: Final[tuple[Duty, ...]] = (
    *fills.REQUEST_KINDS,
    *fills.ESCORT_KINDS,
    *fills.MATCHED_KINDS,
    *slips.SLIP_NUMBERS_KINDS,
    *slips.SLIP_VOIDED_KINDS,
    *slips.ERROR_NOTICE_KINDS,
    *boxes.BOX_KINDS,
    *boxes.BOX_CONTENT_KINDS,
    *boxes.SLIP_IN_BOX_KINDS,
    *boxes.SLIP_DROPPED_KINDS,
    *counter_checks.CHECK_BOOK_KINDS,
    *counter_checks.CHECK_EXCHANGE_KINDS,
    *counter_checks.CHECK_PAPER_KINDS,
    *incomplete.KINDS,
)
