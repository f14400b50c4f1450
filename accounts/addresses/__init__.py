"""Email addresses: who owns one, and which get no mail about games."""
