"""What changes tournaments."""
