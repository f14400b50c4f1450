"""Moderation in the admin: cases, reports, reviews and confirmation forms."""
