"""`discardrack diff`: two audits held against each other, field by field."""
