"""Metrics of the notifications that leave the console, for Prometheus."""

from typing import Final

from prometheus_client import Counter, Gauge

SENT: Final = Counter(
    "discardrack_notifications_total",
    "Attempts to send a notification, and what ended one without, by target and outcome",
    ["target", "outcome"],
)
AGE: Final = Gauge(
    "discardrack_notification_age_seconds",
    "How long the oldest notification of a target has waited that is not sent yet",
    ["target"],
)
