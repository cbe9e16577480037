"""Disputes and the surveillance log."""
