"""Notifications to players: their content, channels and times."""
