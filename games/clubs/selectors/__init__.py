"""What is read of clubs."""
