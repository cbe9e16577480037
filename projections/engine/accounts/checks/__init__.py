"""The checks of accounts: one question a function, asked of every shoe or of every table inventory.

A check looks at one case and raises what it finds; it never fails and never writes.
"""

from collections.abc import Callable, Iterable
from typing import Final

from projections.engine.accounts.account_lines import InventoryCase, ShoeCase
from projections.engine.accounts.checks import inventory, shoe, shoe_cards, shoe_order
from projections.engine.findings import Raised

SHOE_CHECKS: Final[tuple[Callable[[ShoeCase], Iterable[Raised]], ...]] = (
    shoe.check_vigorish_owing,
    shoe.check_vigorish_mixed,
    shoe.check_device_contradicts,
    shoe.check_shoe_data,
    shoe_cards.check_cards_conserved,
    shoe_cards.check_cards_stay_away,
    shoe_order.check_order_preserved,
)

INVENTORY_CHECKS: Final[tuple[Callable[[InventoryCase], Iterable[Raised]], ...]] = (
    inventory.check_inventory_followed,
    inventory.check_inventory_untyped,
    inventory.check_inventory_slip,
)
