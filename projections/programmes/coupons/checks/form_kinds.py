"""What is asked of marketing's daily form, 603a.20(j)(1)-(8)."""

from typing import Final

from projections.programmes.coupons.event_context import Duty

_FORM: Final = "Something that stands on the form but is not in the log."
_EVENT: Final = "An event of that day that is not in the log."

MISSING: Final = Duty(
    "form_missing",
    severity="procedure",
    asks="Is there a form for each gaming day on which marketing had coupons to distribute?",
    false_positives="A form that is not in the log.",
    cites=("603a.20(j)",),
)
DATE: Final = Duty(
    "form_date_wrong",
    severity="procedure",
    asks="Does the form have the date of its gaming day?",
    false_positives=_FORM,
    cites=("603a.20(j)(1)",),
)
RECEIVED: Final = Duty(
    "form_received_wrong",
    severity="money",
    asks="Does the form have the serial numbers that came from finance?",
    false_positives=_EVENT,
    cites=("603a.20(j)(2)",),
)
TO_DISTRIBUTE: Final = Duty(
    "form_to_distribute_wrong",
    severity="money",
    asks="Does the form have what there was to distribute?",
    false_positives=_EVENT,
    cites=("603a.20(j)(3)",),
)
DISTRIBUTED: Final = Duty(
    "form_distributed_wrong",
    severity="money",
    asks="Does the form have what was distributed?",
    false_positives=_EVENT,
    cites=("603a.20(j)(4)",),
)
REMAINING: Final = Duty(
    "form_remaining_wrong",
    severity="money",
    asks="Does the form have what remained?",
    false_positives=_EVENT,
    cites=("603a.20(j)(5)",),
)
VOIDED: Final = Duty(
    "form_voided_wrong",
    severity="money",
    asks="Does the form have what was voided, and why?",
    false_positives=_EVENT,
    cites=("603a.20(j)(6)",),
)
VARIATIONS: Final = Duty(
    "form_variation_unexplained",
    severity="money",
    asks="Does the form tell variations and explain them?",
    false_positives=_FORM,
    cites=("603a.20(j)(7)",),
)
SIGNER: Final = Duty(
    "form_supervisor_missing",
    severity="procedure",
    asks="Does the form have name, signature and credential number of marketing's supervisor?",
    false_positives=_FORM,
    cites=("603a.20(j)(8)",),
)
NOT_CARRIED: Final = Duty(
    "kept_not_on_next_form",
    severity="money",
    asks="Does the next gaming day's form have the coupons that were kept for it?",
    false_positives="A gaming day on which nothing was handed out and whose form is not in the log.",
    cites=("603a.20(k)", "603a.20(j)(3)"),
)
KINDS: Final = (
    MISSING,
    DATE,
    RECEIVED,
    TO_DISTRIBUTE,
    DISTRIBUTED,
    REMAINING,
    VOIDED,
    VARIATIONS,
    SIGNER,
    NOT_CARRIED,
)
