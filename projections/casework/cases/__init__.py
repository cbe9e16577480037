"""Cases of alerts: the alert, the state of the cases, the rules that actions share, and the actions.

A case begins as one alert; merging puts several into one. Pure: the command handler passes time and person.
"""
