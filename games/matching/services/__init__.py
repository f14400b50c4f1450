"""What changes tickets."""
