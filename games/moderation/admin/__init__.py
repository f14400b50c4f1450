"""Moderation in the admin: cases, reports and reviews, and the questions that staff answer."""
