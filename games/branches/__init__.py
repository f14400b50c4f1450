"""Branches: turns of a game, played again with other orders."""
