"""Played turns: the log, films, tables of robots, pictures of boards, and files of finished games."""
