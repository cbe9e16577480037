"""Live updates of open pages: one thread over the store, streams, and the clock's tick."""
