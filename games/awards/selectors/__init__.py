"""What is read of months and awards."""
