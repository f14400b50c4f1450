"""Missed turns, departures and returns: standing orders, replacement, reliability."""
