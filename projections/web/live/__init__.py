"""What keeps an open page up to date: one thread over the store, streams, and the clock's tick."""
