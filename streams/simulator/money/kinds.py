"""The faults that people make with chips, slips, boxes, Counter Checks and coupons."""

from collections.abc import Mapping
from typing import Final

from streams.simulator.kinds import Kind

_DAY: Final = "table and day"
_OPENING: Final = "opening after the first day"
_BETWEEN: Final = "table and day between others"
_CHECK: Final = "Counter Check"
_COUPON: Final = "coupon played"
_BOX: Final = "box counted"

# docs/faults.md explains each kind.
MONEY: Final[Mapping[str, Kind]] = {
    "chips_taken": Kind("inventory_untyped", 0.12, _DAY),
    "chips_added": Kind("inventory_untyped", 0.12, _DAY),
    "chips_taken_in_round": Kind("inventory_untyped", 0.12, _DAY),
    "short_fill_unnoticed": Kind("inventory_untyped", 0.08, "fill"),
    "short_fill": Kind("fill_count_differs", 0.05, "fill"),
    "fill_without_request": Kind("fill_without_request", 0.04, "fill"),
    "fill_other_than_requested": Kind("fill_differs_from_request", 0.04, "fill"),
    "fill_not_escorted": Kind("fill_not_escorted", 0.04, "fill"),
    "fill_carried_by_dealer": Kind("fill_carrier_role", 0.05, "fill"),
    "fill_slip_not_dropped": Kind("fill_slip_not_dropped", 0.04, "fill"),
    "slip_missing": Kind("slip_number_missing", 0.05, "fill after the table's first"),
    "serial_exception_unreported": Kind("serial_exception_unreported", 0.5, "slip missing for two days"),
    "slip_voided_unsigned": Kind("slip_voided_unsigned", 0.04, "fill"),
    "credit_unmatched": Kind("credit_unmatched", 0.15, "table credit"),
    "credit_short": Kind("credit_count_differs", 0.25, "table credit"),
    "credit_slip_not_dropped": Kind("credit_slip_not_dropped", 0.15, "table credit"),
    "opening_count_wrong": Kind("opening_count_differs", 0.1, _OPENING),
    "error_notification_missing": Kind("error_notification_missing", 0.1, _OPENING),
    "count_wrong_by_a_chip": Kind("inventory_slip_wrong", 0.15, "closing"),
    "inventory_slip_unsigned": Kind("slip_unsigned", 0.05, "count onto a slip"),
    "inventory_slip_not_dropped": Kind("slip_not_dropped", 0.05, "count onto a slip"),
    "unopened_not_counted": Kind("unopened_not_counted", 0.04, _BETWEEN),
    "drop_not_counted": Kind("no_count_at_drop", 0.2, "drop at an open table"),
    "box_not_counted": Kind("box_not_counted", 0.04, _BOX),
    "box_not_shown_empty": Kind("box_not_shown_empty", 0.06, _BOX),
    "box_cash_short": Kind("box_cash_differs", 0.06, _BOX),
    "slip_altered": Kind("slip_altered", 0.06, _BOX),
    "slip_not_in_box": Kind("slip_not_in_box", 0.06, _BOX),
    "coupon_not_counted": Kind("coupon_not_counted", 0.08, "box with coupons counted"),
    "counter_check_unsigned_out": Kind(
        "counter_check_book_not_out", 0.15, "table and day with Counter Checks"
    ),
    "counter_check_unsigned": Kind("counter_check_unsigned", 0.04, _CHECK),
    "counter_check_sum_wrong": Kind("counter_check_sum_differs", 0.04, _CHECK),
    "counter_check_missing_number": Kind("counter_check_number_missing", 0.04, _CHECK),
    "coupon_replayed": Kind("coupon_reused", 0.04, _COUPON),
    "coupon_counterfeit": Kind("coupon_unknown", 0.02, _COUPON),
    "coupon_expired": Kind("coupon_expired", 0.03, _COUPON),
    "coupon_not_dropped": Kind("coupon_not_dropped", 0.03, "coupon played and not tied"),
    "coupon_dropped_without_play": Kind("dropped_without_play", 0.02, _COUPON),
    "coupon_short_chips": Kind("coupon_over_chips", 0.03, _COUPON),
    "coupon_form_wrong": Kind("form_distributed_wrong", 0.5, "gaming day"),
    "coupons_not_reconciled": Kind("reconciliation_missing", 0.1, "gaming day"),
}
