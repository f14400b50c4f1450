"""Starships and their revisions, courses put together from several boards, and training missions."""
