"""Analyses of games: reviews of played turns by workers, and their pages."""
