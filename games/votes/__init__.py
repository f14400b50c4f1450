"""What the players of a game decide together."""
