"""Who may enter the console, what each may do and sees there, and the log of what was looked at."""
