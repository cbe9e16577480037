"""What stands on the papers of the coupon programme: who signed, and marketing's daily form."""

from datetime import date
from typing import Any, TypeAlias

from msgspec import UNSET, Struct

from schemas.values import Name

Day: TypeAlias = date  # fields are called `date` too
Named: TypeAlias = Name | int  # a table, round, patron or document; some systems number them


class Signer(Struct, frozen=True, omit_defaults=True):
    """A person on a document: name, signature, the Board's credential number, department."""

    name: str | None = None
    signature: str | bool | None = None
    credential: Named | None = None
    department: str | None = None
    supervisor: bool | None = None


class ReconciliationForm(Struct, frozen=True, omit_defaults=True):
    """Marketing's daily form, 603a.20(j)(1)-(8).

    Coupons are told as a number, by cents of one (`{"1000": 40}`), or by their serial numbers; what else a
    house writes there is read as far as docs/coupon_log.md says.
    """

    date: Day | None = None
    received: Any = None
    to_distribute: Any = None
    distributed: Any = None
    remaining: Any = None
    voided: Any = UNSET  # null says that there was none
    variations: Any = UNSET
    by: Signer | None = None
