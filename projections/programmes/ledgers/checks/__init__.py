"""The checks of what crosses tables: one question a function, all of them listed here.

A check examines a day of all ledgers and raises what it finds; it never fails and never writes.
`LEDGER_CHECKS` has the account of each. For every account it is checked that its ledger is complete.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, Literal, TypeAlias

from projections.engine.facts import DeviceRef, Fact, Word, fact
from projections.engine.findings import HOUSE_CONTROL, Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.checks import boxes, count_files, counter_checks, fills, slips
from projections.programmes.ledgers.day_context import DayCase
from schemas.ledgers import Ledger

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
    ("drop", count_files.check_count_approved),  # 465a.25(a)
    ("drop", count_files.check_count_files),  # 465a.25(a)(2)
    ("counter_checks", counter_checks.check_check_book),  # 609a.13(c)(3)
    ("counter_checks", counter_checks.check_check_exchange),  # 465a.36(b)(2)
    ("counter_checks", counter_checks.check_check_paper),
)

# ── Is everything of a ledger here? ──────────────────────────────────────────────────────────────────

INCOMPLETE: Final = Duty(
    "ledger_incomplete",
    severity="data",
    asks="Did every entry of the ledger come, from a device that keeps it, and was it closed for the day?",
    false_positives="None: it says what is not known, not that anything was wrong.",
    weight="undetermined",
    cites=(HOUSE_CONTROL,),
    paper=None,
)

# The subject of a finding by the code of its doubt. It is an identity, not text: the finding's id hashes it,
# so that it does not change with the templates.
_ONE_MISSING: Final = "entry {first} of device {device} (epoch {epoch}) is missing"
_IDENTITIES: Final[Mapping[str, str]] = {
    "ledgers.entries_missing": "entries {first}-{last} of device {device} (epoch {epoch}) are missing",
    "ledgers.entry_foreign": "device {device} reported {kind}, which is no entry of {ledger}",
    "ledgers.device_foreign": "device {device} does not keep {ledger} by the house file",
    "ledgers.corrected_absent": "a correction names entry {device} {epoch}/{number}, which is not here",
    "ledgers.corrected_foreign": (
        "a correction of entry {device} {epoch}/{number} puts in what is no entry of {ledger}"
    ),
    "ledgers.not_closed": "it is not closed for the day",
}


def raise_incomplete(case: DayCase, ledger: Ledger) -> Iterator[Raised]:
    """Raise what is missing of a ledger: holes by device and number, what was refused, that it is open."""
    for doubt in case.doubts.get(ledger, ()):
        message = fact("ledgers.ledger_incomplete", ledger=Word(ledger), doubt=doubt)
        yield case.raised(INCOMPLETE, message, who=doubt_identity(doubt))


def doubt_identity(doubt: Fact) -> str:
    """Return the text that distinguishes a doubt from the others of its ledger in a finding.

    >>> one = fact("ledgers.entries_missing", device=DeviceRef("CG-1"), epoch=1, first=4, last=4)
    >>> doubt_identity(one), doubt_identity(fact("ledgers.not_closed"))
    ('entry 4 of device CG-1 (epoch 1) is missing', 'it is not closed for the day')
    """
    args = {name: arg.device if isinstance(arg, DeviceRef) else arg for name, arg in doubt.args.items()}
    is_one = "first" in args and args["first"] == args["last"]
    return (_ONE_MISSING if is_one else _IDENTITIES[doubt.code]).format(**args)


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
    *count_files.KINDS,
    *counter_checks.CHECK_BOOK_KINDS,
    *counter_checks.CHECK_EXCHANGE_KINDS,
    *counter_checks.CHECK_PAPER_KINDS,
    INCOMPLETE,
)
