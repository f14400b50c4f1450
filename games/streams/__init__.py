"""Streams of games: who may have one, and what it tells. How streams work is the project's matter."""
