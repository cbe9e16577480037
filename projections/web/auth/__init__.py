"""Access to the console: who may enter, what each may do and see, and the access log."""
