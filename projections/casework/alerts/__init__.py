"""Alerts as surveillance sees them: the arrival and queue of each, which ring, and which are due.

Pure: findings, actions and the time are arguments.
"""
