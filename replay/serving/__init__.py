"""Server of the console: HTTP, its limits, and the floor that it follows."""
