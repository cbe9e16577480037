"""Patterns over many days: leads for investigators, each with its hands and its rate of false alarms."""
