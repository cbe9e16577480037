"""A hand in the words of the field: what was seen of it, what its game says, what is found and concluded."""
