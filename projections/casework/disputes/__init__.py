"""Disputes: the dispute and its parts, the actions on it, and the book of what was done."""
