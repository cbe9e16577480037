"""From a table's events to its rounds as they were seen: order, gaps, barriers, and the one fold."""
