"""Votes among the players of a game."""
