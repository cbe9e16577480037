"""What people are shown of a conclusion: spots, sums and their steps, derivations, timelines; as data."""
