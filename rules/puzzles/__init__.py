"""Puzzles: positions from games, each with one program that beats all others."""
