"""`discardrack hold`: what of an archive is kept whatever its age, and whose wish that is."""
