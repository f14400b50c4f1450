"""What changes something of this room."""
