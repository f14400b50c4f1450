"""Awards of a month for what players did best, and the ranks that awards make."""
