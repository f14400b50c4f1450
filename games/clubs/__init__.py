"""Clubs of players, and games for their members."""
