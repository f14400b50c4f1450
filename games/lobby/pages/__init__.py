"""Pages to create, find, join and start games."""
