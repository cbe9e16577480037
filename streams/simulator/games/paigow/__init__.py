"""Chapter 535, Pai Gow, as it is played, banked and settled by the simulator."""
