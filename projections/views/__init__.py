"""Views: what was concluded, put into words and pictures for people."""
