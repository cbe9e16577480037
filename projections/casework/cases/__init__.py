"""What people do about alerts: their actions, who may do what when, and the work as it stands after them.

Pure: `actions` are what a person asks for, `work` has the cases as they stand, `folding` folds what was done
into them, `deciding` says whether it may be done, `waiting` for whom a case
waits. A case begins as one alert; merging puts several into one.
Whoever writes (projections.casework.command_handler) gives the time and the name of the person.
"""
