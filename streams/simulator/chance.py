"""Chance on the simulated floor: the standard library's generator, with whole numbers drawn in one step."""

from random import Random


class Chance(Random):
    """Generator that gives the same numbers as `Random` of the same seed; a floor draws millions of them."""

    def randint(self, least: int, most: int) -> int:
        """Draw a whole number between two bounds, both of which may come.

        >>> ours, theirs = Chance("seed"), Random("seed")
        >>> all(ours.randint(-7, most) == theirs.randint(-7, most) for most in range(200))
        True
        """
        width = most - least + 1
        if width < 1:
            raise ValueError(f"there is no whole number from {least} to {most}")
        bits = width.bit_length()
        drawn = self.getrandbits(bits)
        while drawn >= width:
            drawn = self.getrandbits(bits)
        return least + drawn
