"""Is everything of a ledger here?"""

from collections.abc import Iterator, Mapping
from typing import Final

from projections.engine.facts import DeviceRef, Fact, Word, fact
from projections.engine.findings import HOUSE_CONTROL, Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.day_context import DayCase
from schemas.ledgers import Ledger

INCOMPLETE: Final = Duty(
    "ledger_incomplete",
    severity="data",
    asks="Did every entry of the ledger come, from a device that keeps it, and was it closed for the day?",
    false_positives="None: it says what is not known, not that anything was wrong.",
    weight="undetermined",
    cites=(HOUSE_CONTROL,),
    paper=None,
)
KINDS: Final = (INCOMPLETE,)

# Whose a finding is by the code of its doubt. It is an identity and no prose: the finding's id hashes it, so
# that it stays as it is whatever the templates say.
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


def of_ledger(case: DayCase, ledger: Ledger) -> Iterator[Raised]:
    """Raise what is missing of a ledger: holes by device and number, what was refused, that it is open."""
    for doubt in case.doubts.get(ledger, ()):
        message = fact("ledgers.ledger_incomplete", ledger=Word(ledger), doubt=doubt)
        yield case.raised(INCOMPLETE, message, who=identity(doubt))


def identity(doubt: Fact) -> str:
    """Return what tells a doubt from the others of its ledger in a finding.

    >>> one = fact("ledgers.entries_missing", device=DeviceRef("CG-1"), epoch=1, first=4, last=4)
    >>> identity(one), identity(fact("ledgers.not_closed"))
    ('entry 4 of device CG-1 (epoch 1) is missing', 'it is not closed for the day')
    """
    args = {name: arg.device if isinstance(arg, DeviceRef) else arg for name, arg in doubt.args.items()}
    is_one = "first" in args and args["first"] == args["last"]
    return (_ONE_MISSING if is_one else _IDENTITIES[doubt.code]).format(**args)
