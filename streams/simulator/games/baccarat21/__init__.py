"""Chapter 681a, 21 Baccarat, as it is played and settled by the simulator."""
