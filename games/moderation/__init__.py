"""Moderation: reports, cases, decisions, sanctions, takedowns and appeals."""
