"""What players say to each other."""
