"""The surveillance log: what happened in the room, by time, and how one shift hands it to the next.

Pure: `actions` are the entries that people type and their signatures at a handover, `shifts` folds them,
`book` offers them to the desk. `lines` makes the log itself: what was done about alerts and disputes is a
line of it without being written twice. What was entered is never changed (465a.3(a)): a correction is a
later entry that names the one it corrects, and both stay.
"""
