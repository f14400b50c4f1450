"""What changes seasons."""
