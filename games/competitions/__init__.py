"""Tournaments, ladders, seasons and matching."""
