"""The queue of alerts, an alert's page, and what is done about it."""
