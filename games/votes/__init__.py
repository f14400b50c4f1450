"""Votes of the players of a game."""
