"""Passwords: what one must not be, and the forms to change it."""
