"""Tournaments, ladders, seasons and matching: ways to bring players together at tables."""
