"""The faults that people make with chips, slips, boxes, Counter Checks and coupons."""

from collections.abc import Mapping
from typing import Final

from streams.simulator.kinds import Kind

MONEY: Final[Mapping[str, Kind]] = {
    "chips_taken": Kind("inventory_untyped", 0.12, "table and day"),
    "chips_added": Kind("inventory_untyped", 0.12, "table and day"),
    "chips_taken_in_round": Kind("inventory_untyped", 0.12, "table and day"),
    "short_fill_unnoticed": Kind("inventory_untyped", 0.04, "fill"),
    "opening_count_wrong": Kind("opening_count_differs", 0.1, "opening after the first day"),
    "error_notification_missing": Kind("error_not_notified", 0.1, "opening after the first day"),
    "count_wrong_by_a_chip": Kind("inventory_slip_wrong", 0.1, "closing"),
    "inventory_slip_unsigned": Kind("slip_unsigned", 0.04, "count onto a slip"),
    "inventory_slip_not_dropped": Kind("slip_not_dropped", 0.04, "count onto a slip"),
    "drop_not_counted": Kind("no_count_at_drop", 0.2, "drop at an open table"),
}
