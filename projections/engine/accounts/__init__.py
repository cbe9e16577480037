"""A table inventory and its drop box: what moves the chips, and what every count says of them."""
