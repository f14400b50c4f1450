"""What staff see of accounts, and what superusers do to them."""
