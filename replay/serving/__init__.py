"""What serves the console: the HTTP server, its limits, and the floor that it follows."""
