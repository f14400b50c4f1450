"""Clubs: players who belong together, with games of their own."""
