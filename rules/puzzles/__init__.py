"""Puzzles: positions from games where one program is better than all others."""
