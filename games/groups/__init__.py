"""News of games, clubs and tournaments for channels of groups, such as Discord."""
