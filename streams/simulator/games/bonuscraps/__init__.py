"""Chapter 623a, the Bonus Craps wagers, as they are made and settled by the simulator."""
