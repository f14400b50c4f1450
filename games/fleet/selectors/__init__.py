"""What is read of this room."""
