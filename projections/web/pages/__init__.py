"""The pages of the console: queue, alerts, disputes, floor, tables and their days, reports, health."""
