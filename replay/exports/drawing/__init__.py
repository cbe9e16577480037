"""A picture drawn: in a terminal, as SVG, and on a page of HTML."""
