"""What changes ratings."""
