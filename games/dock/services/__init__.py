"""What changes prototypes."""
