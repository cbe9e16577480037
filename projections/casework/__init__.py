"""Casework of the surveillance room: alert queue, cases, disputes, log, and the handler of all actions."""
