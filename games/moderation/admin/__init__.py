"""Moderation in the admin: cases, reports, reviews, and forms to confirm decisions."""
