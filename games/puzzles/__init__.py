"""Puzzles from games: mining, tries and ratings."""
