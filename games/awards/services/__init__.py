"""What changes months and awards."""
