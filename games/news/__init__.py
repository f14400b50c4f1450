"""Notifications: what players are told, by which channels, and when."""
