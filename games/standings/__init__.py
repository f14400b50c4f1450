"""How good players are: ratings from the results of games, awards of a month, and ranks."""
