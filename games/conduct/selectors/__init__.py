"""What can be read in this room."""
