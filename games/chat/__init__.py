"""The chat of a game."""
