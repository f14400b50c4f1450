"""What people see of prototypes and of what is said about them."""
