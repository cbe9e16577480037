"""A hand as a picture, as data: what lies where, in which order it came, what was wagered, owed and paid."""
