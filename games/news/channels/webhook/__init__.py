"""Webhooks: notifications as documents for programs of players."""
