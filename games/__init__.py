"""The service around the rules: games, players, starships and everything else."""
