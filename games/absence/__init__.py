"""Absent players: missed turns, standing orders, reliability, replacements, departures and returns."""
