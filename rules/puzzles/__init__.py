"""Puzzles: positions from games in which one program is better than all others."""
