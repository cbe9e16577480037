"""`discardrack evidence`: one hand of a closed archive as a bundle that a stranger can check."""
