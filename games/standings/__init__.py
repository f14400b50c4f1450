"""Ratings from results of games, monthly awards, and ranks."""
