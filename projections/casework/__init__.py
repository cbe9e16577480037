"""The surveillance room's own work: the board of alerts, cases, disputes, the log, and the one desk."""
