"""Channels in which groups of players talk, such as Discord: news of games, clubs and tournaments."""
