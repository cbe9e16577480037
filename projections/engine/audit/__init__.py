"""From an observed round to a verdict: one case, its judges, and the audit of a whole table."""
