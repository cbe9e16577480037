"""Vendors' forms of played rounds, each known by the columns of its first line: one line each."""

from collections.abc import Sequence
from typing import Final

from schemas.errors import BadInput
from schemas.vendors import live_rounds, live_shoes
from schemas.vendors.form import Vendor

VENDORS: Final[tuple[Vendor, ...]] = (
    live_rounds.VENDOR,
    live_shoes.VENDOR,
)


def vendor_of(header: Sequence[str]) -> Vendor:
    """Recognise a vendor's form by its columns, in whatever order they stand.

    Raises:
        BadInput: no vendor that is known here writes such columns.
    """
    for vendor in VENDORS:
        if sorted(header) == sorted(vendor.columns):
            return vendor
    heads = "; ".join(",".join(vendor.columns) for vendor in VENDORS)
    raise BadInput(
        "not a form that is known here without a mapping; `discardrack map suggest` proposes one. Known are "
        f"round records, one JSON object a line, and CSV with one of these heads: {heads}"
    )
