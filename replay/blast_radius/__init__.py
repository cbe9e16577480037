"""`discardrack blast-radius`: from a defect to every round, seat and patron that it touched."""
