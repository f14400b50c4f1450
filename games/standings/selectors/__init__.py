"""What players see of ratings and awards, and how games count for them."""
