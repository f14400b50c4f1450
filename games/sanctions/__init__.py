"""What staff have decided about a player, and what they may not do until it ends."""
