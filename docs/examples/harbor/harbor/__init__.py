"""The Harbor House's own check and game."""
