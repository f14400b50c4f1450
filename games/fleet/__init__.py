"""Starships, boards composed for single games, and training missions."""
