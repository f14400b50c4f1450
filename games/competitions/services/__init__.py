"""What changes competitions."""
