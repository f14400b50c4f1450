"""What players see of competitions."""
