"""Reports of players, and what staff decide about players and starships."""
