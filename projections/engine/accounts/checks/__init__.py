"""The checks of accounts: one question a file, asked of every shoe or of every table inventory.

A check looks at one case and raises what it finds; it never fails and never writes.
"""

from collections.abc import Callable, Iterable
from typing import Final

from projections.engine.accounts.account_lines import ShoeCase, TrayCase
from projections.engine.accounts.checks import (
    device_contradicts,
    inventory_followed,
    inventory_slip,
    inventory_untyped,
    shoe_data,
    vigorish_mixed,
    vigorish_owing,
)
from projections.engine.findings import Raised

SHOE_CHECKS: Final[tuple[Callable[[ShoeCase], Iterable[Raised]], ...]] = (
    vigorish_owing.check,
    vigorish_mixed.check,
    device_contradicts.check,
    shoe_data.check,
)

INVENTORY_CHECKS: Final[tuple[Callable[[TrayCase], Iterable[Raised]], ...]] = (
    inventory_followed.check,
    inventory_untyped.check,
    inventory_slip.check,
)
