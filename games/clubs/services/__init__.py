"""What changes clubs."""
