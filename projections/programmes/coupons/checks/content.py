"""Does the coupon bear what it must? 603a.20(c), and (q)(1) for those that are mailed."""

from collections.abc import Iterator
from typing import Any, Final

from projections.engine.facts import fact
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty, Moment
from schemas.coupon_log import Mailed, Received

_LIST: Final = "A list of the coupon's content that does not name everything that is printed on it."

NAME: Final = Duty(
    "coupon_lacks_name",
    severity="procedure",
    asks="Does the coupon bear the certificate holder's name or logo?",
    false_positives=_LIST,
    cites=("603a.20(c)(1)",),
)
VALUE: Final = Duty(
    "coupon_lacks_value",
    severity="procedure",
    asks="Does the coupon bear its value so that surveillance can read it?",
    false_positives=_LIST,
    cites=("603a.20(c)(2)",),
)
SERIAL: Final = Duty(
    "coupon_lacks_serial",
    severity="procedure",
    asks="Does the coupon bear a sequential serial number?",
    false_positives=_LIST,
    cites=("603a.20(c)(3)",),
)
DOUBLED: Final = Duty(
    "coupon_serial_doubled",
    severity="grave",
    asks="Is the coupon's serial number its own?",
    false_positives="A second series that begins anew and whose prefix the log leaves out.",
    cites=("603a.20(c)(3)", "603a.20(f)(3)"),
)
RESTRICTIONS: Final = Duty(
    "coupon_lacks_restrictions",
    severity="procedure",
    asks="Does the coupon say on which game or wager it may be used?",
    false_positives=_LIST,
    cites=("603a.20(c)(4)",),
)
EXPIRY: Final = Duty(
    "coupon_lacks_expiry",
    severity="procedure",
    asks="Does the coupon say on which date it expires?",
    false_positives=_LIST,
    cites=("603a.20(c)(5)",),
)
AREA: Final = Duty(
    "coupon_lacks_chip_area",
    severity="procedure",
    asks="Does the coupon have an area for the chips that leaves its value visible?",
    false_positives=_LIST,
    cites=("603a.20(c)(6)",),
)
KINDS: Final = (NAME, VALUE, SERIAL, DOUBLED, RESTRICTIONS, EXPIRY, AREA)

# What a coupon bears, and the parts of words by which a log may name it; the first that fits is meant.
_NAMED_BY: Final = (
    (EXPIRY, "expiry", ("expir",)),
    (SERIAL, "serial", ("serial",)),
    (AREA, "chip_area", ("area", "chip", "placement")),
    (RESTRICTIONS, "restrictions", ("restrict", "game", "wager")),
    (VALUE, "value", ("value", "denomination")),
    (NAME, "name", ("name", "logo")),
)


def check(moment: Moment) -> Iterator[Raised]:
    """Raise what coupons lack, by lot, and serial numbers that were there before."""
    event = moment.event
    if not isinstance(event, Received | Mailed):
        return
    mailed = ("603a.20(q)(1)",) if isinstance(event, Mailed) else ()
    patron = event.patron if isinstance(event, Mailed) else None
    borne = _borne(event.content)
    if event.expires is None and not mailed:  # for one that is mailed (q)(2)(iv) asks for the date
        borne -= {EXPIRY.check}
    if not event.games:
        borne -= {RESTRICTIONS.check}
    for duty, what, _ in reversed(_NAMED_BY):
        if duty.check not in borne:
            lacks = fact("coupons.coupon_lacks", what=what)
            yield moment.found(duty, lacks, patron=patron, cites=mailed)
    known = [serial for serial in moment.coupons if serial in moment.ledger.coupons]
    if known:
        doubled = ("603a.20(q)(2)(v)",) if mailed else ()
        message = fact("coupons.serial_doubled")
        yield moment.found(DOUBLED, message, serials=known, patron=patron, cites=doubled)


def _borne(content: list[str] | dict[str, Any] | None) -> set[str]:
    """Return which duties a coupon's content fulfils: what is listed, or what is listed as true."""
    words = [word for word, there in content.items() if there] if isinstance(content, dict) else content
    return {fulfilled for word in words or () if (fulfilled := _meant(word.lower())) is not None}


def _meant(word: str) -> str | None:
    return next((duty.check for duty, _, parts in _NAMED_BY if any(part in word for part in parts)), None)
