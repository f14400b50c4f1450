"""Starships, courses of several boards, and training missions."""
