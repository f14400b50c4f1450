"""Count people's records, and delete accounts."""
