"""Played turns: log, film, grid, pictures of boards, and files of finished games."""
