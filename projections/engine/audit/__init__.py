"""From a round as it was seen to a verdict: one case, its judges, and the audit of a whole table."""
