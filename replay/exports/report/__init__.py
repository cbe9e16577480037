"""A report: what it is, and how it is written for people and for programs."""
