"""Sessions: how long a person stays logged in, and where."""
