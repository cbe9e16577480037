"""`discardrack whatif`: the same hands under another rulebook, and what each wager would have come to."""
