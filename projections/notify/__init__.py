"""Notifications outside the browser: what is sent, to whom, and what came back."""
