"""Competitions as players see them."""
