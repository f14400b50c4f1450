"""What is read of the library."""
