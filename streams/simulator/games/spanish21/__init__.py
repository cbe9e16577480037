"""Chapter 551, Spanish 21, as it is played and settled by the simulator."""
