"""The row of a person, and what it may hold."""
