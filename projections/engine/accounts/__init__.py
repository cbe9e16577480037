"""A table inventory and its drop box: changes of the chips, and every count compared with them."""
