"""Logging in: attempts, and what programs log in with."""
