"""Chapter 685a, Down Under Blackjack, as it is played and settled by the simulator."""
