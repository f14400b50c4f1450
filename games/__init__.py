"""The service round the game."""
