"""Alerts as the room sees them: when each arrived, in which queue it stands, what rings, what is due.

Pure: they are told what was concluded, what was done and what time it is.
"""
