"""Ratings and awards as players see them, and the results they are based on."""
